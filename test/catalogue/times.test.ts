/** Laws over all operations that take times: every way of writing one comes to the same, and no period ends before it begins. */
import { describe, expect, it } from "vitest";
import type { AnyOperation, PeriodArguments } from "../../src/language/define.js";
import { unitMsOf } from "../../src/language/marks.js";
import { fieldOf } from "../../src/language/member.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments } from "../../src/schema/arguments.js";
import { instantsIn, valuesAt } from "../../src/time/instant.js";
import { allServices } from "../../src/tools/index.js";
import { refusalOf } from "../lab/checked.js";
import { lawsOver } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";

const operations = operationsIn(await allServices("documents"));
const now = Date.UTC(2026, 4, 20, 12);
const exampleOf = ({ spec }: AnyOperation) => resolvedExample(spec.example, now) as Record<string, unknown>;
const refusal = (tool: string, operation: AnyOperation, args: object) =>
  refusalOf(() => validateArguments(tool, operation, args, now));

const bounding = operations.flatMap(([tool, operation]): [string, AnyOperation, PeriodArguments][] =>
  operation.spec.period ? [[tool, operation, operation.spec.period as PeriodArguments]] : [],
);

describe("every operation with a time frame", () =>
  lawsOver(bounding, (law, tool, operation, period) => {
    const names = period.form === "month" ? period.range : [period.start, period.end];
    const inOrder = {
      iso: ["2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"],
      epochMs: [Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 2)],
      usDate: ["05/31/2026:23:30", "06/01/2026"],
      date: ["2026-05-01", "2026-05-02"],
      month: [11, 2025, 2, 2026],
    }[period.form];
    const inDisorder = period.form === "month" ? [2, 2026, 11, 2025] : [...inOrder].reverse();
    const given = (values: readonly unknown[]) => {
      const { month: _, year: __, ...rest } = exampleOf(operation);
      return { ...rest, ...Object.fromEntries(names.map((name, at) => [name, values[at]])) };
    };

    law("a time frame ends when it begins or later, else is refused with both", () => {
      const begin = inOrder.slice(0, inOrder.length / 2);
      for (const values of [inOrder, [...begin, ...begin]])
        expect(refusal(tool, operation, given(values))).toBeUndefined();
      const failure = refusal(tool, operation, given(inDisorder));
      const [start, end] = period.form === "month" ? [names[1], names[3]] : names;
      expect(failure?.code).toBe("invalid_input");
      expect(failure?.detail.fields?.[0]).toMatchObject({
        field: end,
        given: expect.stringContaining(String(inDisorder.at(-1))),
        takes: expect.stringContaining(`${start}, which is`),
      });
    });
  }));

const timed = operations.flatMap(([tool, operation]) => {
  const places = instantsIn(argumentsSchema(operation)).flatMap(({ path, as }) => {
    const unitMs = unitMsOf(as);
    return unitMs === undefined ? [] : [{ path, unitMs }];
  });
  return places.length === 0 ? [] : [[tool, operation, places] as const];
});

it("periods and instants are declared where documents have them", () => {
  expect(bounding).toHaveLength(12);
  expect(timed).toHaveLength(10);
});

/** An example to which members are added without which it has no place for a time. */
function roomyExampleOf(tool: string, operation: AnyOperation) {
  const args = structuredClone(exampleOf(operation));
  const rule = operations.find(([name]) => name === "edgelogic_rule_create")?.[1];
  if (rule && tool.startsWith("edgelogic_policy_version_"))
    Object.assign(args["body"] as object, { matchRules: [exampleOf(rule)["body"]] });
  return args;
}

describe("every argument that is a time", () =>
  lawsOver(timed, (law, tool, operation, places) => {
    const unitMs = places[0]?.unitMs ?? 1;
    /** The example with every instant that it can have, each written anew; those that it has not are after each other. */
    const withTimes = (write: (ms: number) => unknown) => {
      const args = roomyExampleOf(tool, operation);
      for (const [index, { path }] of places.entries())
        for (const [, parent] of valuesAt(args, path.slice(0, -1))) {
          const members = parent as Record<string, unknown>;
          const name = String(path.at(-1));
          const known = members[name];
          members[name] = write(typeof known === "number" ? known * unitMs : now + 1_000 * index);
        }
      return args;
    };
    const sent = (write: (ms: number) => unknown, more: object = {}) => {
      const { query, body } = validateArguments(tool, operation, { ...withTimes(write), ...more }, now);
      return { query, body };
    };
    const local = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 23);

    law("every time argument is sent as the same number in all spellings", () => {
      const numbers = sent((ms) => ms / unitMs);
      expect(JSON.stringify(numbers)).toMatch(unitMs === 1 ? /\d{13}/ : /\D\d{10}\D/);
      expect(sent((ms) => String(ms / unitMs))).toEqual(numbers);
      expect(sent((ms) => new Date(ms).toISOString())).toEqual(numbers);
      expect(sent((ms) => `${local(ms)}+09:00`)).toEqual(numbers);
      expect(sent((ms) => `${local(ms)}+0900`)).toEqual(numbers);
      expect(sent(local, { timeZone: "Asia/Tokyo" })).toEqual(numbers);
    });

    law("every time without an offset or in other units is refused", () => {
      const otherUnit = unitMs === 1 ? 1_779_278_400 : 1_779_278_400_000;
      const none = ["2026-05-20T12:00:00", "2026-05-20", "noon", "2026-02-30T00:00Z", true];
      for (const bad of [
        ...none,
        otherUnit,
        String(otherUnit),
        ...(unitMs === 1 ? [] : ["2026-05-20T12:00:00.500Z"]),
      ]) {
        const args = withTimes(() => bad);
        const expected = places.flatMap(({ path }) => [...valuesAt(args, path)].map(([at]) => fieldOf(at)));
        const fields = refusal(tool, operation, args)?.detail.fields ?? [];
        expect([bad, fields.map(({ field }) => field).sort()]).toEqual([bad, expected.sort()]);
      }
    });
  }));
