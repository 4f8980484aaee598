/** A person at a terminal: what they read before approving, what they have to type, and what the table of plans says. */
import { rmSync } from "node:fs";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askApproval, isPreviewWhole, secretPrompt, type Terminal } from "../../src/commands/at-terminal.js";
import { decideOnPlan } from "../../src/commands/plans.js";
import { run } from "../../src/commands/run.js";
import type { KeptPreview } from "../../src/guard/index.js";
import type { Binding, PlanContent } from "../../src/guard/plan.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { redeemed } from "../guard/redeemed.js";
import { folder } from "../lab/files.js";
import { holdsForEach } from "../lab/laws.js";
import { outlineOf } from "../lab/previewed.js";
import { promise } from "../lab/rules.js";
import { sectionsOf } from "../lab/tables.js";

const directory = folder();
const plans = createPlans({ ttlMs: 600_000, storage: directoryPlanStorage(directory) });
const binding: Binding = { tool: "thing_delete", account: "a", owner: "local", requestHash: "r", stateHash: undefined };
const preview = {
  summary: "DELETE 2 things\nAccount: faked",
  kind: "delete" as const,
  account: "a.example, section default",
  request: { method: "DELETE", path: "/things" },
  target: "2 things",
  warnings: ["It cannot be undone."],
  lines: [
    "DELETE 2 things\nAccount: faked",
    "Account: a.example, section default",
    "Warning: It cannot be undone.",
    "- thing one",
    "- thing \u001b[2Jtwo",
  ],
  digest: "abcdefghijkl",
};
const person: PlanContent = { awaits: "person", tier: "guarded", preview };
const open = async (shown: Partial<PlanContent> = {}) => (await plans.open(binding, { ...person, ...shown })).id;

let out = "";
let err = "";
beforeEach(() => {
  [out, err] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stdout.removeAllListeners("error");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const command = (...words: string[]) => run(words, { EDGEWISE_STATE_DIR: directory });

/** A person who types these answers, and what they were shown. */
function typing(...answers: string[]): Terminal & { readonly shown: string[] } {
  const shown: string[] = [];
  return {
    shown,
    size: { columns: 60, rows: 16 },
    say: (line) => void shown.push(line),
    ask: async (question) => {
      shown.push(question);
      return answers.shift() ?? "";
    },
  };
}

describe("edgewise approve", () => {
  it("approve: the whole preview is shown, and who approved is recorded", async () => {
    const id = await open();
    const terminal = typing("yes");
    expect(await decideOnPlan(plans, id, {}, terminal)).toBe(0);
    expect(terminal.shown.slice(0, -2)).toEqual([
      expect.stringMatching(`^Plan:    ${id}, made \\d+ s ago, expires in (9|10) min$`),
      "Tool:    thing_delete (guarded)",
      "",
      "DELETE 2 things[U+000A]Account: faked",
      "Account: a.example, section default",
      "Warning: It cannot be undone.",
      "- thing one",
      "- thing [U+001B][2Jtwo",
    ]);
    expect(terminal.shown.at(-2)).toBe("Approve this? (yes or no) ");
    expect(await plans.find(id)).toMatchObject({
      ...{ status: "approved", approvals: [{ channel: "terminal", by: expect.any(String) }] },
    });
    expect(await plans.approvedFor(binding)).toBe(id);
  });

  it.each<[string, PlanContent["tier"], boolean]>([
    ["", "guarded", false],
    ["yes please", "guarded", false],
    ["2 things", "guarded", false],
    ["yes", "critical", false],
    ["2 thing", "critical", false],
    ["2 Things", "critical", false],
    ["2  things", "critical", false],
    [" 2 things", "critical", false],
    ["2 things", "critical", true],
  ])("approve: %j for a %s call approves it: %s", async (answer, tier, isApproved) => {
    const id = await open({ tier });
    expect(await decideOnPlan(plans, id, {}, typing(answer))).toBe(isApproved ? 0 : 1);
    expect(await plans.find(id)).toMatchObject({ status: isApproved ? "approved" : "open" });
  });

  it("approve: reasons are kept, and a missing person is named", async () => {
    const byCarol = { ...person, requester: { subject: "carol" } };
    const { id } = await plans.open({ ...binding, approvers: 2 }, byCarol);
    const terminal = typing("yes");
    expect(await decideOnPlan(plans, id, { reason: "planned" }, terminal)).toBe(0);
    expect(terminal.shown.at(-1)).toMatch(/^Approved by one person\. Another one has to approve it, too/);
    expect(await decideOnPlan(plans, id, { isRefusal: true, reason: "not now" }, typing(""))).toBe(0);
    expect(await plans.find(id)).toMatchObject({
      ...{ status: "refused", approvals: [{ reason: "planned" }] },
      refusal: { channel: "terminal", reason: "not now" },
    });
  });

  it("approve: a plan that breaks a freeze needs a reason, said first", async () => {
    const byCarol = { ...person, requester: { subject: "carol" } };
    const { id } = await plans.open({ ...binding, approvers: 2, breaks: ["frozen"] }, byCarol);
    for (const reason of [undefined, "", " "]) {
      const terminal = typing("yes");
      expect(await decideOnPlan(plans, id, { reason }, terminal)).toBe(1);
      expect(terminal.shown).toEqual([expect.stringMatching(/needs a reason, .*--reason TEXT/)]);
    }
    expect(await plans.find(id)).toMatchObject({ status: "open", approvals: [] });
    expect(await decideOnPlan(plans, id, { reason: "down" }, typing("yes"))).toBe(0);
    expect(await plans.find(id)).toMatchObject({ approvals: [{ reason: "down" }] });
    expect(await decideOnPlan(plans, id, { isRefusal: true }, typing(""))).toBe(0);
  });

  it("plans: a ticket and a broken freeze stand before the summary", async () => {
    const { id } = await plans.open({ ...binding, ticket: "OPS-7", approvers: 2, breaks: ["frozen", "quiet"] }, person);
    const { id: plain } = await plans.open(binding, person);
    await command("plans");
    const rows = out.split("\n");
    out = "";
    await command("plans", "--json");
    const rowOf = (plan: string) => rows.find((line) => line.startsWith(plan));
    expect(rowOf(id)).toMatch(/ {2}\[ticket OPS-7, breaks frozen, quiet\] DELETE 2 things/);
    expect(rowOf(plain)).toMatch(/ {2}DELETE 2 things/);
    const listed = JSON.parse(out) as { readonly plan: string }[];
    expect(listed.find(({ plan }) => plan === id)).toMatchObject({ ticket: "OPS-7", breaks: ["frozen", "quiet"] });
  });

  it("refuse: for good, and only what still waits", async () => {
    const id = await open();
    expect(await decideOnPlan(plans, id, { isRefusal: true }, typing(""))).toBe(0);
    await expect(decideOnPlan(plans, id, {}, typing("yes"))).rejects.toMatchObject({
      message: "This plan was refused.",
    });
    expect(await decideOnPlan(plans, `plan_${"A".repeat(22)}`, { isRefusal: true }, typing(""))).toBe(1);
  });

  it("approve: neither a plan for another channel nor a missing one", async () => {
    const id = await open({ awaits: "confirm" });
    const terminal = typing("yes");
    await expect(decideOnPlan(plans, id, {}, terminal)).rejects.toMatchObject({ code: "approval_refused" });
    await expect(decideOnPlan(plans, "plan_x", {}, terminal)).rejects.toMatchObject({
      message: "There is no such plan.",
    });
    expect(terminal.shown).toEqual([]);
  });

  it.each([
    ["stdin", false, true],
    ["stderr", true, false],
  ])("approve: nothing where %s is no terminal", async (_, stdin, stderr) => {
    const terminals = [process.stdin.isTTY, process.stderr.isTTY] as const;
    Object.assign(process.stdin, { isTTY: stdin });
    Object.assign(process.stderr, { isTTY: stderr });
    try {
      const id = await open();
      expect(await command("approve", id)).toBe(1);
      expect(await command("approve", id, "--refuse")).toBe(1);
      expect(err).toContain("approved at a terminal");
      expect(await plans.find(id)).toMatchObject({ status: "open" });
    } finally {
      Object.assign(process.stdin, { isTTY: terminals[0] });
      Object.assign(process.stderr, { isTTY: terminals[1] });
    }
  });

  it("plans in memory cannot be seen by another process", async () => {
    expect(await command("approve")).toBe(78);
    expect(err).toContain("edgewise approve PLAN");
    expect(await command("approve", "plan_x", "--state-dir", "memory")).toBe(78);
    expect(await command("plans", "--state-dir=memory")).toBe(78);
    expect(err).toContain("keep their state in memory");
  });
});

describe("edgewise plans", () => {
  it("plans: what became of each, on a line", async () => {
    const [done, waiting] = [await open(), await open({ tier: "critical" })];
    await plans.approve(done, "terminal", { name: "ann" });
    await redeemed(plans, done, binding, "person");
    await plans.settle(done, { state: "done", says: "it answered 204" });
    expect(await command("plans")).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^PLAN +TOOL +TIER +AGE +STATUS +SUMMARY$/);
    const lineOf = (id: string) => lines.find((line) => line.startsWith(id));
    expect(lineOf(done)).toMatch(
      / thing_delete +guarded +\d+ s +done \(it answered 204\); approval: terminal by ann +DELETE 2 things/,
    );
    expect(lineOf(waiting)).toMatch(/ critical +\d+ s +open +DELETE 2 things\[U\+000A\]Account: faked$/);
    expect(lines).toHaveLength(1 + (await plans.list()).length);
  });

  it("plans --json: the whole preview, and no hashes", async () => {
    const id = await open();
    expect(await command("plans", "--json")).toBe(0);
    const listed = JSON.parse(out) as { plan: string }[];
    expect(listed.find(({ plan }) => plan === id)).toMatchObject({ status: "open", awaits: "person", preview });
    expect(out).not.toContain("Hash");
  });
});

const state = Array.from({ length: 40 }, (_, at) => `Now: item${at}: x`);
const kept: KeptPreview = {
  summary: "DELETE the thing.",
  kind: "delete",
  account: "a",
  request: { method: "DELETE", path: "/x" },
  target: "the object",
  warnings: ["It is used."],
  lines: ["DELETE the thing.", "Warning: It is used.", ...state, "Digest of the whole request, secrets included: d"],
  outline: outlineOf("1 summary, 1 warning, 40 now, 1 digest"),
  digest: "d",
};

const question = { preview: kept, needsTarget: false, isWhole: false, verb: "Do this now" };

const critical = { needsTarget: true, verb: "To do this now" };
const broken = [`Undo: ${"word ".repeat(20)}end`, `+ text: "${"a  b ".repeat(20)}"`, "hidden \u001b[2J"];
type Size = Terminal["size"] | "none";

/** Questions and their answers, by what they show; the text has what is read at the terminal, and what comes of it. */
const conversations: Readonly<Record<string, [answers: readonly string[], Partial<typeof question>?, Size?]>> = {
  "what has room is shown, and all of it for v": [["v", "V ", "yes"]],
  "no is no": [["no"]],
  "nothing is no": [[""]],
  "nothing after v is no": [["v", ""]],
  "y is yes, also after v": [["v", "y"]],
  "another word is no": [["all"]],
  "a critical call needs its target typed, also after v": [["v", "the object"], critical],
  "a critical call takes no yes": [["v", "yes"], critical],
  "a target can be v": [["v"], { ...critical, preview: { ...kept, target: "v" } }],
  "all is shown at once where that is asked for": [["v"], { isWhole: true }],
  "all is shown at once where it fits": [["v"], {}, { columns: 60, rows: 60 }],
  "all is shown at once where the height is not known": [["no"], {}, "none"],
  "a sentence breaks between words, and no line whose spaces could be lost": [
    ["no"],
    { preview: { ...kept, lines: broken, outline: [] } },
  ],
};

it("approval: a person reads and answers at a terminal as the text has it", () => {
  const texts = sectionsOf("commands/conversations.txt");
  return holdsForEach(Object.entries(conversations), async (title, [answers, more, size]) => {
    const { size: usual, ...unsized } = typing(...answers);
    const terminal = { ...unsized, ...(size !== "none" && { size: size ?? usual }) } as typeof unsized & Terminal;
    const came = JSON.stringify(await askApproval(terminal, { ...question, ...more }));
    const read = terminal.shown.join("\n").split("\n");
    expect([...read.map((line) => line.trimEnd() || "(an empty line)"), came]).toEqual(texts.get(title));
  });
});

it("--preview takes short or full", () => {
  expect([[], ["--preview=short"], ["x", "--preview=full"]].map(isPreviewWhole)).toEqual([false, false, true]);
  expect(() => isPreviewWhole(["--preview=all"])).toThrow('--preview takes short or full, not "all".');
});

/** A terminal at which a person types, and all that it showed. */
function secretTerminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (chunk) => {
    shown += String(chunk);
  });
  const type = (text: string) => setTimeout(() => input.write(text), 5);
  return { ask: secretPrompt(input, output), type, leave: () => setTimeout(() => input.end(), 5), shown: () => shown };
}

it(promise("prompt-shows-no-secret", "shows the question and nothing of what is typed"), async () => {
  const { ask, type, shown } = secretTerminal();
  type("s3cret-Word\r");
  expect(await ask("newPasswordFile", "newPassword")).toBe("s3cret-Word");
  expect(shown()).toBe("newPassword (not shown, or name a file in newPasswordFile): \n");
});

it("asks once for each secret, however often its call is resolved", async () => {
  const { ask, type, shown } = secretTerminal();
  type("first\r");
  expect(await ask("a", "one")).toBe("first");
  type("second\r");
  expect(await ask("b", "two")).toBe("second");
  expect(await ask("a", "one")).toBe("first");
  expect(shown().match(/not shown/g)).toHaveLength(2);
});

it.each<[string, (at: ReturnType<typeof secretTerminal>) => unknown]>([
  ["nothing is typed", ({ type }) => type("\r")],
  ["the terminal is left", ({ leave }) => leave()],
  ["the question is interrupted", ({ type }) => type("\u0003")],
])("is declined where %s", async (_, act) => {
  const at = secretTerminal();
  act(at);
  await expect(at.ask("newPasswordFile", "newPassword")).rejects.toMatchObject({ code: "declined" });
});
