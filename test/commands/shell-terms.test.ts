/** What a result says to do next, at a shell: each line, pasted, is the very call that an assistant is offered. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { operatorOrigin } from "../../src/calls/origin.js";
import { argumentsInFlags, declaredTool } from "../../src/commands/arguments.js";
import { failureAtShell } from "../../src/commands/command.js";
import { splitCall } from "../../src/commands/command-line.js";
import { pasteLines } from "../../src/commands/paste-line.js";
import { commandLine } from "../../src/commands/run.js";
import { shellTerms, withoutOffers } from "../../src/commands/shell-terms.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { menuOf } from "../../src/engine/menu.js";
import * as refusals from "../../src/guard/plans/refusals.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { NextCall } from "../../src/language/next-call.js";
import { calling, callingOneOf, callsIn, naming, type Sentence, sentenceText } from "../../src/language/sentence.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { offeringExamples } from "../lab/offering-examples.js";
import { fastForwarded } from "../lab/time.js";

type Ended = Exclude<Outcome, { kind: "question" }>;

const services = await allServices("documents");
const workflows = await allWorkflows();
const catalogue = catalogueOf(services, workflows);
const menu = menuOf(catalogue, { surface: "all" });
// An operation of every mechanism that offers calls: those that wait, and those that are guarded.
const operations = sampled(
  services.flatMap(({ operations: own }) => Object.entries<AnyOperation>(own)),
  ([, operation]) => mechanismsOf(operation).filter((name) => /^(awaits|guard)\b/.test(name)),
);

/** The words of a line as a POSIX shell reads them; no expansion is allowed to happen in it. */
function shellSplit(line: string): string[] {
  const words: string[] = [];
  const pattern = /((?:'[^']*'|\\.|[^\s'\\"$`!*?[\](){}<>|&;#~])+)(\s+|$)/gsy;
  let end = 0;
  for (const found of line.matchAll(pattern)) {
    words.push(
      (found[1] ?? "").replace(/'([^']*)'|\\(.)/gs, (_, quoted?: string, one?: string) => quoted ?? one ?? ""),
    );
    end = found.index + found[0].length;
  }
  expect(end, line).toBe(line.length);
  return words;
}

/** The call that a pasted line makes, and the settings that it has, by the command line's own reading. */
async function callOf(line: string) {
  const [program, ...args] = shellSplit(line);
  expect(program).toBe("edgewise");
  const split = splitCall(args, () => catalogue);
  if (!split) throw new Error(`No call: ${line}`);
  const { config } = commandLine(split.own, {});
  const declared = await declaredTool(split.tool, catalogue);
  if (!declared) throw new Error(`No tool: ${line}`);
  const values = await argumentsInFlags(split.tool, split.words, declared.schema, [], async ([word = "{}"]) =>
    JSON.parse(word),
  );
  return { tool: split.tool, values, config };
}

/** Arguments with each value as its text in a flag, because the validation reads both alike. */
const asTexts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one) =>
    typeof one === "number" || one === null ? String(one) : typeof one === "object" ? one : String(one),
  );

const config = readConfig(["--emulator", "--call-timeout-ms", "1500", "--state-dir", "memory"], {});
const engine = await createEngine(config, catalogue, () => undefined);
const { calls } = await engine.runtimeFor(undefined, operatorOrigin);
const atTerminal: typeof caller = {
  ...{ ...caller, offer: menu, supportsElicitation: true, isUnattended: true, endsWithCall: true },
};

/** The outcome of a call that a person at the terminal approves. */
async function made(tool: string, args: Readonly<Record<string, unknown>>): Promise<Ended> {
  const first = await calls.call(tool, args, atTerminal);
  if (first.kind !== "question") return first;
  const decision = { plan: first.plan.id, isApproved: true, typed: first.preview.target };
  const then = await calls.call(tool, args, { ...atTerminal, decision });
  if (then.kind === "question") throw new Error("asked twice");
  return then;
}

// A chart is drawn for seconds, and offers what other reports do.
const examples = offeringExamples(
  operations,
  workflows.filter(([tool]) => tool !== "report_chart"),
);

// Words that mean nothing to a person at a shell, whose results are not stored and who confirms by an answer.
const foreign =
  /\bconfirm (?:set|does|as)|\bwithout confirm|with confirm\b|result:\/\/|live:\/\/|conversation|"arguments":|\w+_\w+ with \{/;

it("each offered call is a line that makes it, when pasted", async () => {
  const terms = shellTerms(config, menu, undefined, []);
  let lines = 0;
  const labels = new Set<string>();
  for (const [tool, args] of examples) {
    const outcome = await (args["wait"] === true ? fastForwarded(() => made(tool, args)) : made(tool, args));
    const { offered } = withoutOffers(outcome);
    const { next } = await terms.forReader(outcome);
    expect(next.length, tool).toBe(offered.length);
    for (const [at, { line, label }] of next.entries()) {
      const { tool: called, values } = await callOf(line);
      const call = offered[at]?.call;
      expect([called, asTexts(values)], line).toEqual([call?.tool, asTexts(call?.arguments)]);
      labels.add(label.replace(/ \(.*/, ""));
      lines += 1;
    }
    const said = await terms.inTerms(outcome);
    const notes =
      said.kind === "answer"
        ? said.reply.notes
        : said.kind === "workflow"
          ? [...(said.notes ?? []), ...["undo", "next", "unchanged"].map((name) => String(said.result[name] ?? ""))]
          : said.kind === "failure"
            ? [said.failure.detail.why ?? "", said.failure.detail.next]
            : [];
    for (const note of notes) expect(note, tool).not.toMatch(foreign);
  }
  expect(lines).toBeGreaterThan(20);
  expect([...labels]).toEqual(expect.arrayContaining(["Ask again", "Result", "Undo", "Read more"]));
});

it("a pasted line has the settings of the line that was run", async () => {
  const here = readConfig(["--section", "shop's", "--read-only", "--max-result-tokens", "500", "--port", "1"], {
    EDGEWISE_STATE_DIR: "/var/state",
  });
  const line = await pasteLines(here, menu, "live", [])({ tool: "purge_status", arguments: { purgeId: "a b" } });
  expect(line).toBe("edgewise --section 'shop'\\''s' --read-only --profile live call purge_status --purgeId 'a b'");
  const { config: read, values } = await callOf(line ?? "");
  expect([read.values.section, read.values.profile, values]).toEqual(["shop's", "live", { purgeId: "a b" }]);
});

it("a call that cannot be pasted has no line", async () => {
  const paste = pasteLines(config, menuOf(catalogue, { surface: "all", isReadOnly: true }), undefined, ["hush-hush"]);
  const status = (purgeId: string) => paste({ tool: "purge_status", arguments: { purgeId } });
  expect(await paste({ tool: "purge_submit", arguments: {} })).toBeUndefined();
  expect(await status("a\u200bb")).toBeUndefined();
  expect(await status("hush-hush")).toBeUndefined();
  const line = (await status("a\nb $(date) `id`")) ?? "";
  expect(line).not.toContain("\n");
  expect((await callOf(line)).values).toEqual({ purgeId: "a\nb $(date) `id`" });
});

describe("a sentence that names calls", () => {
  const call = (purgeId: string) => ({ tool: "purge_status", arguments: { purgeId } });
  const line = (purgeId: string) => `run \`edgewise --emulator call purge_status --purgeId ${purgeId}\``;
  const terms = shellTerms(readConfig(["--emulator"], {}), menu, undefined, []);

  /** The same sentence in the notes of an answer, in the result of a batch and in a preview, at a shell. */
  async function said(told: Sentence): Promise<readonly string[]> {
    const [text, names] = [sentenceText(told), callsIn(told)];
    const note = await terms.inTerms({ kind: "answer", reply: { status: 200, notes: [text] }, names } as never);
    const batch = await terms.inTerms({ kind: "workflow", result: { undo: text }, names } as never);
    const [previewed] = await terms.previewLines({ lines: [text] }, { before: [{ wayBack: told }] as never });
    return [
      note.kind === "answer" ? (note.reply.notes[0] ?? "") : "",
      batch.kind === "workflow" ? String(batch.result["undo"]) : "",
      previewed ?? "",
    ];
  }

  const masked = 'Again: call purge_status with {"purgeId":"[secret, 6 characters]"}.';
  const read = "Read it again with property_get and decide.";
  it.each<readonly [string, Sentence, string, string]>([
    [
      "one",
      naming`Return to it: ${calling(call('it\'s } "x" $&'))}. It is fast.`,
      `Return to it: call purge_status with {"purgeId":"it's } \\"x\\" $&"}. It is fast.`,
      `Return to it: ${line(`'it'\\''s } "x" $&'`)}. It is fast.`,
    ],
    [
      "a choice",
      naming`Choose one, and ${callingOneOf([call("a"), call("b")])}.`,
      'Choose one, and call purge_status with {"purgeId":"a"}, or purge_status with {"purgeId":"b"}.',
      `Choose one, and ${line("a")}, or ${line("b")}.`,
    ],
    ["none that is masked", naming`Again: ${calling(call("[secret, 6 characters]"))}.`, masked, masked],
    ["none", read, read, read],
  ])("a sentence that names calls has a line for %s", async (what, told, text, expected) => {
    expect(sentenceText(told)).toBe(text);
    const [note, batch, previewed] = await said(told);
    expect(previewed).toBe(expected);
    // The names in a result come from the plan, which leaves out what cannot be sent.
    if (!what.includes("masked")) expect([note, batch]).toEqual([expected, expected]);
  });
});

it("no refusal at a shell speaks of confirm", () => {
  const plan = { apis: "today" } as never;
  const reread = { composedBy: "netlist_edit" };
  const statuses = ["void", "expired", "failed", "not_sent", "refused"] as const;
  const failures = [
    ...[refusals.noSuchPlan(), refusals.userWasAsked(), refusals.notYetApproved(plan, 0), refusals.notRedeemed()],
    ...[refusals.notYetApproved({ approvers: 2 } as never, 1), refusals.needsTwo()],
    ...[refusals.otherArguments(plan, {}), refusals.otherApis(plan), refusals.changedState(plan, reread)],
    ...(["question", "policy", "person"] as const).map(refusals.wrongChannel),
    ...statuses.map((status) =>
      refusals.ended({ plan: { expiresAtMs: 0 }, status, approvals: [], voidBecause: "arguments" } as never, reread),
    ),
  ];
  for (const failure of failures) {
    const { why, next } = failureAtShell(failure).detail;
    expect(`${why} ${next}`, failure.message).not.toMatch(/confirm|conversation/);
    expect(next).toMatch(/[Rr]un the (same )?line again/);
  }
});

it("notes repeat neither the line below nor a warning already read", async () => {
  const offers = { undoWith: new NextCall("change_restore", { plan: "plan_x" }) };
  const notes = [
    'To undo this, call change_restore with plan "plan_x"; it is previewed.',
    "Warning in its preview: It is used.",
    "Warning in its preview: that is what the API itself has said.",
  ];
  const names = [{ call: offers.undoWith, words: 'call change_restore with plan "plan_x"' }];
  const terms = shellTerms(readConfig([], {}), menu, undefined, []);
  const outcome = { kind: "answer", reply: { status: 200, notes, offers }, declared: {}, names, repeated: [notes[1]] };
  const said = await terms.inTerms(outcome as never);
  const notesFor = async (wasAsked: boolean) =>
    ((await terms.forReader(said, wasAsked)).outcome as { reply: { notes: readonly string[] } }).reply.notes;
  expect(await notesFor(true)).toEqual(["To undo this, run the line below; it is previewed.", notes[2]]);
  expect(await notesFor(false)).toHaveLength(3);
});

it("how a plan is approved names the state directory of the line", () => {
  const said = (...flags: string[]) => shellTerms(readConfig(flags, {}), menu, undefined, []).howToApprove("plan_x");
  expect(said()).toContain("with `edgewise approve plan_x`; then run the same line again");
  expect(said("--state-dir", "/a b", "--emulator")).toContain("`edgewise --state-dir '/a b' approve plan_x`");
  expect(said("--state-dir", "memory")).toContain("Run the same line at a terminal");
});

it("a corrected call is a line", async () => {
  const corrected = { tool: "purge_status", arguments: { purgeId: "p" } };
  const failure = new Failure("invalid_input", "x", { next: "Correct it.", corrected });
  const { outcome, next } = await shellTerms(config, menu, undefined, []).forReader({ kind: "failure", failure });
  expect(next[0]?.line).toMatch(/ call purge_status --purgeId p$/);
  expect(outcome).toMatchObject({ failure: { detail: { next: "Correct it." } } });
  expect((outcome as { failure: Failure }).failure.detail.corrected).toBeUndefined();
});
