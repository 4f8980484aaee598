/** What is masked of imported operations whose definitions mark no secret, against a reviewed list. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { boxedDefinitions } from "../../scripts/box.js";
import { argumentsSchema } from "../../src/arguments/index.js";
import { parametersOf } from "../../src/definitions/arguments-schema.js";
import type { CompiledMedia, Shape } from "../../src/definitions/definition.js";
import { importedOperation } from "../../src/definitions/operation.js";
import { returnedSchemas } from "../../src/language/choice.js";
import { isMask } from "../../src/schema/marks.js";
import { masked, maskedAnswer } from "../../src/secrets/masking.js";

/** A value of a shape with every member, each text of which could be a secret. */
function fullest({
  enum: [first] = [],
  type,
  properties = {},
  items,
  oneOf = [],
  additionalProperties,
}: Shape): unknown {
  const other = typeof additionalProperties === "object" ? { any: fullest(additionalProperties) } : {};
  const all = [
    ...oneOf.map(fullest),
    { ...Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fullest(one)])), ...other },
  ];
  if (first !== undefined) return first;
  if (items) return [fullest(items)];
  if (/boolean/.test(String(type))) return true;
  if (/integer|number/.test(String(type))) return 244_253;
  const members = Object.assign({}, ...all.filter((one) => typeof one === "object"));
  return Object.keys(members).length > 0
    ? members
    : (all.find((one) => typeof one !== "object") ?? "Zq7-never-shown-8Lm2");
}

const masksIn = (value: unknown, path: string): string[] =>
  isMask(value)
    ? [path]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, one]) => masksIn(one, Array.isArray(value) ? path : `${path}.${name}`))
      : [];

/** What is masked of a call of an operation and of its answer, and what of the answer goes to a file. */
const found = boxedDefinitions().flatMap((definition) =>
  Object.entries(definition.operations).flatMap(([name, compiled]) => {
    const how = { effect: "overwrite", isLowered: false, isSampled: false, title: name } as const;
    const operation = importedOperation({ compiled, definition, ...how });
    const bodyOf = (one?: CompiledMedia | null) => fullest(definition.shapes[one?.shape ?? -1] ?? {});
    const parameters = Object.entries(parametersOf(compiled)).map(([key, { shape }]) => [key, fullest(shape)] as const);
    const sent = { ...Object.fromEntries(parameters), body: bodyOf(compiled.body) };
    return [
      ...masksIn(masked([argumentsSchema(operation)], sent), "sent"),
      ...Object.values(compiled.returns).flatMap((one) =>
        masksIn(maskedAnswer(returnedSchemas(operation), bodyOf(one)), "answered"),
      ),
      ...(operation.spec.secretTo?.members ?? []).map((member) => `answered.${member}`),
    ].map((place) => `${name} ${place}`);
  }),
);

/** The places, each with the reason that is the heading of its paragraph. */
const reviewed = readFileSync("test/definitions/masks.txt", "utf8")
  .trim()
  .split("\n\n")
  .flatMap((paragraph) => {
    const [why = "", ...places] = paragraph.split("\n");
    return places.map((place) => [place, why.replace("# ", "")] as const);
  });

it("masks of imported operations are those that were reviewed", () => {
  expect([...new Set(found)].toSorted()).toEqual(reviewed.map(([place]) => place).toSorted());
  expect(reviewed.filter(([, why]) => why === "")).toEqual([]);
});
