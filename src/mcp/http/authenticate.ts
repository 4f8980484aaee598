/** Who makes a request over HTTP: the holder of a token of the file, or who an identity provider says it is. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { scopes } from "../../policy/principal.js";
import { type Authentication, anonymous, authenticationIn, authInfoOf } from "../owner.js";
import { type KnownTokens, type Rejection, tokenIn, unknownTokenRejection } from "./access.js";
import type { SignIn } from "./oauth/sign-in.js";
import type { DenialCheck } from "./token-denials.js";

/** A promise only if something has to be asked first. */
type MaybePromise<T> = T | Promise<T>;

const whenKnown = <T, R>(answer: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  answer instanceof Promise ? answer.then(next) : next(answer);

/** The clients that may call the endpoint, and which of them may make changes. */
export interface EndpointAccess extends KnownTokens {
  /** Whether requests with a token may make changes. */
  readonly allowsWrites: boolean;
  /** The tokens of identity providers, if any are accepted. */
  readonly signIn?: SignIn | undefined;
  readonly isDenied: DenialCheck;
}

/** The principal of a token of the file, and of requests without one. */
const authenticationOf = (name: string, canWrite: boolean): Authentication => ({
  name,
  principal: {
    subject: name,
    groups: [],
    scopes: canWrite ? [scopes.read, scopes.write, scopes.destructive] : [scopes.read],
  },
  isReadOnly: !canWrite,
});

/** Who makes a request, by its token; tokens of the file are looked up first. */
function identify(
  request: IncomingMessage,
  { holder, isOpen, allowsWrites, signIn }: EndpointAccess,
): MaybePromise<Authentication | Rejection> {
  const { authorization, "x-edgewise-read-only": tightened } = request.headers;
  if (authorization === undefined && isOpen) return authenticationOf(anonymous, false);
  const token = tokenIn(request);
  const name = token === undefined ? undefined : holder(token);
  // A header can remove the right to make changes, but never grant it.
  const canWrite = allowsWrites && (tightened === undefined || tightened === "false");
  if (name !== undefined) return authenticationOf(name, canWrite);
  if (signIn === undefined) return unknownTokenRejection({ isOpen });
  return token === undefined ? signIn.challenge(request) : signIn.verify(request, token, !canWrite);
}

const deniedMessage =
  "An operator has denied this token. A new one is refused as well if it is for the same subject or client.";

/** The rejection of a token that is denied. */
const denialRejection = ({ signIn, isOpen }: EndpointAccess, request: IncomingMessage): Rejection =>
  signIn?.challenge(request, deniedMessage) ?? {
    ...unknownTokenRejection({ isOpen }),
    message: deniedMessage,
    headers: { "www-authenticate": 'Bearer realm="edgewise", error="invalid_token"' },
  };

/** Who makes a request, unless their token is denied. */
function admitClient(
  request: IncomingMessage,
  access: EndpointAccess,
  authentication: Authentication | Rejection,
): MaybePromise<AuthInfo | Rejection> {
  if ("status" in authentication) return authentication;
  return whenKnown(access.isDenied(authentication), (denied) => {
    if (denied === undefined) return authInfoOf(authentication);
    if (denied === "denied") return denialRejection(access, request);
    return { status: 503, message: "The store cannot say which tokens are denied.", headers: { "retry-after": "5" } };
  });
}

/**
 * Authenticates a request: who makes it in the form that the SDK passes to the handlers, or the rejection. Returns
 * synchronously unless an issuer or the store has to be asked, because a request that is not quite HTTP has to be answered
 * before it is rejected.
 */
export const authenticate = (request: IncomingMessage, access: EndpointAccess): MaybePromise<AuthInfo | Rejection> =>
  whenKnown(identify(request, access), (authentication) => admitClient(request, access, authentication));

/** How often the token of a stream is checked again. */
const checkMs = 1_000;

/** Ends a stream when its token has expired or is denied; the client opens another with a new one. */
export function endWithToken(
  response: ServerResponse,
  auth: AuthInfo,
  { isDenied }: Pick<EndpointAccess, "isDenied">,
): void {
  const authentication = authenticationIn(auth);
  const { expiresAtMs = Number.POSITIVE_INFINITY } = authentication;
  const timer = setInterval(async () => {
    if (Date.now() >= expiresAtMs || (await isDenied(authentication)) === "denied") response.destroy();
  }, checkMs).unref();
  response.once("close", () => clearInterval(timer));
}
