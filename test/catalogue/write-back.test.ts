/** The law of writing back: what a read answers is taken by the write that replaces it, and is sent but for what is read-only. */
import { describe, expect, it } from "vitest";
import { argumentsSchema, checkArguments } from "../../src/arguments/index.js";
import { mediaArguments, returnedSchemas } from "../../src/language/choice.js";
import { memberAt, withMember } from "../../src/language/member.js";
import { z } from "../../src/language/z.js";
import { declares, formsAt, formsOf, formsOfAll, isOpen } from "../../src/schema/shape.js";
import { holdsForEach, lawsOver } from "../lab/laws.js";
import { operationOf, pairs, readFor } from "./write-back.js";

type Json = Readonly<Record<string, unknown>>;

/** The schemas of a member in JSON Schema, through references and alternatives. */
function schemasAt(root: Json, path: readonly string[]): readonly Json[] {
  const spread = (schema: Json): Json[] => {
    const reference = schema["$ref"];
    const target = typeof reference === "string" ? memberAt(root, reference.split("/").slice(1)) : undefined;
    const inner = ["anyOf", "oneOf", "allOf"].flatMap((word) => (schema[word] as Json[] | undefined) ?? []);
    return [schema, ...[...(target ? [target as Json] : []), ...inner].flatMap(spread)];
  };
  const step = (schemas: readonly Json[], key: string) =>
    schemas
      .flatMap((schema) => [memberAt(schema, ["properties", key]), /^\d+$/.test(key) ? schema["items"] : undefined])
      .filter((found) => typeof found === "object")
      .flatMap((found) => spread(found as Json));
  return path.reduce(step, spread(root));
}

interface Differences {
  readonly missing: readonly string[];
  readonly others: readonly string[];
}

function differences(answer: unknown, sent: unknown, path: readonly string[] = []): Differences {
  const at = path.join(".");
  if (typeof answer !== "object" || answer === null || typeof sent !== "object" || sent === null)
    return { missing: [], others: Object.is(answer, sent) ? [] : [`${at}: ${answer} as ${sent}`] };
  const keys = [...new Set([...Object.keys(answer), ...Object.keys(sent)])];
  const inner = keys.map((key): Differences => {
    const here = [...path, key];
    if (!Object.hasOwn(sent, key)) return { missing: [here.join(".")], others: [] };
    if (!Object.hasOwn(answer, key)) return { missing: [], others: [`${here.join(".")}: added`] };
    return differences(memberAt(answer, [key]), memberAt(sent, [key]), here);
  });
  return { missing: inner.flatMap(({ missing }) => missing), others: inner.flatMap(({ others }) => others) };
}

const jsonSchemaOf = (name: string) =>
  z.toJSONSchema(argumentsSchema(operationOf(name)), { io: "input", unrepresentable: "any" }) as Json;

/** What the schema of an answer has, and that of the write has not: members by name, and null where it can stand. */
function refusedBy(
  written: readonly z.ZodType[],
  answered: readonly z.ZodType[],
  path: readonly string[] = [],
  seen = new Set<unknown>(),
): string[] {
  if (seen.has(answered) || written.some(isOpen)) return [];
  seen.add(answered);
  const takes = (schemas: readonly z.ZodType[], value: unknown) => schemas.some((one) => one.safeParse(value).success);
  const at = path.join(".");
  const nulls = takes(answered, null) && !takes(written, null) ? [`${at} as null`] : [];
  const names = new Set(answered.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : [])));
  const members = [...names].flatMap((name) =>
    written.some((form) => declares(form, name))
      ? refusedBy(formsAt(written, name), formsAt(answered, name), [...path, name], seen)
      : [[...path, name].join(".")],
  );
  const items = answered.some((form) => form instanceof z.ZodArray)
    ? refusedBy(formsAt(written, 0), formsAt(answered, 0), [...path, "[]"], seen)
    : [];
  return [...nulls, ...members, ...items];
}

/** Where a value can be null by its schemas. */
function nullableIn(forms: readonly z.ZodType[], value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  const own =
    path.length > 0 && !forms.some(isOpen) && forms.some((one) => one.safeParse(null).success) ? [[...path]] : [];
  if (typeof value !== "object" || value === null) return own;
  const members = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
  return [...own, ...members.flatMap(([key, member]) => nullableIn(formsAt(forms, key), member, [...path, key]))];
}

const cases = pairs.flatMap((pair) => {
  const versions = Object.keys(mediaArguments(operationOf(pair.write))).includes("version")
    ? Array.from({ length: 11 }, (_, at) => `v${at + 1}`)
    : [undefined];
  return versions.map(
    (version) => [`${pair.write}${version === undefined ? "" : ` in ${version}`}`, pair, version] as const,
  );
});

it("every write declares all that its read shows", () =>
  holdsForEach(pairs, ({ read, write, from, to, namedBy }) => {
    const written = ["body", ...to].reduce(formsAt, formsOf(argumentsSchema(operationOf(write))));
    const answered = from.reduce(formsAt, formsOfAll(returnedSchemas(operationOf(read))));
    const isOfNamed = (at: string) => Object.keys(namedBy).some((list) => at.startsWith(`${list}.[].`));
    expect(refusedBy(written, answered).filter((at) => !isOfNamed(at))).toEqual([]);
  }));

describe("every write of what was read", () =>
  lawsOver(cases, (law, _, pair, version) => {
    const schema = jsonSchemaOf(pair.write);
    const isReadOnly = (path: readonly string[]) =>
      path.some((__, at) =>
        schemasAt(schema, ["body", ...pair.to, ...path.slice(0, at + 1)]).some((one) => one["readOnly"] === true),
      );

    law("every write of what was read sends all but its read-only members", async () => {
      const { answered, sent, isText } = await readFor(pair, version);
      // A form has text for everything.
      const expected = isText
        ? JSON.parse(JSON.stringify(answered), (__, one) => (typeof one === "number" ? `${one}` : one))
        : answered;
      const { missing, others } = differences(expected, await sent());
      const isRelated = (text: string) => Object.keys(pair.besides).some((name) => text === `${name}: added`);
      expect(missing.filter((path) => !isReadOnly(path.split(".")))).toEqual([]);
      expect(others.filter((text) => !isRelated(text))).toEqual([]);
    });

    law("takes null where the answer can have it, and sends it", async () => {
      const { body, argsWith } = await readFor(pair, version);
      const forms = pair.from.reduce(formsAt, formsOfAll(returnedSchemas(operationOf(pair.read))));
      for (const path of nullableIn(forms, body)) {
        const { body: sent } = checkArguments(
          pair.write,
          operationOf(pair.write),
          argsWith(withMember(body, path, null)),
        );
        const there = memberAt(sent, [...pair.to, ...path]);
        expect([path, isReadOnly(path.map(String)) ? null : there]).toEqual([path, null]);
      }
    });
  }));
