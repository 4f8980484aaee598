/**
 * What of a definition reaches the wire: methods, paths, the names of arguments, media. It is checked when a definition is
 * imported and again when an operation is used, because the compiled file can be older than this program, or have been changed.
 */
import { quoteValue } from "../language/failure.js";
import { isRecord, listAt } from "../language/member.js";
import type { CompiledOperation } from "./definition.js";

export const methods = ["get", "head", "post", "put", "patch", "delete"] as const;

const methodsSent: ReadonlySet<string> = new Set(methods.map((method) => method.toUpperCase()));

/** The headers that a call can have. Any other can make it another call for something between here and the API. */
const allowedHeaders: ReadonlySet<string> = new Set(
  [
    "PAPI-Use-Prefixes",
    "Policy-Set",
    "Contract",
    "If-Match",
    "If-None-Match",
    "If-Modified-Since",
    "Expires",
    "ETag",
  ].map((name) => name.toLowerCase()),
);

/** Whether a call can have a header, in upper or lower case. */
export const isHeader = (name: string): boolean => allowedHeaders.has(name.toLowerCase());

/**
 * A name as lenient servers compare it: without case, hyphens, underscores and brackets. A mark at its beginning counts
 * as an `x`: `_method` is another word for `X-Method`, and `method` is a word of some APIs.
 */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^[^a-z0-9]+/, "x")
    .replaceAll(/[^a-z0-9]/g, "");

const target = "(?:method|verb|ur[il]|path|host|prefix)";

// The names by which a method, path or host is replaced, in a header or in the query: `_method`, `X-Original-URL`.
const replacingNames = new RegExp(
  `^x(?:http|request)*(?:method|verb|host)$|^x?(?:original|rewrite|rewritten|real)${target}$|^x?forwarded|${target}override|override${target}`,
);

/** Whether an argument in the query replaces the method, path or host of a call for the API or something before it. */
const replacesCall = (name: string): boolean => replacingNames.test(plainName(name));

/** Whether a name in the query switches the account, which only the configuration does. */
export const switchesAccount = (name: string): boolean => plainName(name) === "accountswitchkey";

/** Names that calls give another meaning. */
export const reservedNames: ReadonlySet<string> = new Set([
  "body",
  "confirm",
  "view",
  "format",
  "max_tokens",
  "profile",
]);

/** Whether an argument can have a name: not that of a member that every object has. */
export const isArgumentName = (name: string): boolean =>
  name.length <= 100 && /^[A-Za-z_$][\w.$[\]-]*$/.test(name) && !reservedNames.has(name) && !(name in Object.prototype);

/** Whether an argument in the query can have a name. */
export const isQueryName = (name: string): boolean =>
  isArgumentName(name) && !replacesCall(name) && !switchesAccount(name);

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9*][a-z0-9!#$&^_.+*-]*$/;

/** Whether a text is a media type without parameters. */
export const isMediaType = (text: string): boolean => mediaType.test(text);

const literal = /^[A-Za-z0-9_.~@:!$'()*,;=+-]+$/;

/** Whether a segment of a path that is not a key is sent as it is. */
export const isLiteral = (segment: string): boolean => literal.test(segment) && !/^\.+$/.test(segment);

/** Whether a query that is fixed in a path is sent as it is, and replaces nothing. */
export const isFixedQuery = (query: string): boolean =>
  /^[\w-]+=[\w.-]+(?:&[\w-]+=[\w.-]+)*$/.test(query) &&
  query.split("&").every((pair) => isQueryName(pair.split("=")[0] ?? ""));

const keysIn = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key);

/** Whether a route is sent as it is: each segment of its path is a literal or a key. */
function isRoute(route: string, base: string): boolean {
  const [method = "", whole = "", ...more] = route.split(" ");
  const [path = "", query, ...queries] = whole.split("?");
  return (
    more.length + queries.length === 0 &&
    methodsSent.has(method) &&
    path.startsWith(`${base}/`) &&
    path
      .replace(/\/$/, "")
      .slice(1)
      .split("/")
      .every((segment) => /^\{\w+\}$/.test(segment) || isLiteral(segment)) &&
    keysIn(path).every(isArgumentName) &&
    (query === undefined || isFixedQuery(query))
  );
}

const isMedia = (media: unknown): boolean =>
  media === null ||
  media === undefined ||
  (isRecord(media) && isMediaType(String(media["type"])) && listAt(media, "others").every(isMedia));

/**
 * The names on the wire of the parameters of a place, by the names of their arguments; undefined if the file is
 * malformed.
 */
function parametersIn(place: unknown = {}): readonly (readonly [argument: string, wire: string])[] | undefined {
  if (!isRecord(place)) return undefined;
  const all = Object.entries(place).map(([argument, one]) =>
    isRecord(one) && isRecord(one["shape"]) ? ([argument, String(one["wire"] ?? argument)] as const) : undefined,
  );
  return all.includes(undefined) ? undefined : (all as (readonly [string, string])[]);
}

/**
 * The part of a compiled operation that must not reach the wire, as the end of a sentence.
 * @param operation As read from a file, so nothing about it is certain.
 * @param base The path of its API.
 * @returns undefined if all of it may.
 */
export function wireRefusal(
  operation: { readonly [K in keyof CompiledOperation]: unknown },
  base: string,
): string | undefined {
  const { route, body, returns } = operation;
  if (typeof route !== "string" || !isRoute(route, base)) return "its route is not one that is sent";
  const [path, query, headers] = [operation.path, operation.query, operation.headers].map(parametersIn);
  if (!path || !query || !headers || !isRecord(returns) || ![body, ...Object.values(returns)].every(isMedia))
    return "its arguments or media are not of their form";
  const keys = keysIn(route.split("?")[0] ?? "").toSorted();
  if (
    keys.join() !==
    path
      .map(([name]) => name)
      .sort()
      .join()
  )
    return "its keys are not those of its path";
  const [name] = query.find(([one]) => !isQueryName(one)) ?? [];
  if (name !== undefined) return `the argument ${quoteValue(name)} in its query is not one that is sent`;
  const [, wire] = headers.find(([argument, one]) => !isArgumentName(argument) || !isHeader(one)) ?? [];
  return wire === undefined ? undefined : `its header ${quoteValue(wire)} is not one that is sent`;
}
