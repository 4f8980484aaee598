/** Resources that are read from the API at the moment they are asked for: what each is called and which tool reads it. */
import { z } from "../api/z.js";
import type { Invoke } from "../client/index.js";

/** A resource, or with a placeholder in its address a family of them; the placeholder is the tool's argument. */
export interface LiveResource {
  readonly address: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly tool: string;
  /** Further arguments of the tool. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The tool whose answer has the values of the placeholder, and how they are read from it: none of another shape. */
  readonly values?: {
    readonly tool: string;
    readonly args?: Readonly<Record<string, unknown>>;
    readonly of: z.ZodType<string[]>;
  };
}

const json = "application/json";
const schema = "application/schema+json";

const templateIds: LiveResource["values"] = {
  tool: "alert_templates_list",
  of: z
    .looseObject({ data: z.array(z.looseObject({ templateId: z.string() })) })
    .transform(({ data }) => data.map(({ templateId }) => templateId))
    .catch([]),
};
const contractIds: LiveResource["values"] = {
  tool: "contract_ids_list",
  args: { depth: "ALL" },
  of: z.array(z.string()).catch([]),
};

const alertSchema = (name: string, tool: string, what: string): LiveResource => ({
  address: `alert://schemas/${name}`,
  name: `${name}-schema`,
  title: `Schema of ${what}`,
  description: `The API's own JSON Schema (draft 4) of ${what}.`,
  mimeType: schema,
  tool,
});

export const liveResources: readonly LiveResource[] = [
  {
    address: "alert://templates",
    name: "alert-templates",
    title: "Alert templates",
    description: "The templates from which alerts are made, read from the account.",
    mimeType: json,
    tool: "alert_templates_list",
  },
  {
    address: "alert://templates/{templateId}",
    name: "alert-template",
    title: "Alert template",
    description: "The fields of one template, with types, bounds and defaults, read from the account.",
    mimeType: json,
    tool: "alert_template_get",
    values: templateIds,
  },
  alertSchema("alert-template-header", "alert_template_header_schema_get", "a template in a list"),
  alertSchema("alert-template", "alert_template_schema_get", "a template"),
  alertSchema("alert-firings", "alert_firing_schema_get", "firings"),
  alertSchema("alert-summaries", "alert_summary_schema_get", "alert summaries"),
  alertSchema("alert-details", "alert_detail_schema_get", "alert details"),
  {
    ...alertSchema("alert-definition/{templateId}", "alert_definition_schema_get", "definitions made from a template"),
    name: "alert-definition-schema",
    values: templateIds,
  },
  {
    address: "diagnostic://locations",
    name: "diagnostic-locations",
    title: "Diagnostic locations",
    description: "The edge locations that diagnostics can run from, read from the account.",
    mimeType: json,
    tool: "diag_locations_list",
  },
  {
    address: "contract://contracts",
    name: "contracts",
    title: "Contracts",
    description: "The account's contract ids, parents and children.",
    mimeType: json,
    tool: "contract_ids_list",
    args: { depth: "ALL" },
  },
  {
    address: "contract://contracts/{contractId}/products",
    name: "contract-products",
    title: "Products of a contract",
    description: "The products that a contract holds now.",
    mimeType: json,
    tool: "contract_product_summary_get",
    values: contractIds,
  },
];

const placeholder = /\{(\w+)\}/;
export const isFamily = ({ address }: LiveResource): boolean => placeholder.test(address);

/** The live resource under an address, with the arguments that its tool needs; undefined when there is none. */
export function findLive(
  uri: string,
): { readonly resource: LiveResource; readonly args: Readonly<Record<string, unknown>> } | undefined {
  for (const resource of liveResources) {
    const [before = "", argument, after = ""] = resource.address.split(placeholder);
    if (argument === undefined && uri === resource.address) return { resource, args: resource.args ?? {} };
    const value = uri.slice(before.length, uri.length - after.length);
    const isIn = argument !== undefined && uri.startsWith(before) && uri.endsWith(after) && /^[\w@.%-]+$/.test(value);
    if (isIn && uri.length > before.length + after.length)
      return { resource, args: { ...resource.args, [argument]: value.replace("%40", "@") } };
  }
  return undefined;
}

/** The values that a family's placeholder can take, read from the API. */
export async function valuesOf(template: string, argument: string, invoke: Invoke): Promise<string[]> {
  const family = liveResources.find(({ address }) => address === template);
  if (!family?.values || placeholder.exec(template)?.[1] !== argument) return [];
  const { tool, args = {}, of } = family.values;
  return of.parse((await invoke(tool, args)).body);
}
