/** The JSON Schemas of alerts v2, as tools and as resources, and the checks of its components. */
import { empty, json, op } from "../../language/define.js";
import type { DeclaredResource, LiveValues } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { templateId } from "./shapes.js";

/** Document A states that schemas follow draft 4; the media type is public (facts A, 6). */
const schemaReading = (what: string) =>
  ({
    does: `Reads the JSON Schema of ${what}.`,
    returns: { 200: json(z.looseObject({ $schema: z.string() }), "application/schema+json") },
    rules: ["alert-schema-draft-4"],
  }) as const;
/** The vendor's current definition of the service has no such call (public facts A, 6). */
export const retiredState = { state: "retired" } as const;
/** Only the names of the checks are documented: success, with or without a body, means that the component is available. */
const componentCheck = (component: string) =>
  ({
    does: `Checks that the ${component} component is available.`,
    returns: { 200: json(z.unknown()), 204: empty },
    note: "The document shows no response: 200, with or without a body, is assumed to mean available.",
    standing: retiredState,
  }) as const;

export const schemaOperations = {
  alert_template_header_schema_get: op(
    "GET /alerts/v2/json-schema/alert-template-header",
    schemaReading("a template in a list"),
  ),
  alert_template_schema_get: op("GET /alerts/v2/json-schema/alert-template", schemaReading("a template")),
  alert_definition_schema_get: op("GET /alerts/v2/json-schema/alert-definition/{templateId}", {
    ...schemaReading("definitions built from a template"),
    path: { templateId },
    rules: ["alert-schema-draft-4", "alert-id-encoded"],
    means: { 404: "There is no such template: alert_templates_list lists the ids." },
    example: { templateId: "s@7" },
  }),
  alert_firing_schema_get: op("GET /alerts/v2/json-schema/alert-firings", schemaReading("firings")),
  alert_summary_schema_get: op("GET /alerts/v2/json-schema/alert-summaries", schemaReading("summaries")),
  alert_detail_schema_get: op("GET /alerts/v2/json-schema/alert-details", schemaReading("details")),
  alert_access_control_check: op("GET /alerts/v2/access-control-data/check", {
    ...componentCheck("choices"),
    does: "Checks that the choices for template fields are available.",
  }),
  alert_definition_check: op("GET /alerts/v2/alert-definitions/check", componentCheck("definitions")),
  alert_firing_check: op("GET /alerts/v2/alert-firings/check", componentCheck("firings")),
  alert_summary_check: op("GET /alerts/v2/alert-summaries/check", componentCheck("summaries")),
  alert_template_check: op("GET /alerts/v2/alert-templates/check", componentCheck("templates")),
  alert_schema_check: op("GET /alerts/v2/json-schema/check", componentCheck("schemas")),
  alert_sparkline_check: op("GET /alerts/v2/sparklines/check", componentCheck("sparklines")),
};

const templateIds: LiveValues = {
  tool: "alert_templates_list",
  of: z
    .looseObject({ data: z.array(z.looseObject({ templateId: z.string() })) })
    .transform(({ data }) => data.map(({ templateId }) => templateId))
    .catch([]),
};

const schemaOf = (name: string, tool: string, what: string): DeclaredResource => ({
  address: `alert://schemas/${name}`,
  name: `${name}-schema`,
  title: `Schema of ${what}`,
  description: `The API's own JSON Schema (draft 4) of ${what}.`,
  mimeType: "application/schema+json",
  content: { tool },
});

export const alertResources: readonly DeclaredResource[] = [
  {
    address: "alert://templates",
    name: "alert-templates",
    title: "Alert templates",
    description: "The templates for alert definitions, read from the account.",
    content: { tool: "alert_templates_list" },
  },
  {
    address: "alert://templates/{templateId}",
    name: "alert-template",
    title: "Alert template",
    description: "The fields of one template, with types, bounds and defaults, read from the account.",
    content: { tool: "alert_template_get", values: { templateId: templateIds } },
  },
  schemaOf("alert-template-header", "alert_template_header_schema_get", "a template in a list"),
  schemaOf("alert-template", "alert_template_schema_get", "a template"),
  schemaOf("alert-firings", "alert_firing_schema_get", "firings"),
  schemaOf("alert-summaries", "alert_summary_schema_get", "alert summaries"),
  schemaOf("alert-details", "alert_detail_schema_get", "alert details"),
  {
    ...schemaOf("alert-definition/{templateId}", "alert_definition_schema_get", "definitions built from a template"),
    name: "alert-definition-schema",
    content: { tool: "alert_definition_schema_get", values: { templateId: templateIds } },
  },
];
