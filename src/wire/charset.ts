/** The character encoding of a response: what its content type declares is read as UTF-8 from there on. */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import type { WireResponse } from "../language/wire.js";
import { essence, isXml } from "./body.js";

const declaredIn = ({ headers }: Pick<WireResponse, "headers">): string | undefined =>
  /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(headers["content-type"] ?? "")?.[1];

/** A decoder of a declared encoding; undefined if this program does not know it. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

async function* transcoded(body: WireResponse["body"], decoder: TextDecoder): AsyncGenerator<Uint8Array> {
  for await (const part of body) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}

const longestDeclaration = 256;

/** The body of XML that declares its encoding in its first bytes only (XML 1.0, 4.3.3). */
async function* xmlInUtf8(body: WireResponse["body"]): AsyncGenerator<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < longestDeclaration) {
    const { done, value } = await parts.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const text = start.toString("latin1", 0, longestDeclaration);
  const label = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1];
  const decoder = label === undefined ? undefined : decoderOf(label);
  const whole = (async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => parts };
  })();
  // UTF-16 cannot be the encoding of a declaration that was read by single bytes.
  yield* decoder === undefined || decoder.encoding.startsWith("utf-") ? whole : transcoded(whole, decoder);
}

/** A response with its body in UTF-8; unchanged if that is what it declares, or if its encoding is not known. */
export function inUtf8(response: WireResponse): WireResponse {
  const label = declaredIn(response);
  if (label === undefined && isXml(essence(response.headers["content-type"])))
    return { ...response, body: xmlInUtf8(response.body) };
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder === undefined || decoder.encoding === "utf-8") return response;
  return { ...response, body: transcoded(response.body, decoder) };
}

/** Notes on text that could not be read as it was meant. */
export function notesOnText(response: Pick<WireResponse, "headers">, bytes: Uint8Array): readonly string[] {
  const label = declaredIn(response);
  if (label !== undefined && decoderOf(label) === undefined)
    return [`The response declares an unknown character encoding (${label.slice(0, 40)}); it was read as UTF-8.`];
  // What a declared encoding could not read is already in its place.
  const isRead = isUtf8(bytes) && (label === undefined || !Buffer.from(bytes).includes("\uFFFD"));
  return isRead ? [] : ["Some bytes of the response are not text in its encoding; they are shown as \uFFFD."];
}
