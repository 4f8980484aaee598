/** What a person needs to know before a guarded change, as a table that comes from reading, never from the declarations. */
import { expect, it, onTestFinished, vi } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createWorld } from "../../src/emulator/world.js";
import { question } from "../../src/guard/preview/question.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/pages/example.js";
import { secretFiles } from "../../src/secrets/files.js";
import { type Args, callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { apis, operationsIn, servicesOfProject } from "../lab/project.js";
import { secretDirectory } from "../lab/secret-files.js";
import { tableOf } from "../lab/tables.js";

/**
 * The facts in a row, each `-` where the change has none: what the sentence begins with; the object, by its name and its
 * id; what is there before and after; what is lost; since when, until when or how long; who or what else is affected; the
 * network; the way back, or why there is none. A fact may be in several places of a preview, separated by ` | ` here.
 */
const facts = ["verb", "target", "before", "after", "lost", "time", "others", "network", "way back"] as const;
const always: readonly string[] = ["verb", "target", "way back"];

const at = Date.UTC(2026, 4, 20, 12, 30);
const presentation = { upstream: "the emulator", secrets: [], maxTokens: 8_000 };
const operations = new Map(
  operationsIn(await servicesOfProject()).filter(([, { spec }]) => guardOf({ spec }) !== undefined),
);
const rows = tableOf("guard/facts.tsv").filter(([setting = ""]) => [apis, "both"].includes(setting));

/** What a preview says: its arguments, which repeat the call, and the present state come after it. */
const saidIn = (text: string): string => `\n${text.split("\nRequest: ")[0]}`;

/** The facts of a row that a text does not say. */
const lackingIn = (said: string, cells: readonly string[]): readonly string[] =>
  facts.flatMap((fact, index) => {
    const isSaid = (words: string): boolean => {
      if (words === "-") return !always.includes(fact);
      return said.includes(fact === "verb" ? `\n${words} ` : words);
    };
    const lacking = (cells[index] ?? "-").split(" | ").filter((words) => !isSaid(words));
    return lacking.map((words) => `${fact} (${words})`);
  });

it("a question and an assistant's preview have each guarded change's facts", async () => {
  // The examples name times from now on.
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  onTestFinished(() => void vi.useRealTimers());
  const more = { callTimeoutMs: 60_000, secretFiles: secretFiles(secretDirectory()) };
  const calls = callsIn(createWorld({ frozenAt: at }), more);
  const tools = new Set([...operations.keys(), ...rows.map(([, tool = ""]) => tool)]);
  await holdsForEach(tools, async (tool) => {
    const operation = operations.get(tool) ?? expect.fail("is no guarded operation");
    const [[, , ...cells] = [], ...others] = rows.filter(([, name]) => name === tool);
    expect([cells.length, others.length], "has one row, with a cell for each fact").toEqual([facts.length, 0]);
    const { confirm: _, ...args } = resolvedExample(operation.spec.example, at) as Args;
    const outcome = await calls.call(tool, args);
    if (outcome.kind !== "preview") throw new Error(`has no preview but ${JSON.stringify(outcome)}`);
    const shown = { question: question(outcome.preview), result: resultOf(outcome, presentation).content[0].text };
    for (const [form, text] of Object.entries(shown)) {
      const said = saidIn(text);
      const lacking = lackingIn(said, cells);
      if (lacking.length > 0) throw new Error(`its ${form} lacks ${lacking.join(", ")}:${said}`);
    }
  });
});
