/** From an operation and checked arguments to the bytes of a request that cannot name anything but that operation. */
import { type CheckedArguments, formatsOf, invalidInput, mediaList, returnedMedia } from "../api/arguments.js";
import type { AnyOperation, Codec, Header, Param, Style } from "../api/define.js";
import { shown } from "../api/failure.js";
import { encode } from "../codec/index.js";

/** Where requests go and what is added to each. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The word that stands for `<vendor>` in media types and paths. */
  readonly vendor: string;
  readonly accountSwitchKey?: string;
}

/** A request without its authorization: what the guard hashes and what each attempt signs anew. */
export interface ResolvedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

// Printable ASCII without what can end, split or rewrite a path segment. A dot segment is refused apart from this.
const segmentGrammar = /^[A-Za-z0-9._~@:+,=!$'()*|^<>{}[\]" -]+$/;

function pathSegment(tool: string, name: string, value: unknown): string {
  const text = String(value);
  if (!segmentGrammar.test(text) || /^\.+$/.test(text) || text !== text.trim())
    throw invalidInput(tool, [
      {
        field: name,
        given: shown(text),
        takes: "one path segment of printable ASCII, without / \\ % ? # ; & and not . or ..",
      },
    ]);
  return encodeURIComponent(text);
}

function queryText(tool: string, name: string, style: Style, value: unknown): string[] {
  const refuse = (text: string, marks: string): never => {
    throw invalidInput(tool, [
      { field: name, given: shown(text), takes: `values without ${marks}, which separate them on the wire` },
    ]);
  };
  switch (style) {
    case "repeat":
      return (value as readonly unknown[]).map(String);
    case "comma":
      return [
        (value as readonly unknown[])
          .map((item) => (String(item).includes(",") ? refuse(String(item), "a comma") : item))
          .join(","),
      ];
    case "pairs": {
      const entries = Object.entries(value as Readonly<Record<string, readonly unknown[]>>);
      const written = entries.flatMap(([key, items]) =>
        items.map((item) =>
          /[,=]/.test(key) || String(item).includes(",")
            ? refuse(`${key}=${String(item)}`, "a comma or an equals sign")
            : `${key}=${String(item)}`,
        ),
      );
      return written.length === 0 ? [] : [written.join(",")];
    }
    default:
      return [String(value)];
  }
}

const visibleAscii = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** What of a request follows from the declaration alone; worked out once an operation. */
interface Template {
  readonly method: string;
  readonly path: string;
  /** The query that belongs to the row in the operations table. */
  readonly fixedQuery: string;
  readonly segments: number;
  /** The Accept header for each form of the answer; the empty key is the default form. */
  readonly accept: ReadonlyMap<string, string>;
}

const templates = new WeakMap<AnyOperation, Template>();

/** The parts of a request that its declaration decides. */
export function templateOf(operation: AnyOperation): Template {
  const known = templates.get(operation);
  if (known) return known;
  const [method = "", rest = ""] = operation.route.split(" ");
  const [path = "", fixedQuery = ""] = rest.split("?");
  const media = returnedMedia(operation);
  const acceptOf = (format: Codec): string =>
    [...new Set(media.filter((one) => one.codec === format).map((one) => one.type))].join(", ");
  const formats = formatsOf(operation);
  const [first] = formats;
  const accept = new Map<string, string>(formats.map((format) => [format, acceptOf(format)]));
  accept.set("", first === undefined ? "*/*" : acceptOf(first));
  const template = { method, path, fixedQuery, segments: path.split("/").length, accept };
  templates.set(operation, template);
  return template;
}

/** The path arguments that a request was built from. */
export function pathOf(operation: AnyOperation, { url }: ResolvedRequest): Record<string, string> {
  const segments = url.pathname.split("/");
  const names = templateOf(operation).path.split("/");
  return Object.fromEntries(
    names.flatMap((name, at) =>
      /^\{\w+\}$/.test(name) ? [[name.slice(1, -1), decodeURIComponent(segments[at] ?? "")]] : [],
    ),
  );
}

function queryOf(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  { accountSwitchKey }: Target,
): string[] {
  const { fixedQuery } = templateOf(operation);
  const pairs: string[] = fixedQuery === "" ? [] : [fixedQuery];
  for (const [name, declared] of Object.entries((operation.spec.query ?? {}) as Record<string, Param>)) {
    const value = args.query[name];
    if (value === undefined) continue;
    for (const text of queryText(tool, name, declared.style ?? "plain", value))
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  if (accountSwitchKey !== undefined) pairs.push(`accountSwitchKey=${encodeURIComponent(accountSwitchKey)}`);
  return pairs;
}

function headersOf(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  { vendor }: Target,
): Record<string, string> {
  const { accept } = templateOf(operation);
  const headers: Record<string, string> = {
    accept: (accept.get(args.format ?? "") ?? "*/*").replaceAll("<vendor>", vendor),
  };
  for (const [name, header] of Object.entries((operation.spec.headers ?? {}) as Record<string, Header>)) {
    const value = typeof header === "string" ? header.replaceAll("<vendor>", vendor) : args.headers[name];
    if (value === undefined) continue;
    if (!visibleAscii.test(String(value))) {
      const field = typeof header === "string" ? name : header.argument;
      throw invalidInput(tool, [{ field, given: shown(value), takes: "visible ASCII on one line" }]);
    }
    headers[name.toLowerCase()] = String(value);
  }
  return headers;
}

/**
 * Builds the request of a call. The URL is checked to have the template's segments after parsing, so that no value can
 * reach another operation (security notes, F1).
 * @throws Failure `invalid_input` for a value that the wire cannot hold safely.
 */
export async function resolveRequest(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  target: Target,
): Promise<ResolvedRequest> {
  const { method, path: template, segments } = templateOf(operation);
  const path = template
    .replaceAll("<vendor>", target.vendor)
    .replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(tool, name, args.path[name]));
  const pairs = queryOf(tool, operation, args, target);
  const url = new URL(`${target.origin}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`);
  if (url.origin !== target.origin || url.pathname !== path || url.pathname.split("/").length !== segments)
    throw invalidInput(tool, [
      { field: "path", given: shown(path), takes: "values that leave the path as it is declared" },
    ]);
  const headers = headersOf(tool, operation, args, target);
  const media = mediaList(operation.spec.body).find((one) => one.schema.safeParse(args.body).success);
  const body = media && args.body !== undefined ? await encode(media, args.body) : undefined;
  if (media && body) headers["content-type"] = media.type.replaceAll("<vendor>", target.vendor);
  return { method, url, headers, ...(body ? { body } : {}) };
}
