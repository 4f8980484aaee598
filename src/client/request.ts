/** From an operation and checked arguments to the bytes of a request that cannot name anything but that operation. */
import { type CheckedArguments, formatsOf, invalidInput, mediaList } from "../api/arguments.js";
import type { AnyOperation, Codec, Header, Media, Param, Style } from "../api/define.js";
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

function acceptOf(operation: AnyOperation, format: Codec | undefined, vendor: string): string {
  const wanted = format ?? formatsOf(operation)[0];
  const media = Object.values(operation.spec.returns as Record<number, Media | readonly Media[]>).flatMap((one) =>
    mediaList(one),
  );
  const types = media.filter((one) => one.codec === wanted).map((one) => one.type.replaceAll("<vendor>", vendor));
  return [...new Set(types)].join(", ") || "*/*";
}

const visibleAscii = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** The part of a route after the method, cut into path and the query that belongs to the row. */
export function splitRoute(operation: AnyOperation): {
  readonly method: string;
  readonly path: string;
  readonly fixedQuery: string;
} {
  const [method = "", rest = ""] = operation.route.split(" ");
  const [path = "", fixedQuery = ""] = rest.split("?");
  return { method, path, fixedQuery };
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
  const { method, path: template, fixedQuery } = splitRoute(operation);
  const vendored = template.replaceAll("<vendor>", target.vendor);
  const path = vendored.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(tool, name, args.path[name]));
  const pairs: string[] = fixedQuery === "" ? [] : [fixedQuery];
  for (const [name, declared] of Object.entries((operation.spec.query ?? {}) as Record<string, Param>)) {
    const value = args.query[name];
    if (value === undefined) continue;
    for (const text of queryText(tool, name, declared.style ?? "plain", value))
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  if (target.accountSwitchKey !== undefined)
    pairs.push(`accountSwitchKey=${encodeURIComponent(target.accountSwitchKey)}`);
  const url = new URL(`${target.origin}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`);
  const isUnmoved =
    url.origin === target.origin &&
    url.pathname.split("/").length === template.split("/").length &&
    url.pathname === path;
  if (!isUnmoved)
    throw invalidInput(tool, [
      { field: "path", given: shown(path), takes: "values that leave the path as it is declared" },
    ]);

  const headers: Record<string, string> = { accept: acceptOf(operation, args.format, target.vendor) };
  for (const [name, header] of Object.entries((operation.spec.headers ?? {}) as Record<string, Header>)) {
    const value = typeof header === "string" ? header.replaceAll("<vendor>", target.vendor) : args.headers[name];
    if (value === undefined) continue;
    if (!visibleAscii.test(String(value)))
      throw invalidInput(tool, [
        {
          field: typeof header === "string" ? name : header.argument,
          given: shown(value),
          takes: "visible ASCII on one line",
        },
      ]);
    headers[name.toLowerCase()] = String(value);
  }
  const media = mediaList(operation.spec.body).find((one) => one.schema.safeParse(args.body).success);
  const body = media && args.body !== undefined ? await encode(media, args.body) : undefined;
  if (media && body) headers["content-type"] = media.type.replaceAll("<vendor>", target.vendor);
  return { method, url, headers, ...(body ? { body } : {}) };
}
