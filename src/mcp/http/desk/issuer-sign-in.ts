/**
 * Signing in with the identity provider: the authorization code flow with PKCE. The server exchanges the code, so that no
 * token is ever in the browser, and keeps none.
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { decodeJwt } from "jose";
import { Failure } from "../../../language/failure.js";
import { isRecord } from "../../../language/member.js";
import { scopes } from "../../../policy/principal.js";
import { minuteMs } from "../../../time/durations.js";
import type { IssuerMetadata } from "../oauth/issuer.js";
import { isProtected } from "../oauth/protected-url.js";
import type { TokenVerifier, VerifiedToken } from "../oauth/verifier.js";
import { approvingScopes } from "./session.js";
import type { PageMessage } from "./words.js";

/** The identity provider of the desk, and the desk's registration with it. */
export interface DeskIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** The scope for approving, as the issuer knows it. */
  readonly scope: string;
  /** Whether tokens are requested for the address of the endpoint (RFC 8707), because no other audience is configured. */
  readonly namesResource: boolean;
  /** The URL of the MCP endpoint as this request's client has typed it. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly discover: (issuer: string) => Promise<IssuerMetadata>;
  readonly verify: TokenVerifier["verify"];
}

/** What a sign-in in progress has to remember until the browser comes back. */
interface SignInProgress {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly address: string;
  readonly plan?: string | undefined;
}

/** A sign-in that did not succeed. */
export interface FailedSignIn {
  readonly status: number;
  readonly said: PageMessage;
  /** Whether someone else could succeed, so that the person has to be asked who they are. */
  readonly isAnew?: boolean;
}

/** A sign-in takes no longer than this, between the two pages of the desk. */
export const signInMs = 10 * minuteMs;

const exchangeTimeoutMs = 10_000;

const random = (): string => randomBytes(32).toString("base64url");

/** The one address to which the issuer returns; a proxy may have put the endpoint below another path. */
export const redirectUriOf = (address: string): string => new URL("plans/signed-in", address).href;

/** @throws Failure `network` if the issuer has no such endpoint that can be used. */
function endpointIn(metadata: IssuerMetadata, name: "authorization_endpoint" | "token_endpoint"): string {
  const endpoint = metadata[name];
  if (endpoint !== undefined && isProtected(endpoint)) return endpoint;
  throw new Failure("network", `The issuer ${metadata.issuer} has no usable ${name}.`, {
    next: "The operator can compare its metadata.",
  });
}

const issuerFailure = (text: string): FailedSignIn => ({ status: 502, said: ["You are not signed in", text] });
const signInRefusal = (text: string): FailedSignIn => ({ status: 403, said: ["You are not signed in", text] });

/** The sign-in that the browser has kept, as `beginSignIn` made it. */
export const signInProgressOf = (progress: object | undefined): SignInProgress | undefined =>
  progress as SignInProgress | undefined;

/** Begins a sign-in: where the browser goes, and what it keeps until it comes back. */
export async function beginSignIn(
  { issuer, clientId, scope, namesResource, addressOf, discover }: DeskIssuer,
  request: IncomingMessage,
  { plan, isAnew }: { readonly plan: string | undefined; readonly isAnew: boolean },
): Promise<{ readonly location: string; readonly progress: SignInProgress }> {
  const endpoint = endpointIn(await discover(issuer), "authorization_endpoint");
  const address = addressOf(request);
  const progress = {
    state: random(),
    nonce: random(),
    verifier: random(),
    address,
    ...(plan === undefined ? {} : { plan }),
  };
  const url = new URL(endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUriOf(address),
    scope: `openid ${scope}`,
    state: progress.state,
    nonce: progress.nonce,
    code_challenge: createHash("sha256").update(progress.verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(namesResource ? { resource: address } : {}),
    ...(isAnew ? { prompt: "login" } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { location: url.href, progress };
}

interface Tokens {
  readonly access: string;
  readonly id: string;
}

/** Exchanges a code for tokens; undefined if the issuer refuses it. */
async function exchange(
  { issuer, clientId, namesResource }: DeskIssuer,
  endpoint: string,
  code: string,
  { verifier, address }: SignInProgress,
): Promise<Tokens | undefined> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUriOf(address),
    client_id: clientId,
    code_verifier: verifier,
    ...(namesResource ? { resource: address } : {}),
  });
  const signal = AbortSignal.timeout(exchangeTimeoutMs);
  let answer: unknown;
  try {
    const response = await fetch(endpoint, { method: "POST", body, redirect: "error", signal });
    answer = response.ok ? await response.json() : undefined;
  } catch {
    throw new Failure("network", `The issuer ${issuer} does not answer.`, { next: "Try again later." });
  }
  if (!isRecord(answer)) return undefined;
  const { access_token: access, id_token: id } = answer;
  return typeof access === "string" && typeof id === "string" ? { access, id } : undefined;
}

/**
 * Whether an ID token answers this very sign-in. Its signature is not checked, because it came from the issuer itself
 * over a protected connection (OpenID Connect Core, section 3.1.3.7).
 */
function isOfSignIn(id: string, { issuer, clientId }: DeskIssuer, { nonce }: SignInProgress): boolean {
  try {
    const claims = decodeJwt(id);
    return claims.iss === issuer && [claims.aud].flat().includes(clientId) && claims["nonce"] === nonce;
  } catch {
    return false;
  }
}

/** What the issuer sent with the browser; a parameter that comes twice is ambiguous, and counts as missing. */
function returnedIn({ url = "" }: IncomingMessage): (name: string) => string | undefined {
  const { searchParams } = new URL(url, "http://desk.invalid");
  return (name) => {
    const [value, ...others] = searchParams.getAll(name);
    return others.length === 0 ? value : undefined;
  };
}

/** Why what came back is not the answer to this sign-in; undefined if it is. */
function mismatch(
  returned: (name: string) => string | undefined,
  { state }: SignInProgress,
  { issuer, authorization_response_iss_parameter_supported: sendsIssuer }: IssuerMetadata,
): FailedSignIn | undefined {
  if (returned("state") !== state)
    return signInRefusal("This sign-in was not begun in this browser, or is an older one.");
  const from = returned("iss");
  // Without this, another issuer could have its code exchanged here (RFC 9207).
  if (from === undefined ? sendsIssuer === true : from !== issuer)
    return signInRefusal("The answer is not from the issuer that was asked.");
  const error = returned("error");
  if (error === "access_denied") return signInRefusal("The issuer says that access was denied.");
  return error === undefined
    ? undefined
    : issuerFailure(`The issuer answered with the error ${/^\w{1,40}$/.test(error) ? error : "of another form"}.`);
}

/** Completes a sign-in with what came back: the verified token's principal, which may approve, or why not. */
export async function completeSignIn(
  issuer: DeskIssuer,
  request: IncomingMessage,
  progress: SignInProgress | undefined,
): Promise<VerifiedToken | FailedSignIn> {
  if (progress === undefined) return signInRefusal("This sign-in was not begun in this browser, or took too long.");
  const metadata = await issuer.discover(issuer.issuer);
  const returned = returnedIn(request);
  const wrong = mismatch(returned, progress, metadata);
  if (wrong) return wrong;
  const tokens = await exchange(issuer, endpointIn(metadata, "token_endpoint"), returned("code") ?? "", progress);
  if (tokens === undefined || !isOfSignIn(tokens.id, issuer, progress))
    return issuerFailure("The issuer gave no tokens for this sign-in.");
  const verified = await issuer.verify(tokens.access, progress.address);
  if ("status" in verified) {
    const { status, message } = verified;
    return { status: status === 503 ? 503 : 403, said: ["You are not signed in", message] };
  }
  const { principal } = verified;
  if (approvingScopes(principal).length > 0) return verified;
  return {
    status: 403,
    said: [
      "You may not approve",
      `The token of ${principal.subject} does not have the scope ${scopes.approve}, which approving needs. An administrator of the identity provider can grant it; then sign in again, or sign in as someone who has it.`,
    ],
    isAnew: true,
  };
}
