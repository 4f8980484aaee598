/** Alert resources: the account's templates, and the JSON Schemas that the API publishes for its objects. */
import type { DeclaredResource, LiveValues } from "../../language/reading.js";
import { z } from "../../language/z.js";

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
