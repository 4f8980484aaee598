/** From an operation and validated arguments to the bytes of a request that cannot address any other operation. */
import { type AnswerMedia, codecsOf, typeOf } from "../language/choice.js";
import type { AnyOperation, Codec, Media } from "../language/define.js";
import { quoteValue } from "../language/failure.js";
import { type Style, styleOf } from "../language/media.js";
import { onceFor } from "../language/once-for.js";
import { type Translation, usualVendorWords, type VendorWords, vendorTranslation } from "../language/vendor-words.js";
import { CodecError } from "../language/wire.js";
import { invalidInput, type ValidatedArguments } from "../schema/arguments.js";
import { encode } from "./codec/index.js";
import { jsonText } from "./codec/json.js";

/** The target of requests, and what is added to each of them. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The replacement of `<vendor>` in media types and paths. */
  readonly vendor: string;
  readonly accountSwitchKey?: string;
  /** The vendor's words for those of the documents; the usual ones by default. */
  readonly vendorWords?: VendorWords;
}

/** The translation of an operation's words for a target. */
export const translationFor = ({ service }: AnyOperation, { vendorWords = usualVendorWords }: Target): Translation =>
  vendorTranslation(service?.vendorWords ?? [], vendorWords);

/** A request without its authorization: what the guard hashes and each attempt signs. */
export interface ResolvedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The media that its response can have. */
  readonly answers: AnswerMedia;
}

// Printable ASCII without the characters that end, split or rewrite a path segment. Dot segments are rejected
// separately.
const segmentGrammar = /^[A-Za-z0-9._~@:+,=!$'()*|^<>{}[\]" -]+$/;

function pathSegment(tool: string, name: string, value: unknown): string {
  const text = String(value);
  if (!segmentGrammar.test(text) || /^\.+$/.test(text) || text !== text.trim())
    throw invalidInput(tool, [
      {
        field: name,
        given: quoteValue(text),
        takes: "one path segment of printable ASCII, without / \\ % ? # ; & and not . or ..",
      },
    ]);
  return encodeURIComponent(text);
}

function queryText(tool: string, name: string, style: Style, value: unknown): string[] {
  const refuse = (text: string, marks: string): never => {
    throw invalidInput(tool, [
      { field: name, given: quoteValue(text), takes: `values without ${marks}, which separate them on the wire` },
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
      const pairs = entries.flatMap(([key, items]) =>
        items.map((item) =>
          /[,=]/.test(key) || String(item).includes(",")
            ? refuse(`${key}=${String(item)}`, "a comma or an equals sign")
            : `${key}=${String(item)}`,
        ),
      );
      return pairs.length === 0 ? [] : [pairs.join(",")];
    }
    case "json":
      return [jsonText(value)];
    case "plain":
      return [String(value)];
  }
}

const visibleAscii = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** The parts of a request that depend only on the declaration. */
interface Template {
  readonly method: string;
  readonly path: string;
  /** The query that identifies the operation in the operations table. */
  readonly fixedQuery: string;
  readonly segments: number;
}

/** The parts of a request that depend only on its declaration. */
export const templateOf = onceFor(({ route }: AnyOperation): Template => {
  const [method = "", rest = ""] = route.split(" ");
  const [path = "", fixedQuery = ""] = rest.split("?");
  return { method, path, fixedQuery, segments: path.split("/").length };
});

/** The arguments in the path of a request. */
export function pathArgumentsOf(operation: AnyOperation, { url }: ResolvedRequest): Record<string, string> {
  const segments = url.pathname.split("/");
  const names = templateOf(operation).path.split("/");
  return Object.fromEntries(
    names.flatMap((name, at) =>
      /^\{\w+\}$/.test(name) ? [[name.slice(1, -1), decodeURIComponent(segments[at] ?? "")]] : [],
    ),
  );
}

/** The query pair that switches to another account, in a list that is empty if no account is set. */
export const accountSwitchQuery = ({ accountSwitchKey }: Target): readonly string[] =>
  accountSwitchKey === undefined ? [] : [`accountSwitchKey=${encodeURIComponent(accountSwitchKey)}`];

function queryOf(
  tool: string,
  operation: AnyOperation,
  args: ValidatedArguments,
  target: Target,
  { toWire }: Translation,
): string[] {
  const { fixedQuery } = templateOf(operation);
  const pairs: string[] = fixedQuery === "" ? [] : [fixedQuery];
  for (const [name, declared] of Object.entries(operation.spec.query ?? {})) {
    if (args.query[name] === undefined) continue;
    const value = toWire(args.query[name]);
    for (const text of queryText(tool, name, styleOf(declared), value))
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  return [...pairs, ...accountSwitchQuery(target)];
}

const acceptedByCodec = onceFor((_: AnswerMedia) => new Map<Codec, readonly Media[]>());

/** The media to accept, each type once, in the chosen or default format. */
function acceptedMedia(answers: AnswerMedia, format: Codec | undefined): readonly Media[] {
  const codec = format ?? codecsOf(answers.wanted)[0];
  if (codec === undefined) return [];
  const ofAnswers = acceptedByCodec(answers);
  const known = ofAnswers.get(codec);
  if (known) return known;
  const media = answers.wanted.filter((one) => one.codec === codec);
  const once = media.filter(({ type }, index) => media.findIndex((one) => one.type === type) === index);
  ofAnswers.set(codec, once);
  return once;
}

function headersOf(
  tool: string,
  operation: AnyOperation,
  args: ValidatedArguments,
  { vendor }: Target,
): Record<string, string> {
  const accepted = acceptedMedia(args.answers, args.format).map((medium) => typeOf(medium, args.values, vendor));
  const headers: Record<string, string> = { accept: accepted.join(", ") || "*/*" };
  for (const [name, header] of Object.entries(operation.spec.headers ?? {})) {
    const value = typeof header === "string" ? header.replaceAll("<vendor>", vendor) : args.headers[name];
    if (value === undefined) continue;
    if (!visibleAscii.test(String(value))) {
      const field = typeof header === "string" ? name : header.argument;
      throw invalidInput(tool, [{ field, given: quoteValue(value), takes: "visible ASCII on one line" }]);
    }
    headers[name.toLowerCase()] = String(value);
  }
  return headers;
}

/**
 * The bytes of the body, in the medium that the validation chose; a body without a medium is rejected, never dropped.
 */
async function bodyOf(tool: string, medium: Media | undefined, body: unknown): Promise<Uint8Array | undefined> {
  const refuse = (takes: string) => invalidInput(tool, [{ field: "body", takes }]);
  if (!medium) throw refuse("a value of a shape that the operation declares");
  try {
    return await encode(medium, body);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw refuse(`a value that can be written as ${medium.codec}. ${error.message}`);
  }
}

/**
 * Builds the request of a call. The parsed URL is checked to have the template's segments, so that no value can reach
 * another operation (security notes, F1).
 * @throws Failure `invalid_input` for a value that cannot be sent safely.
 */
export async function resolveRequest(
  tool: string,
  operation: AnyOperation,
  args: ValidatedArguments,
  target: Target,
): Promise<ResolvedRequest> {
  const { method, path: template, segments } = templateOf(operation);
  const words = translationFor(operation, target);
  const { toWire } = words;
  const path = template
    .replaceAll("<vendor>", target.vendor)
    .replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(tool, name, toWire(args.path[name])));
  const pairs = queryOf(tool, operation, args, target, words);
  const url = new URL(`${target.origin}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`);
  if (url.origin !== target.origin || url.pathname !== path || url.pathname.split("/").length !== segments)
    throw invalidInput(tool, [
      { field: "path", given: quoteValue(path), takes: "values that leave the declared path unchanged" },
    ]);
  const headers = headersOf(tool, operation, args, target);
  const body = args.body === undefined ? undefined : await bodyOf(tool, args.medium, toWire(args.body));
  if (args.medium && body) headers["content-type"] = typeOf(args.medium, args.values, target.vendor);
  return { method, url, headers, answers: args.answers, ...(body ? { body } : {}) };
}
