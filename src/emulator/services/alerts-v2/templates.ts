/** The emulated alert templates: the fields of their definitions, and the check of a definition against them. */
import { STATUS_CODES } from "node:http";
import type { z } from "../../../language/z.js";
import type { Template as Declared } from "../../../tools/alerts-v2/shapes.js";
import { findIn } from "../../primitives/store.js";
import { type ErrorFormat, RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { contracts, deliveryNetworks, serviceLevelTests } from "../account.js";
import { groupsOf } from "../groups.js";
import { currentCpCodes } from "../properties/served.js";
import data from "./templates.json" with { type: "json" };

type Field = z.output<typeof Declared>["fields"][number];

const illegalTitle = "Illegal Argument";

/** The alerts service's own error format (public facts A, 0.2). */
export const alertErrorFormat: ErrorFormat = ({ status, detail }, { method, headers }) => {
  const title = status === 400 ? illegalTitle : (STATUS_CODES[status] ?? "");
  const kind = status === 404 ? "ALERT_NOT_FOUND" : title.toUpperCase().replaceAll(" ", "_");
  const details: Readonly<Record<number, string>> = {
    404: "Resource Not Found.",
    405: `Request method '${method}' not supported`,
    415: `Content type '${headers["content-type"] ?? ""}' not supported`,
  };
  const body = { type: `/alerts-api/error-types/${kind}`, title, status, detail: details[status] ?? detail };
  return { body: status === 404 ? { ...body, code: kind } : body };
};
export const illegalArgument = (detail: string): RequestRefusal => new RequestRefusal(400, illegalTitle, detail);

export const templates = data.templates.map(({ templateId, name, products, firingFields, fields }) => ({
  templateId,
  name,
  origin: templateId.startsWith("s@") ? ("STATIC" as const) : ("ADAPTIVE" as const),
  products,
  firingFields,
  fields: [
    ...data.common.map((field) => (field.key === "templateId" ? { ...field, default: templateId } : field)),
    ...fields,
  ] as readonly Field[],
}));

/** A template by its id; refuses an unknown id. */
export const templateOf = (templateId: string) => findIn(templates, { templateId }, "There is no such alert");

interface Choice {
  readonly name: string;
  readonly objectId: string;
}
const choicesIn = (all: readonly { readonly name: string; readonly id: string | number }[]): readonly Choice[] =>
  all.map(({ name, id }) => ({ name, objectId: String(id) }));

/** The choices for a field as they are now, by the type that its href names. */
export function choicesOf(world: World, type: string): readonly Choice[] {
  const choices: Readonly<Record<string, readonly Choice[]>> = {
    ...data.choices,
    cpcode: choicesIn(currentCpCodes(world)),
    adaptivecpcode: choicesIn(currentCpCodes(world)),
    group: choicesIn(groupsOf(world)),
    network: Object.entries(deliveryNetworks).map(([objectId, { name }]) => ({ name, objectId })),
    slatest: choicesIn(serviceLevelTests),
    contract: contracts.map(({ id }) => ({ name: id, objectId: id })),
  };
  return choices[type] ?? [];
}
/** Whether a value is one of a type's choices. */
export const isChoice = (world: World, type: string, value: unknown): boolean =>
  choicesOf(world, type).some(({ objectId }) => objectId === value);

/** The published schema of the definitions built from a template. */
export function definitionSchema(templateId: string) {
  const { name, fields } = templateOf(templateId);
  const types: Readonly<Record<string, object>> = data.jsonTypes;
  const properties = fields.map(({ key, type, minimum, maximum }) => [
    key,
    {
      ...(types[type] ?? { type: "string" }),
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    },
  ]);
  const whole = { title: "Fields", type: "object", required: ["templateId", "name"] };
  return {
    $schema: "http://json-schema.org/draft-04/schema#",
    title: `Definition of ${name}`,
    type: "object",
    required: ["fields"],
    properties: { fields: { ...whole, properties: Object.fromEntries(properties) } },
  };
}

/** The maximum decimals of a number when its field does not specify them. */
const maxDecimals = 6;

/** Whether a value is valid for a field, by its type, bounds and choices. */
function isValid(world: World, field: Field, value: unknown): boolean {
  const known = (text: unknown) => isChoice(world, field.itemType ?? "", text);
  switch (field.type) {
    case "bool":
      return typeof value === "boolean";
    case "email":
      return Array.isArray(value) && value.every((one) => typeof one === "string" && /^\S[^\s@]*@\S+$/.test(one));
    case "multi-select":
      return Array.isArray(value) && value.length >= (field.minItems ?? 0) && value.every(known);
    case "single-select":
      return known(value);
    case "int":
    case "float":
      return (
        typeof value === "number" &&
        value >= (field.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (field.maximum ?? Number.POSITIVE_INFINITY) &&
        Number(value.toFixed(field.type === "int" ? 0 : (field.sizeFloat ?? maxDecimals))) === value
      );
    case "adaptive-threshold":
      return typeof value === "object" && value !== null;
    default:
      return ["string", "number", "boolean"].includes(typeof value);
  }
}

/** A definition's fields, which contain at least these. */
export type AlertFields = Readonly<Record<string, unknown>> & { readonly templateId: string; readonly name: string };

/** The fields of a definition, checked against their template and completed with its defaults. */
export function completeFields(world: World, input: AlertFields): AlertFields {
  const { fields } = templateOf(input.templateId);
  for (const [key, value] of Object.entries(input)) {
    const field = fields.find((one) => one.key === key);
    if (!field || !isValid(world, field, value)) throw illegalArgument(`Not a valid value for the field ${key}`);
  }
  const defaults = fields.filter((field) => field.default !== undefined).map((field) => [field.key, field.default]);
  const whole: AlertFields = { ...Object.fromEntries(defaults), ...input };
  // The default of a selection can be no selection, which does not suffice.
  for (const field of fields)
    if (field.type.endsWith("-select") && field.key in whole && !isValid(world, field, whole[field.key]))
      throw illegalArgument(`A value is needed for the field ${field.key}`);
  return whole;
}
