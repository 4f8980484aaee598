/** Every prompt run to its end on the emulator by a client that takes the tools, their order and the stops from its text. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import { stops } from "../../src/language/prompt.js";
import type { LiveValues } from "../../src/language/reading.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { liveValues } from "../../src/resources/live-values.js";
import { completePrompt, fillPrompt } from "../../src/resources/prompts.js";
import { secretFiles } from "../../src/secrets/files.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { folder } from "../lab/files.js";
import { catalogueOfProject } from "../lab/project.js";
import { indented, linesOf, valueIn } from "../lab/transcript.js";

const catalogue = await catalogueOfProject();
const { prompts } = await readingsOf(await allServices("documents"), await allWorkflows());
const now = Date.UTC(2026, 4, 20, 12, 30);
const secrets = folder();
let world: ControlledWorld;
let calls: ReturnType<typeof callsIn>;
function begin(): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
  world = createWorld({ frozenAt: now });
  calls = callsIn(world, { callTimeoutMs: 60_000, secretFiles: secretFiles(secrets) });
}
beforeEach(begin);
afterEach(() => {
  vi.useRealTimers();
  world.reset();
});

const stop = "Wait for the user's yes";
const marks = (text: string): string[] =>
  [...text.matchAll(new RegExp(`\\b[a-z]+(?:_[a-z0-9]+)+\\b|${stop}`, "gi"))]
    .map(([word]) => (word.toLowerCase() === stop.toLowerCase() ? stop : word))
    .filter((word) => word === stop || catalogue.has(word));

/** The first words of tools' names, by which the name of a missing tool is recognized. */
const families = new Set([...catalogue.keys()].map((tool) => tool.split("_")[0]));

interface Line {
  readonly text: string;
  readonly tool: string;
  readonly args: string;
  readonly isWhole: boolean;
  /** How long the person waits before the call. */
  readonly afterMs: number;
}
const lineOf = (text: string): Line => {
  const [, ms = "0", mark, tool = "", args = "{}"] = /^(?:(\d+) )?(>>?) (\S+) (.*)$/.exec(text) ?? [];
  return { text, tool, args, isWhole: mark === ">>", afterMs: Number(ms) };
};
const bodyOf = (outcome: Outcome): unknown => {
  if (outcome.kind === "answer") return outcome.reply.body;
  return outcome.kind === "workflow" ? outcome.result : undefined;
};
const toldOf = (outcome: Outcome, isWhole: boolean): string[] =>
  indented(
    outcome.kind === "workflow" && !isWhole ? [Object.keys(outcome.result).join(", ")] : linesOf(outcome, isWhole),
  );

/**
 * Runs a prompt as its text says, where a person adds the lines of calls: each change waits for a stop of the text.
 * @returns the lines in the order of the text, each with what came of it.
 */
async function follow(name: string, args: Readonly<Record<string, string>>, lines: readonly Line[]): Promise<string[]> {
  const { text } = await fillPrompt(prompts, name, args);
  for (const value of Object.values(args)) expect(text).toContain(value);
  const ofTools = (text.match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? []).filter((word) => families.has(word.split("_")[0]));
  expect(ofTools.filter((word) => !catalogue.has(word))).toEqual([]);
  const left = [...lines];
  const told: string[] = [];
  let last: unknown;
  let pending: { readonly line: Line; readonly args: Args; readonly plan: string } | undefined;
  let mayGo = false;
  for (const mark of marks(text)) {
    if (mark === stop) {
      if (pending) {
        const outcome = await calls.call(pending.line.tool, { ...pending.args, confirm: pending.plan });
        expect(outcome.kind).not.toBe("failure");
        last = bodyOf(outcome) ?? last;
        told.push("    (yes)", ...toldOf(outcome, pending.line.isWhole));
      }
      mayGo = pending === undefined;
      pending = undefined;
      continue;
    }
    if (pending) throw new Error(`${name} goes to ${mark} before the person has decided on ${pending.line.tool}.`);
    const at = left.findIndex(({ tool }) => tool === mark);
    const [line] = at < 0 ? [] : left.splice(at, 1);
    if (!line) throw new Error(`Nobody said with what ${mark} is called in ${name}.`);
    world.advance(line.afterMs);
    const given = valueIn(line.args, { last });
    const outcome = await calls.call(mark, given);
    expect(outcome.kind, line.text).not.toBe("failure");
    if (outcome.kind === "preview") pending = { line, args: given, plan: outcome.plan.id };
    else if (catalogue.get(mark)?.effect !== "read" && outcome.kind === "answer")
      expect(mayGo, `${mark} stops`).toBe(true);
    last = bodyOf(outcome) ?? last;
    told.push(line.text, ...toldOf(outcome, line.isWhole));
  }
  expect(pending, "a change is left undecided").toBeUndefined();
  expect(left).toEqual([]);
  return told;
}

// `npx vitest run test/resources/guided.test.ts -u` writes the outcomes anew, and their difference is read.
it("prompts: each is run as its transcript says", async () => {
  const followed = new Set<string>();
  const told: string[] = [];
  for (const section of readFileSync("test/resources/guided.txt", "utf8").trim().split("\n\n")) {
    const [head = "", ...lines] = section.split("\n").filter((line) => !line.startsWith(" "));
    const [, name = "", args = ""] = /^# (\S+) (.*)$/.exec(head) ?? [];
    followed.add(name);
    begin();
    told.push([head, ...(await follow(name, JSON.parse(args), lines.map(lineOf)))].join("\n"));
  }
  expect([...followed].sort()).toEqual(prompts.map(({ name }) => name).sort());
  await expect(`${told.join("\n\n")}\n`).toMatchFileSnapshot("guided.txt");
});

it.each([
  ["outage_investigate", { url: "shop.example" }, "url"],
  ["usage_explain", { contractId: "C-1", month: "April" }, "month"],
  ["event_plan", { name: "x", start: "tomorrow", end: "2026-06-28T00:00:00Z" }, "start"],
  ["zone_record_move", { zone: "example.com", name: "www", value: "x", type: "SOA" }, "type"],
])("%s refuses an argument of another form", async (name, args, argument) => {
  await expect(fillPrompt(prompts, name, args)).rejects.toThrow(`${argument} takes`);
});

it("stops of prompts are in words that this test's client recognizes", () => {
  for (const words of Object.values(stops)) expect(marks(words)).toEqual([stop]);
});

it.each([
  ["usage_explain", "contractId", "3-", "3-EXPIRED"],
  ["certificate_renew", "enrollmentId", "1000", "10003"],
  ["property_go_live", "propertyId", "prp_", "prp_175780"],
  ["logs_deliver", "logSource", "", "12345-1"],
  ["stream_watch", "domain", "live", "live.shop.example"],
  ["zone_record_move", "type", "AA", "AAAA"],
])("%s completes %s from what the account has", async (name, argument, typed, value) => {
  const source = { api: async () => ({ invoke: calls.calls.invoke }) };
  const valuesOf = (wanted: LiveValues) => liveValues(source, wanted);
  expect(await completePrompt(valuesOf, prompts, name, argument, typed)).toContain(value);
  expect(await completePrompt(valuesOf, prompts, name, argument, "no such value")).toEqual([]);
});
