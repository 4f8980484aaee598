/** The emulated alert templates: the fields of their definitions, and the check of a definition against them. */
import { STATUS_CODES } from "node:http";
import { foundIn } from "../../primitives/store.js";
import { type ErrorFormat, Refusal } from "../../reply.js";
import type { World } from "../../world.js";
import { contracts, networks, serviceLevelTests } from "../account.js";
import { groupsOf } from "../groups.js";
import { ownCpCodes } from "../properties/served.js";

type Field = {
  readonly key: string;
  readonly type: string;
  readonly default?: unknown;
  readonly href?: string;
  readonly itemType?: string;
  readonly label?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly sizeFloat?: number;
  readonly units?: string;
};

interface Template {
  readonly templateId: string;
  readonly name: string;
  readonly origin: "STATIC" | "ADAPTIVE";
  readonly products: readonly (readonly [string, string])[];
  readonly firingFields: readonly string[];
  readonly fields: readonly Field[];
}

const illegalTitle = "Illegal Argument";
const kindOf = (title: string): string => title.toUpperCase().replaceAll(" ", "_");

/** The alerts service's own error format (public facts A, 0.2). */
export const alertErrorFormat: ErrorFormat = ({ status, detail }, { method, headers }) => {
  const title = status === 400 ? illegalTitle : (STATUS_CODES[status] ?? "");
  const kind = status === 404 ? "ALERT_NOT_FOUND" : kindOf(title);
  const details: Readonly<Record<number, string>> = {
    404: "Resource Not Found.",
    405: `Request method '${method}' not supported`,
    415: `Content type '${headers["content-type"] ?? ""}' not supported`,
  };
  const body = { type: `/alerts-api/error-types/${kind}`, title, status, detail: details[status] ?? detail };
  return { body: status === 404 ? { ...body, code: kind } : body };
};
export const illegal = (detail: string): Refusal => new Refusal(400, illegalTitle, detail);

const choice = (key: string, type: string, itemType: string, fallback: unknown, more: object = {}): Field => ({
  key,
  type,
  itemType,
  href: `/alerts/v2/access-control-data?type=${itemType}`,
  default: fallback,
  ...more,
});
const number = (
  key: string,
  type: string,
  [minimum, maximum]: readonly [number, number],
  fallback: number,
  units: string,
): Field => ({ key, type, minimum, maximum, default: fallback, units });
const common = (templateId: string): readonly Field[] => [
  { key: "name", type: "string", default: "" },
  { key: "definitionId", type: "hidden", default: "" },
  { key: "templateId", type: "hidden", default: templateId },
  { key: "email", type: "email", default: [] },
  { key: "emailBrief", type: "email", default: [] },
  { key: "emailHtmlFormat", type: "bool", default: true },
  // Without a default, because a definition need not be in a group.
  { key: "group", type: "multi-select", itemType: "group", href: "/alerts/v2/access-control-data?type=group" },
];
const delivery = (metric: string): readonly Field[] => [
  choice("aca_cpcode", "multi-select", "cpcode", [], { minItems: 1 }),
  choice("network", "single-select", "network", "both"),
  { key: "paramName", type: "hidden", default: metric },
];
const isSum: Field = { key: "isSum", type: "bool", default: true };

const contentProducts = [
  ["Adaptive Media Delivery", "AMD_alerts"],
  ["Dynamic Site Accelerator", "DSA_alerts"],
] as const;

const template = (
  [templateId, name]: readonly [string, string],
  products: Template["products"],
  firingFields: string,
  fields: readonly Field[],
): Template => ({
  templateId,
  name,
  origin: templateId.startsWith("s@") ? "STATIC" : "ADAPTIVE",
  products,
  firingFields: firingFields.split(" "),
  fields: [...common(templateId), ...fields],
});
const tooMany = "percentOfTheConnectionsToTheOriginServerFail";

export const templates: readonly Template[] = [
  template(
    ["s@1", "High Traffic -- Content Delivery"],
    contentProducts,
    "cpCode cpCodeDescription bandwidth alertThreshold emailTo",
    [
      ...delivery("mbps"),
      { ...number("param", "float", [0.1, 100_000], 500, "mbps"), sizeFloat: 1, label: "alertMeWhenOver" },
      isSum,
    ],
  ),
  template(
    ["s@7", "Origin Connection Failure"],
    contentProducts,
    "cpCode cpCodeDescription hits errors alertThreshold edgeIp emailTo",
    [
      ...delivery("cpercent"),
      { ...number("param", "float", [1, 100], 2, tooMany), sizeFloat: 2, label: "alertMeWhenOver" },
      number("alertLowerBound", "int", [0, 999_999], 0, "connections"),
      isSum,
    ],
  ),
  template(
    ["s@134", "SLA Availability"],
    [["Dynamic Site Accelerator SLA", "DSA_sla_alerts"]],
    "test availability alertThreshold emailTo",
    [
      choice("aca_slatest", "multi-select", "slatest", [], { minItems: 1 }),
      { ...number("param", "float", [90, 100], 99.9, "percent"), sizeFloat: 3 },
    ],
  ),
  template(["a@1", "Adaptive"], contentProducts, "cpCode metric expected actual emailTo", [
    choice("adaptivemetric", "single-select", "adaptivemetric", ""),
    choice("adaptivecpcode", "single-select", "adaptivecpcode", ""),
    choice("adaptiveprofile", "single-select", "adaptiveprofile", "17"),
    { key: "aboveModel", type: "adaptive-threshold" },
    { key: "belowModel", type: "adaptive-threshold" },
  ]),
];

type Choice = readonly [name: string, objectId: string];
const cpCodeChoices = (world: World): readonly Choice[] => ownCpCodes(world).map(({ name, id }) => [name, id]);
const fixed = (choices: readonly Choice[]) => () => choices;

/** The choices for a field as they are now, by the type that its href names. */
const choices: Readonly<Record<string, (world: World) => readonly Choice[]>> = {
  cpcode: cpCodeChoices,
  adaptivecpcode: cpCodeChoices,
  group: (world) => groupsOf(world).map(({ name, id }) => [name, String(id)]),
  network: fixed(Object.entries(networks).map(([id, { name }]) => [name, id])),
  adaptivemetric: fixed([
    ["Megabits per second to users", "mbps_to_user"],
    ["Requests per second", "hits_per_second"],
  ]),
  adaptiveprofile: fixed([
    ["Weekly", "13"],
    ["Daily", "17"],
  ]),
  slatest: fixed(serviceLevelTests.map(({ name, id }) => [name, id])),
  product: fixed(contentProducts),
  contract: fixed(contracts.map(({ id }) => [id, id])),
  visibility: fixed([
    ["Everybody", "all"],
    ["Me", "me"],
  ]),
};
export const choicesOf = (world: World, type: string): readonly Choice[] => choices[type]?.(world) ?? [];
/** Whether a value is one of a type's choices. */
export const isChoice = (world: World, type: string, value: unknown): boolean =>
  choicesOf(world, type).some(([, objectId]) => objectId === value);

/** A template by its id; refuses an unknown id. */
export const templateOf = (templateId: string): Template =>
  foundIn(templates, { templateId }, "There is no such alert");

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
export type Fields = Readonly<Record<string, unknown>> & { readonly templateId: string; readonly name: string };

/** The fields of a definition, checked against their template and completed with its defaults. */
export function definedFields(world: World, given: Fields): Fields {
  const { fields } = templateOf(given.templateId);
  for (const [key, value] of Object.entries(given)) {
    const field = fields.find((one) => one.key === key);
    if (!field || !isValid(world, field, value)) throw illegal(`Not a valid value for the field ${key}`);
  }
  const defaults = fields.filter((field) => field.default !== undefined).map((field) => [field.key, field.default]);
  const whole: Fields = { ...Object.fromEntries(defaults), ...given };
  // The default of a selection can be no selection, which does not suffice.
  for (const field of fields)
    if (field.type.endsWith("-select") && field.key in whole && !isValid(world, field, whole[field.key]))
      throw illegal(`A value is needed for the field ${field.key}`);
  return whole;
}
