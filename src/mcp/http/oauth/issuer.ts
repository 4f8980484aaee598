/** What is read from the issuer of tokens: its metadata and its keys, over https, or over http on this machine. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { Failure } from "../../../language/failure.js";
import { isRecord } from "../../../language/member.js";
import { lazily } from "../../../language/once-for.js";
import { minuteMs } from "../../../time/durations.js";
import { isProtected } from "./protected-url.js";

/** The metadata of an issuer (RFC 8414, OpenID Connect Discovery), with the names that these documents give it. */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly end_session_endpoint?: string;
  readonly authorization_response_iss_parameter_supported?: boolean;
}

const timeoutMs = 5_000;
const maxBytes = 512 * 1024;

const unusable = (issuer: string, why: string): Failure =>
  new Failure("network", `The issuer ${issuer} cannot be asked for its keys.`, {
    why,
    next: "Try again later; the operator can compare --oauth-issuer with the issuer's own metadata.",
    retryAfterSeconds: 5,
  });

/** The text of a response, which may not be longer than an issuer needs. */
async function textOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * A JSON document of an issuer.
 * @returns undefined if the issuer does not have it.
 * @throws Failure `network` if the issuer does not answer, or not with JSON.
 */
async function documentAt(issuer: string, url: string): Promise<unknown> {
  if (!isProtected(url)) throw unusable(issuer, "It names a URL that is neither https nor on this machine.");
  let text: string | undefined;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: "error", signal, headers: { accept: "application/json" } });
    if (response.status >= 400 && response.status < 500) return undefined;
    if (response.status !== 200) throw unusable(issuer, `It answered with status ${response.status}.`);
    text = await textOf(response);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unusable(issuer, "It does not answer.");
  }
  if (text === undefined) throw unusable(issuer, "Its answer is too long.");
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(issuer, "Its answer is not JSON.");
  }
}

/** The URLs at which an issuer may have its metadata: OpenID Connect appends to the path, RFC 8414 inserts before it. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/**
 * Reads the metadata of an issuer.
 * @throws Failure `network` if it cannot be read, or is that of another issuer.
 */
export async function discover(issuer: string): Promise<IssuerMetadata> {
  for (const url of metadataUrls(issuer)) {
    const document = await documentAt(issuer, url);
    if (document === undefined) continue;
    if (!isRecord(document) || typeof document["jwks_uri"] !== "string" || !URL.canParse(document["jwks_uri"]))
      throw unusable(issuer, "Its metadata names no keys.");
    // Otherwise its keys would verify the tokens of another issuer (RFC 8414, section 3.3).
    if (document["issuer"] !== issuer) throw unusable(issuer, "Its metadata is that of another issuer.");
    return document as unknown as IssuerMetadata;
  }
  throw unusable(issuer, "It has no metadata.");
}

/** How long keys are used without asking for them again: a key that an issuer removes is accepted no longer. */
export const keysKeptMs = 10 * minuteMs;
/** A token with an unknown key has the keys read again, so that a rotation is followed, but no more often than this. */
const cooldownMs = 1_000;

/** The keys of an issuer, from its metadata. */
function keysIn({ issuer, jwks_uri }: IssuerMetadata): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwks_uri), {
    cacheMaxAge: keysKeptMs,
    cooldownDuration: cooldownMs,
    [customFetch]: async (url) => {
      const found = await documentAt(issuer, url);
      if (!isRecord(found) || !Array.isArray(found["keys"])) throw unusable(issuer, "It has no keys.");
      return Response.json(found);
    },
  });
}

/**
 * Finds the key of a token's signature among those of its issuer. The metadata is read on first use, and again after the
 * keys could not be read, because they may have moved.
 */
export function keysOf(issuer: string): JWTVerifyGetKey {
  const readAnew = () => lazily(() => discover(issuer).then(keysIn));
  let keyFinder = readAnew();
  return async (header, token) => {
    const find = await keyFinder();
    try {
      return await find(header, token);
    } catch (error) {
      if (error instanceof Failure) keyFinder = readAnew();
      throw error;
    }
  };
}
