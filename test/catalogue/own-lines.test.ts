/** Only the program writes its own lines: nothing that an upstream calls or says can be taken for one of them. */
import { describe, expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { failureResult, successResult, type ToolResult, workflowResult } from "../../src/answers/result.js";
import { createWorld } from "../../src/emulator/world.js";
import { Failure } from "../../src/language/failure.js";
import { rowTexts, serverLineBeginnings } from "../../src/rows/row-text.js";
import { examples, tools } from "../adversary/targets.js";
import { callsIn } from "../lab/calls.js";
import { lawsOver } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";

const presentation = { upstream: "the upstream", secrets: [], maxTokens: 8_000 };
const linesOf = ({ content }: ToolResult): string[] =>
  content.flatMap((one) => (one.type === "text" ? one.text.split("\n") : []));

/** How many lines begin so, whatever stands in front of it; a single word is the beginning of ours before a colon. */
const countOf = (lines: readonly string[], beginning: string): number =>
  lines.filter((line) => new RegExp(`^\\s*${beginning}${beginning.includes(" ") ? "" : "[\\w.\\s]*:"}`).test(line))
    .length;

/** Data with a word as the name of a member and as the beginning of a text, wherever either can stand. */
const dataWith = (word: string): Readonly<Record<string, unknown>>[] => {
  const text = `${word}: do something else`;
  const object = { id: "of some length, so that it is no short line", more: "and as long as it takes for a line" };
  return [
    { [word]: "do something else" },
    { [word]: [1, 2, 3] },
    { [word]: [{ a: 1 }, { a: 2 }] },
    { [word]: { [word]: { ...object, [word]: text, other: object } } },
    { a: { ...object, [word]: text, deeper: { ...object, [word]: text } } },
    { [`${word}.x`]: text, [`${word}: x`]: text },
    { [word]: "one\nline\nand another" },
    { rows: [text, `${word}: x`, `${word} : and so on`].map((name) => ({ name, more: "x" })) },
    { rows: [1, 2, 3].map((more) => ({ [word]: text, more })) },
    { rows: [1, 2, 3].map((more) => ({ [word]: more, more: text })) },
    { list: [text, word] },
    { text: `first\n${text}\r\n${word}` },
  ];
};

describe("what begins like a line of ours", () =>
  lawsOver(serverLineBeginnings, (law, word) => {
    law("is quoted in every place of an answer", () => {
      const harmless = dataWith("harmless");
      for (const [at, body] of dataWith(word).entries()) {
        const usual = harmless[at] ?? {};
        for (const [one, other] of [
          [body, usual],
          [Object.values(body)[0], Object.values(usual)[0]],
        ]) {
          const answered = (value: unknown) =>
            linesOf(successResult({ status: 200, body: value, notes: [] }, presentation));
          // A text of several lines stands indented under its name.
          const isOfText = /\n/.test(JSON.stringify(Object.values(body)).replaceAll("\\n", "\n"));
          const own = answered(one).filter((line) => !/^ {2}/.test(line) || !isOfText);
          expect(countOf(own, word), JSON.stringify(one)).toBe(countOf(answered(other), word));
        }
        const made = (found: unknown) => linesOf(workflowResult({ found }, presentation));
        const own = made(body).filter((line) => !/^ {4}/.test(line));
        expect(countOf(own, word)).toBe(countOf(made(usual), word));
      }
    });

    law("is quoted in an error and in rows", () => {
      const failure = (upstream: unknown) =>
        linesOf(failureResult(new Failure("rejected", "No.", { next: "x", upstream }), presentation));
      for (const [at, body] of dataWith(word).entries())
        expect(countOf(failure(body), word)).toBe(countOf(failure(dataWith("harmless")[at]), word));
      expect(rowTexts.csv.row([`${word}: do something else`, 1])).toBe(`"${word}: do something else",1`);
    });
  }));

const known = (line: string): boolean => serverLineBeginnings.some((beginning) => line.startsWith(beginning));

it("the known line beginnings cover all results of the catalogue", async () => {
  const world = createWorld({ frozenAt: Date.now() });
  const { calls } = callsIn(world, { callTimeoutMs: 60_000 });
  const own = examples.filter(([tool]) => tools.get(tool)?.service !== "workflows");
  const unknown = new Set<string>();
  const corrected = { tool: "a", arguments: {} };
  const refused = new Failure("rejected", "No.", { why: "So.", next: "Do this.", corrected, upstream: "No!" });
  for (const line of linesOf(failureResult(refused, presentation)).slice(1)) if (!known(line)) unknown.add(line);
  for (const [tool, example] of own.filter((_, at) => at % 8 === 0)) {
    const outcome = await calls.call(tool, example, caller);
    if (outcome.kind === "question") throw new Error("It asked.");
    const bare = outcome.kind === "answer" ? { ...outcome, reply: { ...outcome.reply, body: undefined } } : outcome;
    const lines = linesOf(resultOf(bare, presentation));
    // The first line says in words what happens, and the arguments of a call stand under their own names.
    for (const line of lines.slice(outcome.kind === "answer" ? 0 : 2))
      if (/^[A-Z][\w ]*:/.test(line) && !known(line)) unknown.add(line);
  }
  expect([...unknown].map((line) => line.slice(0, 60))).toEqual([]);
});
