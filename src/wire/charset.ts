/** The character encoding of a response: what its content type declares is read as UTF-8 from there on. */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import type { WireResponse } from "../language/wire.js";
import { essence, isXml } from "./body.js";

const declaredCharset = ({ headers }: Pick<WireResponse, "headers">): string | undefined =>
  /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(headers["content-type"] ?? "")?.[1];

/** A decoder of a declared encoding; undefined if this program does not know it. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/**
 * A body as UTF-8; unchanged if there is no decoder for it.
 * @param decoderFor Called with the first part, which may declare the encoding.
 */
async function* transcodeBody(
  body: WireResponse["body"],
  decoderFor: (start: Uint8Array) => TextDecoder | undefined,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  let decoder: TextDecoder | undefined;
  for await (const part of body) {
    if (isFirst) decoder = decoderFor(part);
    isFirst = false;
    yield decoder ? Buffer.from(decoder.decode(part, { stream: true })) : part;
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

/** A body whose first part has at least `least` bytes, unless the whole body is shorter. */
async function* withStart(body: WireResponse["body"], least: number): AsyncGenerator<Uint8Array> {
  let start: Uint8Array = new Uint8Array();
  let isStarted = false;
  for await (const part of body) {
    if (isStarted) yield part;
    else {
      start = Buffer.concat([start, part]);
      isStarted = start.length >= least;
      if (isStarted) yield start;
    }
  }
  if (!isStarted) yield start;
}

const longestDeclaration = 256;

/** The decoder of XML that declares its encoding in its first bytes only (XML 1.0, 4.3.3). */
function decoderOfXml(start: Uint8Array): TextDecoder | undefined {
  const text = Buffer.from(start.subarray(0, longestDeclaration)).toString("latin1");
  const label = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1];
  const decoder = label === undefined ? undefined : decoderOf(label);
  // UTF-16 cannot be the encoding of a declaration that was read by single bytes.
  return decoder?.encoding.startsWith("utf-") ? undefined : decoder;
}

/** A response with its body in UTF-8; unchanged if that is what it declares, or if its encoding is not known. */
export function transcodeToUtf8(response: WireResponse): WireResponse {
  const label = declaredCharset(response);
  if (label === undefined && isXml(essence(response.headers["content-type"])))
    return { ...response, body: transcodeBody(withStart(response.body, longestDeclaration), decoderOfXml) };
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder === undefined || decoder.encoding === "utf-8") return response;
  return { ...response, body: transcodeBody(response.body, () => decoder) };
}

/** Notes on text that could not be read as it was meant. */
export function notesOnText(response: Pick<WireResponse, "headers">, bytes: Uint8Array): readonly string[] {
  const label = declaredCharset(response);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (label !== undefined && decoder === undefined)
    return [`The response declares an unknown character encoding (${label.slice(0, 40)}); it was read as UTF-8.`];
  // A decoder of another encoding has already replaced what it could not read.
  const isTranscoded = decoder !== undefined && decoder.encoding !== "utf-8";
  const isLost = isTranscoded && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("\uFFFD");
  return isUtf8(bytes) && !isLost
    ? []
    : ["Some bytes of the response are not text in its encoding; they are shown as \uFFFD."];
}
