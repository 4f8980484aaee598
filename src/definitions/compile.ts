/** Compiles a parsed OpenAPI 3.0 definition to its facts, and reports what it leaves out. */
import { createHash } from "node:crypto";
import type { Route } from "../language/define.js";
import { defined, isRecord, memberAt } from "../language/member.js";
import type { CompiledMedia, CompiledOperation, Definition, ImportFinding, Parameter } from "./definition.js";
import {
  isArgumentName,
  isFixedQuery,
  isHeader,
  isLiteral,
  isMediaType,
  isQueryName,
  methods,
  reservedNames,
  switchesAccount,
} from "./let-through.js";
import { namesFor, wordsIn } from "./names.js";
import type { DefinitionSource } from "./read.js";
import { asText, createFollow, type Follow, type LocatedValue, Shapes } from "./shapes.js";

type Members = Readonly<Record<string, unknown>>;

const limits = {
  operations: 5_000,
  pathLength: 300,
  segmentLength: 64,
  segmentWords: 8,
  textLength: 120,
  named: 4,
};

/** Why an operation is not imported. */
class UnusableOperation extends Error {}

/** The headers that every call has without being given them. */
const transportHeaders = new Set([
  "accept",
  "accept-encoding",
  "authorization",
  "content-length",
  "content-type",
  "host",
]);

/** A word for an argument: `config-id` as `configId`, `If-Match` as `ifMatch`. */
const argumentName = (wire: string): string =>
  wire
    .replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase())
    .replaceAll(/[^A-Za-z0-9_]+(.)?/g, (_, next: string = "") => next.toUpperCase());

type Places = Record<"path" | "query" | "headers", Record<string, Parameter>>;

/** The context for compiling the parts of an operation. */
interface CompileContext {
  readonly follow: Follow;
  readonly shapes: Shapes;
  /** Called with each reason why a part of the operation is not imported as written. */
  readonly note: (why: string) => void;
}

const places = { path: "path", query: "query", header: "headers" } as const;
const isPlace = (name: unknown): name is keyof typeof places => typeof name === "string" && Object.hasOwn(places, name);

/** Whether a call can have a parameter; undefined if the configuration or the transport sets it. */
function isSendable(place: keyof Places, wire: string, name: string): boolean | undefined {
  if (place === "headers") return transportHeaders.has(wire.toLowerCase()) ? undefined : isHeader(wire);
  if (place === "query") return switchesAccount(wire) ? undefined : isQueryName(wire);
  return isArgumentName(name);
}

/** How a parameter is written; objects have no common notation in a query, so their text is passed on. */
function compileParameter(
  { follow, shapes }: CompileContext,
  value: Members,
  from: string,
  place: keyof Places,
): Parameter {
  const shape = shapes.shapeOf(follow, { value: value["schema"] ?? firstOf(value["content"]), from });
  const isObject = shape.type === "object" || shape.properties !== undefined;
  const isJoined = shape.type === "array" && (value["explode"] === false || place !== "query");
  return defined({
    shape: isObject ? { type: "string" } : shape,
    isRequired: value["required"] === true || place === "path" || undefined,
    style: isJoined ? "comma" : undefined,
  }) as unknown as Parameter;
}

/** The parameters of an operation, and those that calls do not have: an operation that requires one is guarded. */
interface CompiledParameters {
  readonly byPlace: Places;
  readonly leftOut: readonly { readonly wire: string; readonly isRequired: boolean }[];
}

/** A parameter as it is written; undefined for one of another place, such as a cookie. */
function readParameter({ value, from }: LocatedValue) {
  const [wire, within] = [asText(memberAt(value, ["name"])), memberAt(value, ["in"])];
  if (!isRecord(value) || wire === undefined || !isPlace(within)) return undefined;
  const place = places[within];
  const isRequired = value["required"] === true;
  if (place === "query" && reservedNames.has(wire) && isRequired)
    throw new UnusableOperation(`it requires the parameter ${wire}, a name that calls give another meaning`);
  return { value, from, wire, place, name: place === "query" ? wire : argumentName(wire), isRequired };
}

function parametersOf(context: CompileContext, lists: readonly LocatedValue[]): CompiledParameters {
  const byPlace: Places = { path: {}, query: {}, headers: {} };
  const leftOut = new Map<string, boolean>();
  const isTaken = (name: string) => Object.values(byPlace).some((one) => Object.hasOwn(one, name));
  for (const { value, from, wire, place, name, isRequired } of lists.flatMap(
    (one) => readParameter(context.follow(one)) ?? [],
  )) {
    const takes = isSendable(place, wire, name);
    if (takes === false && place !== "path") leftOut.set(wire, isRequired || leftOut.get(wire) === true);
    // The operation's own parameters come before those of its path.
    if (!takes || isTaken(name)) continue;
    const wired = place === "headers" ? { wire } : {};
    byPlace[place][name] = { ...wired, ...compileParameter(context, value, from, place) };
  }
  return { byPlace, leftOut: [...leftOut].map(([wire, isRequired]) => ({ wire, isRequired })) };
}

const firstOf = (content: unknown): unknown =>
  isRecord(content) ? memberAt(Object.values(content)[0], ["schema"]) : undefined;

/** The media type that definitions give to a medium that they do not know. */
const anyType = "*/*";

const essence = (type: string): string => type.split(";")[0]?.trim().toLowerCase() ?? "";
const isJsonType = (type: string): boolean => type === "application/json" || type.endsWith("+json");

/** The media of a body, the preferred one first: JSON, of several versions the newest. */
function mediaOf(content: unknown): readonly [type: string, schema: unknown][] {
  if (!isRecord(content)) return [];
  // The vendor leaves out the first part of some types.
  const media = Object.entries(content).map(
    ([type, one]) =>
      [essence(type.includes("/") ? type : `application/${type}`), memberAt(one, ["schema"])] as [string, unknown],
  );
  const known = media.filter(([type]) => isMediaType(type) || type === anyType);
  const rank = ([type]: readonly [string, unknown]) => (isJsonType(type) ? 2 : type === anyType ? 0 : 1);
  return known
    .map((one, at) => ({ one, at }))
    .sort(
      (a, b) => rank(b.one) - rank(a.one) || b.one[0].localeCompare(a.one[0], "en", { numeric: true }) || a.at - b.at,
    )
    .map(({ one }) => one);
}

/** The media that can be sent or read; one of any type is sent and read as JSON. */
const isWritable = (type: string): boolean =>
  isJsonType(type) || /^text\//.test(type) || type === "application/x-www-form-urlencoded" || type === anyType;
const isReadable = (type: string): boolean =>
  isJsonType(type) || /^text\//.test(type) || /[/+]xml$/.test(type) || type === anyType;

const isAny = (schema: unknown): boolean =>
  schema === undefined || (isRecord(schema) && Object.keys(schema).length === 0);

/** The first of some media, with the others that have a type. */
function compileMedia(
  { follow, shapes }: CompileContext,
  media: readonly (readonly [type: string, schema: unknown])[],
  from: string,
): CompiledMedia | undefined {
  const [first, ...others] = media
    .filter(([type], at) => at === 0 || type !== anyType)
    .map(
      ([type, schema]): CompiledMedia => ({
        type: type === anyType ? "application/json" : type,
        ...(isAny(schema) ? {} : { shape: shapes.indexOf(follow, { value: schema, from }) }),
      }),
    );
  return first && { ...first, ...(others.length > 0 ? { others } : {}) };
}

interface CompiledBody {
  readonly body?: NonNullable<CompiledOperation["body"]>;
  readonly refused?: string;
}

function bodyOf(context: CompileContext, request: LocatedValue): CompiledBody {
  const { value, from } = context.follow(request);
  if (!isRecord(value)) return {};
  const media = mediaOf(value["content"]);
  const compiledMedia = compileMedia(
    context,
    media.filter(([type]) => isWritable(type)),
    from,
  );
  if (compiledMedia) return { body: { ...compiledMedia, ...(value["required"] === true ? { isRequired: true } : {}) } };
  const [other] = media;
  return other === undefined ? {} : { refused: `its body is ${other[0]}, which is not sent yet` };
}

function returnsOf(context: CompileContext, responses: LocatedValue): Pick<CompiledOperation, "returns" | "refused"> {
  const { value, from } = context.follow(responses);
  const returns: Record<string, CompiledMedia | null> = {};
  let refused: string | undefined;
  for (const [status, response] of isRecord(value) ? Object.entries(value) : []) {
    if (!/^[23]\d\d$/.test(status)) continue;
    const found = context.follow({ value: response, from });
    const media = mediaOf(memberAt(found.value, ["content"]));
    const readable = media.filter(([type]) => isReadable(type));
    if (readable.length === 0 && media.length > 0 && status.startsWith("2"))
      refused = `its response is ${media[0]?.[0]}, which is not read yet`;
    const known = readable.filter(([type, schema]) => type !== anyType || !isAny(schema));
    returns[status] = compileMedia(context, known, found.from) ?? null;
  }
  return { returns, ...(refused === undefined ? {} : { refused }) };
}

/** @throws UnusableOperation for a segment that cannot be sent as it is. */
function checkSegment(segment: string): void {
  if (/^\{[^{}]+\}$/.test(segment)) return;
  const segmentText = JSON.stringify(shorten(segment));
  if (/[{}]/.test(segment))
    throw new UnusableOperation(`in its path a key is only a part of the segment ${segmentText}`);
  if (!isLiteral(segment))
    throw new UnusableOperation(`its path has the segment ${segmentText}, which could address something else`);
  // Paths are shown to people and models, so that a segment has no room for a sentence.
  if (segment.length > limits.segmentLength || wordsIn(segment).length > limits.segmentWords)
    throw new UnusableOperation(`its path has the segment ${segmentText}, which is too long for a name`);
}

/** The full path of an operation. @throws UnusableOperation for one that cannot be sent safely. */
function checkPath(base: string, path: string): string {
  const [pathname = "", query] = path.split(/\?(.*)/s);
  const whole = `${base}${pathname.startsWith("/") ? pathname : `/${pathname}`}`;
  if (whole.length > limits.pathLength)
    throw new UnusableOperation(`its path is longer than ${limits.pathLength} characters`);
  // A path may end with a slash.
  for (const segment of whole.replace(/\/$/, "").split("/").slice(1)) checkSegment(segment);
  if (query === undefined) return whole;
  if (!isFixedQuery(query)) throw new UnusableOperation("the query in its path cannot be sent as it is");
  return `${whole}?${query}`;
}

/** The base path of a definition's server; undefined if another host or authentication would be needed. */
export function baseOf(servers: unknown): string | undefined {
  for (const server of Array.isArray(servers) ? servers : []) {
    const url = memberAt(server, ["url"]);
    const [, base] =
      (typeof url === "string" && /^https?:\/\/\{(?:hostname|host)\}((?:\/[A-Za-z0-9_.~-]+)*)\/?$/.exec(url)) || [];
    if (base !== undefined && !base.split("/").some((segment) => /^\.+$/.test(segment))) return base;
  }
  return undefined;
}

export interface CompileOptions {
  readonly id: string;
  readonly title: string;
  readonly base: string;
  /** The names that were given before, by route without the base. */
  readonly given: ReadonlyMap<string, string>;
  readonly isTaken: (name: string) => boolean;
  readonly withDescriptions: boolean;
  readonly report: (finding: ImportFinding) => void;
}

/** One operation before it has a name. */
interface CompiledRoute {
  readonly method: string;
  readonly path: string;
  readonly compiled: CompiledOperation;
}

const guardingExtensions = ["x-guarded", "x-destructive", "x-edgewise-guarded"];

/** The item of a path, one of its methods, and the files that they are in. */
interface WrittenOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: LocatedValue & { readonly value: Members };
  readonly onPath: LocatedValue & { readonly value: Members };
}

const itemsOf = ({ value, from }: LocatedValue): LocatedValue[] =>
  (Array.isArray(value) ? value : []).map((one) => ({ value: one, from }));
const memberOf = ({ value, from }: LocatedValue, name: string): LocatedValue => ({
  value: memberAt(value, [name]),
  from,
});
const ifAny = <T extends object>(members: T): T | undefined =>
  Object.keys(members).length === 0 ? undefined : members;

/** The first few texts of a definition in a sentence, and the number of the others. */
function namedIn(texts: readonly string[]): string {
  const more = texts.length - limits.named;
  const named = texts.slice(0, limits.named).map((text) => JSON.stringify(shorten(text)));
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

/** The finding about the arguments that an operation lacks. */
function noteOnLeftOut(leftOut: CompiledParameters["leftOut"]): string {
  const required = leftOut.filter(({ isRequired }) => isRequired);
  const [all, needed] = [leftOut, required].map((some) => namedIn(some.map(({ wire }) => wire)));
  const guarded = required.length === 0 ? "" : `; ${needed} would be required, so that its calls are guarded`;
  return `it has no argument for ${all}, which could make a call of it another one${guarded}`;
}

/** @throws UnusableOperation for an operation that cannot be called safely. */
function compileOperation(
  context: CompileContext,
  { method, path, operation, onPath }: WrittenOperation,
  { base, withDescriptions }: CompileOptions,
): CompiledRoute {
  const whole = checkPath(base, path);
  const { byPlace, leftOut } = parametersOf(context, [
    ...itemsOf(memberOf(operation, "parameters")),
    ...itemsOf(memberOf(onPath, "parameters")),
  ]);
  const keys = [...whole.matchAll(/\{([^{}]+)\}/g)].map(([, key = ""]) => ({ key, name: argumentName(key) }));
  const odd = keys.find(({ name }) => !/^\w+$/.test(name) || !isArgumentName(name));
  if (odd) throw new UnusableOperation(`its path has the key ${JSON.stringify(shorten(odd.key))}`);
  if (new Set(keys.map(({ name }) => name)).size < keys.length) throw new UnusableOperation("its path has a key twice");
  const named = keys.reduce((text, { key, name }) => text.replace(`{${key}}`, `{${name}}`), whole);
  const inPath = Object.fromEntries(
    keys.map(({ name }) => [
      name,
      { shape: byPlace.path[name]?.shape ?? { type: "string" }, isRequired: true as const },
    ]),
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  const { body, refused: unsendable } = hasBody ? bodyOf(context, memberOf(operation, "requestBody")) : {};
  const { returns, refused: unreadable } = returnsOf(context, memberOf(operation, "responses"));
  const isLacking = leftOut.some(({ isRequired }) => isRequired);
  const isGuarded = isLacking || guardingExtensions.some((name) => operation.value[name] === true);
  if (leftOut.length > 0) context.note(noteOnLeftOut(leftOut));
  const summary = withDescriptions ? asText(operation.value["summary"]) : undefined;
  const compiled = {
    route: `${method} ${named}` as Route,
    path: ifAny(inPath),
    query: ifAny(byPlace.query),
    headers: ifAny(byPlace.headers),
    body,
    returns: ifAny(returns) ?? { 200: null },
    isGuarded: isGuarded || undefined,
    says: summary === undefined ? undefined : shorten(summary),
    refused: unsendable ?? unreadable,
  };
  return { method, path: named.slice(base.length), compiled: defined(compiled) as unknown as CompiledOperation };
}

/** The methods of a path that have an operation. */
function operationsAt(follow: Follow, path: string, onPath: LocatedValue): WrittenOperation[] {
  if (!isRecord(onPath.value)) return [];
  const item = { value: onPath.value, from: onPath.from };
  return methods.flatMap((method) => {
    const { value, from } = follow(memberOf(onPath, method));
    return isRecord(value) ? [{ method: method.toUpperCase(), path, operation: { value, from }, onPath: item }] : [];
  });
}

/** The operations of one entry file. */
function operationsOf(source: DefinitionSource, shapes: Shapes, options: CompileOptions): CompiledRoute[] {
  const follow = createFollow(source);
  const { report } = options;
  const routes: CompiledRoute[] = [];
  const paths = Object.entries(source.value["paths"] as Members).map(([path, item]) => ({
    path,
    onPath: follow({ value: item, from: "" }),
  }));
  for (const { path, onPath } of paths)
    if (!isRecord(onPath.value))
      report({ at: `${source.path}, ${shorten(path)}`, why: "there is nothing behind its reference" });
  for (const operation of paths.flatMap(({ path, onPath }) => operationsAt(follow, path, onPath))) {
    const note = (why: string) => report({ at: `${source.path}, ${operation.method} ${shorten(operation.path)}`, why });
    try {
      if (routes.length >= limits.operations)
        throw new UnusableOperation(`at most ${limits.operations} operations of a file are imported`);
      routes.push(compileOperation({ follow, shapes, note }, operation, options));
    } catch (error) {
      if (!(error instanceof UnusableOperation)) throw error;
      note(error.message);
    }
  }
  return routes;
}

const shorten = (text: string): string =>
  (text.length > limits.textLength ? `${text.slice(0, limits.textLength - 1)}…` : text).replaceAll(
    /[^\x20-\x7e…]/g,
    "?",
  );

/** Requires nothing in the query: it can be read with the arguments of another call. */
const isReadableAlone = ({ query = {}, refused }: CompiledOperation): boolean =>
  refused === undefined && Object.values(query).every(({ isRequired }) => isRequired !== true);

/** The operations with the name of the GET that shows the state at the same path. */
function withState(named: readonly (readonly [string, CompiledOperation])[]): Record<string, CompiledOperation> {
  const reads = new Map(
    named
      .filter(([, operation]) => operation.route.startsWith("GET ") && isReadableAlone(operation))
      .map(([name, operation]) => [operation.route.slice("GET ".length), name]),
  );
  return Object.fromEntries(
    named.map(([name, operation]) => {
      const [method = "", path = ""] = operation.route.split(" ");
      const shownBy = method === "GET" || method === "HEAD" ? undefined : reads.get(path);
      return [name, shownBy === undefined ? operation : { ...operation, shownBy }];
    }),
  );
}

/**
 * Compiles the entry files of one API.
 * @param sources They have the same base path.
 * @returns The definition; undefined if it has no operation.
 */
export function compile(sources: readonly DefinitionSource[], options: CompileOptions): Definition | undefined {
  const { id, title, base, given, isTaken, report } = options;
  const shapes = new Shapes();
  const routes = sources.flatMap((source) => operationsOf(source, shapes, options));
  if (shapes.isCut) report({ at: base, why: "schemas that are very large, very deep, or contain themselves were cut" });
  const once = new Map(routes.map((one) => [one.compiled.route, one]));
  if (once.size < routes.length)
    report({ at: base, why: `${routes.length - once.size} operations are defined twice; the last definition counts` });
  const operations = [...once.values()];
  if (operations.length === 0) return undefined;
  const names = namesFor(id, operations, given, isTaken);
  return {
    form: 1,
    id,
    title,
    base,
    version: shorten(asText(memberAt(sources[0]?.value, ["info", "version"])) ?? ""),
    digest: createHash("sha256")
      .update(
        sources
          .map((one) => one.digest())
          .sort()
          .join(),
      )
      .digest("hex"),
    dated: new Date(Math.max(...sources.map((one) => one.changedMs()))).toISOString().slice(0, 10),
    shapes: shapes.all,
    operations: withState(operations.map(({ compiled }, at) => [names[at] ?? "", compiled] as const)),
  };
}
