/** The approval page: who may open it, what it shows, and that a decision is made once and on what was shown. */
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PlanStatus } from "../../src/guard/plan.js";
import { Failure } from "../../src/language/failure.js";
import type { PlanReview } from "../../src/mcp/http/approval.js";
import type { ShownPlan } from "../../src/mcp/http/page.js";
import {
  hiddenIn,
  minute,
  secret,
  sendForm,
  serveBare,
  servePage,
  startedAt,
  token,
  usual,
  waitingIn,
} from "./approval-page.js";
import { ask } from "./raw-http.js";

let url: URL;
let close = async (): Promise<void> => undefined;
let now = startedAt;
let plan: ShownPlan;
let status: PlanStatus;
let acts: string[];
let pauses: number[];
let paused = async (): Promise<void> => undefined;
const pause = async (ms: number): Promise<void> => {
  pauses.push(ms);
  await paused();
};
let findDelay = async (): Promise<void> => undefined;

const review: PlanReview = {
  find: async (id) => {
    const found = id === plan.id ? { plan, status } : undefined;
    await findDelay();
    return found;
  },
  waiting: async (most) => waitingIn([plan], most),
  approve: async (id, channel, by) => {
    acts.push(`approve ${id} ${channel} ${by.name}`);
    status = "approved";
    return 0;
  },
  refuse: async (id, channel, by) => {
    acts.push(`refuse ${id} ${channel} ${by.name}`);
    status = "refused";
  },
};

beforeEach(async () => {
  [now, plan, status, acts, findDelay] = [startedAt, usual, "open", [], async () => undefined];
  [pauses, paused] = [[], async () => undefined];
  const served = await servePage(review, { now: () => now, pause });
  close = served.close;
  url = new URL(served.url);
});
afterEach(() => close());

const path = () => `/plans/${plan.id}`;
const get = (at = path()) => ask(url, { method: "GET", path: at });
const post = (fields: Record<string, string> | string, headers: Record<string, string> = {}, at = path()) =>
  sendForm(url, at, fields, headers);
const ticketIn = (html: string): string => hiddenIn(html, "ticket");
const open = async (): Promise<string> => ticketIn((await post({ secret })).text);

describe("opening the page", () => {
  it("asks for the secret and tells nothing of the plan, not even whether there is one", async () => {
    const [known, unknown] = [await get(), await get("/plans/plan_unknown")];
    expect([known.status, known.text]).toEqual([200, unknown.text]);
    expect(known.text).toContain('<input type="password" id="secret" name="secret"');
    expect(known.text).not.toContain("REMOVE");
  });

  it("shows the whole preview for the secret, and both decisions, the one that changes nothing first", async () => {
    const { status: answered, text } = await post({ secret });
    expect(answered).toBe(200);
    const { preview } = plan;
    const { summary, account, warnings, lines } = preview;
    for (const part of [
      summary,
      account,
      "PRODUCTION",
      ...warnings,
      ...lines,
      plan.tool,
      plan.id,
      plan.owner,
      plan.tier,
    ])
      expect(text).toContain(part);
    expect(text.split(summary)).toHaveLength(2);
    expect(text).toContain(
      'expires in 1 h 0 min</span> (at <time datetime="2026-06-01T01:00:00Z">01:00:00 UTC</time>)',
    );
    expect([...text.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      "refuse",
      "approve",
    ]);
    expect(text).not.toContain(secret);
    expect(acts).toEqual([]);
  });

  it.each([
    ["nothing", ""],
    ["a part of it", secret.slice(1)],
    ["another text", "x".repeat(40)],
    ["a client's token", token],
    ["the approver's name", "carol"],
  ])("is refused with %s", async (_, wrong) => {
    const { status: answered, text } = await post({ secret: wrong });
    expect([answered, text.includes("REMOVE")]).toEqual([403, false]);
  });

  it("is refused with a client's token as a bearer token, which is not looked at", async () => {
    const answer = await post({ secret: token }, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(403);
    expect((await post({ secret: "" }, { authorization: `Bearer ${secret}` })).status).toBe(403);
  });

  it("says after the secret that there is no such plan", async () => {
    expect((await post({ secret }, {}, "/plans/plan_unknown")).status).toBe(404);
    expect((await get("/plans/../mcp")).status).toBe(404);
    expect((await get("/plans/x")).status).toBe(404);
  });

  const wrong = async (count: number) => {
    for (let index = 0; index < count; index += 1)
      expect((await post({ secret: `wrong ${index}` }, {}, index % 2 === 0 ? path() : "/plans")).status).toBe(403);
  };

  it("is never refused with the right secret, whatever came before it or comes beside it", async () => {
    await wrong(12);
    const others = Array.from({ length: 20 }, (_, at) => post({ secret: `wrong ${at}` }));
    const right = await post({ secret });
    expect([right.status, right.text.includes("REMOVE")]).toEqual([200, true]);
    expect(new Set((await Promise.all(others)).map((answer) => answer.status))).toEqual(new Set([403]));
  });

  it("has the secrets of an address wait for each other after ten wrong ones in a minute, a tenth of a second each", async () => {
    await wrong(10);
    expect(pauses).toEqual([]);
    let release = (): void => undefined;
    paused = () => new Promise<void>((resolve) => (release = resolve));
    const answers: number[] = [];
    const attempts = ["a", secret, "b"].map(async (one) => answers.push((await post({ secret: one })).status));
    for (const count of [1, 2, 3]) {
      await expect.poll(() => pauses.length).toBe(count);
      expect(answers).toHaveLength(count - 1);
      release();
    }
    await Promise.all(attempts);
    expect([pauses, answers.toSorted()]).toEqual([
      [100, 100, 100],
      [200, 403, 403],
    ]);
    now += minute;
    await wrong(10);
    expect(pauses).toHaveLength(3);
  });

  it("waits for nobody who has left, and does not look at their secret", async () => {
    await wrong(10);
    let release = (): void => undefined;
    paused = () => new Promise<void>((resolve) => (release = resolve));
    const first = post({ secret: "wrong" });
    await expect.poll(() => pauses.length).toBe(1);
    const body = "secret=wrong";
    const head = `POST ${path()} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/x-www-form-urlencoded`;
    for (let at = 0; at < 20; at += 1) {
      const leaving = connect(Number(url.port), url.hostname);
      leaving.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      leaving.destroy();
    }
    paused = async () => undefined;
    const right = post({ secret });
    release();
    expect([(await first).status, (await right).status]).toEqual([403, 200]);
    // The last of them may not have been seen to leave yet.
    expect(pauses.length).toBeLessThan(6);
  });

  it("is not there when no approver is configured", async () => {
    const bare = await serveBare();
    for (const method of ["GET", "POST"])
      for (const at of [path(), "/plans", "/plans/"]) {
        const { status: answered, headers } = await ask(new URL(bare.url), { method, path: at, body: "" });
        expect([answered, headers["content-type"]]).toEqual([404, "application/json"]);
      }
    await bare.close();
  });
});

describe("deciding", () => {
  it("approves in the name of whose secret it was", async () => {
    const answer = await post({ ticket: await open(), decision: "approve" });
    expect([answer.status, acts]).toEqual([200, [`approve ${plan.id} page carol`]]);
  });

  it("refuses", async () => {
    const answer = await post({ ticket: await open(), decision: "refuse" });
    expect([answer.status, acts]).toEqual([200, [`refuse ${plan.id} page carol`]]);
  });

  it("happens once for a double click, and not by going back", async () => {
    findDelay = () => new Promise((resolve) => setTimeout(resolve, 20));
    const fields = { ticket: await open(), decision: "approve" };
    const answers = await Promise.all([post(fields), post(fields), post({ ...fields, decision: "refuse" })]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    expect((await post(fields)).status).toBe(409);
    expect(acts).toHaveLength(1);
  });

  it("never happens by GET, whatever the query says", async () => {
    const ticket = await open();
    const query = new URLSearchParams({ ticket, decision: "approve", secret });
    for (const method of ["GET", "HEAD", "PUT", "DELETE"])
      await ask(url, { method, path: `${path()}?${query}`, body: "" });
    expect([acts, (await get(`${path()}?${query}`)).text.includes("REMOVE")]).toEqual([[], false]);
  });

  it("needs a ticket that is whole, unaltered and for this plan", async () => {
    const ticket = await open();
    const [by, expiresAt, nonce, mac] = ticket.split(":");
    const altered = [
      "",
      ticket.slice(0, -1),
      `${ticket}x`,
      [`${by}x`, expiresAt, nonce, mac].join(":"),
      [by, String(Number(expiresAt) + 1), nonce, mac].join(":"),
      [by, expiresAt, `${nonce}x`, mac].join(":"),
      [by, expiresAt, nonce, ""].join(":"),
    ];
    for (const wrong of altered)
      expect([wrong, (await post({ ticket: wrong, decision: "approve" })).status]).toEqual([wrong, 403]);
    plan = { ...usual, id: "plan_BBBBBBBBBBBBBBBBBBBBBB" };
    expect((await post({ ticket, decision: "approve" })).status).toBe(403);
    expect(acts).toEqual([]);
  });

  it("needs a ticket for the very preview that was shown", async () => {
    const ticket = await open();
    plan = { ...usual, preview: { ...usual.preview, digest: "digest-2" } };
    expect([(await post({ ticket, decision: "approve" })).status, acts]).toEqual([403, []]);
  });

  it("needs a ticket of the last five minutes", async () => {
    const ticket = await open();
    now += 5 * minute;
    expect((await post({ ticket, decision: "approve" })).status).toBe(403);
    now -= 1;
    expect((await post({ ticket, decision: "approve" })).status).toBe(200);
  });

  it("needs an open plan that waits for a person", async () => {
    const ticket = await open();
    for (const [waits, is, at] of [
      ["confirm", "open", startedAt],
      ["question", "open", startedAt],
      ["person", "approved", startedAt],
      ["person", "redeemed", startedAt],
      ["person", "refused", startedAt],
      ["person", "expired", startedAt],
      ["person", "open", usual.expiresAtMs],
    ] as const) {
      plan = { ...usual, awaits: waits };
      [status, now] = [is, at];
      const [shown, decided] = [await post({ secret }), await post({ ticket, decision: "approve" })];
      expect([waits, is, shown.status, ticketIn(shown.text)]).toEqual([waits, is, 409, ""]);
      expect([409, 403]).toContain(decided.status);
    }
    expect(acts).toEqual([]);
  });

  it("needs a decision", async () => {
    const ticket = await open();
    for (const decision of ["", "yes", "approve "]) expect((await post({ ticket, decision })).status).toBe(400);
    expect(acts).toEqual([]);
  });

  it("takes no field twice", async () => {
    const fields = new URLSearchParams({ ticket: await open(), decision: "refuse" });
    expect((await post(`${fields}&decision=approve`)).status).toBe(400);
    expect(acts).toEqual([]);
  });

  it("shows why a decision was not carried out", async () => {
    const ticket = await open();
    const approve = review.approve;
    review.approve = async () => {
      throw new Failure("approval_refused", "The plan ended <meanwhile>.", { next: "Preview again." });
    };
    const { status: answered, text } = await post({ ticket, decision: "approve" });
    review.approve = approve;
    expect([answered, text.includes("The plan ended &lt;meanwhile&gt;. Preview again.")]).toEqual([409, true]);
  });

  it("of a critical plan needs the target, typed", async () => {
    plan = { ...usual, tier: "critical" };
    const ticket = await open();
    for (const target of ["", "3 Things", "3 things!", "yes"]) {
      const { status: answered, text } = await post({ ticket, decision: "approve", target });
      expect([target, answered, text.includes("not the target")]).toEqual([target, 422, true]);
    }
    expect(acts).toEqual([]);
    expect((await post({ ticket, decision: "approve", target: " 3 things " })).status).toBe(200);
    expect(acts).toEqual([`approve ${plan.id} page carol`]);
  });

  it("against a critical plan needs no typing", async () => {
    plan = { ...usual, tier: "critical" };
    expect((await post({ ticket: await open(), decision: "refuse" })).status).toBe(200);
    expect(acts).toEqual([`refuse ${plan.id} page carol`]);
  });
});

describe("a form from elsewhere", () => {
  it.each([
    ["another origin", 403, { origin: "https://evil.example" }],
    ["an opaque origin", 403, { origin: "null" }],
    ["another site", 403, { "sec-fetch-site": "cross-site" }],
    ["another origin of this site", 403, { "sec-fetch-site": "same-site" }],
    ["another host", 403, { host: "evil.example" }],
    ["JSON", 415, { "content-type": "application/json" }],
    ["plain text, which needs no preflight", 415, { "content-type": "text/plain" }],
    ["a part form", 415, { "content-type": "multipart/form-data; boundary=x" }],
  ])("is refused: %s", async (_, expected, headers) => {
    const answer = await post({ ticket: await open(), decision: "approve" }, headers);
    expect([answer.status, acts]).toEqual([expected, []]);
  });

  it("is refused when it is large", async () => {
    expect((await post({ secret, more: "x".repeat(8 * 1024) })).status).toBe(413);
  });

  it("has its own page's origin in a browser, because a referrer policy of no-referrer would make it null", async () => {
    expect((await get()).headers["referrer-policy"]).toBe("same-origin");
    expect((await post({ secret }, { origin: url.origin, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });
});

describe("every answer of the page", () => {
  it("may load nothing, run one script that no plan has a part in, send forms nowhere else, and be framed and kept by nobody", async () => {
    const scripts = new Set<string>();
    const ticket = await open();
    const answers = [
      await get(),
      await get("/plans/x"),
      await post({ secret }),
      await post({ secret: "wrong" }),
      await post({ ticket, decision: "?" }),
      await post({ ticket, decision: "approve" }),
      await ask(url, { method: "PUT", path: path() }),
    ];
    for (const { headers, text } of answers) {
      const hashOf = (part: string) => createHash("sha256").update(part).digest("base64");
      const [, style = ""] = /<style>([^<]*)<\/style>/.exec(text) ?? [];
      const [, script = ""] = /<script>(.*?)<\/script>/.exec(text) ?? [];
      scripts.add(script);
      expect(headers["content-security-policy"]).toBe(
        `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect(text.replace(`<script>${script}</script>`, "")).not.toMatch(/<script|javascript:| on\w+=| style=| src=/i);
    }
    expect([...scripts]).toHaveLength(1);
  });

  const hostile = [
    `"><script>alert(1)</script>`,
    "</li></ul><form action=https://evil.example><button>",
    "' onmouseover='alert(1)",
    "<img src=x onerror=alert(1)>",
    "a\nAccount: another",
    "x\u202ey\u2028z",
    "&lt;b&gt;",
  ];

  it.each(hostile.flatMap((text) => [[text, true] as const, [text, false] as const]))(
    "shows %j in every field as text, with an outline: %s",
    async (text, outline) => {
      const { preview } = usual;
      const planOf = (text: string): ShownPlan => ({
        ...usual,
        tool: text,
        owner: text,
        tier: "critical",
        preview: {
          ...preview,
          summary: text,
          account: text,
          network: text,
          target: text,
          warnings: [text],
          lines: [text, text, text],
          actsOn: [text],
          outline: outline
            ? [
                { is: "added", count: 1 },
                { is: "call", count: 1 },
                { is: "warning", count: 1 },
              ]
            : [],
        },
      });
      plan = planOf("harmless");
      const tagsOf = (page: string) => [...page.matchAll(/<(\w+)/g)].map(([, tag]) => tag ?? "");
      const harmless = tagsOf((await post({ secret })).text);
      plan = planOf(text);
      const { text: html } = await post({ secret });
      const list = (await post({ secret }, {}, "/plans")).text;
      expect(tagsOf(html)).toEqual(harmless);
      expect(list.includes(text)).toBe(false);
      expect(html.includes(text)).toBe(false);
      expect(html).not.toMatch(/[\u202a-\u202e\u2028\u2029]/);
      expect(html.split("\n").length).toBeLessThanOrEqual(1);
      expect((await post({ ticket: ticketIn(html), decision: "approve", target: text })).status).toBe(200);
    },
  );
});
