/** The list of what waits, the way from it to a plan and back, and how a plan's page is laid out for whoever decides. */
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PlanStatus } from "../../src/guard/plan.js";
import type { PlanReview } from "../../src/mcp/http/approval.js";
import type { ShownPlan } from "../../src/mcp/http/page.js";
import {
  hiddenIn,
  minute,
  otherSecret,
  secret,
  sendForm,
  servePage,
  startedAt,
  token,
  usual,
  waitingIn,
} from "./approval-page.js";
import { ask } from "./raw-http.js";

const idOf = (at: number): string => `plan_${String(at).padStart(22, "0")}`;
const planAt = (at: number, more: Partial<ShownPlan> = {}): ShownPlan => ({
  ...usual,
  id: idOf(at),
  preview: { ...usual.preview, summary: `REMOVE thing ${at}`, digest: `digest ${at}` },
  ...more,
});

let url: URL;
let close: () => Promise<void>;
let now: number;
let plans: readonly ShownPlan[];
let statuses: Map<string, PlanStatus>;
let asked: number[];
let isListBroken: boolean;

const open = () => plans.filter(({ id }) => !statuses.has(id));
const review: PlanReview = {
  find: async (id) => {
    const plan = plans.find((one) => one.id === id);
    return plan && { plan, status: statuses.get(id) ?? "open" };
  },
  waiting: async (most) => {
    if (isListBroken) throw new Error("broken");
    asked.push(most);
    return waitingIn(open(), most);
  },
  approve: async (id, _, { name }) => {
    statuses.set(id, name === "carol" ? "approved" : "unknown");
    return 0;
  },
  refuse: async (id) => void statuses.set(id, "refused"),
};

beforeEach(async () => {
  [now, plans, statuses, asked, isListBroken] = [startedAt, [planAt(2), planAt(1)], new Map(), [], false];
  const served = await servePage(review, { now: () => now });
  close = served.close;
  url = new URL(served.url);
});
afterEach(() => close());

const post = (path: string, fields: Record<string, string>) => sendForm(url, path, fields);
const passOf = async (by = secret) => hiddenIn((await post("/plans", { secret: by })).text, "pass");
/** The text of a page as it is read, without its head. */
const readIn = (html: string): string =>
  (html.split("</head>")[1] ?? "").replace(/<script>.*<\/script>/, "").replaceAll(/<[^>]*>/g, " ");

describe("the list", () => {
  it("asks for the secret and tells nothing of the plans, not even whether there are any", async () => {
    const some = await ask(url, { method: "GET", path: "/plans" });
    plans = [];
    const none = await ask(url, { method: "GET", path: "/plans" });
    expect([some.status, some.text]).toEqual([200, none.text]);
    expect(some.text).toContain('name="secret"');
    expect([some.text.includes("REMOVE"), asked]).toEqual([false, []]);
    const head = await ask(url, { method: "HEAD", path: "/plans", body: "" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it.each(["", "wrong", token, "carol"])("is refused with %j, with no word of the plans", async (wrong) => {
    const { status, text } = await post("/plans", { secret: wrong });
    expect([status, text.includes("REMOVE"), text.includes('role="alert"'), asked]).toEqual([403, false, true, []]);
  });

  it("has for each plan the sentence, where it acts, who asked and when it expires, in the order given", async () => {
    const [first = plans[0]] = plans;
    plans = [planAt(3, { tier: "critical", owner: "client:bob/session:x", expiresAtMs: now + 260_000 }), ...plans];
    const { status, text } = await post("/plans", { secret });
    expect([status, text.includes(secret), asked]).toEqual([200, false, [100]]);
    expect(readIn(text)).toContain("3 plans wait for a decision");
    expect([...text.matchAll(/<h2 id="[^"]*">([^<]*)</g)].map(([, summary]) => summary)).toEqual([
      ...["REMOVE thing 3", first?.preview.summary, "REMOVE thing 1"],
    ]);
    const card = readIn(`</head>${text.split("<article>")[1]}`);
    for (const part of ["x_thing_remove", "PRODUCTION", "critical", "Example, section default", "client:bob "])
      expect(card).toContain(part);
    expect(card).toMatch(/expires in 4 min 20 s +\(at +00:04:20 UTC/);
    expect(card).not.toContain("session:");
  });

  it("says plainly that nothing waits, and that one plan does", async () => {
    plans = [planAt(1)];
    expect(readIn((await post("/plans", { secret })).text)).toContain("1 plan waits for a decision");
    plans = [];
    expect(readIn((await post("/plans", { secret })).text)).toContain("No plan waits for a decision");
  });

  it("says how many it leaves out beyond a hundred", async () => {
    plans = Array.from({ length: 103 }, (_, at) => planAt(at));
    const { text } = await post("/plans", { secret });
    expect(text.split("<article>")).toHaveLength(101);
    expect(readIn(text)).toContain("3 older plans are not listed here");
  });

  it("is where its address with a slash leads to", async () => {
    for (const method of ["GET", "POST"]) {
      const { status, headers } = await ask(url, { method, path: "/plans/", body: "" });
      expect([status, new URL(String(headers["location"]), new URL("/plans/", url)).pathname]).toEqual([308, "/plans"]);
    }
  });

  it("leads to each plan with the secret typed once, and back again with what still waits", async () => {
    const list = (await post("/plans", { secret })).text;
    const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(list) ?? [];
    const path = new URL(action, new URL("/plans", url)).pathname;
    expect(path).toBe(`/plans/${idOf(2)}`);
    const shown = await post(path, { pass: hiddenIn(list, "pass") });
    expect([shown.status, shown.text.includes("REMOVE thing 2")]).toEqual([200, true]);
    const [ticket, pass] = [hiddenIn(shown.text, "ticket"), hiddenIn(shown.text, "pass")];
    const { text } = await post(path, { ticket, pass, decision: "approve" });
    expect(statuses.get(idOf(2))).toBe("approved");
    for (const part of ["Approved", "REMOVE thing 2", "The assistant can make the call now", "1 more plan waits"])
      expect(readIn(text)).toContain(part);
    const [, back = ""] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
    const again = await post(new URL(back, new URL(path, url)).pathname, { pass: hiddenIn(text, "pass") });
    expect(readIn(again.text)).toContain("1 plan waits for a decision");
    expect(again.text).not.toContain("REMOVE thing 2");
  });
});

describe("a ticket for reading", () => {
  it("decides nothing, and one for a decision reads nothing", async () => {
    const path = `/plans/${idOf(1)}`;
    const pass = await passOf();
    expect((await post(path, { ticket: pass, decision: "approve" })).status).toBe(403);
    const ticket = hiddenIn((await post(path, { pass })).text, "ticket");
    for (const at of ["/plans", path, `/plans/${idOf(2)}`]) expect((await post(at, { pass: ticket })).status).toBe(403);
    expect((await post(`/plans/${idOf(2)}`, { ticket, pass, decision: "approve" })).status).toBe(403);
    expect([...statuses]).toEqual([]);
  });

  it("names whose secret it was, so that a decision is in their name", async () => {
    const path = `/plans/${idOf(1)}`;
    const pass = await passOf(otherSecret);
    expect((await post("/plans", { pass: pass.replace("dave", "carol") })).status).toBe(403);
    const ticket = hiddenIn((await post(path, { pass })).text, "ticket");
    await post(path, { ticket: ticket.replace("dave", "carol"), pass, decision: "approve" });
    expect([...statuses]).toEqual([]);
    await post(path, { ticket, pass, decision: "approve" });
    // The review of these tests notes anybody's approval but carol's in this way.
    expect(statuses.get(idOf(1))).toBe("unknown");
  });

  it("is valid for ten minutes from the secret, however often it is used", async () => {
    const path = `/plans/${idOf(1)}`;
    let pass = await passOf();
    for (const after of [5, 4]) {
      now += after * minute;
      for (const at of ["/plans", path]) {
        const { status, text } = await post(at, { pass });
        expect(status).toBe(200);
        pass = hiddenIn(text, "pass");
      }
    }
    const ticket = hiddenIn((await post(path, { pass })).text, "ticket");
    now += minute;
    for (const at of ["/plans", path]) {
      const { status, text } = await post(at, { pass });
      expect([status, text.includes("REMOVE"), readIn(text).includes("no longer valid")]).toEqual([403, false, true]);
    }
    const { status, text } = await post(path, { ticket, pass, decision: "refuse" });
    expect([status, hiddenIn(text, "pass"), readIn(text).includes("more plan")]).toEqual([200, "", false]);
  });

  it("leaves a decision as it is where the others cannot be counted afterwards", async () => {
    const path = `/plans/${idOf(1)}`;
    const { text } = await post(path, { secret });
    isListBroken = true;
    const fields = { ticket: hiddenIn(text, "ticket"), pass: hiddenIn(text, "pass"), decision: "refuse" };
    const decided = await post(path, fields);
    expect([decided.status, readIn(decided.text).includes("Refused")]).toEqual([200, true]);
  });
});

describe("what became of a plan", () => {
  it.each<[PlanStatus, RegExp]>([
    ["approved", /has not made the call yet/],
    ["sending", /in progress/],
    ["done", /its call was made/],
    ["unknown", /outcome is unknown/],
    ["refused", /was refused, and nothing was sent/],
    ["expired", /has expired, and nothing was sent\. If it is still wanted/],
  ])("is said of one that is %s, with the way to the others and to no decision", async (status, says) => {
    statuses.set(idOf(1), status);
    const answer = await post(`/plans/${idOf(1)}`, { secret });
    expect([answer.status, hiddenIn(answer.text, "ticket")]).toEqual([409, ""]);
    expect(readIn(answer.text)).toMatch(says);
    expect(readIn(answer.text)).toContain("1 more plan waits");
  });

  it("is not said of one that waits for no person, and its sentence is not shown", async () => {
    plans = [planAt(1, { awaits: "confirm" })];
    const { status, text } = await post(`/plans/${idOf(1)}`, { secret });
    expect([status, text.includes("REMOVE thing 1")]).toEqual([409, false]);
  });
});

describe("a plan's page", () => {
  const lines = [
    "REMOVE a",
    "Account: x",
    "Undo: no.",
    "Warning: Late.",
    "From 1 to 2:",
    "  - lost",
    "  a → b",
    "  + new",
  ];
  const preview: ShownPlan["preview"] = {
    ...usual.preview,
    summary: "REMOVE a",
    account: "x",
    actsOn: ["staging", "production"],
    lines: [...lines, "Request: DELETE /a", "Now: a: 1", "Digest: d"],
    outline: [
      ...[
        { is: "summary", count: 1 },
        { is: "account", count: 1 },
        { is: "undo", count: 1 },
      ],
      ...[
        { is: "warning", count: 1 },
        { is: "difference", count: 1 },
        { is: "removed", count: 1 },
      ],
      ...[
        { is: "changed", count: 1 },
        { is: "added", count: 1 },
        { is: "request", count: 1 },
      ],
      ...[
        { is: "now", count: 1 },
        { is: "digest", count: 1 },
      ],
    ] as NonNullable<ShownPlan["preview"]["outline"]>,
  };
  const shown = async (more: Partial<ShownPlan> = {}) => {
    plans = [planAt(1, { preview, ...more })];
    return (await post(`/plans/${idOf(1)}`, { secret })).text;
  };

  it("leads with one sentence, and has every line once below it with what it is", async () => {
    const text = await shown();
    expect(text).toContain("<title>Approve: x_thing_remove on STAGING and PRODUCTION</title>");
    expect([...text.matchAll(/<h1>([^<]*)</g)].map(([, title]) => title)).toEqual(["REMOVE a"]);
    expect(text.split("REMOVE a")).toHaveLength(2);
    for (const line of preview.lines.slice(2)) expect(text.split(line.trim()), line).toHaveLength(2);
    expect(text).toContain('<li class="removed"><del>- lost</del></li><li class="changed">~ a → b</li>');
    expect(text).toContain('<li class="added"><ins>+ new</ins></li>');
    expect(text).toContain('<ul class="warnings"><li>Warning: Late.</li></ul>');
    const places = ["Undo: no.", "Warning: Late.", "What changes", "What is sent", "What is there now", "Digest: d"];
    expect(places.map((part) => text.indexOf(part))).toEqual(
      places.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
    );
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

  it("has a label for each field, and the decision that changes nothing before the other", async () => {
    for (const html of [
      (await ask(url, { method: "GET", path: "/plans" })).text,
      await shown(),
      await shown({ tier: "critical" }),
    ]) {
      const fields = [...html.matchAll(/<input (?!type="hidden")[^>]*>/g)].map(
        ([field]) => / id="([^"]+)"/.exec(field)?.[1],
      );
      expect(fields.filter((id) => !html.includes(`<label for="${id}">`))).toEqual([]);
      expect(html).toMatch(/<html lang="en">.*<meta name="color-scheme" content="light dark">/);
    }
    const critical = await shown({ tier: "critical" });
    const order = [...critical.matchAll(/<button[^>]*>([^<]*)|id="(target)"/g)].map(
      ([, button, field]) => field ?? button,
    );
    expect(order).toEqual(["All waiting plans", "Refuse", "target", "Approve"]);
    // What Enter sends from the field is this form, and without its text a browser does not send it.
    const [, typed = ""] = /<form method="post" class="typed">(.*?)<\/form>/.exec(critical) ?? [];
    expect(typed).toMatch(
      /value="approve">.*<input id="target" name="target" required .*<button class="yes">Approve<\/button>$/,
    );
  });

  it("says beside the field what was wrong with what was typed, and keeps the way back", async () => {
    const html = await shown({ tier: "critical" });
    const fields = { ticket: hiddenIn(html, "ticket"), pass: hiddenIn(html, "pass"), decision: "approve", target: "x" };
    const { status, text } = await post(`/plans/${idOf(1)}`, fields);
    expect([status, hiddenIn(text, "pass")]).toEqual([422, hiddenIn(html, "pass")]);
    expect(text).toMatch(/<div class="bar">.*role="alert" id="note">The text is not the target/);
    expect(text).toMatch(/<input id="target" [^>]*aria-describedby="note" autofocus>/);
  });

  it.each([
    [0, "expired", 0],
    [1_000, "expires in 1 s", 1],
    [59_999, "expires in 59 s", 59],
    [60_000, "expires in 1 min 0 s", 60],
    [3_599_000, "expires in 59 min 59 s", 3_599],
    [7_260_000, "expires in 2 h 1 min", 7_260],
  ])("counts down from what was left when it was made: %i ms", async (left, says, seconds) => {
    plans = [planAt(1, { expiresAtMs: now + left })];
    const html = (await post("/plans", { secret })).text;
    expect(html).toContain(`<span data-left="${seconds}">${says}</span>`);
    // The same words come from the script, for a page that was made a minute earlier.
    const [, script = ""] = /<script>(.*?)<\/script>/.exec(html) ?? [];
    const button = { disabled: false };
    const element = {
      dataset: { left: String(seconds + 60) },
      textContent: "",
      closest: () => ({ querySelectorAll: () => [button] }),
    };
    let [clock, tick] = [0, (): void => undefined];
    runInNewContext(script, {
      Date: { now: () => clock },
      document: { querySelectorAll: () => [element] },
      setInterval: (run: () => void) => (tick = run),
    });
    clock += 60_000;
    tick();
    expect([element.textContent, button.disabled]).toEqual([says, seconds === 0]);
  });

  it("names the day of a time that is not today", async () => {
    const text = await shown({ expiresAtMs: now + 25 * 60 * minute });
    expect(readIn(text)).toContain("2026-06-02 01:00:00 UTC");
  });

  it("has a contrast of 4.5 to 1 in light and in dark", async () => {
    const [, style = ""] = /<style>(.*?)<\/style>/.exec(await shown()) ?? [];
    const palettes = [...style.matchAll(/:root\{([^}]*)\}/g)].map(
      ([, text = ""]) =>
        new Map([...text.matchAll(/--([\w-]+):(#\w+)/g)].map(([, name, colour]) => [name, colour ?? ""])),
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
      ...["text", "soft", "link", "red", "amber", "no"].flatMap((text) => [`${text} ground`, `${text} panel`]),
      ...["red red-ground", "green green-ground", "amber amber-ground", "on-yes yes", "ground link"],
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
});
