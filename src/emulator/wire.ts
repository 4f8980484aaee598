/** Parses requests as strictly as the declarations: what they do not name is refused, but for members of an open body. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { AnyOperation, Media, Param } from "../language/define.js";
import { schemaOfParam, styleOf } from "../language/media.js";
import { sentPart } from "../language/read-only.js";
import type { Translation } from "../language/vendor-words.js";
import type { z } from "../language/z.js";
import { type PossibleMedia, possibleMedia, readType, type TextsByName } from "./media.js";
import { RequestRefusal } from "./reply.js";
import { fromForm, fromText, fromTree, fromWholeText } from "./values.js";
import type { IncomingRequest } from "./verify.js";

/** A call as a behaviour receives it, before its types are known. */
export interface ReadCall {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The argument values that the request's media types imply; absent if there are none. */
  readonly chosen?: TextsByName;
}

/** The context for reading a request. */
interface Reading {
  /** The medium that the request prefers for its answer. */
  readonly answer: PossibleMedia | undefined;
  /** The values of the path and the query, which can select among the media. */
  readonly given: TextsByName;
  readonly vendor: string;
  readonly words: Translation;
}

const malformed = (title: string, detail: string, field: string): RequestRefusal =>
  new RequestRefusal(400, title, detail, { field });

/** The query parameters that are part of a route. */
type FixedQuery = readonly (readonly [string, string])[];

function checked(value: unknown, schema: z.ZodType, where: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = [where, ...(issue?.path ?? [])].join(".");
  throw new RequestRefusal(400, "Invalid value", `${at}: ${issue?.message ?? "not acceptable"}`, {
    field: at.replace(/^body\./, ""),
    value,
  });
}

function checkOnce(texts: readonly string[], name: string): void {
  if (texts.length > 1) throw malformed("Repeated parameter", `${name} was given ${texts.length} times`, name);
}

function fromJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("Invalid value", `${name} is not JSON`, name);
  }
}

function queryValue(texts: readonly string[], param: Param | z.ZodType, name: string): unknown {
  const style = styleOf(param);
  const schema = schemaOfParam(param);
  if (style === "repeat") return texts;
  checkOnce(texts, name);
  const [text = ""] = texts;
  if (style === "json") return fromJson(text, name);
  if (style === "plain") return fromWholeText(text, schema);
  const items = text.split(",");
  if (style === "comma") return items;
  const pairs = new Map<string, string[]>();
  for (const item of items) {
    const at = item.indexOf("=");
    if (at < 1) throw malformed("Invalid value", `${name}: ${item} is not a name=value pair`, name);
    const key = item.slice(0, at);
    pairs.set(key, [...(pairs.get(key) ?? []), item.slice(at + 1)]);
  }
  return Object.fromEntries(pairs);
}

function checkNames(declared: Readonly<Record<string, unknown>>, { searchParams }: URL, fixed: FixedQuery): void {
  for (const name of searchParams.keys()) {
    if (Object.hasOwn(declared, name)) continue;
    if (name !== "accountSwitchKey" && !fixed.some(([key]) => key === name))
      throw malformed("Unknown parameter", `${name} is not a parameter of this operation`, name);
    checkOnce(searchParams.getAll(name), name);
  }
}

function readQuery(operation: AnyOperation, url: URL, fixed: FixedQuery, words: Translation): Record<string, unknown> {
  if (url.search === "" && operation.spec.query === undefined) return {};
  const declared = operation.spec.query ?? {};
  checkNames(declared, url, fixed);
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(declared)) {
    const texts = url.searchParams.getAll(name);
    const rawValue = texts.length === 0 ? undefined : words.toDocuments(queryValue(texts, param, name));
    const schema = schemaOfParam(param);
    if (rawValue === undefined && !schema.safeParse(undefined).success)
      throw malformed("Missing parameter", `The parameter ${name} is required`, name);
    const value = checked(rawValue, schema, name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function decoded(media: Media, bytes: Uint8Array): unknown {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (media.codec === "form") {
    const fields = new URLSearchParams(text);
    return media.field === undefined
      ? fromForm(fields, media.schema, media.separator)
      : fromJsonField(fields, media.field);
  }
  if (media.codec === "text") return text;
  if (media.codec !== "xml") return JSON.parse(text);
  if (/<!DOCTYPE/i.test(text) || XMLValidator.validate(text) !== true) throw new SyntaxError("not well-formed");
  const parser = new XMLParser({
    parseTagValue: false,
    ignoreAttributes: true,
    ignoreDeclaration: true,
    processEntities: true,
    htmlEntities: false,
  });
  const [root] = Object.entries(parser.parse(text) as Record<string, unknown>);
  if (root?.[0] !== media.root) throw new SyntaxError("another root element");
  return fromTree(root?.[1], media.schema);
}

/** Parses the JSON in the only field of a form. */
function fromJsonField(fields: URLSearchParams, name: string): unknown {
  const stray = [...fields.keys()].find((key) => key !== name);
  if (stray !== undefined) throw malformed("Unknown field", `${stray} is not a field of this form`, stray);
  checkOnce(fields.getAll(name), name);
  return JSON.parse(fields.get(name) ?? "");
}

/** Reads the body, with the argument values that its media type implies. */
function readBody(
  operation: AnyOperation,
  request: IncomingRequest,
  { given, vendor, words }: Reading,
): { readonly body: unknown; readonly chosen: TextsByName } {
  const possible = possibleMedia(operation.spec.body, given);
  if (possible.length === 0) {
    if (request.body.length > 0) throw malformed("Unexpected body", "This operation takes no body", "body");
    return { body: undefined, chosen: {} };
  }
  const type = request.headers["content-type"]?.split(";")[0]?.trim() ?? "";
  if (request.body.length === 0) {
    if (possible.some(({ media }) => media.schema.safeParse(undefined).success)) return { body: undefined, chosen: {} };
    throw malformed("Missing body", "This operation needs a body", "body");
  }
  const matching = possible.flatMap(({ media, chosen }) => {
    const values = readType(media, vendor, type);
    return values === undefined ? [] : [{ media, chosen: { ...chosen, ...values } }];
  });
  if (matching.length === 0) {
    const types = possible.map(({ media }) => media.type.replaceAll("<vendor>", vendor));
    throw new RequestRefusal(415, "Unsupported media type", `Send ${types.join(" or ")}`);
  }
  let last: unknown;
  for (const { media, chosen } of matching) {
    try {
      const whole = checked(words.toDocuments(decoded(media, request.body)), media.schema, "body");
      // What the API sets itself is ignored in a request that repeats it.
      return { body: sentPart(media.schema, whole, []).value, chosen };
    } catch (error) {
      last =
        error instanceof RequestRefusal ? error : malformed("Malformed body", `The body is not ${media.codec}`, "body");
    }
  }
  throw last;
}

function readPath(operation: AnyOperation, segments: TextsByName, words: Translation): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(operation.spec.path ?? {}).map(([name, param]) => {
      const schema = schemaOfParam(param);
      let text: string;
      try {
        text = decodeURIComponent(segments[name] ?? "");
      } catch {
        throw malformed("Invalid path", `${name} is not validly percent-encoded`, name);
      }
      // The URL parser has already removed dot segments, including escaped ones.
      if (/[/\\\p{Cc}]/u.test(text)) throw malformed("Invalid path", `${name} is not a single path segment`, name);
      return [name, checked(words.toDocuments(fromText(text, schema)), schema, name)];
    }),
  );
}

function checkHeaders({ spec }: AnyOperation, headers: IncomingRequest["headers"], vendor: string): void {
  for (const [name, header] of Object.entries(spec.headers ?? {})) {
    const text = headers[name.toLowerCase()];
    const isMissing =
      typeof header === "string"
        ? text !== header.replaceAll("<vendor>", vendor)
        : text === undefined && !header.schema.safeParse(undefined).success;
    if (isMissing) throw malformed("Missing header", `${name} is required`, name);
    if (typeof header !== "string" && text !== undefined) checked(fromText(text, header.schema), header.schema, name);
  }
}

/**
 * Reads a request for an operation, or refuses it by the documents' rules on names, types and media. `content-length` is
 * the number of bytes received, whatever the client claimed.
 */
export function readCall(
  { operation, fixed }: { readonly operation: AnyOperation; readonly fixed: FixedQuery },
  segments: TextsByName,
  request: IncomingRequest,
  reading: Reading,
): ReadCall {
  const { answer, vendor, words } = reading;
  checkHeaders(operation, request.headers, vendor);
  const call = {
    path: readPath(operation, segments, words),
    query: readQuery(operation, request.url, fixed, words),
    headers: { ...request.headers, "content-length": String(request.body.byteLength) },
  };
  const { body, chosen } = readBody(operation, request, reading);
  const all = { ...answer?.chosen, ...chosen };
  return { ...call, body, ...(Object.keys(all).length === 0 ? {} : { chosen: all }) };
}
