/** The schemas that the alerts service publishes for its own objects, in JSON Schema draft 4. */
import { templateOf } from "./templates.js";

const draft = { $schema: "http://json-schema.org/draft-04/schema#" };
const text = { type: "string" };
const instant = { type: "string", format: "date-time" };
const maybeInstant = { type: ["string", "null"], format: "date-time" };
const object = (title: string, properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) => ({
  title,
  type: "object",
  required,
  properties,
});

const header = object("Alert template", { templateId: text, name: text, origin: { enum: ["STATIC", "ADAPTIVE"] } });
const firing = object("Firing", {
  firingId: text,
  definitionId: text,
  name: text,
  service: text,
  startTime: instant,
  endTime: maybeInstant,
  fieldMap: { type: "object" },
});
const summary = object("Alert summary", { definitionId: text, name: text, lastTriggered: maybeInstant });

const jsonTypes: Readonly<Record<string, unknown>> = {
  bool: { type: "boolean" },
  int: { type: "integer" },
  float: { type: "number" },
  email: { type: "array", items: text },
  "multi-select": { type: "array", items: text, uniqueItems: true },
  "adaptive-threshold": { type: "object" },
};

/** The schema of definitions built from a template. */
export function definitionSchema(templateId: string) {
  const { name, fields } = templateOf(templateId);
  const properties = fields.map(({ key, type, minimum, maximum }) => [
    key,
    {
      ...((jsonTypes[type] ?? text) as object),
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    },
  ]);
  return {
    ...draft,
    ...object(`Definition of ${name}`, {
      fields: object("Fields", Object.fromEntries(properties), ["templateId", "name"]),
    }),
  };
}

export const schemas = {
  templateHeader: { ...draft, ...header },
  template: {
    ...draft,
    ...object("Alert template with its fields", {
      ...header.properties,
      fields: { type: "array", items: object("Field", { key: text, type: text }) },
    }),
  },
  firings: { ...draft, title: "Firings", type: "array", items: firing },
  summaries: { ...draft, title: "Alert summaries", type: "array", items: summary },
  details: {
    ...draft,
    ...object("Alert details", {
      definitionId: text,
      definition: { type: "object" },
      alerts: { type: "array", items: firing },
    }),
  },
};
