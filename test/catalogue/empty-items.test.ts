/** The law of whole items: no list in the body of a change takes an item that is empty, at any depth. */
import { expect, it } from "vitest";
import { isRead } from "../../src/language/effect.js";
import { mediaList } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { contentsOf, formsOf } from "../../src/schema/shape.js";
import { allServices } from "../../src/tools/index.js";
import { operationsIn } from "../lab/project.js";

const changes = operationsIn(await allServices()).filter(([, operation]) => !isRead(operation));

/** The lists whose items may be empty, by the end of their place, each with the reason. */
const reviewed: Readonly<Record<string, string>> = {
  "objectMatchValue.value": "A rule can match a header, a cookie or a parameter that is there and empty.",
  "objectMatchValue.options.value": "A rule can match a header, a cookie or a parameter that is there and empty.",
  "domain-versions.domain-version": "The first version of a new configuration can have the API's own settings.",
};

interface Place {
  readonly at: string;
  readonly item: z.ZodType;
}

/** The items of the lists in a schema; one in several places is found once. */
function* itemsIn(schema: z.ZodType, at: string, seen = new Set<z.ZodType>()): Generator<Place> {
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
