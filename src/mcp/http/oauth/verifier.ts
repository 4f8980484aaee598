/** Verifies the access tokens of the configured issuers: signature, type, audience, lifetime, and who they speak for. */
import { hash } from "node:crypto";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { Failure } from "../../../language/failure.js";
import { isRecord } from "../../../language/member.js";
import type { ClaimNames } from "../../../policy/claims.js";
import { type Principal, scopes } from "../../../policy/principal.js";
import { dayMs } from "../../../time/durations.js";
import type { Rejection } from "../access.js";
import { challengeRejection } from "./challenge.js";
import { keysKeptMs, keysOf } from "./issuer.js";

/** Which tokens are accepted. */
export interface TokenPolicy {
  readonly issuers: readonly string[];
  /** The audiences; without any, the address that the client has typed. */
  readonly audiences: readonly string[];
  /** The `typ` of tokens in lower case, without `application/`; `none` for tokens without one. */
  readonly types: readonly string[];
  readonly claims: ClaimNames;
  /** What issuers write before the names of scopes; empty in most cases. */
  readonly scopePrefix: string;
}

/** A token that was verified. */
export interface VerifiedToken {
  readonly principal: Principal;
  readonly expiresAtMs: number;
  /** Its `jti`. */
  readonly tokenId?: string | undefined;
}

export interface TokenVerifier {
  /**
   * Verifies a token.
   * @param address The URL that its client has typed, which is the audience where no other is configured.
   * @returns the rejection if it is not accepted: 401 with its challenge, or 503 while its issuer cannot be asked. Returns
   * synchronously for cached tokens, so that their requests wait for nothing.
   */
  verify(token: string, address: string): VerifiedToken | Promise<VerifiedToken | Rejection>;
}

/** Only asymmetric ones: with a shared secret, this server could also sign. */
const algorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** How far the clock of an issuer may be ahead of ours. Nothing is added to the lifetime of a token. */
const clockToleranceSeconds = 5;

const scopePattern = /^edgewise:(read|write|destructive|approve)(:[\w.-]+)?$/;

const ofIssuer = "Get a token for this server from its issuer.";

/** Why a token is rejected although its signature is right, in words for the person who configures it. */
class UnacceptableToken extends Error {
  constructor(
    readonly status: 401 | 403,
    message: string,
    /** The scopes that it had. */
    readonly scopes: readonly string[] = [],
  ) {
    super(message);
  }
}

/** A claim by the first of its names that a token has. */
const claimOf = (claims: JWTPayload, names: readonly string[]): unknown =>
  names.map((name) => claims[name]).find((value) => value !== undefined);

const textOf = (claims: JWTPayload, names: readonly string[]): string | undefined => {
  const value = claimOf(claims, names);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The words of a claim: a list, or a text with spaces (RFC 9068, section 2.2.3). */
function wordsOf(value: unknown): readonly string[] {
  const words = typeof value === "string" ? value.split(" ") : value;
  return Array.isArray(words) ? words.filter((word) => typeof word === "string" && word !== "") : [];
}

/** The scopes of this server in a token, without the prefix. */
const scopesIn = (claims: JWTPayload, { claims: { scopes: names }, scopePrefix }: TokenPolicy): readonly string[] =>
  wordsOf(claimOf(claims, names))
    .map((word) => (word.startsWith(scopePrefix) ? word.slice(scopePrefix.length) : word))
    .filter((word) => scopePattern.test(word));

/** Whether a token leaves its groups out, because there are too many of them: Entra then names where to ask for them. */
const hidesGroups = (claims: JWTPayload, names: readonly string[]): boolean =>
  (isRecord(claims["_claim_names"]) && names.some((name) => Object.hasOwn(claims["_claim_names"] as object, name))) ||
  (claims["hasgroups"] === true && names.includes("groups"));

const expired = (claims: JWTPayload, policy: TokenPolicy): UnacceptableToken =>
  new UnacceptableToken(401, "The token has expired.", scopesIn(claims, policy));

/** The times of a token: until when, from when, and since when it is valid, each in seconds. */
const timeClaims = ["exp", "nbf", "iat"] as const;

/** How far ahead a time of a token may be: one in milliseconds, or 1e400, which is read as infinity, would never come. */
const mostAheadMs = 3_650 * dayMs;

/** @throws UnacceptableToken for a time that is negative or too far ahead. */
function checkTimes(claims: JWTPayload): void {
  const latest = (Date.now() + mostAheadMs) / 1000;
  for (const name of timeClaims) {
    const time = claims[name];
    if (time !== undefined && !(time >= 0 && time <= latest))
      throw new UnacceptableToken(401, `The claim ${name} of the token is no time in seconds within ten years.`);
  }
}

/** @throws UnacceptableToken if the claims leave open who the token speaks for, or if it is not an access token. */
function verifiedTokenOf(claims: JWTPayload, type: string, policy: TokenPolicy): VerifiedToken {
  const { claims: names } = policy;
  checkTimes(claims);
  const expiresAtMs = (claims.exp ?? 0) * 1000;
  if (expiresAtMs <= Date.now()) throw expired(claims, policy);
  const subject = textOf(claims, names.subject);
  if (subject === undefined) throw new UnacceptableToken(401, `The token has no claim ${names.subject.join(" or ")}.`);
  // An ID token can have the same audience and type where access tokens are only typed JWT; it never has scopes.
  if (type !== "at+jwt" && claimOf(claims, names.scopes) === undefined)
    throw new UnacceptableToken(401, `The token is no access token: it has no claim ${names.scopes.join(" or ")}.`);
  if (hidesGroups(claims, names.groups))
    throw new UnacceptableToken(
      403,
      "The token leaves out its groups, because there are too many, so that no rule about groups could be applied. Have the issuer send only the groups that are assigned to this application.",
    );
  return {
    principal: {
      subject,
      issuer: claims.iss,
      groups: wordsOf(claimOf(claims, names.groups)),
      client: textOf(claims, names.client),
      scopes: scopesIn(claims, policy),
    },
    expiresAtMs,
    tokenId: claims.jti,
  };
}

/** Why jose rejects a token, in our own words: those of the token may be anything. */
function reasonOf(error: unknown, policy: TokenPolicy): UnacceptableToken | undefined {
  if (error instanceof UnacceptableToken) return error;
  if (error instanceof errors.JWTExpired) return expired(error.payload, policy);
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "aud")
      return new UnacceptableToken(401, "The token is for another resource: its aud is not accepted here.");
    if (error.claim === "nbf") return new UnacceptableToken(401, "The token is not valid yet.");
    return new UnacceptableToken(401, `The claim ${error.claim} of the token is missing or not accepted.`);
  }
  if (error instanceof errors.JWKSNoMatchingKey) return new UnacceptableToken(401, "Its issuer has no such key.");
  if (error instanceof errors.JOSEAlgNotAllowed)
    return new UnacceptableToken(401, "The token is not signed with an asymmetric algorithm.");
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new UnacceptableToken(401, "The signature of the token is wrong.");
  return error instanceof errors.JOSEError
    ? new UnacceptableToken(401, "The token cannot be read as a JWT.")
    : undefined;
}

const typeOf = (typ: string | undefined): string => (typ ?? "none").toLowerCase().replace(/^application\//, "");

/** The most tokens that are remembered. */
const maxKnown = 10_000;

/** The verified tokens by their digest, so that their signatures are verified once; the oldest are forgotten first. */
function createTokenCache() {
  const tokens = new Map<string, { readonly verified: VerifiedToken; readonly untilMs: number }>();
  return {
    find(key: string): VerifiedToken | undefined {
      const found = tokens.get(key);
      if (found !== undefined && found.untilMs > Date.now()) return found.verified;
      tokens.delete(key);
      return undefined;
    },
    add(key: string, verified: VerifiedToken): void {
      // Not for longer than keys are: otherwise a key that its issuer has removed would live on in them.
      tokens.set(key, { verified, untilMs: Math.min(verified.expiresAtMs, Date.now() + keysKeptMs) });
      const [oldest] = tokens.keys();
      if (tokens.size > maxKnown && oldest !== undefined) tokens.delete(oldest);
    },
  };
}

/** Whether a text is exactly what its bytes are encoded as: decoders ignore padding, other characters, and leftover bits. */
const isBase64url = (text: string): boolean => Buffer.from(text, "base64url").toString("base64url") === text;

export function createTokenVerifier(policy: TokenPolicy): TokenVerifier {
  const { issuers, audiences, types, scopePrefix } = policy;
  const keys = new Map(issuers.map((issuer) => [issuer, keysOf(issuer)] as const));
  const cache = createTokenCache();

  /** @throws Failure `network` while the issuer cannot be asked; an error of jose, or UnacceptableToken. */
  const verifyAnew = async (token: string, address: string): Promise<VerifiedToken> => {
    // Only one text of a token is accepted, so that what is cached of that text holds for everything that was signed.
    if (!token.split(".").every(isBase64url)) throw new errors.JWTInvalid("Its text was changed.");
    const issuer = decodeJwt(token).iss ?? "";
    const key = keys.get(issuer);
    if (key === undefined) throw new UnacceptableToken(401, "The issuer of the token is not accepted here.");
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms,
      issuer,
      audience: audiences.length === 0 ? address : [...audiences],
      requiredClaims: ["exp"],
      clockTolerance: clockToleranceSeconds,
    });
    const type = typeOf(protectedHeader.typ);
    if (!types.includes(type))
      throw new UnacceptableToken(
        401,
        `The typ of the token is not accepted here; it has to be ${types.join(" or ")}.`,
      );
    return verifiedTokenOf(payload, type, policy);
  };

  /** The rejection of a token, for whatever reason it was not verified. */
  const rejectionFor = (error: unknown, address: string): Rejection => {
    if (error instanceof Failure) {
      const { message, detail } = error;
      const retryAfter = String(detail.retryAfterSeconds ?? 5);
      return { status: 503, message: `${message} ${detail.why}`, headers: { "retry-after": retryAfter } };
    }
    const reason = reasonOf(error, policy);
    if (reason === undefined) throw error;
    const { status, message } = reason;
    if (status === 403) return { status, message };
    const wanted = [...new Set([scopes.read, ...reason.scopes])].map((scope) => `${scopePrefix}${scope}`);
    return challengeRejection(status, `${message} ${ofIssuer}`, { address, scopes: wanted, error: "invalid_token" });
  };

  return {
    verify(token, address) {
      const key = hash("sha256", `${address} ${token}`, "base64url");
      const knownToken = cache.find(key);
      if (knownToken !== undefined) return knownToken;
      return verifyAnew(token, address).then(
        (found) => {
          cache.add(key, found);
          return found;
        },
        (error: unknown) => rejectionFor(error, address),
      );
    },
  };
}
