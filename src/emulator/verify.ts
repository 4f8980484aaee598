/** Authenticates requests to the emulated API, with its own implementation of the signature scheme. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { demoCredentials } from "./credentials.js";
import { type ErrorFormat, RequestRefusal } from "./reply.js";
import { instant } from "./values.js";

/** A request as it arrived. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: URL;
  /** URL schemes that the client may have signed; the server cannot tell which one over plain loopback. */
  readonly schemes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const windowMs = 30_000;
const hashedBytes = 131_072;
const maxNonces = 20_000;

/** The gateway's own error format, with the time of the real clock (public facts A, 0.2). */
export const gatewayErrorFormat =
  (wallNow: () => number): ErrorFormat =>
  ({ status, title, detail }, { method, url }, { vendor }) => ({
    body: {
      type: `https://problems.luna.${vendor}apis.net/-/pep-authn/${status === 400 ? "request-error" : "deny"}`,
      title,
      status,
      detail,
      instance: url.href,
      method,
      serverIp: "192.0.2.1",
      clientIp: "127.0.0.1",
      requestId: createHash("sha256").update(url.href).digest("hex").slice(0, 8),
      requestTime: instant(wallNow()),
    },
  });

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** `20260501T12:00:00+0000` in milliseconds since 1970; NaN for anything else. */
function instantOf(timestamp: string): number {
  const [, year, month, day, time] = /^(\d{4})(\d{2})(\d{2})T(\d{2}:\d{2}:\d{2})\+0000$/.exec(timestamp) ?? [];
  return year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T${time}Z`);
}

function signatureOf(request: IncomingRequest, scheme: string, unsigned: string, timestamp: string): string {
  const { method, url, body } = request;
  const content =
    method === "POST" && body.length > 0
      ? createHash("sha256").update(body.subarray(0, hashedBytes)).digest("base64")
      : "";
  // Seven fields joined by tabs; the fifth, signed headers, is empty because this API asks for none.
  const message = `${method}\t${scheme}\t${url.host}\t${url.pathname}${url.search}\t\t${content}\t${unsigned}`;
  const key = createHmac("sha256", demoCredentials.clientSecret).update(timestamp).digest("base64");
  return createHmac("sha256", key).update(message).digest("base64");
}

const { clientToken, accessToken, basicUsername, basicPassword, bearerToken } = demoCredentials;
const accepted = [
  `Basic ${Buffer.from(`${basicUsername}:${basicPassword}`).toString("base64")}`,
  `Bearer ${bearerToken}`,
];
const pattern =
  /^EG1-HMAC-SHA256 client_token=([^;]+);access_token=([^;]+);timestamp=([^;]+);nonce=([^;]+);signature=([^;]+)$/;

const refuse = (status: 400 | 401, detail: string): never => {
  throw new RequestRefusal(status, status === 400 ? "Bad request" : "Not authorized", detail);
};

/** Refuses a signed request for what its header says, or for its signature. @returns its nonce. */
function checkSigned(request: IncomingRequest, header: string, now: number): string {
  const [, client = "", access = "", timestamp = "", nonce = "", signature = ""] = pattern.exec(header) ?? [];
  if (client === "") return refuse(400, "Invalid authorization header");
  if (client !== clientToken) refuse(400, "Invalid client token");
  if (access !== accessToken) refuse(401, "Invalid access token");
  const instant = instantOf(timestamp);
  if (Number.isNaN(instant) || Math.abs(now - instant) > windowMs) refuse(400, "Invalid timestamp");
  const unsigned = header.slice(0, header.indexOf("signature="));
  if (!request.schemes.some((scheme) => isSame(signatureOf(request, scheme, unsigned, timestamp), signature)))
    refuse(401, "The signature does not match");
  return nonce;
}

/** Creates the function that authenticates requests; it remembers the nonces it has seen. */
export function createVerifier(wallNow: () => number): (request: IncomingRequest) => void {
  const seen = new Map<string, number>();
  const checkNonce = (nonce: string, now: number): void => {
    if (seen.has(nonce)) refuse(400, "Invalid nonce");
    // A nonce needs to be remembered only as long as its timestamp would be accepted.
    for (const [old, at] of seen) {
      if (now - at <= 2 * windowMs && seen.size < maxNonces) break;
      seen.delete(old);
    }
    seen.set(nonce, now);
  };
  return (request) => {
    const now = wallNow();
    const header = request.headers["authorization"];
    if (header === undefined) return refuse(401, "No authorization was sent");
    if (header.startsWith("EG1-HMAC-SHA256 ")) checkNonce(checkSigned(request, header, now), now);
    else if (!accepted.some((known) => isSame(known, header))) refuse(401, "The credentials are not accepted");
  };
}
