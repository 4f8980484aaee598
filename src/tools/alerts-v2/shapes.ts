/** The alerts v2 schemas that several operations share. */
import { json } from "../../language/define.js";
import { destination } from "../../language/destination.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";

export const templateId = z.string().regex(/^[sa]@\d+$/, "a template id such as s@7 (static) or a@1 (adaptive)");
export const definitionId = z.string().regex(/^[sa]@[\w.-]+$/, "a definition id such as s@1623 or a@cp_12345_77");
export const adaptiveId = z.string().regex(/^a@[\w.-]+$/, "the id of an adaptive definition, such as a@cp_12345_77");
export const Origin = z.enum(["STATIC", "ADAPTIVE"]);

/** What an adaptive definition's thresholds consist of (public facts A, 6; their meanings are those of the names). */
export const adaptiveThreshold =
  "deviations (how many standard deviations from the model make a value an anomaly), windowSize (how many of the latest values are looked at) and anomalyCount (how many of those have to be anomalies for the alert to fire)";

const maxDays = 30;
const durationPattern = /^P(?=\d|T\d)(?:(\d+)W|(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?)$/;
/** Whether a sparkline can cover the duration; text that is not a duration is left to the pattern. */
function isCovered(text: string): boolean {
  const [, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] = durationPattern.exec(text) ?? [];
  const wholeDays = Number(weeks) * 7 + Number(days);
  return wholeDays + Number(hours) / 24 + Number(minutes) / 1_440 + Number(seconds) / 86_400 <= maxDays;
}
/** An ISO 8601 duration of weeks, or of days, hours, minutes and seconds: months and years have no fixed length. */
export const Duration = z
  .string()
  .regex(durationPattern, "an ISO 8601 duration such as P7D, P2W or PT12H30M, without months and years")
  .refine(isCovered, `a duration of at most P${maxDays}D`);
const links = z.array(z.looseObject({ rel: z.string(), href: z.string() })).optional();
export const listMedium = <S extends z.ZodType>(item: S) => json(z.looseObject({ data: z.array(item) }));

const templateHead = { templateId: z.string(), name: z.string(), origin: Origin, links };
export const TemplateSummary = z.looseObject({
  ...templateHead,
  products: z.array(z.looseObject({ name: z.string(), objectId: z.string() })),
});
const Field = z.looseObject({
  ...members(z.string(), "key", "type"),
  default: z.unknown().optional(),
  label: z.string().optional(),
  href: z.string().optional().describe("Path of the choices; alert_access_controls_list reads them"),
  itemType: z.string().optional().describe("The type of alert_access_controls_list"),
  ...members(z.int().optional(), "minItems", "maxItems"),
  ...members(z.number().optional(), "minimum", "maximum"),
  sizeFloat: z.int().optional().describe("Decimal places"),
  units: z.string().optional(),
});
export const Template = z.looseObject({
  ...templateHead,
  firingFields: z.array(z.string()).optional(),
  fields: z.array(Field),
});
export const Definition = z.looseObject({
  definitionId: z.string(),
  origin: Origin,
  accountId: z.string().optional(),
  editInfo: z
    .looseObject({ active: z.boolean(), ...members(z.string(), "createdAt", "createdBy", "editAt", "editBy") })
    .optional(),
  fields: z.looseObject({}).describe("As the template defines them"),
  ...members(z.string().optional(), "templateId", "contractId", "corpAccount"),
  cpCode: z.int().optional(),
  domain: z.string().nullish(),
  services: z.string().optional(),
  links,
});
/** The common fields of all definitions; the template defines the others. */
export const definitionFields = {
  templateId: templateId.describe("Template to build from"),
  name: z.string().min(1).describe("Name of the alert"),
  email: z
    .array(destination("email", z.string().min(1)))
    .optional()
    .describe("Addresses to notify"),
  group: z.array(z.string().min(1)).optional(),
};
/** A definition that replaces another. */
export const replacedDefinition = withReadOnlyMembers(
  { definitionId, origin: Origin, fields: z.looseObject({ ...definitionFields, definitionId }) },
  Definition,
);
export const Firing = z.looseObject({
  ...members(z.string(), "firingId", "definitionId", "name", "service", "startTime"),
  endTime: z.string().nullable().describe("Null while it fires"),
  fieldMap: z.looseObject({}).describe("Observed values as text, by the template's firingFields"),
  links,
});
export const Suppression = z.looseObject({ suppressionId: z.string(), start: z.string(), end: z.string() });
export const Activity = z.looseObject({
  activityId: z.int(),
  details: z.string().describe("SERIES_ADD, SERIES_DELETE, SERIES_EDIT or EMAIL_EDIT"),
  startTime: z.string(),
  data: z.looseObject({}),
});
export const Choice = z.looseObject({
  name: z.string(),
  objectId: z.string().describe("The value for the field"),
  type: z.string(),
  localizable: z.boolean().optional(),
  fields: z.looseObject({ timezone: z.string().nullable() }).optional(),
});
export const Summary = z.looseObject({
  ...members(z.string(), "definitionId", "name"),
  lastTriggered: z.string().nullable(),
  createdBy: z.string().optional(),
  emails: z.string().optional().describe("Separated by commas"),
  firingNow: z.boolean().optional(),
  templateId: z.union([z.string(), z.int()]).optional(),
  templateName: z.string().optional(),
  links,
});
export const Sparkline = z.looseObject({
  definitionId: z.string(),
  points: z.array(
    z.looseObject({
      x: z.string().describe("ISO 8601"),
      y: z.number().describe("Observed"),
      high: z.number().optional().describe("Upper estimate"),
      low: z.number().optional().describe("Lower estimate"),
    }),
  ),
  anomalies: z.array(
    z.looseObject({
      start: z.string(),
      end: z.string().nullish().describe("Null or absent while it lasts"),
      firingId: z.string(),
    }),
  ),
  suppressions: z.array(Suppression).optional(),
});
export const Details = z.looseObject({
  definitionId: z.string(),
  sparkline: Sparkline.nullable(),
  alerts: z.array(Firing),
  definition: Definition,
  scopes: z.array(z.string()).optional(),
  activity: z
    .array(z.looseObject({ messageKey: z.string(), time: z.string(), messageArgs: z.looseObject({}).optional() }))
    .optional(),
  links,
});
