/** What can be read: the report catalogue, each report type, the page of every tool, and live resources of the account. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { scrubbed } from "../answers/result.js";
import { visible } from "../answers/visible.js";
import type { Service } from "../api/define.js";
import { Failure } from "../api/failure.js";
import type { Invoke } from "../client/index.js";
import { type ServiceName, services } from "../tools/index.js";
import { reportTypes } from "../tools/report-catalogue.js";
import { isWorkflow, workflows } from "../workflows/index.js";
import { findLive, isFamily, type LiveResource, liveResources, valuesOf } from "./live.js";
import { asMarkdown, operationPage } from "./operation-page.js";
import { workflowMarkdown, workflowPage } from "./workflow-page.js";

/** What resources are read from. */
export interface Library {
  /** Of the catalogue of tools, what the pages need: each tool's name and service. */
  readonly tools: ReadonlyMap<string, { readonly service: string }>;
  /** The way to the API, and what no text from there may hold; made when the first live resource is read. */
  api(): Promise<{ readonly invoke: Invoke; readonly secrets: readonly string[] }>;
}

const json = "application/json";
const markdown = "text/markdown";

const listed = ({ name, title, description, mimeType }: LiveResource) => ({ name, title, description, mimeType });

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
    ...liveResources
      .filter((resource) => !isFamily(resource))
      .map((resource) => ({ uri: resource.address, ...listed(resource) })),
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
    ...liveResources.filter(isFamily).map((resource) => ({ uriTemplate: resource.address, ...listed(resource) })),
  ];
}

const one = (uri: string, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
});

/** Reads a live resource; nobody may keep what one account's credentials read. */
async function readLive(uri: string, { api }: Library, signal: AbortSignal): Promise<ReadResourceResult | undefined> {
  const found = findLive(uri);
  if (!found) return undefined;
  const { resource, args } = found;
  try {
    const { invoke, secrets } = await api();
    const { body = null } = await invoke(resource.tool, args, signal);
    const text = scrubbed(JSON.stringify(visible(body).value), secrets);
    return { ...one(uri, resource.mimeType, text), ttlMs: 0, cacheScope: "private" };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "not_found" || error.code === "invalid_input") throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.message} ${error.detail.next}`);
  }
}

async function readPage(uri: string, { tools }: Library): Promise<ReadResourceResult | undefined> {
  const [, tool = "", suffix] = /^operation:\/\/([a-z0-9_]+)(\.json)?$/.exec(uri) ?? [];
  const entry = tools.get(tool);
  if (!entry) return undefined;
  if (isWorkflow(tool)) {
    const page = workflowPage(tool, await workflows[tool]());
    return suffix ? one(uri, json, JSON.stringify(page)) : one(uri, markdown, workflowMarkdown(page));
  }
  const service: Service = await services[entry.service as ServiceName]();
  const operation = service.operations[tool];
  if (!operation) return undefined;
  const page = operationPage(tool, operation, service, Date.now());
  return suffix ? one(uri, json, JSON.stringify(page)) : one(uri, markdown, asMarkdown(page));
}

/**
 * Reads a resource.
 * @throws ResourceNotFoundError when there is none under the address; ProtocolError when the API did not give it.
 */
export async function readResource(library: Library, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  if (uri === "report://catalogue") return one(uri, json, JSON.stringify({ reports: reportTypes }));
  const report = /^report:\/\/types\/([a-z-]+)$/.exec(uri)?.[1];
  const reportType = reportTypes.find(({ name }) => name === report);
  if (reportType) return one(uri, json, JSON.stringify(reportType));
  const found = (await readPage(uri, library)) ?? (await readLive(uri, library, signal));
  if (!found) throw new ResourceNotFoundError(uri);
  return found;
}

async function namesFor(library: Library, template: string, argument: string): Promise<readonly string[]> {
  if (template.startsWith("operation://") && argument === "tool") return [...library.tools.keys()];
  if (template.startsWith("report://") && argument === "reportName") return reportTypes.map(({ name }) => name);
  try {
    return await valuesOf(template, argument, (await library.api()).invoke);
  } catch (error) {
    // A completion is a help while typing: without the API there is none, and the reading will say why.
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** The names that complete an argument of a template: those that begin with the value, then those that contain it. */
export async function completeTemplate(
  library: Library,
  template: string,
  argument: string,
  value: string,
): Promise<string[]> {
  const names = await namesFor(library, template, argument);
  return [
    ...names.filter((name) => name.startsWith(value)),
    ...names.filter((name) => !name.startsWith(value) && name.includes(value)),
  ];
}
