/** Laws over all operations: whatever is wrong with an argument is refused with its field, once, in words that show what it takes. */
import { describe, expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { isChange } from "../../src/calls/workflow.js";
import { createWorld } from "../../src/emulator/world.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { mediaList } from "../../src/language/media.js";
import { isRecord, memberAt, pathTo, withMember } from "../../src/language/member.js";
import { unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, headerArguments, validateArguments, validateValues } from "../../src/schema/arguments.js";
import { Day, PastDay } from "../../src/tools/fields.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { callsIn } from "../lab/calls.js";
import { problemsOf, refusalOf } from "../lab/checked.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { operationsIn, servicesOfProject } from "../lab/project.js";
import { wrong } from "../lab/wrong-arguments.js";
import { scalarsIn } from "./preview-law.js";

const all = operationsIn(await allServices());
const byName = new Map(all);

/** The types of the members of an object, which is what their check goes by. */
const typesIn = (schema: z.ZodType, at: string): string[] => {
  const object = unwrapSchema(schema);
  if (!(object instanceof z.ZodObject)) return [`${at} ${object.type}`];
  return Object.values(object.shape).map((member) => `${at} ${unwrapSchema(member as z.ZodType).type}`);
};
const formsOf = ([, operation]: readonly [string, AnyOperation]): string[] => [
  ...typesIn(argumentsSchema(operation), "argument"),
  ...mediaList(operation.spec.body).flatMap(({ schema }) => typesIn(schema, "member")),
  ...mechanismsOf(operation).filter((word) => /^(method|request|style) /.test(word)),
];

it("every operation: bad input names its field and sends nothing", async () => {
  const { call, audited } = callsIn(createWorld(), { callTimeoutMs: 60_000 });
  await holdsForEach(sampled(operationsIn(await servicesOfProject()), formsOf), async (tool, operation) => {
    for (const [what, args, field] of wrong(operation)) {
      const outcome = await call(tool, args);
      expect([what, outcome]).toMatchObject([what, { kind: "failure", failure: { code: "invalid_input" } }]);
      if (outcome.kind !== "failure") continue;
      const fields = outcome.failure.detail.fields?.map((one) => one.field).join(" ");
      expect(fields, what).toContain(field);
      const { content } = resultOf(outcome, { upstream: "the upstream", secrets: [], maxTokens: 8_000 });
      expect(JSON.stringify(content).length, what).toBeLessThan(6_000);
    }
  });
  expect(audited.filter((line) => line.includes('"requests":1'))).toEqual([]);
});

it("every operation refuses an argument for one fault once", () =>
  holdsForEach(all, (tool, operation) => {
    const example = resolvedExample(operation.spec.example, Date.now());
    for (const path of scalarsIn(example))
      for (const wrong of ["\u{1f6ab} no such value", "2026-13-99", "", -7.5]) {
        if (typeof wrong !== typeof memberAt(example, path)) continue;
        const fields = problemsOf(tool, operation, withMember(example, path, wrong) as object).map(
          ({ field }) => field,
        );
        expect(fields, JSON.stringify([path, wrong])).toEqual([...new Set(fields)]);
      }
  }));

/** The paths of all objects in a value. */
const objectsIn = (value: unknown, path: readonly PropertyKey[] = []): readonly (readonly PropertyKey[])[] =>
  isRecord(value) || Array.isArray(value)
    ? [
        ...(isRecord(value) ? [path] : []),
        ...Object.entries(value).flatMap(([key, one]) =>
          objectsIn(one, [...path, isRecord(value) ? key : Number(key)]),
        ),
      ]
    : [];

it("no refusal of what is missing shows a value", () =>
  holdsForEach(all, (tool, operation) => {
    const example = resolvedExample(operation.spec.example, Date.now());
    for (const path of objectsIn(example))
      for (const { given, takes } of problemsOf(tool, operation, withMember(example, path, {}) as object))
        expect([given, takes].join(), path.join(".")).not.toMatch(/undefined|NaN|\[object/);
  }));

describe("a refusal", () => {
  const made = op("POST /things", {
    does: "Does something.",
    body: json({
      size: z.int().min(0).max(2).optional(),
      count: z.int().min(1).optional(),
      names: z.array(z.string()).optional(),
      day: Day.optional(),
      past: PastDay.optional(),
    }),
    returns: { 201: json(z.unknown()) },
    effect: "create",
    shownBy: "things_list",
    example: {},
  });
  it.each<[string, string, unknown, string]>([
    ["both bounds of a number", "size", 7, "a whole number from 0 to 2"],
    ["both bounds of a number that is too small", "size", -1, "a whole number from 0 to 2"],
    ["the only bound of a number", "count", 0, "at least 1"],
    ["what a list takes for a value that is no item of it", "names", 5, "a list; each item takes text"],
    ["what a list takes for an object", "names", { a: 1 }, "a list; each item takes text"],
    ["the form of a day", "day", "yesterday", "a UTC date such as 2026-05-01"],
    ["a day that there is not", "day", "2026-02-30", "a date that exists in the calendar"],
    ["the words for a day that is over", "past", "tomorrow", "a UTC date such as 2026-05-01, or yesterday"],
  ])("shows %s", (_, name, given, takes) => {
    const problems = problemsOf("thing_create", made, { body: { [name]: given } });
    expect(problems.map((one) => [one.field, one.takes])).toEqual([[`body.${name}`, takes]]);
  });

  it("is not given for yesterday, the previous day in UTC", () => {
    const { values } = validateArguments("thing_create", made, { body: { past: "yesterday" } });
    const past = Date.parse(String(memberAt(values, "body.past")));
    expect(Date.now() - past).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.now() - past).toBeLessThan(2 * 86_400_000);
  });
});

/** The names elsewhere of an operation's header arguments: those of the headers, and of the member that a stamp is read from. */
const namesOf = (operation: AnyOperation): (readonly [argument: string, elsewhere: string])[] =>
  headerArguments(operation).flatMap(([header, { argument }]) => {
    const { lock } = operation.spec;
    const member = lock?.field === argument ? lock.at?.split(".").at(-1) : undefined;
    return [header, header.toLowerCase(), ...(member === undefined ? [] : [member, member.toUpperCase()])].map(
      (name) => [argument, name] as const,
    );
  });

const locked = all.filter(([, operation]) => headerArguments(operation).length > 0);
const composed = (await allWorkflows()).flatMap(([name, one]) => {
  if (!isChange(one)) return [];
  const made = byName.get(one.makes);
  const names = made === undefined ? [] : namesOf(made).filter(([argument]) => argument in one.input.shape);
  return names.length === 0 ? [] : [[name, one.input, names] as const];
});

it("a header's argument is suggested if the call uses another name for it", async () => {
  expect([locked.length > 8, composed.length > 0]).toEqual([true, true]);
  type Check = [tool: string, names: ReturnType<typeof namesOf>, check: (args: object) => unknown];
  const checks: Check[] = [
    ...locked.map(([tool, one]): Check => [tool, namesOf(one), (args) => validateArguments(tool, one, args)]),
    ...composed.map(([tool, input, names]): Check => [tool, names, (args) => validateValues(tool, input, args)]),
  ];
  await holdsForEach(checks, (_, names, check) => {
    for (const [argument, elsewhere] of names)
      expect(refusalOf(() => check({ [elsewhere]: "x" }))?.detail.fields).toContainEqual(
        expect.objectContaining({
          field: pathTo("", elsewhere),
          takes: expect.stringContaining(`did you mean "${argument}"?`),
        }),
      );
  });
});
