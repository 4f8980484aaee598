/** What can be read: the report catalogue, each report type, and the page of every operation. */
import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Service } from "../api/define.js";
import { type ServiceName, services } from "../tools/index.js";
import { reportTypes } from "../tools/report-catalogue.js";
import { asMarkdown, operationPage } from "./operation-page.js";

/** Of the catalogue of tools, what the pages need: each tool's name and service. */
export type ToolIndex = ReadonlyMap<string, { readonly service: string }>;

const json = "application/json";
const markdown = "text/markdown";

/** The fixed resources. */
export function listResources(): Resource[] {
  return [
    {
      uri: "report://catalogue",
      name: "report-catalogue",
      title: "Traffic reports",
      description: "Every report type with its version, object type, intervals, metrics and filters.",
      mimeType: json,
    },
    ...reportTypes.map(({ name, description }) => ({
      uri: `report://types/${name}`,
      name,
      title: name,
      description,
      mimeType: json,
    })),
  ];
}

/** The families of resources, whose names can be completed. */
export function listTemplates(): ResourceTemplateType[] {
  return [
    {
      uriTemplate: "operation://{tool}",
      name: "operation-page",
      title: "Operation page",
      description: "A tool's whole schema, answers, rules, errors and an example, as Markdown.",
      mimeType: markdown,
    },
    {
      uriTemplate: "operation://{tool}.json",
      name: "operation-data",
      title: "Operation page as JSON",
      description: "The same page as JSON.",
      mimeType: json,
    },
    {
      uriTemplate: "report://types/{reportName}",
      name: "report-type",
      title: "Report type",
      description: "One report type: metrics, filters, intervals.",
      mimeType: json,
    },
  ];
}

const one = (uri: string, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
});

/**
 * Reads a resource.
 * @throws ResourceNotFoundError when there is none under the address.
 */
export async function readResource(tools: ToolIndex, uri: string): Promise<ReadResourceResult> {
  if (uri === "report://catalogue") return one(uri, json, JSON.stringify({ reports: reportTypes }));
  const report = /^report:\/\/types\/([a-z-]+)$/.exec(uri)?.[1];
  const reportType = reportTypes.find(({ name }) => name === report);
  if (reportType) return one(uri, json, JSON.stringify(reportType));
  const [, tool = "", suffix] = /^operation:\/\/([a-z0-9_]+)(\.json)?$/.exec(uri) ?? [];
  const entry = tools.get(tool);
  const load = entry && services[entry.service as ServiceName];
  if (!load) throw new ResourceNotFoundError(uri);
  const service: Service = await load();
  const operation = service.operations[tool];
  if (!operation) throw new ResourceNotFoundError(uri);
  const page = operationPage(tool, operation, service, Date.now());
  return suffix ? one(uri, json, JSON.stringify(page)) : one(uri, markdown, asMarkdown(page));
}

/** The names that complete an argument of a template: those that begin with the value, then those that contain it. */
export function completeTemplate(tools: ToolIndex, template: string, argument: string, value: string): string[] {
  const names =
    template.startsWith("operation://") && argument === "tool"
      ? [...tools.keys()]
      : template.startsWith("report://") && argument === "reportName"
        ? reportTypes.map(({ name }) => name)
        : [];
  return [
    ...names.filter((name) => name.startsWith(value)),
    ...names.filter((name) => !name.startsWith(value) && name.includes(value)),
  ];
}
