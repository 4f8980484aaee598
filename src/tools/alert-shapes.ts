/** The shapes of alerts v2 that several of its operations share. */
import { json } from "../api/define.js";
import { z } from "../api/z.js";

export const templateId = z.string().regex(/^[sa]@\d+$/, "a template id such as s@7 (static) or a@1 (adaptive)");
export const definitionId = z.string().regex(/^[sa]@[\w.-]+$/, "a definition id such as s@1623 or a@cp_12345_77");
export const adaptiveId = z.string().regex(/^a@[\w.-]+$/, "the id of an adaptive definition, such as a@cp_12345_77");
export const Origin = z.enum(["STATIC", "ADAPTIVE"]);
const links = z.array(z.looseObject({ rel: z.string(), href: z.string() })).optional();
export const listOf = <S extends z.ZodType>(item: S) => json(z.looseObject({ data: z.array(item) }));

const templateHead = { templateId: z.string(), name: z.string(), origin: Origin, links };
export const TemplateSummary = z.looseObject({
  ...templateHead,
  products: z.array(z.looseObject({ name: z.string(), objectId: z.string() })),
});
export const Template = z.looseObject({
  ...templateHead,
  firingFields: z.array(z.string()).optional(),
  fields: z.array(z.looseObject({ key: z.string(), type: z.string() })),
});
export const Definition = z.looseObject({
  definitionId: z.string(),
  origin: Origin,
  accountId: z.string().optional(),
  editInfo: z.looseObject({ active: z.boolean(), createdBy: z.string(), editAt: z.string() }).optional(),
  fields: z.looseObject({}),
  links,
});
export const Firing = z.looseObject({
  firingId: z.string(),
  definitionId: z.string(),
  name: z.string(),
  service: z.string(),
  startTime: z.string(),
  endTime: z.string().nullable(),
  fieldMap: z.looseObject({}),
  links,
});
export const Suppression = z.looseObject({ suppressionId: z.string(), start: z.string(), end: z.string() });
export const Activity = z.looseObject({
  activityId: z.int(),
  details: z.string(),
  startTime: z.string(),
  data: z.looseObject({}),
});
export const Choice = z.looseObject({ name: z.string(), objectId: z.string(), type: z.string() });
export const Summary = z.looseObject({
  definitionId: z.string(),
  name: z.string(),
  lastTriggered: z.string().nullable(),
  firingNow: z.boolean().optional(),
  templateId: z.union([z.string(), z.int()]).optional(),
  templateName: z.string().optional(),
});
export const Details = z.looseObject({
  definitionId: z.string(),
  sparkline: z.looseObject({}).nullable(),
  alerts: z.array(z.looseObject({})),
  definition: z.looseObject({}),
});
export const Sparkline = z.looseObject({
  definitionId: z.string(),
  points: z.array(z.looseObject({ x: z.string(), y: z.number() })),
  anomalies: z.array(z.looseObject({ start: z.string(), firingId: z.string() })),
});
