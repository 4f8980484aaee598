/** EG1-HMAC-SHA256, the signature of each request (public facts A, 0.1); verified with the published vectors. */
import { createHash, createHmac, randomUUID } from "node:crypto";

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
export interface Moment {
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
export function freshMoment(nowMs: number): Moment {
  const second = Math.floor(nowMs / 1000);
  // Stryker disable next-line ConditionalExpression: the same second is written the same again.
  if (second !== lastSecond) {
    const time = new Date(nowMs).toISOString();
    lastTimestamp = `${time.slice(0, 10).replaceAll("-", "")}${time.slice(10, 19)}+0000`;
    lastSecond = second;
  }
  return { timestamp: lastTimestamp, nonce: randomUUID() };
}

const hmac = (key: string, message: string): string => createHmac("sha256", key).update(message).digest("base64");

let lastKey = { clientSecret: "", timestamp: "", key: "" };

/** The signing key of a timestamp, cached because a busy process signs many requests per second. */
function signingKey(clientSecret: string, timestamp: string): string {
  // Stryker disable next-line ConditionalExpression: the same key is computed again.
  if (lastKey.timestamp !== timestamp || lastKey.clientSecret !== clientSecret)
    lastKey = { clientSecret, timestamp, key: hmac(clientSecret, timestamp) };
  return lastKey.key;
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
export function sign(request: Signable, keys: SigningKeys, { timestamp, nonce }: Moment): string {
  const { method, url, headers, body } = request;
  const unsigned = `EG1-HMAC-SHA256 client_token=${keys.clientToken};access_token=${keys.accessToken};timestamp=${timestamp};nonce=${nonce};`;
  const isHashed = method === "POST" && body !== undefined && body.byteLength > 0;
  const hash = isHashed
    ? createHash("sha256")
        .update(body.subarray(0, keys.maxBodyBytes ?? defaultMaxBodyBytes))
        .digest("base64")
    : "";
  const data = [
    method,
    url.protocol.slice(0, -1),
    url.host,
    url.pathname + url.search,
    canonicalHeaders(headers, keys.headersToSign),
    hash,
    unsigned,
  ].join("\t");
  return `${unsigned}signature=${hmac(signingKey(keys.clientSecret, timestamp), data)}`;
}
