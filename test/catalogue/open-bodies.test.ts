/** Laws over all bodies: an object is open, free-form or closed for a reason, a member that no source names is sent and told of, and no list takes an empty item. */
import { expect, it } from "vitest";
import { linesOfForm } from "../../src/guard/preview/lines.js";
import { question } from "../../src/guard/preview/question.js";
import { describeAll } from "../../src/guard/preview/several.js";
import { describe as describeCall } from "../../src/guard/preview.js";
import type { AnyOperation, Codec } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { type BodyMedia, choiceOrMedia, mediaList } from "../../src/language/media.js";
import { memberAt, withMember } from "../../src/language/member.js";
import { onceFor } from "../../src/language/once-for.js";
import { whyClosed } from "../../src/language/open-object.js";
import { contentsOf, formsOf } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import { resolveRequest } from "../../src/wire/request.js";
import { problemsOf } from "../lab/checked.js";
import { formsIn } from "../lab/forms.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { operationsIn } from "../lab/project.js";
import { filled } from "../lab/secret-files.js";
import { kindOf, placesIn } from "./open-places.js";
import { basesOf, madeOf } from "./preview-law.js";

const operations = operationsIn(await allServices()).filter(([, { spec }]) => spec.body !== undefined);
const target = { origin: "https://h.example", vendor: "v" };

const objectsIn = (schema: z.ZodType) => [...formsIn(schema)].filter((form) => form instanceof z.ZodObject);

it("every object of a body says if it takes other members, or why not", () =>
  holdsForEach(operations, (_, { spec }) => {
    const bodies = mediaList(spec.body).map(({ schema }) => schema);
    const objects = bodies.flatMap((schema) => objectsIn(schema));
    expect(objects.filter((one) => kindOf(one) === undefined).map(({ shape }) => Object.keys(shape))).toEqual([]);
    for (const object of objects)
      expect(whyClosed(object) ?? "it could do more").toMatch(/^(?:it|a|an|the|another|everyone|what) [^.]+$/);
  }));

const isOpenBelow = (schema: z.ZodType): boolean => objectsIn(schema).some((one) => kindOf(one) === "open");

const unionsIn = (schema: z.ZodType) => [...formsIn(schema)].filter((form) => form instanceof z.ZodUnion);

it("distinguishes open objects of a choice by more than their members", () =>
  holdsForEach(operations, (_, { spec }) => {
    const mixed = mediaList(spec.body)
      .flatMap(({ schema }) => unionsIn(schema))
      .filter((union) => !(union instanceof z.ZodDiscriminatedUnion))
      .map((union) => (union.options as readonly z.ZodType[]).filter(isOpenBelow));
    // The first of them would take what is meant for any other.
    expect(mixed.filter(({ length }) => length > 1)).toEqual([]);
    const together = (bodies: BodyMedia): readonly (readonly z.ZodType[])[] => {
      const choice = choiceOrMedia(bodies);
      if ("choices" in choice) return Object.values(choice.choices).flatMap(together);
      return [[...new Set(choice.map(({ schema }) => schema))]];
    };
    const bodies = spec.body === undefined ? [] : together(spec.body);
    expect(bodies.filter((schemas) => schemas.length > 1 && schemas.some(isOpenBelow))).toEqual([]);
  }));

const name = "edgewise-unheard-of";
const value = "as it is given";

/** Whether a body on the wire has the member somewhere, read without what wrote it. */
const carries: Readonly<Record<Codec, (body: string) => boolean>> = {
  json: (body) => body.includes(`"${name}":"${value}"`),
  xml: (body) => body.includes(`<${name}>${value}</${name}>`),
  form: (body) => {
    const fields = [...new URLSearchParams(body)];
    return fields.some(([key, text]) => (key.split(".").at(-1) === name ? text === value : carries.json(text)));
  },
  csv: () => false,
  text: () => false,
  empty: () => false,
};

/** Whether an operation takes arguments, and knows all of them. */
const isTaken = async (operation: AnyOperation, base: unknown): Promise<boolean> =>
  (await madeOf(operation, base)) !== undefined && validateArguments("tool", operation, base).unknown === undefined;

/** Arguments that an operation takes, with what comes from files left to the files. */
const takenBy = onceFor(async (operation: AnyOperation): Promise<readonly unknown[]> => {
  const bases = basesOf(operation).filter((base) => memberAt(base, "body") !== undefined);
  const taken = await Promise.all(bases.map(async (base) => ((await isTaken(operation, base)) ? [base] : [])));
  return taken.flat().slice(0, 8);
});

interface Place extends Omit<ReturnType<typeof placesIn>[number], "path"> {
  readonly base: unknown;
  readonly codec: Codec;
  readonly at: readonly PropertyKey[];
}

/** The objects in the bodies that an operation takes. */
const placesOf = onceFor(async (operation: AnyOperation): Promise<readonly Place[]> => {
  const bases = await takenBy(operation);
  return bases.flatMap((base) => {
    const { medium } = validateArguments("tool", operation, base);
    if (!medium) return [];
    return placesIn(medium.schema, memberAt(base, "body")).map(({ path, ...place }) => ({
      ...place,
      base,
      codec: medium.codec,
      at: ["body", ...path],
    }));
  });
});

// One writer per medium sends what is not named, and one preview per guard shows it.
const sample = sampled(operations, ([, operation]) => mechanismsOf(operation));

it("sends a member that no source names unchanged, and says so first", () =>
  holdsForEach(sample, async (tool, operation) => {
    for (const { base, codec, at, kind } of await placesOf(operation)) {
      const args = withMember(base, [...at, name], value);
      const where = [...at, name].reduce<string>(
        (path, key) => (typeof key === "number" ? `${path}[${key}]` : `${path}${path === "" ? "" : "."}${String(key)}`),
        "",
      );
      if (kind === "closed") {
        const problems = problemsOf(tool, operation, args);
        expect(problems.length, where).toBeGreaterThan(0);
        continue;
      }
      const checked = validateArguments(tool, operation, args);
      const request = await resolveRequest(tool, operation, await filled(operation, checked), target);
      expect([where, carries[codec](new TextDecoder().decode(request.body))]).toEqual([where, true]);
      const note = `Undocumented, sent as given: ${where}.`;
      expect(checked.notes.includes(note), where).toBe(kind === "open");
      if (isRead(operation) || kind === "free") continue;
      const preview = describeAll(tool, [describeCall(tool, operation, checked, request, "the account", undefined)]);
      const lead = [
        preview.summary,
        preview.lines[0],
        preview.ranked[0]?.text,
        linesOfForm("short", preview.ranked)[0]?.text,
        question(preview),
      ];
      expect(lead.map((text) => text?.slice(0, note.length))).toEqual(lead.map(() => note));
      const other = await madeOf(operation, withMember(base, [...at, name], `${value} else`));
      expect(other?.preview.lines.some((line) => line.includes(`${value} else`))).toBe(true);
      expect(other?.hash).not.toBe((await madeOf(operation, args))?.hash);
      expect(other?.preview.digest).not.toBe(preview.digest);
    }
  }));

it("refuses a misspelt member by the name that was meant", () =>
  holdsForEach(sample, async (tool, operation) => {
    for (const { base, at, kind, names } of await placesOf(operation)) {
      if (kind === "free") continue;
      for (const known of names.filter((one) => one.length > 5 && memberAt(base, [...at, one]) === undefined)) {
        const slip = `${known.slice(0, -1)}${known.at(-1) === "x" ? "y" : "x"}`;
        const problems = problemsOf(tool, operation, withMember(base, [...at, slip], value));
        const own = problems.filter(({ field }) => field.endsWith(slip));
        expect([slip, own.map(({ takes }) => takes)]).toEqual([
          slip,
          [expect.stringMatching(/^nothing: there is no such argument \(did you mean "/)],
        ]);
      }
    }
  }));

it("meets open objects in most bodies, below their top as well", async () => {
  const met = await Promise.all(operations.map(([, operation]) => placesOf(operation)));
  const open = met.map((places) => places.filter(({ kind }) => kind === "open")).filter(({ length }) => length > 0);
  expect(open.length).toBeGreaterThan(40);
  expect(open.filter((places) => places.some(({ at }) => at.length > 1)).length).toBeGreaterThan(15);
});

const changes = operations.filter(([, operation]) => !isRead(operation));

/** The lists whose items may be empty, by the end of their place, each with the reason. */
const reviewed: Readonly<Record<string, string>> = {
  "objectMatchValue.value": "A rule can match a header, a cookie or a parameter that is there and empty.",
  "objectMatchValue.options.value": "A rule can match a header, a cookie or a parameter that is there and empty.",
  "domain-versions.domain-version": "The first version of a new configuration can have the API's own settings.",
};

/** The items of the lists in a schema; one in several places is found once. */
function* itemsIn(
  schema: z.ZodType,
  at: string,
  seen = new Set<z.ZodType>(),
): Generator<{ readonly at: string; readonly item: z.ZodType }> {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const form of formsOf(schema)) {
    if (form instanceof z.ZodArray) yield { at, item: form.element as z.ZodType };
    if (form instanceof z.ZodObject)
      for (const [name, member] of Object.entries<z.ZodType>(form.shape)) yield* itemsIn(member, `${at}.${name}`, seen);
    for (const inner of contentsOf(form)) yield* itemsIn(inner, `${at}[]`, seen);
  }
}

const isReviewed = (at: string): boolean => Object.keys(reviewed).some((end) => at.endsWith(`.${end}`));

it("takes no empty item in any list of the body of a change", () => {
  const places = changes.flatMap(([tool, { spec }]) =>
    mediaList(spec.body).flatMap(({ schema }) => [...itemsIn(schema, "body")].map((one) => ({ tool, ...one }))),
  );
  expect(places.length).toBeGreaterThan(300);
  const offenders = places.flatMap(({ tool, at, item }) => {
    const taken = [{}, "", null, []].filter((empty) => item.safeParse(empty).success);
    return taken.length === 0 || isReviewed(at) ? [] : [`${tool} ${at} takes ${JSON.stringify(taken)}`];
  });
  expect([...new Set(offenders)]).toEqual([]);
});
