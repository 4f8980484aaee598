/**
 * Resources: the page of every tool, the guide of every service, the services' resources, stored results, and previews
 * of plans. A client knows them only by URI. Results and plans are found only for their owner, a resource is read
 * whole or not at all, and what was read with an account's credentials is marked as private.
 */
import { wholeText } from "../answers/parts.js";
import type { InvocationOrigin, ReadOrigin } from "../calls/index.js";
import { refusalOfTool, type ToolOffer } from "../calls/offer.js";
import type { Arguments } from "../language/conduct.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { isLive, type LiveValues, type Resource } from "../language/reading.js";
import { toolPage } from "../pages/tool-page.js";
import { wholeResultOf } from "../rows/csv-reader.js";
import { type StoredResult, TextDocument } from "../rows/result-store.js";
import { RowFile } from "../rows/row-file.js";
import { type RowFormat, rowFormats, rowMediaTypes } from "../rows/row-text.js";
import { cleanJson, scrub } from "../secrets/held-secrets.js";
import { serviceOf } from "../tools/index.js";
import type { Reply } from "../wire/index.js";
import { workflowsFor } from "../workflows/index.js";
import { liveValues, matchingValues } from "./live-values.js";

/** The properties of a resource that are known without loading its service. */
export interface ResourceListing extends Omit<Resource, "content"> {
  readonly service: string;
  /** The operation that reads it from the account; absent if it is not read from there. */
  readonly tool?: string;
}

interface Content {
  readonly mimeType: string;
  readonly text: string;
  /** It was read with one account's credentials, so it must not be cached for others. */
  readonly isPrivate: boolean;
}

export interface ResourceLibrary {
  /** Every tool's name and service, whether or not it is offered. */
  readonly catalogue: ReadonlyMap<string, { readonly service: string }>;
  /** The callable tools, the only ones with pages and guides. */
  readonly offer: ToolOffer;
  /** The resources that services declare. */
  readonly declared: readonly ResourceListing[];
  /**
   * Access to the API for a client, and the secrets that no text from it may contain; created when the first live
   * resource is read.
   */
  api(
    origin: ReadOrigin,
    purpose: InvocationOrigin["purpose"],
  ): Promise<{
    invoke(tool: string, args: Arguments): Promise<Reply>;
    /** The result with a handle for an owner. */
    storedResult(owner: string, handle: string): Promise<StoredResult | undefined>;
    /** The lines of a plan's whole preview, for its owner. */
    plan(owner: string, id: string): Promise<readonly string[] | undefined>;
    readonly secrets: readonly string[];
  }>;
}

const placeholder = /\{(\w+)\}/;
export const isTemplate = ({ address }: { readonly address: string }): boolean => placeholder.test(address);

const page = (mimeType: string, text: string): Content => ({ mimeType, text, isPrivate: false });

/** The values of a template's placeholders in a URI, by name; undefined if the URI does not match the template. */
function valuesIn(address: string, uri: string): Readonly<Record<string, string>> | undefined {
  const parts = address.split(placeholder);
  const names = parts.filter((_, at) => at % 2 === 1);
  const literals = parts.filter((_, at) => at % 2 === 0).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(`^${literals.join("([\\w@.%-]+)")}$`).exec(uri);
  return found
    ? Object.fromEntries(names.map((name, at) => [name, found[at + 1]?.replace("%40", "@") ?? ""]))
    : undefined;
}

async function resourceOf({ service, address }: ResourceListing): Promise<Resource | undefined> {
  return (await serviceOf(service))?.resources?.find((one) => one.address === address);
}

/** No address of this server is longer, and a longer one would be matched against the pattern of every kind of resource. */
const longestAddress = 8 * 1024;

// A message over 10 MiB ends a session over stdio.
const maxBytes = 8 * 1024 * 1024;

/**
 * A text that may be large; a resource is read whole or not at all.
 * @throws Failure `too_large`
 */
function boundedText(text: string, what: string): string {
  if (Buffer.byteLength(text) > maxBytes)
    throw new Failure("too_large", `${what} is over ${maxBytes} bytes.`, {
      next: "Ask the tool for less: a filter, a shorter period, a page.",
    });
  return text;
}

async function readByTool(
  library: ResourceLibrary,
  tool: string,
  args: Arguments,
  mimeType: string,
  origin: ReadOrigin,
): Promise<Content> {
  const { invoke, secrets } = await library.api(origin, "resource");
  const { body = null } = await invoke(tool, args);
  return { mimeType, text: boundedText(cleanJson(body, secrets), "The result"), isPrivate: true };
}

async function readDeclared(library: ResourceLibrary, uri: string, origin: ReadOrigin): Promise<Content | undefined> {
  for (const listing of library.declared) {
    const values = valuesIn(listing.address, uri);
    const resource = values && (await resourceOf(listing));
    if (!values || !resource) continue;
    const { content, mimeType } = resource;
    if (!isLive(content)) {
      const value = content.value(Object.values(values)[0] ?? "");
      return value === undefined ? undefined : page(mimeType, JSON.stringify(value));
    }
    return readByTool(library, content.tool, { ...content.args, ...values }, mimeType, origin);
  }
  return undefined;
}

const isFormat = (format: string): format is RowFormat => rowFormats.some((one) => one === format);

/** Reads a whole result that was shown in part: unchanged, or its rows in another format. */
async function readStoredResult(
  library: ResourceLibrary,
  uri: string,
  origin: ReadOrigin,
): Promise<Content | undefined> {
  const [, handle, format = "json"] = /^result:\/\/([\w-]+)(?:\/([a-z]+))?$/.exec(uri) ?? [];
  if (handle === undefined || !isFormat(format)) return undefined;
  const { storedResult, secrets } = await library.api(origin, "resource");
  const result = await storedResult(origin.owner, handle);
  if (result === undefined) return undefined;
  const { content, shows } = result;
  const whole = content instanceof RowFile ? wholeResultOf(content, maxBytes) : content;
  if (whole instanceof TextDocument)
    return { mimeType: whole.mimeType, text: scrub(whole.text, secrets), isPrivate: true };
  const clean = cleanJson(whole, secrets);
  const text = format === "json" ? clean : wholeText(JSON.parse(clean), format, shows);
  return { mimeType: rowMediaTypes[format], text: boundedText(text, "The stored result"), isPrivate: true };
}

async function readPlan(library: ResourceLibrary, uri: string, origin: ReadOrigin): Promise<Content | undefined> {
  const [, id] = /^plan:\/\/([\w-]+)$/.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const { plan, secrets } = await library.api(origin, "resource");
  const lines = await plan(origin.owner, id);
  return lines && { mimeType: "text/plain", text: scrub(lines.join("\n"), secrets), isPrivate: true };
}

async function readPage(uri: string, { offer: { tools } }: ResourceLibrary): Promise<Content | undefined> {
  const [, tool = "", suffix] = /^operation:\/\/([a-z0-9_]+)(\.json|\/answers)?$/.exec(uri) ?? [];
  const found = await toolPage(tool, { tools, workflows: workflowsFor(tools) });
  if (!found) return undefined;
  if (suffix === ".json") return page(rowMediaTypes.json, JSON.stringify(found.data));
  const text = suffix === undefined ? found.markdown : found.answers;
  return text === undefined ? undefined : page(rowMediaTypes.markdown, text);
}

/** Loaded when a guide is requested, because nothing else needs it. */
const guidePages = lazily(() => import("../pages/guide-page.js"));

async function readGuide(uri: string, { offer: { tools } }: ResourceLibrary): Promise<Content | undefined> {
  const [, service] = /^guide:\/\/([a-z0-9-]+)$/.exec(uri) ?? [];
  if (service === undefined) return undefined;
  const text = await (await guidePages()).guidePage(service, tools);
  return text === undefined ? undefined : page(rowMediaTypes.markdown, text);
}

async function readLive(library: ResourceLibrary, uri: string, origin: ReadOrigin): Promise<Content | undefined> {
  if (!uri.startsWith("live://")) return undefined;
  const { liveAt } = await import("./live.js");
  const live = await liveAt(uri, library.catalogue);
  return live && readByTool(library, live.tool, live.args, rowMediaTypes.json, origin);
}

/**
 * Reads a resource.
 * @returns undefined if there is none at the URI.
 * @throws Failure if the API did not return it.
 */
export async function readResource(
  library: ResourceLibrary,
  uri: string,
  origin: ReadOrigin,
): Promise<Content | undefined> {
  if (uri.length > longestAddress) return undefined;
  try {
    return (
      (await readPage(uri, library)) ??
      (await readGuide(uri, library)) ??
      (await readLive(library, uri, origin)) ??
      (await readStoredResult(library, uri, origin)) ??
      (await readPlan(library, uri, origin)) ??
      (await readDeclared(library, uri, origin))
    );
  } catch (error) {
    const isNone = error instanceof Failure && (error.code === "not_found" || error.code === "invalid_input");
    if (isNone) return undefined;
    throw error;
  }
}

/**
 * Completion values for a client.
 * @throws Failure `not_allowed` if they are read by a tool that is left out, which would otherwise look like an empty
 * list.
 */
export async function completionValues(
  library: Pick<ResourceLibrary, "offer" | "api">,
  declaration: LiveValues,
  origin: ReadOrigin,
  filledIn: Arguments = {},
): Promise<readonly string[]> {
  for (const tool of [declaration.tool, declaration.per?.tool]) {
    const refusal = tool === undefined ? undefined : refusalOfTool(library.offer, tool);
    if (refusal) throw refusal;
  }
  return liveValues({ api: () => library.api(origin, "completion") }, declaration, filledIn, library, origin.principal);
}

async function namesFor(
  library: ResourceLibrary,
  template: string,
  argument: string,
  filledIn: Arguments,
  origin: ReadOrigin,
): Promise<readonly string[]> {
  if (template.startsWith("operation://") && argument === "tool") return [...library.offer.tools.keys()];
  if (template.startsWith("guide://") && argument === "service")
    return (await guidePages()).guidesFor(library.offer.tools);
  const listing = library.declared.find(({ address }) => address === template);
  const resource = listing && template.includes(`{${argument}}`) ? await resourceOf(listing) : undefined;
  if (!resource) return [];
  const values = isLive(resource.content) ? resource.content.values?.[argument] : resource.content.values;
  if (values === undefined) return [];
  return "tool" in values ? completionValues(library, values, origin, filledIn) : values;
}

/** The names that complete an argument of a template: those that begin with the value, then those that contain it. */
export async function completeTemplate(
  library: ResourceLibrary,
  template: string,
  argument: string,
  value: string,
  origin: ReadOrigin,
  filledIn: Arguments = {},
): Promise<string[]> {
  return matchingValues(await namesFor(library, template, argument, filledIn, origin), value);
}
