/** The estimate of tokens against a tokenizer, on every form in which answers are shown, and where it could be fooled. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { estimateTokens } from "../../src/answers/tokens.js";
import { operationMarkdown, operationPage } from "../../src/pages/tool-page.js";
import { allServices } from "../../src/tools/index.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";

const services = await allServices("documents");
const presentation = { upstream: "the emulator", secrets: [], maxTokens: 8_000 };
/** Pages with schemas, and examples as JSON, as pretty JSON and as text, of operations that use every mechanism. */
function textsOfAnswers(): string[] {
  const all = services.flatMap((service) =>
    Object.entries(service.operations).map((entry) => [service, ...entry] as const),
  );
  return sampled(all, ([, , operation]) => mechanismsOf(operation)).flatMap(([service, tool, operation]) => {
    const page = operationPage(tool, operation, service, Date.UTC(2026, 4, 20));
    const body = { given: page.example, answers: page.answers };
    const text = successResult({ status: 200, body, notes: [] }, presentation).content[0]?.text ?? "";
    return [operationMarkdown(page), JSON.stringify(body), JSON.stringify(body, null, 2), text];
  });
}
const ratioOf = (text: string) => estimateTokens(text) / encode(text).length;

it("token estimate: hardly ever too low, median at most half too high", () => {
  const ratios = textsOfAnswers()
    .map(ratioOf)
    .sort((a, b) => a - b);
  expect(ratios.length).toBeGreaterThan(100);
  expect(ratios[0]).toBeGreaterThan(0.9);
  expect(ratios[Math.floor(ratios.length / 100)]).toBeGreaterThan(0.95);
  expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.5);
});

it.each([
  ["a key", Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7919) % 256)).toString("base64")],
  ["hexadecimal digits", Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 104_729) % 256)).toString("hex")],
  ["numbers", Array.from({ length: 500 }, (_, at) => at * 7_919 * 104_729).join(",")],
  ["times", Array.from({ length: 300 }, (_, at) => new Date(at * 86_461_000).toISOString()).join("\n")],
  ["addresses", Array.from({ length: 300 }, (_, at) => `203.0.${at % 256}.${(at * 7) % 256}`).join("\n")],
  ["Japanese", "東京のエラーが増えたのはなぜですか。".repeat(40)],
  ["Russian", "Почему выросло число ошибок в Токио? ".repeat(40)],
  ["short words", "a b c d e f g h i j k l m n o p ".repeat(40)],
  ["letters in turn with digits", "a1 b2 c3 d4 e5 f6 ".repeat(40)],
  ["punctuation", '{"a":[{"b":[]}]},'.repeat(100)],
])("is not far below for %s", (_, text) => {
  expect(ratioOf(text)).toBeGreaterThan(0.8);
});

it("an empty text has no tokens", () => {
  expect(estimateTokens("")).toBe(0);
});
