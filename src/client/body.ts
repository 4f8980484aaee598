/** The bodies of responses: read up to a bound, told apart by content type, and an error's decoded as far as it is safe. */
import { Failure } from "../api/failure.js";
import type { WireResponse } from "../api/wire.js";
import { CodecError } from "../codec/index.js";
import { decodeJson } from "../codec/json.js";

/** A content type without its parameters, in lower case. */
export const essence = (contentType: string | undefined): string =>
  (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
/** Whether a content type names JSON, whatever is made of it. */
export const isJson = (type: string): boolean =>
  type === "application/json" || /^[a-z]+\/[a-z0-9.+-]+\+json$/.test(type);

/**
 * Reads a body up to a bound.
 * @throws Failure `too_large` when it goes on beyond `maxBytes`; SendFailure when it breaks off.
 */
export async function readBounded(response: WireResponse, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(response.headers["content-length"]);
  const tooLarge = () =>
    new Failure("too_large", `The answer is over the limit of ${maxBytes} bytes.`, {
      why: "Reading stops at the bound so that one answer cannot exhaust the memory.",
      next: "Ask for less (a shorter period, fewer objects, a page), or raise --max-response-bytes.",
      status: response.status,
    });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes || (declared > maxBytes && response.headers["content-encoding"] === undefined))
      throw tooLarge();
    chunks.push(chunk);
  }
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

const maxErrorBytes = 64 * 1024;
const maxErrorText = 2_000;

/** JSON as its value; as text where it is not whole, or nests so deep that writing it again would overflow the stack. */
function jsonOrText(bytes: Uint8Array, text: string): unknown {
  try {
    return decodeJson(bytes);
  } catch (error) {
    if (error instanceof CodecError) return text;
    throw error;
  }
}

/** The body of an error: a value where it is JSON, else the beginning of its text, and nothing of a page. */
export async function errorBody(response: WireResponse): Promise<unknown> {
  let bytes: Uint8Array;
  try {
    bytes = await readBounded(response, maxErrorBytes);
  } catch {
    // What cannot be read adds nothing to the status, which is already known.
    return undefined;
  }
  const type = essence(response.headers["content-type"]);
  const text = new TextDecoder().decode(bytes);
  const isPage = type.includes("html") || /^\s*<(!doctype html|html)\b/i.test(text);
  if (text === "" || isPage) return undefined;
  const start = text.slice(0, maxErrorText);
  return isJson(type) ? jsonOrText(bytes, start) : start;
}
