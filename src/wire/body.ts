/** Response bodies: read up to a limit, classified by content type, and decoded for errors as far as that is safe. */
import { Failure } from "../language/failure.js";
import { CodecError, type WireResponse } from "../language/wire.js";
import { z } from "../language/z.js";
import { decode } from "./codec/index.js";
import { edgeReference, isPageText, pageText } from "./page.js";

/** A content type without its parameters, in lower case. */
export const essence = (contentType: string | undefined): string =>
  (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
/** Whether a content type is JSON or based on it, such as `application/problem+json`. */
export const isJson = (type: string): boolean =>
  type === "application/json" || /^[a-z]+\/[a-z0-9.+-]+\+json$/.test(type);
/** Whether a content type is XML or based on it. */
export const isXml = (type: string): boolean => /^(text|application)\/xml$|\+xml$/.test(type);
/** Whether a content type is that of a page for a person, which no API sends. */
export const isPageType = (type: string): boolean => type.includes("html");

/** The failure for a body that is too long; `flag` is the setting of the limit. */
export const tooLarge = ({ status }: WireResponse, maxBytes: number, flag: string): Failure =>
  new Failure("too_large", `The response exceeds the limit of ${maxBytes} bytes.`, {
    why: "Reading stops at the limit so that one response cannot exhaust the memory or the disk.",
    next: `Ask for less (a shorter period, fewer objects, a page), or raise ${flag}.`,
    status,
  });

/**
 * Reads a body up to a limit.
 * @throws Failure `too_large` if it is longer than `maxBytes`; SendFailure if the connection breaks.
 */
export async function readBounded(response: WireResponse, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(response.headers["content-length"]);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes || (declared > maxBytes && response.headers["content-encoding"] === undefined))
      throw tooLarge(response, maxBytes, "--max-response-bytes");
    chunks.push(chunk);
  }
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

const maxErrorBytes = 64 * 1024;
const maxErrorText = 2_000;

/** The value of a body; its text if it is invalid, or nested so deeply that serializing it would overflow the stack. */
async function valueOrText(codec: "json" | "xml", bytes: Uint8Array, text: string): Promise<unknown> {
  try {
    return await decode({ codec, type: "", schema: z.unknown() }, bytes);
  } catch (error) {
    if (error instanceof CodecError) return text;
    throw error;
  }
}

interface ErrorBody {
  /** Empty if the body is. */
  readonly detail: { readonly upstream?: unknown };
  /** Whether it is a page for a person, and so not from the API. */
  readonly isPage: boolean;
}

/** As much of a body as an error needs; less if the connection breaks, because the status is already known. */
async function startOf({ body }: WireResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let left = maxErrorBytes;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) break;
    }
  } catch {
    // A partial body says more than none.
  }
  return Buffer.concat(chunks);
}

/**
 * The body of an error: its value if it is JSON or XML, the words of a page, otherwise the beginning of its text;
 * nothing if it is empty. A body that is long or cut off is judged by its beginning.
 */
export async function errorBody(response: WireResponse): Promise<ErrorBody> {
  const bytes = await startOf(response);
  const declared = essence(response.headers["content-type"]);
  const text = new TextDecoder().decode(bytes);
  // Some APIs call their JSON a page.
  const type = isPageType(declared) && /^\s*[{[]/.test(text) ? "application/json" : declared;
  const isOfEdge = !isJson(type) && !isXml(type) && edgeReference.test(text);
  const isPage = isPageText(text) || isOfEdge || (isPageType(type) && text !== "");
  const words = isPage ? pageText(text) : text;
  if (words.trim() === "") return { detail: {}, isPage };
  const start = words.slice(0, maxErrorText);
  if (!isPage && (isJson(type) || isXml(type)))
    return { detail: { upstream: await valueOrText(isJson(type) ? "json" : "xml", bytes, start) }, isPage };
  return { detail: { upstream: start }, isPage };
}
