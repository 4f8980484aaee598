/** EG1-HMAC-SHA256, the signature of each request (public facts A, 0.1); verified with the published vectors. */
import { hash, randomUUID } from "node:crypto";

/** The input of a signature. */
export interface SigningKeys {
  readonly clientToken: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  /** How many bytes of a body are hashed; the vendor's default if absent. */
  readonly maxBodyBytes?: number;
  /** Names of headers that are also signed, in this order. */
  readonly headersToSign?: readonly string[];
}

/** The timestamp as `yyyyMMddTHH:mm:ss+0000`, and a nonce that is never reused. */
export interface SignatureStamp {
  readonly timestamp: string;
  readonly nonce: string;
}

interface Signable {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const defaultMaxBodyBytes = 131_072;

let lastSecond = Number.NaN;
let lastTimestamp = "";

/** The time and nonce of an attempt. */
export function freshStamp(nowMs: number): SignatureStamp {
  const second = Math.floor(nowMs / 1000);
  // Stryker disable next-line ConditionalExpression: the same second is written the same again.
  if (second !== lastSecond) {
    const time = new Date(nowMs).toISOString();
    lastTimestamp = `${time.slice(0, 10).replaceAll("-", "")}${time.slice(10, 19)}+0000`;
    lastSecond = second;
  }
  return { timestamp: lastTimestamp, nonce: randomUUID() };
}

const blockBytes = 64;

/**
 * HMAC-SHA256 with a key (RFC 2104), in base64. Made of two hashes at a time, because an Hmac object of Node takes four
 * times as long in a busy server, where OpenSSL looks up its parts for each.
 */
function hmacWith(key: string): (message: string) => string {
  const given = Buffer.from(key);
  const bytes = given.length > blockBytes ? hash("sha256", given, "buffer") : given;
  const padded = (pad: number): Buffer =>
    Buffer.alloc(blockBytes, pad).map((byte, at) => byte ^ (bytes[at] ?? 0)) as Buffer;
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  const hashed = (...parts: readonly Uint8Array[]): Buffer => hash("sha256", Buffer.concat(parts), "buffer");
  return (message) => hashed(outer, hashed(inner, Buffer.from(message))).toString("base64");
}

let last = { clientSecret: "", timestamp: "", signature: hmacWith("") };

/** The function that signs with the key of a timestamp, cached because a busy process signs many requests per second. */
function signatureWith(clientSecret: string, timestamp: string): (data: string) => string {
  // Stryker disable next-line ConditionalExpression: the same key is computed again.
  if (last.timestamp !== timestamp || last.clientSecret !== clientSecret)
    last = { clientSecret, timestamp, signature: hmacWith(hmacWith(clientSecret)(timestamp)) };
  return last.signature;
}

/** The headers that are signed, in the order of their names. */
function canonicalHeaders(headers: Signable["headers"], names: readonly string[] = []): string {
  if (names.length === 0) return "";
  const byLowerName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return names
    .map((name) => name.toLowerCase())
    .filter((name) => byLowerName.has(name))
    .map((name) => `${name}:${byLowerName.get(name)?.trim().replaceAll(/\s+/g, " ")}`)
    .join("\t");
}

/** The value of the Authorization header. Only the body of a POST is hashed, and only its first bytes. */
export function sign(request: Signable, keys: SigningKeys, { timestamp, nonce }: SignatureStamp): string {
  const { method, url, headers, body } = request;
  const unsigned = `EG1-HMAC-SHA256 client_token=${keys.clientToken};access_token=${keys.accessToken};timestamp=${timestamp};nonce=${nonce};`;
  const isHashed = method === "POST" && body !== undefined && body.byteLength > 0;
  const bodyHash = isHashed ? hash("sha256", body.subarray(0, keys.maxBodyBytes ?? defaultMaxBodyBytes), "base64") : "";
  const data = [
    method,
    url.protocol.slice(0, -1),
    url.host,
    url.pathname + url.search,
    canonicalHeaders(headers, keys.headersToSign),
    bodyHash,
    unsigned,
  ].join("\t");
  return `${unsigned}signature=${signatureWith(keys.clientSecret, timestamp)(data)}`;
}
