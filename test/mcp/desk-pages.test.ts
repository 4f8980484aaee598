/** What the pages of the approvals desk say, in which order, and that no text of a plan is ever more than text. */
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { PlanStatus } from "../../src/guard/plan.js";
import type { ShownPlan } from "../../src/mcp/http/desk/review.js";
import { deskFor, idOf, minute, startedAt as now, openRecord, planAt, readIn, usual } from "../lab/desk.js";
import { outlineOf } from "../lab/previewed.js";
import { promise } from "../lab/rules.js";

const desk = deskFor([planAt(2), planAt(1)]);
let browser: Awaited<ReturnType<typeof desk.signedIn>>;
async function serve(...plans: readonly ShownPlan[]): Promise<void> {
  await desk.serve(...plans);
  browser = await desk.signedIn();
}
beforeEach(async () => {
  browser = await desk.signedIn();
});

const list = async () => (await browser.get("/plans")).text;
const pageOf = async (id = idOf(1)) => (await browser.get(`/plans/${id}`)).text;

describe("the list", () => {
  it("the list has each plan's sentence, place, requester and expiry", async () => {
    await serve(planAt(3, { tier: "critical", expiresAtMs: now + 260_000 }));
    const text = readIn(await list());
    for (const part of [
      ...["1 plan waits for a decision", "REMOVE thing 3", "x_thing_remove", "PRODUCTION", "critical"],
      ...["Example, section default", "Requested by alice with Example Agent 2.1, client client-7"],
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/expires in 4 min 20 s +\(at +00:04:20 UTC/);
  });

  it("has what expires first at its top, so that a new plan comes last", async () => {
    const expiring = (at: number, minutes: number) => planAt(at, { expiresAtMs: now + minutes * minute });
    await serve(planAt(3), expiring(2, 2), expiring(1, 1));
    const summaries = [...(await list()).matchAll(/<h2 id="of-[^"]*">REMOVE thing (\d)</g)].map(([, at]) => at);
    expect(summaries).toEqual(["1", "2", "3"]);
  });

  it("names who asked as far as it is known", async () => {
    const { requester: _, ...unknown } = planAt(1);
    await serve(
      { ...unknown, id: idOf(1), owner: "client:bob/session:x" },
      { ...unknown, id: idOf(2), owner: "local" },
      { ...unknown, id: idOf(3), requester: { subject: "erin", issuer: "https://issuer.example" } },
    );
    const text = readIn(await list());
    for (const who of ["client:bob", "the local user", "erin"]) expect(text).toContain(`Requested by ${who} `);
    expect(text).not.toContain("session:");
  });

  it("says plainly that nothing waits and nothing was decided", async () => {
    await serve();
    const text = readIn(await list());
    for (const part of ["No plan waits for a decision", "Decided lately Nothing yet."]) expect(text).toContain(part);
  });

  it("says how many it leaves out beyond a hundred", async () => {
    await serve(...Array.from({ length: 103 }, (_, at) => planAt(at)));
    const text = await list();
    expect(text.split("<article")).toHaveLength(101);
    expect(readIn(text)).toContain("3 older plans are not listed here");
  });

  it("a plan that is decided on while the list is read is on it once", async () => {
    const { waiting } = desk.kept.review;
    const refusedBy = (at: number, by: string) =>
      desk.kept.change(idOf(at), { status: "refused", refusal: { channel: "page", atMs: now, by } });
    desk.kept.review.waiting = async (most) => {
      await setImmediate();
      refusedBy(1, "dave");
      const before = await waiting(most);
      refusedBy(2, "erin");
      return before;
    };
    const html = await list();
    const once = [1, 2].map((at) => html.match(new RegExp(`data-plan|data-decided="${idOf(at)}"`, "g")));
    expect(once).toEqual([[`data-plan`, `data-decided="${idOf(1)}"`], ["data-plan"]]);
  });

  it("the list has recent decisions with who, why and outcome, as links", async () => {
    desk.kept.change(idOf(1), {
      status: "done",
      outcome: "it answered 201",
      approvals: [{ channel: "page", atMs: now, by: "dave", reason: "Agreed" }],
    });
    desk.kept.change(idOf(2), { status: "refused", refusal: { channel: "terminal", atMs: now, by: "erin" } });
    const html = await list();
    const text = readIn(html).split("Decided lately")[1] ?? "";
    expect(text).toMatch(
      /Approved REMOVE thing 1 +Approved by dave at 00:00:00 UTC : Agreed Outcome: it answered 201\./,
    );
    expect(text).toMatch(/Refused REMOVE thing 2 +Refused by erin at a terminal at 00:00:00 UTC/);
    expect(html).toContain(`<a href="plans/${idOf(1)}">REMOVE thing 1</a>`);
  });
});

describe("a plan that no longer waits", () => {
  it.each<[PlanStatus, RegExp]>([
    ["approved", /Approved The assistant can make the call now/],
    ["sending", /Approved Its call is in progress/],
    ["done", /Approved Its call was made/],
    ["unknown", /outcome is unknown/],
    ["refused", /Refused Nothing was sent/],
    ["void", /No longer valid/],
    ["expired", /Expired Nothing was sent\. If it is still wanted/],
  ])("is still shown, says that it is %s, and has no decision", async (status, says) => {
    desk.kept.change(idOf(1), { status });
    const html = await pageOf();
    expect(readIn(html)).toMatch(says);
    expect(readIn(html)).toContain("things: one, two, three");
    expect(html).not.toMatch(/class="bar"|name="ticket"/);
  });

  it("is not shown if it waits for no person", async () => {
    await serve(planAt(1, { awaits: "confirm" }));
    const { status, text } = await browser.get(`/plans/${idOf(1)}`);
    expect([status, text.includes("REMOVE thing 1")]).toEqual([409, false]);
  });
});

describe("a plan's page", () => {
  const lines = ["REMOVE a", "Account: x", "Undo: no.", "Warning: Late.", "From 1 to 2:"];
  const differences = ["  - lost", "  ttl: 900 → 300", "  a → b → c", "  + new"];
  const preview: ShownPlan["preview"] = {
    ...usual.preview,
    summary: "REMOVE a",
    account: "x",
    actsOn: ["staging", "production"],
    lines: [...lines, ...differences, "Request: DELETE /a", "Now: a: 1", "Digest: d"],
    outline: outlineOf(
      "1 summary, 1 account, 1 undo, 1 warning, 1 difference, 1 removed, 2 changed, 1 added, 1 request, 1 now, 1 digest",
    ),
  };
  const shown = async (more: Partial<ShownPlan> = {}) => {
    await serve(planAt(1, { preview, ...more }));
    return pageOf();
  };

  it("a plan's page leads with one sentence, then has every line once", async () => {
    const text = await shown();
    expect(text).toContain("<title>Approve: x_thing_remove on STAGING and PRODUCTION</title>");
    expect([...text.matchAll(/<h1>([^<]*)</g)].map(([, title]) => title)).toEqual(["REMOVE a"]);
    expect(text.split("REMOVE a")).toHaveLength(2);
    const read = readIn(text);
    for (const line of [...differences, "Request: DELETE /a", "Now: a: 1", "Digest: d"].map((one) => one.trim()))
      expect(read.replaceAll(/ +/g, " ").split(line), line).toHaveLength(2);
    expect(text).toContain('<li class="removed"><del>- lost</del></li>');
    expect(text).toContain('<li class="added"><ins>+ new</ins></li>');
    expect(text).toContain('<ul class="warnings"><li>Warning: Late.</li></ul>');
    const places = ["Undo: no.", "Warning: Late.", "What changes", "What is sent", "What is there now", "Digest: d"];
    const at = places.map((part) => text.indexOf(part));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
  });

  it("a plan's page marks a value's before and after where that is clear", async () => {
    const text = await shown();
    expect(text).toContain('<li class="changed">~ ttl: <del>900</del> → <ins>300</ins></li>');
    expect(text).toContain('<li class="changed">~ a → b → c</li>');
  });

  it("says who asked, from where, and why it takes an approval", async () => {
    const text = readIn(await shown());
    for (const part of ["Requested by alice", "With Example Agent 2.1, client client-7", usual.why ?? ""])
      expect(text).toContain(part);
  });

  it.each([
    ["has none of what its lines are", undefined],
    ["has less", [{ is: "summary" as const, count: 3 }]],
  ])("shows every line and the warnings where an earlier version %s", async (_, outline) => {
    const { outline: __, ...older } = preview;
    const text = await shown({ preview: { ...older, ...(outline && { outline }) } });
    for (const line of preview.lines) expect(readIn(text)).toContain(line.trim());
    expect(text).toContain('<ul class="warnings"><li>Warning: The origin will be asked for everything.</li></ul>');
  });

  it("has a label for each field, and only the approval asks for the target", async () => {
    const critical = await shown({ tier: "critical" });
    const order = [...critical.matchAll(/<button[^>]*>([^<]*)|<(?:input|textarea) id="(\w+)"/g)];
    expect(order.map(([, button, field]) => field ?? button)).toEqual([
      ...["Sign out", "reason", "target", "Approve", "Refuse"],
    ]);
    for (const [, , field] of order) if (field) expect(critical).toContain(`<label for="${field}">`);
    // What Enter sends from the field of the target is the first button of its form.
    expect(critical).toMatch(/<button class="yes"[^>]*>Approve<\/button><button class="no"[^>]* formnovalidate>Refuse/);
    expect(await shown()).not.toContain('id="target"');
  });

  it.each([
    [0, "expired", 0],
    [1_000, "expires in 1 s", 1],
    [59_999, "expires in 59 s", 59],
    [60_000, "expires in 1 min 0 s", 60],
    [3_599_000, "expires in 59 min 59 s", 3_599],
    [7_260_000, "expires in 2 h 1 min", 7_260],
  ])("has what is left of its time: %i ms", async (left, says, seconds) => {
    await serve(planAt(1, { expiresAtMs: now + left }));
    expect(await list()).toContain(`<span data-left="${seconds}">${says}</span>`);
  });

  it("names the day of a time that is not today", async () => {
    expect(readIn(await shown({ expiresAtMs: now + 25 * 60 * minute }))).toContain("2026-06-02 01:00:00 UTC");
  });
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
  promise("desk-escapes", "shows %j in every field as text, with an outline: %s"),
  async (text, hasOutline) => {
    const outline = outlineOf("1 changed, 1 call, 1 warning");
    const recordOf = (text: string) => ({
      ...openRecord({
        ...usual,
        tool: text,
        owner: text,
        tier: "critical",
        why: text,
        approvers: 2 as const,
        requester: { subject: text, client: text, software: text },
        preview: {
          ...usual.preview,
          ...{ summary: text, account: text, network: text, target: text, warnings: [text], actsOn: [text] },
          lines: [text, text, text],
          outline: hasOutline ? outline : [],
        },
      }),
      approvals: [{ channel: "page" as const, atMs: now, by: text, reason: text }],
    });
    const tagsOf = (page: string) => [...page.matchAll(/<(\w+)/g)].map(([, tag]) => tag ?? "");
    const pages = async (text: string) => {
      await serve(usual);
      desk.kept.change(usual.id, recordOf(text));
      const open = [await list(), await pageOf(usual.id)];
      desk.kept.change(usual.id, { status: "done", outcome: text });
      return [...open, await list(), await pageOf(usual.id)];
    };
    const harmless = await pages("harmless");
    for (const [at, html] of (await pages(text)).entries()) {
      expect(tagsOf(html)).toEqual(tagsOf(harmless[at] ?? ""));
      expect(html.includes(text)).toBe(false);
      expect(html).not.toMatch(/[\u202a-\u202e\u2028\u2029]/);
      expect(html.split("\n").length).toBe(1);
    }
  },
);

it("has a contrast of 4.5 to 1 in light and in dark", () => {
  const style = readFileSync("src/mcp/http/desk/desk.css", "utf8");
  const palettes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, text = ""]) =>
      new Map([...text.matchAll(/--([\w-]+): (#\w+)/g)].map(([, name, colour]) => [name, colour ?? ""])),
  );
  const lightOf = (colour: string): number => {
    const digits = colour.length === 4 ? colour.slice(1).replaceAll(/./g, "$&$&") : colour.slice(1);
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
      const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const pairs = [
    ...["text", "soft", "link", "red", "green", "amber"].flatMap((text) => [`${text} ground`, `${text} panel`]),
    ...["red red-ground", "green green-ground", "amber amber-ground", "on-yes yes", "on-link link"],
  ];
  const poor = palettes.flatMap((palette) =>
    pairs.filter((pair) => {
      const [a = 0, b = 0] = pair
        .split(" ")
        .map((name) => lightOf(palette.get(name) ?? ""))
        .sort((x, y) => y - x);
      return !((a + 0.05) / (b + 0.05) >= 4.5);
    }),
  );
  expect([palettes.length, poor]).toEqual([2, []]);
});
