/**
 * Every operation's mistakes in names and enumerations are mended: the corrected call passes the validation that the
 * original one failed.
 */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { withMember } from "../../src/language/member.js";
import { applyMends } from "../../src/language/mend.js";
import { unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments } from "../../src/schema/arguments.js";
import { guessName } from "../../src/text/nearest.js";
import { allServices } from "../../src/tools/index.js";
import { refusalOf } from "../lab/checked.js";
import { holdsForEach } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";
import { rowsOf } from "../lab/tables.js";

type Args = Record<string, unknown>;

const operations = operationsIn(await allServices());
const nowMs = Date.UTC(2026, 4, 20, 12, 30);

/** The call corrected after each refusal, until it passes. */
function corrected(tool: string, operation: AnyOperation, given: unknown): unknown {
  let args = given;
  for (let round = 0; round < 5; round += 1) {
    const failure = failureOf(tool, operation, args);
    if (!failure) return args;
    const { mends, fields } = failure.detail;
    if (!mends) throw new Error(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(fields)}`);
    args = applyMends(args, mends.all);
  }
  throw new Error(`${tool} is not mended.`);
}

const failureOf = (tool: string, operation: AnyOperation, args: unknown) =>
  refusalOf(() => validateArguments(tool, operation, args, nowMs));

/** A word with two letters in the middle changed in place. */
function mistyped(word: string): string {
  const at = Math.max(1, Math.floor(word.length / 2));
  return word.slice(0, at - 1) + (word[at] ?? "") + (word[at - 1] ?? "") + word.slice(at + 1);
}

const exampleOf = ({ spec }: AnyOperation): Args => resolvedExample(spec.example, nowMs);

it("every operation takes an argument by a mistyped name", () =>
  holdsForEach(operations, (tool, operation) => {
    const example = exampleOf(operation);
    for (const name of Object.keys(example).filter((one) => one.length > 3)) {
      const typo = mistyped(name);
      if (typo === name) continue;
      const args = Object.fromEntries(
        Object.entries(example).map(([key, value]) => [key === name ? typo : key, value]),
      );
      expect(failureOf(tool, operation, args)).toBeDefined();
      expect(corrected(tool, operation, args)).toEqual(example);
    }
  }));

/** The texts in a value, each with its path. */
function* textsIn(
  value: unknown,
  at: readonly PropertyKey[] = [],
): Generator<readonly [readonly PropertyKey[], string]> {
  if (typeof value === "string") yield [at, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* textsIn(inner, [...at, Array.isArray(value) ? Number(key) : key]);
}

/** The enumerations among the arguments of an operation's example, and the calls with other values of those of its own. */
function enumeratedIn(tool: string, operation: AnyOperation) {
  const example = exampleOf(operation);
  const own = Object.entries(argumentsSchema(operation).shape).flatMap(([name, schema]) => {
    const inner = unwrapSchema(schema as z.ZodType);
    return inner instanceof z.ZodEnum
      ? inner.options.flatMap((value) =>
          typeof value === "string" ? [[[name], { ...example, [name]: value }, value] as const] : [],
        )
      : [];
  });
  const inside = [...textsIn(example)].map(([path, value]) => [path, example, value] as const);
  return [...own, ...inside].filter(([path, right, value]) => {
    const problem = failureOf(tool, operation, withMember(right, path, "no such value at all"));
    const isListed = problem?.detail.fields?.some(({ takes }) => takes.includes(JSON.stringify(value))) ?? false;
    return isListed && failureOf(tool, operation, right) === undefined;
  });
}

const enumerated = operations.flatMap(([tool, operation]) => {
  const found = enumeratedIn(tool, operation);
  return found.length > 0 ? [[tool, operation, found] as const] : [];
});

it("every operation's mistyped enumeration values are corrected", () =>
  holdsForEach(enumerated, (tool, operation, found) => {
    for (const [path, right, value] of found) {
      const wrongs = [value.toUpperCase(), ` ${value.replaceAll(/[_-]/g, " ").toLowerCase()}`];
      for (const wrong of value.length < 4 ? wrongs : [...wrongs, mistyped(value)]) {
        const args = withMember(right, path, wrong) as Args;
        if (failureOf(tool, operation, args)) expect([wrong, corrected(tool, operation, args)]).toEqual([wrong, right]);
      }
    }
  }));

it("a mistyped value is matched to the value that is meant", () =>
  holdsForEach(rowsOf<[readonly string[], string, string | null]>("text/nearest.tsv", "value"), (known, given, meant) =>
    expect([given, guessName(given, known) ?? null]).toEqual([given, meant]),
  ));
