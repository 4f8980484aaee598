/** Laws over all guarded operations: a preview can only show what a write does when its declaration says it. */
import { expect, it } from "vitest";
import { readPresent } from "../../src/calls/state.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { linesOfForm } from "../../src/guard/preview/lines.js";
import { foldPreview, isAskable, question, shownPreview } from "../../src/guard/preview/question.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { Preview } from "../../src/guard/preview.js";
import { returnedSchemas } from "../../src/language/choice.js";
import { type AnyOperation, comma, json, op } from "../../src/language/define.js";
import { guardOf, isRead, readerOf } from "../../src/language/effect.js";
import { secret } from "../../src/language/marks.js";
import { memberAt } from "../../src/language/member.js";
import { onceFor } from "../../src/language/once-for.js";
import { declares, formsAt, formsOf, isOpen } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { criticalArguments, networkArgument } from "../../src/policy/tier.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { maskSecrets } from "../../src/secrets/masking.js";
import { onOneLine } from "../../src/text/marks.js";
import { EntityTag } from "../../src/tools/fields.js";
import { inDepth, runs } from "../lab/depth.js";
import { holdsForEach, lawsOver } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { apis, catalogueOfProject, servicesOfProject } from "../lab/project.js";
import { promise } from "../lab/rules.js";
import { exceptionsTo } from "../lab/tables.js";
import { alteredAt, basesOf, grownAt, isSecretAt, listPathsOf, madeOf, pairsOf, scalarsIn } from "./preview-law.js";

const services = await servicesOfProject();
const operations = services.flatMap((service) => Object.entries<AnyOperation>(service.operations));
const byName = new Map(operations);
const tools = await catalogueOfProject();
const guarded = operations.filter(([, { spec }]) => guardOf({ spec }) !== undefined);

const formsAtPath = (schemas: readonly z.ZodType[], path: readonly string[]): readonly z.ZodType[] =>
  path.reduce(formsAt, schemas.flatMap(formsOf));

/** The names of a path; `items[]` is each item of a list. */
const stepsOf = (path: string): readonly string[] => path.replaceAll("[]", ".0").split(".");

/** Whether each name of a path is declared: an open object takes any other as well. */
const isDeclaredIn = (schema: z.ZodType, path: readonly string[]): boolean =>
  path.every((name, at) => {
    const forms = formsAtPath([schema], path.slice(0, at));
    return forms.some((form) => (name === "0" ? form instanceof z.ZodArray : declares(form, name)));
  });

/** What is written in another form than it is read, so that the guard itself compares both, and why. */
const comparedByGuard = exceptionsTo("compared by its guard").map(([tool]) => tool);

// Each is a fact of the declaration itself.
lawsOver(guarded, (law, name, operation) => {
  const { spec } = operation;
  const guard = guardOf(operation);

  law("an overwrite or credential write with a body says what it replaces", () => {
    // A body that comes from secret files alone has nothing that could be compared.
    const isWrite =
      Object.hasOwn(argumentsSchema(operation).shape, "body") &&
      (guard?.kind === "overwrite" || guard?.kind === "credential");
    const isCompared = comparedByGuard.includes(name) && apis === "today";
    if (isCompared) expect([isWrite, guard?.replaces, typeof guard?.compares]).toEqual([true, undefined, "function"]);
    else if (isWrite) expect(guard?.replaces).toBeDefined();
    if (guard?.write !== undefined) expect(guard.replaces).toBeDefined();
  });

  law("says of something to delete or cancel that it was not found", async () => {
    if (guard?.kind !== "delete" && guard?.kind !== "cancel") return;
    if (spec.unseen !== undefined) {
      const unseen = await madeOf(operation, resolvedExample(spec.example, Date.now()));
      expect(unseen?.preview.warnings).toContain(spec.unseen);
      return;
    }
    const reader = byName.get(readerOf({ spec })?.by ?? "");
    if (!reader) throw new Error("Nothing shows what is deleted.");
    const { confirm: _, ...args } = resolvedExample(spec.example, Date.now()) as Record<string, unknown>;
    // A read that lacks arguments is not made, and would say nothing about what is there.
    const shared = { ...args, ...readerOf({ spec })?.args(args) };
    const names = Object.keys({ ...reader.spec.path, ...reader.spec.query });
    const asked = Object.fromEntries(Object.entries(shared).filter(([name]) => names.includes(name)));
    expect(argumentsSchema(reader).safeParse(asked).success).toBe(true);
    const nothing = `${readerOf({ spec })?.by} finds nothing`;
    const { preview } = (await madeOf(operation, args)) ?? {};
    expect(preview?.warnings.filter((one) => one.startsWith(nothing))).toHaveLength(1);
    const found = (await madeOf(operation, args, { body: {}, schemas: [] }))?.preview;
    expect(found?.warnings.filter((one) => one.startsWith(nothing))).toEqual([]);
  });

  law("names arguments that it has", () => {
    const schema = argumentsSchema(operation);
    const critical = guard ? criticalArguments(guard).map(({ argument }) => argument) : [];
    for (const name of [guard?.counts, guard && networkArgument(guard), guard?.replaces, ...critical])
      if (name !== undefined) expect([name, isDeclaredIn(schema, stepsOf(name))]).toEqual([name, true]);
  });

  law("an argument that can make a call critical takes its harmless value", () => {
    for (const { argument, unless } of guard ? criticalArguments(guard) : []) {
      const forms = formsAtPath([argumentsSchema(operation)], argument.split("."));
      expect([argument, forms.some((form) => form.safeParse(unless).success)]).toEqual([argument, true]);
    }
  });

  law("reads besides with arguments that the reading operations take", async () => {
    const { confirm: _, ...args } = resolvedExample(spec.example, Date.now()) as Record<string, unknown>;
    const besides = Object.values(spec.relatedReads ?? {});
    if (besides.length === 0) return;
    // Related reads can depend on the present state, so that state is read from the emulator.
    const engine = await createEngine(
      readConfig(["--emulator", "--apis", apis, "--state-dir", "memory"], {}),
      tools,
      () => undefined,
    );
    const find = async (tool: string) => {
      const declared = byName.get(tool);
      return declared && { service: tools.get(tool)?.service ?? "", declared };
    };
    const present = await readPresent({ operationOf: find }, operation, args, engine.calls.invoke);
    await engine.close();
    for (const { by, args: from } of besides) {
      const reader = byName.get(by);
      const asked = [from(args, present?.body)].flat();
      expect(asked.length).toBeGreaterThan(0);
      for (const one of asked)
        expect([by, reader && isRead(reader) && argumentsSchema(reader).safeParse(one).success]).toEqual([by, true]);
    }
  });

  law("writes over something that the operation named by shownBy shows", () => {
    if (guard?.replaces === undefined) return;
    const reader = byName.get(readerOf({ spec })?.by ?? "");
    const schemas = reader ? returnedSchemas(reader) : [];
    const [first, ...place] = guard.replaces.split(".");
    const forms = formsAtPath(schemas, first === "body" ? place : guard.replaces.split("."));
    expect(forms.filter((form) => !isOpen(form))).not.toEqual([]);
  });
});

it("looks at replacements and merges", () => {
  const writes = guarded.map(([, operation]) => guardOf(operation)).filter((guard) => guard?.replaces !== undefined);
  expect(writes.some((guard) => guard?.write === "merge")).toBe(true);
  expect(writes.some((guard) => guard?.write !== "merge")).toBe(true);
});

/** A shape that no service has yet: a nested body with a secret and a header. */
const nested: AnyOperation = op("PUT /things/{id}", {
  does: "Does something.",
  path: { id: z.int() },
  query: { mode: z.string().optional(), tags: comma(z.array(z.string()).optional()) },
  headers: { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } },
  body: json({
    login: z.strictObject({ user: z.string(), pass: secret(z.string()) }),
    "dotted.name": z.string().default("d"),
    rules: z.lazy(() => z.looseObject({ name: z.string(), children: z.array(z.looseObject({})) })),
  }),
  returns: { 200: json(z.unknown()) },
  effect: "destructive",
  guard: { kind: "overwrite", replaces: "body" },
  shownBy: "thing_get",
  example: {
    ...{ id: 1, mode: "m", tags: ["a", "b"], ifMatch: '"7"' },
    body: {
      login: { user: "u", pass: "hunter2" },
      "dotted.name": "x",
      rules: { name: "default", children: [{ name: "c", options: { ttl: "1d", on: true }, children: [] }] },
    },
  },
});

const pairsWanted = runs(3);
const isOfGuard = (word: string) => /^(?:guard|request|style) /.test(word);
// Two calls without arguments are the same.
const withArguments = guarded.filter(([, { spec }]) => (spec.path ?? spec.query ?? spec.body) !== undefined);
const cases = [...withArguments, ["a nested body", nested] as const].map(
  ([name, operation]) => [name, operation, basesOf(operation)] as const,
);
const manyPlaces = [
  ...sampled(cases.slice(0, -1), ([, operation]) => mechanismsOf(operation).filter(isOfGuard)),
  ...cases.slice(-1),
];
/** What a reader can distinguish two calls by: no digest, no id of a plan, no count, nothing of what is there now. */
const readable = (lines: readonly string[]) =>
  lines
    .filter((line) => !/^(Digest|Now: )/.test(line))
    .join("\n")
    .replace(
      /\b[\d,]+ (?=(item|line|value|change|call|object|URL|CP code|record|different|removed|changed|added|of)s?\b)/g,
      "",
    )
    .replace(/plan_[\w-]{22}/g, "");
// A preview is compared with many others.
const linesOf = onceFor(({ lines }: Preview) => readable(lines));
/** The lines that say how it differs from what is there. */
const changesOf = onceFor(({ lines }: Preview) => readable(lines.filter((line) => line.startsWith("  "))));
const asked = onceFor((preview: Preview) => readable(question(preview).split("\n")));
/** What a terminal without any room shows before anybody asks for more. */
const leastOf = onceFor((preview: Preview) => readable(foldPreview(preview, 0, () => 1).lines));

/** How many lines of a preview a result without any room does not count, apart from the digest, which it shows. */
function uncountedIn(preview: Preview): number {
  const [said = ""] = shownPreview(preview, 0).lines;
  const counts = said.match(/(?<=^Not shown here: |, )[\d,]+/g) ?? [];
  return preview.lines.length - 1 - counts.reduce((sum, count) => sum + Number(count.replaceAll(",", "")), 0);
}

// A notation of an operation can hide a value, so each has its scalars changed.
lawsOver(cases, (law, _, operation, bases) => {
  law(promise("every-scalar-shows", "a preview and its question differ whenever one scalar differs"), async () => {
    const pairs = await pairsOf(operation, bases, pairsWanted);
    // A call without arguments has no scalar to change.
    const { path: inPath, query, body } = operation.spec;
    const isBare = Object.keys({ ...inPath, ...query }).length === 0 && body === undefined;
    expect(pairs.length).toBeGreaterThanOrEqual(isBare ? 0 : pairsWanted);
    for (const { path, isSecret, one, other } of pairs) {
      const seen = [path, linesOf(one.preview) !== linesOf(other.preview)];
      if (!isSecret) expect(seen).toEqual([path, true]);
      if (!isSecret) expect([path, leastOf(one.preview) !== leastOf(other.preview)]).toEqual([path, true]);
      expect(one.preview.digest).not.toBe(other.preview.digest);
      expect(question(one.preview)).not.toBe(question(other.preview));
      if (!isSecret && isAskable(one.preview) && isAskable(other.preview))
        expect([path, asked(one.preview) !== asked(other.preview)]).toEqual([path, true]);
    }
  });

  law("differs as well where there is a state to compare with", async () => {
    const guard = guardOf(operation);
    if (guard?.replaces === undefined) return;
    const [base] = bases as [Record<string, unknown>];
    const pairs = await pairsOf(operation, [base], pairsWanted, { body: base["body"], schemas: [] });
    const free = pairs.filter(({ isSecret }) => !isSecret);
    expect(free.length).toBeGreaterThan(0);
    const replaced = guard.replaces.split(".");
    const isReplaced = (path: readonly PropertyKey[]) => replaced.every((key, at) => path[at] === key);
    for (const { path, one, other } of free) {
      expect([path, linesOf(one.preview) !== linesOf(other.preview)]).toEqual([path, true]);
      if (isReplaced(path)) expect([path, changesOf(one.preview) !== changesOf(other.preview)]).toEqual([path, true]);
      if (isAskable(one.preview) && isAskable(other.preview))
        expect([path, asked(one.preview) !== asked(other.preview)]).toEqual([path, true]);
    }
    expect(pairs.some(({ other }) => (other.preview.changes ?? 0) > 0)).toBe(true);
  });

  law("counts every line that is cut", async () => {
    const [base] = bases as [Record<string, unknown>];
    const made = [await madeOf(operation, base), await madeOf(operation, base, { body: base["body"], schemas: [] })];
    for (const { description, preview } of made.flatMap((one) => one ?? [])) {
      const { parts, sentence } = description;
      // What the URL or the sentence has is shown there.
      const elsewhere = [parts.inRoute, parts.difference.filter(({ text }) => sentence.shows?.includes(text) === true)];
      const others = linesOfForm("whole", elsewhere.flat()).length;
      expect(uncountedIn(preview)).toBe(others);
      expect(uncountedIn(describeAll("tool", [description, description]))).toBe(2 * (others - parts.inRoute.length));
    }
  });

  law("holds every scalar of the arguments by its name, and no secret", async () => {
    for (const base of bases) {
      const made = await madeOf(operation, base);
      if (!made) continue;
      const seen = maskSecrets([argumentsSchema(operation)], made.values);
      for (const path of scalarsIn(seen)) {
        const name = String(path.findLast((key) => typeof key === "string"));
        const value = memberAt(seen, path);
        const texts =
          typeof value === "string" ? [onOneLine(value), onOneLine(JSON.stringify(value))] : [String(value)];
        const isShown = made.preview.lines.some(
          (line) => line.includes(name) && texts.some((text) => line.includes(text)),
        );
        expect([path, value, isShown]).toEqual([path, value, true]);
      }
      expect(JSON.stringify(made.preview)).not.toContain("hunter2");
    }
  });
});

// The place in a list and in a batch is written by the renderer alone.
lawsOver(inDepth(cases, manyPlaces), (law, _, operation, bases) => {
  law(promise("list-scalar-shows", "a preview and its question differ with any scalar in any list item"), async () => {
    const [base] = bases as [Record<string, unknown>];
    for (const list of listPathsOf(base))
      for (const count of [3, 12]) {
        const grown = await grownAt(operation, base, list, count);
        const one = grown && (await madeOf(operation, grown));
        if (!grown || !one) continue;
        // What says little has to fit; a preview that is never asked about would keep this law, too.
        if (JSON.stringify(grown).length <= 1_200)
          expect([list, count, isAskable(one.preview)]).toEqual([list, count, true]);
        for (const at of Array.from({ length: count }, (_, place) => place))
          for (const path of scalarsIn(memberAt(grown, [...list, at])).map((inner) => [...list, at, ...inner])) {
            if (isSecretAt(operation, grown, path)) continue;
            const [other] = await alteredAt(operation, grown, path);
            if (!other) continue;
            expect([path, linesOf(one.preview) !== linesOf(other.preview)]).toEqual([path, true]);
            if (isAskable(one.preview) && isAskable(other.preview))
              expect([path, asked(one.preview) !== asked(other.preview)]).toEqual([path, true]);
          }
      }
  });

  law(promise("batch-scalar-shows", "a batch's preview and question differ with any scalar of one call"), async () => {
    const [base] = bases as [Record<string, unknown>];
    const { confirm: _, ...given } = base;
    const one = await madeOf(operation, given);
    if (!one) return;
    const paths = scalarsIn(given).filter((path) => !isSecretAt(operation, given, path));
    for (const [index, path] of paths.slice(0, 12).entries()) {
      const [first, second] = await alteredAt(operation, given, path, 2);
      if (!first || !second) continue;
      const batchWith = (altered: typeof one) =>
        describeAll(
          "tool",
          Array.from({ length: 12 }, () => one.description).with((index * 5) % 12, altered.description),
        );
      const [before, after] = [batchWith(first), batchWith(second)];
      if (JSON.stringify(given).length <= 100) expect([path, isAskable(before)]).toEqual([path, true]);
      expect([path, linesOf(before) !== linesOf(after)]).toEqual([path, true]);
      if (isAskable(before) && isAskable(after)) expect([path, asked(before) !== asked(after)]).toEqual([path, true]);
    }
  });
});

it("says what is acted on, in words that lead with what is lost", () =>
  holdsForEach(guarded, async (_, operation) => {
    const guard = guardOf(operation);
    expect(guard?.thing).toMatch(/\S/);
    const { summary, target } =
      (await madeOf(operation, resolvedExample(operation.spec.example, Date.now())))?.preview ?? {};
    expect(summary).toMatch(/^[A-Z]{3,} .*[^.]\.$/);
    expect(summary).not.toMatch(/undefined|null|\[object/);
    expect(target).toMatch(/\S/);
  }));
