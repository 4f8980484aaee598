/** Checks a definition's fields against its template before anything is sent. */
import type { Check, ReadByTool } from "../../language/check.js";
import { Failure, type FieldProblem, fieldProblem, quoteValue } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { didYouMean } from "../../text/nearest.js";
import { members } from "../fields.js";
import { adaptiveThreshold } from "./shapes.js";

const bound = z.number().optional().catch(undefined);
const count = z.int().min(0).optional().catch(undefined);

/**
 * A template's declaration of one field (document A, alerts v2, with the further types of public facts A, 6). An
 * unreadable bound, such as null, is ignored and left to the API.
 */
const Field = z.object({
  key: z.string(),
  default: z.unknown().optional(),
  type: z.string().catch(""),
  itemType: z.string().optional().catch(undefined),
  ...members(bound, "minimum", "maximum"),
  ...members(count, "minItems", "maxItems", "sizeFloat"),
  units: z.string().optional().catch(undefined),
});
type TemplateField = z.output<typeof Field>;

const listTypes = ["email", "multi-select", "stream", "edns"];
const isText = (value: unknown): value is string => typeof value === "string";

function boundsText({ minimum, maximum, units, sizeFloat }: TemplateField): string {
  const range =
    minimum === undefined && maximum === undefined ? "" : ` from ${minimum ?? "any"} to ${maximum ?? "any"}`;
  const decimals = sizeFloat === undefined ? "" : `, with at most ${sizeFloat} decimals`;
  return `${range}${decimals}${units ? ` (${units})` : ""}`;
}

const isWithin = (value: unknown, { minimum, maximum }: TemplateField): value is number =>
  typeof value === "number" &&
  value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
  value <= (maximum ?? Number.POSITIVE_INFINITY);

const hasDecimals = (value: number, { sizeFloat }: TemplateField): boolean =>
  sizeFloat === undefined || Number(value.toFixed(Math.min(sizeFloat, 100))) === value;

const choicesText = ({ itemType }: TemplateField): string =>
  itemType === undefined ? "" : `; alert_access_controls_list with type ${itemType} lists the choices`;

function listText(field: TemplateField): string {
  const { minItems, maxItems, type } = field;
  const counted = withoutFalse(
    minItems !== undefined && `at least ${minItems}`,
    maxItems !== undefined && `at most ${maxItems}`,
  ).join(" and ");
  return `a list of ${type === "email" ? "addresses" : "texts"}${counted ? `, ${counted}` : ""}${choicesText(field)}`;
}

/** What a field accepts, if the value is invalid; undefined if it is valid, and for a type that is left to the API. */
function mismatch(field: TemplateField, value: unknown): string | undefined {
  const { type, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  const isList = Array.isArray(value) && value.every(isText) && value.length >= minItems && value.length <= maxItems;
  const isObject = typeof value === "object" && !Array.isArray(value);
  const isWhole = Number.isSafeInteger(value) && isWithin(value, field);
  // Hidden fields, and types added later, are left to the API.
  const types = new Map<string, readonly [fits: boolean, takes: string]>([
    ...listTypes.map((one) => [one, [isList, listText(field)]] as const),
    ["bool", [typeof value === "boolean", "true or false"]],
    ["int", [isWhole, `a whole number${boundsText(field)}`]],
    ["long", [isWhole, `a whole number${boundsText(field)}`]],
    ["float", [isWithin(value, field) && hasDecimals(value, field), `a number${boundsText(field)}`]],
    ["string", [isText(value), "text"]],
    ["single-select", [isText(value), `one choice, as text${choicesText(field)}`]],
    ["adaptive-threshold", [isObject, `an object: ${adaptiveThreshold}`]],
    ["schedule", [isObject, "an object"]],
    ["maintenance-schedule", [isObject, "an object"]],
  ]);
  const [fits = true, takes] = types.get(type) ?? [];
  return fits ? undefined : takes;
}

/**
 * What an omitted field accepts, if it is required: a list of at least one item, or a choice whose default is empty.
 * Undefined for an optional field.
 */
function needed(field: TemplateField): string | undefined {
  const { type, minItems = 0, default: fallback } = field;
  if (listTypes.includes(type)) return minItems > 0 ? mismatch(field, fallback ?? []) : undefined;
  return type === "single-select" && fallback === "" ? mismatch(field, undefined) : undefined;
}

const templateTool = "alert_template_get";

/** The fields of a template; entries without a key are skipped. */
function fieldsOf(body: unknown): readonly TemplateField[] {
  const entries = (body as { readonly fields?: unknown } | null | undefined)?.fields;
  if (!Array.isArray(entries))
    throw new Failure("bad_reply", `${templateTool} returned a template without a list of fields.`, {
      why: "The definition cannot be checked without them; nothing was sent.",
      next: `Call ${templateTool} directly to see the full response.`,
    });
  return entries.flatMap((entry) => Field.safeParse(entry).data ?? []);
}

/** The template that a definition names, or the problem of its id. */
async function templateOf(read: ReadByTool, templateId: unknown): Promise<readonly TemplateField[] | FieldProblem> {
  try {
    return fieldsOf(await read(templateTool, { templateId }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "not_found") throw error;
    const takes = "a template id from alert_templates_list";
    return { field: "body.fields.templateId", given: quoteValue(templateId), takes };
  }
}

const path = ["body", "fields"];

/**
 * Checks a definition's fields against the template that they name (document A, alerts v2). A stored definition may
 * have fields that the template lacks, and lack fields that it has, so that what was read can be sent back. If the
 * template cannot be read, the call fails: nothing is sent unchecked.
 */
export const matchesTemplate: Check = async ({ args, namesAt, present, read }) => {
  const input = memberAt(args, path) as Readonly<Record<string, unknown>>;
  const fields = await templateOf(read, input["templateId"]);
  if ("field" in fields) return [fields];
  const known = [...new Set([...namesAt(path), ...fields.map(({ key }) => key)])];
  const hasUnknown = Object.keys(input).some((key) => !known.includes(key));
  const missing = fields.flatMap((field) => {
    const takes = (input[field.key] ?? null) === null ? needed(field) : undefined;
    return takes === undefined ? [] : [{ key: field.key, takes }];
  });
  const now = hasUnknown || missing.length > 0 ? memberAt(await present(), "fields") : undefined;
  const stored = Object.keys(now ?? {});
  const leftOut = missing
    .filter(({ key }) => now === undefined || stored.includes(key))
    .map(({ key, takes }): FieldProblem => ({ field: `${path.join(".")}.${key}`, takes: `${takes}; it is required` }));
  const mistaken = Object.entries(input).flatMap(([key, value]): FieldProblem[] => {
    const field = `${path.join(".")}.${key}`;
    const none = `nothing: the template has no such field${didYouMean(key, known)}; known: ${known.join(", ")}`;
    if (![...known, ...stored].includes(key)) return [{ field, takes: none }];
    const described = fields.find((one) => one.key === key);
    const takes = described && value !== null ? mismatch(described, value) : undefined;
    return takes === undefined ? [] : [...fieldProblem(field, value, takes)];
  });
  return [...mistaken, ...leftOut];
};
