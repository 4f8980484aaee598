/**
 * A law over all tools: nothing that a client can send holds the server up, however much it is: long texts, many names, many
 * wrong items, lists in lists, deep values, wherever they stand.
 */
import { describe, expect, it } from "vitest";
import { isChange } from "../../src/calls/workflow.js";
import { createWorld } from "../../src/emulator/world.js";
import { serverMenu } from "../../src/engine/menu.js";
import { profileOf } from "../../src/language/account.js";
import { markOf } from "../../src/language/marks.js";
import { isRecord } from "../../src/language/member.js";
import { hasSpelling } from "../../src/language/mend.js";
import { formsAt, formsOf, unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { maxMessageBytes } from "../../src/mcp/message.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { completeTemplate, readResource } from "../../src/resources/index.js";
import { fillPrompt } from "../../src/resources/prompts.js";
import { argumentsSchema, validateArguments, validateValues } from "../../src/schema/arguments.js";
import { mostInJson } from "../../src/text/json-size.js";
import { didYouMean, guessName } from "../../src/text/nearest.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { callsIn } from "../lab/calls.js";
import { refusalOf } from "../lab/checked.js";
import { inDepth } from "../lab/depth.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { processorMs } from "../lab/processor-time.js";
import { operationsIn, servicesOfProject } from "../lab/project.js";
import { promise } from "../lab/rules.js";

// The longest text that is an argument, and the longest that is sent in a request's head. A message can be a name.
const longestText = 256 * 1024;
const longestInHead = 8 * 1024;

/** What patterns run through from many starts: each repeated to the length that is asked for, and then an end that fits none. */
const units = [
  ...[" ", "a", "0", "_", ".", "-", "/", "\\", '"', "[", "<", "%", "T", "é", "\u200d"],
  ...["1.", "a.", "a_", "2026-05-01 ", "https://a/"],
];
const textOf = (unit: string, length: number): string => `x${unit.repeat((length - 2) / unit.length)}!`;
const texts = units.map((unit) => textOf(unit, longestText));
const names = units.map((unit) => textOf(unit, maxMessageBytes));

type Path = readonly PropertyKey[];

/** The places in what a schema takes, each with the schemas of what stands there. */
function* placesIn(
  forms: readonly z.ZodType[],
  path: Path = [],
  above: readonly unknown[] = [],
): Generator<readonly [Path, readonly z.ZodType[]]> {
  if (path.length > 0) yield [path, forms];
  const keys = new Set<PropertyKey>();
  for (const form of forms) {
    if (form instanceof z.ZodObject) for (const name of Object.keys(form.shape)) keys.add(name);
    if (form instanceof z.ZodArray) keys.add(0);
    if (form instanceof z.ZodTuple) for (const at of form.def.items.keys()) keys.add(at);
    if (form instanceof z.ZodRecord) keys.add("any");
  }
  for (const key of keys) {
    const inner = formsAt(forms, key);
    if (!above.includes(inner)) yield* placesIn(inner, [...path, key], [...above, inner]);
  }
}

/** A value with another at a path, and all that is missing on the way. */
function placed(root: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") return [placed(undefined, rest, value)];
  const members = isRecord(root) ? root : {};
  return { ...members, [key]: placed(members[String(key)], rest, value) };
}

interface Tool {
  readonly name: string;
  readonly schema: z.ZodObject;
  readonly example: object;
  readonly check: (args: object) => unknown;
}

const services = await servicesOfProject();
const workflows = await allWorkflows();
const operations = operationsIn(services);
const catalogue = catalogueOf(services, workflows);
const tools: readonly Tool[] = [
  ...operations.map(([name, operation]): Tool => {
    const example = resolvedExample(operation.spec.example, Date.now());
    return {
      name,
      schema: argumentsSchema(operation),
      example,
      check: (args) => validateArguments(name, operation, args),
    };
  }),
  ...workflows.map(([name, workflow]): Tool => {
    const { input } = workflow;
    const example = "example" in workflow ? (workflow.example as object) : {};
    return { name, schema: input, example, check: (args) => validateValues(name, input, args, isChange(workflow)) };
  }),
];

/** One of each mechanism: what is read of a long value follows from the forms of a schema. */
const fewTools = inDepth(tools, [
  ...sampled(operations, ([, operation]) => mechanismsOf(operation)).flatMap(
    ([name]) => tools.find((tool) => tool.name === name) ?? [],
  ),
  ...tools.slice(operations.length),
]);

const isTaken = ({ check }: Tool, args: object): boolean => refusalOf(() => check(args)) === undefined;

// Violations take half a second to minutes, and correct code a hundredth of that. The margin is this wide because on a busy
// machine even the processor time has grown fifteenfold.
const boundMs = 400;

/** What takes longer than a bound, each with the time. */
async function slow(cases: Iterable<readonly [what: string, work: () => unknown]>, most = boundMs): Promise<string[]> {
  const found: string[] = [];
  for (const [what, work] of cases) {
    const ms = await processorMs(most, work);
    if (ms > most) found.push(`${what} takes ${Math.round(ms)} ms`);
    if (found.length === 5) return found;
  }
  return found;
}

/** Texts that no declaration says anything of are alike; all others are known by their own schemas. */
const isPlain = (form: z.ZodType): boolean =>
  form instanceof z.ZodString && form.format === null && (form.def.checks ?? []).length === 0;

/** Whether a schema takes any text, or any but an empty one. */
const isFree = (form: z.ZodType): boolean =>
  form instanceof z.ZodString &&
  form.format === null &&
  (form.def.checks ?? []).every(({ _zod }) => _zod.def.check === "min_length");

/** Whether text is what a schema takes, or another way to write what it takes. */
const takesText = (form: z.ZodType): boolean =>
  form instanceof z.ZodString || markOf(form, "instant") !== undefined || hasSpelling(form);

/** Each kind of place with such a schema once, with the first tool that has it. */
function* differentPlaces(isWanted: (form: z.ZodType) => boolean): Generator<readonly [Tool, Path]> {
  const seen = new Set<string>();
  const numbers = new Map<unknown, number>();
  const numberOf = (form: z.ZodType): number => {
    numbers.set(form, numbers.get(form) ?? numbers.size);
    return numbers.get(form) ?? 0;
  };
  for (const tool of tools)
    for (const [path, forms] of placesIn(formsOf(tool.schema))) {
      if (!forms.some(isWanted)) continue;
      const own = new Set(forms.map(unwrapSchema).filter((form) => !isPlain(form)));
      const kind = `${path[0] === "body"} ${[...own].map(numberOf).join(" ")}`;
      if (!seen.has(kind)) yield [tool, path];
      seen.add(kind);
    }
}

describe("a text of the greatest length", () => {
  it(promise("sizes-of-arguments", "is refused or taken at once by the check of every argument"), async () => {
    const places = [...differentPlaces(takesText)];
    expect(places.length).toBeGreaterThan(150);
    const late: string[] = [];
    for (const [index, [tool, path]] of places.entries()) {
      // Which place a pattern stands at is no matter to it, and each stands at several.
      const few = inDepth(
        texts,
        texts.filter((_, at) => at % 4 === index % 4),
      );
      const cases = few.map((text) => placed(tool.example, path, text) as object);
      // All of them together mostly take less than one of them may.
      if ((await processorMs(boundMs, () => cases.map((args) => isTaken(tool, args)))) <= boundMs) continue;
      const each = cases.map(
        (args, at) => [`${tool.name} ${path.map(String).join(".")} ${few[at]?.slice(1, 12)}…`, args] as const,
      );
      late.push(...(await slow(each.map(([what, args]) => [what, () => isTaken(tool, args)]))));
      if (late.length > 0) break;
    }
    expect(late).toEqual([]);
  });

  // The emulator's own reading of the request and the making of its answer are in this time, too.
  it("does not delay a call of a tool that accepts it", async () => {
    const { call } = callsIn(createWorld(), { callTimeoutMs: 60_000 });
    // One place of each tool, and another text at each.
    const cases = fewTools.flatMap((tool, index) => {
      const free = [...placesIn(formsOf(tool.schema))].filter(([, forms]) => forms.some(isFree)).map(([path]) => path);
      const unit = units[index % units.length] ?? "";
      for (const path of [...free.slice(index % (free.length || 1)), ...free])
        for (const length of [longestText, longestInHead]) {
          const args = placed(tool.example, path, textOf(unit, length)) as Record<string, unknown>;
          if (isTaken(tool, args))
            return [[`${tool.name} ${path.map(String).join(".")} ${unit}`, () => call(tool.name, args)] as const];
        }
      return [];
    });
    expect(cases.length).toBeGreaterThan(20);
    expect(await slow(cases, 5 * boundMs)).toEqual([]);
  });
});

const { prompts, resources } = await readingsOf(services);

describe("a name of the greatest length", () => {
  it(promise("sizes-of-bodies", "is refused at once in the arguments of every tool, and in their bodies"), async () => {
    const cases = fewTools.flatMap((tool, index) =>
      [[], ["body"]].map((at) => {
        const name = names[index % names.length] ?? "";
        const args = placed(tool.example, [...at, name], 1) as object;
        return [`${tool.name} ${name.slice(0, 12)}…`, () => isTaken(tool, args)] as const;
      }),
    );
    expect(await slow(cases)).toEqual([]);
  });

  const menu = serverMenu({ catalogue });
  const core = serverMenu({ catalogue, choice: { surface: "core" } });
  const reader = { owner: "local", signal: undefined };
  const library = {
    catalogue,
    offer: menu,
    declared: resources,
    api: () => Promise.reject(new Error("Nothing is read.")),
  };
  const aside = (promise: Promise<unknown>) => promise.catch(() => undefined);
  const near = (name: string, known: Iterable<string>) => [didYouMean(name, known), guessName(name, known)];
  it.each<[string, (name: string) => unknown]>([
    ["a tool", (name) => menu.findCall(name, {})],
    ["a tool that is called by another", (name) => core.findCall("operation_read", { tool: name, arguments: {} })],
    ["a profile", (name) => profileOf({ names: ["shop", "news"] }, name, "a call")],
    ["a prompt", (name) => aside(fillPrompt(prompts, name, {}))],
    ["an argument of a prompt", (name) => aside(fillPrompt(prompts, "certificate_renew", { enrollmentId: name }))],
    ["a resource", (name) => aside(readResource(library, name, reader))],
    ["a page", (name) => aside(readResource(library, `operation://${name}`, reader))],
    ["what is to be completed", (name) => aside(completeTemplate(library, "operation://{tool}", "tool", name, reader))],
    ["what is near a known one", (name) => near(name, catalogue.keys())],
    ["what is near one as long", (name) => near(name, [`${name}s`])],
    // Where they are alike at no end, the time to compare two grows with the square of their length.
    ["what is near a long one with other ends", (name) => near(name.slice(0, 16_000), [`y${name.slice(1, 16_000)}s`])],
  ])("of %s is handled at once", async (_, work) => {
    expect(await slow(names.map((name) => [name.slice(0, 12), () => work(name)] as const))).toEqual([]);
  });
});

// Half of them fit no list, whatever its items are.
const wrongItems = Array.from({ length: mostInJson.items }, (_, at) => (at % 2 === 0 ? { verion: "no such" } : -1.5));
const manyNames = Object.fromEntries(Array.from({ length: mostInJson.items }, (_, at) => [`argument${at}`, 1]));

/** A value of a schema that is as large as it can be and wrong at its ends: every list has 100 items, with others inside. */
function crowded(schema: z.ZodType, left: { values: number }, depth = 0): unknown {
  const [form] = formsOf(schema);
  left.values -= 1;
  if (left.values <= 0 || depth > 12) return { verion: "no such" };
  if (form instanceof z.ZodArray) {
    const items: unknown[] = [];
    while (items.length < 100 && left.values > 0) items.push(crowded(form.element as z.ZodType, left, depth + 1));
    return items;
  }
  if (!(form instanceof z.ZodObject)) return { verion: "no such" };
  const members = Object.entries(form.shape as Readonly<Record<string, z.ZodType>>);
  return Object.fromEntries(members.map(([name, member]) => [name, crowded(member, left, depth + 1)]));
}

const isList = (form: z.ZodType) => form instanceof z.ZodArray;
const isObject = (form: z.ZodType) => form instanceof z.ZodObject;
const deep = { deep: JSON.parse("[".repeat(60) + "]".repeat(60)) as unknown };
const most = { values: mostInJson.values - 1_000 };
const whole = (make: (tool: Tool) => unknown) => fewTools.map((tool) => [tool, make(tool), []] as const);
const at = (isWanted: (form: z.ZodType) => boolean, value: unknown) =>
  [...differentPlaces(isWanted)].map(([tool, path]) => [tool, value, path] as const);

it.each<[what: string, () => readonly (readonly [Tool, unknown, Path])[]]>([
  ["names that a tool does not have", () => whole(() => manyNames)],
  [
    "members that an object does not have",
    () => {
      const all = at(isObject, manyNames);
      return inDepth(
        all,
        all.filter((_, index) => index % 12 === 0),
      );
    },
  ],
  ["items that fit no list", () => at(isList, wrongItems)],
  ["items in a text of JSON", () => at(isList, `[${"1,".repeat(120_000)}1]`)],
  ["lists in lists, wrong at their ends", () => whole(({ schema }) => crowded(schema, { ...most }))],
  ["values inside of one another", () => whole(() => deep)],
])(promise("sizes-refused", "as many %s as there can be are refused at once"), async (_, placesOf) => {
  const works = placesOf().map(([tool, value, path]) => {
    const args = path.length === 0 ? value : placed(tool.example, path, value);
    return [`${tool.name} ${path.map(String).join(".")}`, () => isTaken(tool, args as object)] as const;
  });
  expect(works.length).toBeGreaterThan(15);
  expect(await slow(works)).toEqual([]);
});
