/** Sign-in with the tokens of identity providers: this server is a protected resource, and never issues tokens itself. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { onceFor } from "../../../language/once-for.js";
import { scopes } from "../../../policy/principal.js";
import type { Authentication } from "../../owner.js";
import type { Rejection } from "../access.js";
import { challengeRejection, metadataPath } from "./challenge.js";
import { createTokenVerifier, type TokenPolicy, type TokenVerifier, type VerifiedToken } from "./verifier.js";

/** The addresses of this server as its clients type them, and the metadata of each (RFC 9728). */
interface EndpointAddresses {
  /** The URL of `/mcp` for the client of a request. */
  endpoint(request: IncomingMessage): string;
  /** The URL that the client of a request has typed. */
  of(request: IncomingMessage): string;
  /**
   * What a metadata URL is about: the address, and the path under `/mcp` that it has here. That without a path is about
   * `/mcp`.
   * @returns undefined for any other URL.
   */
  about(request: IncomingMessage): { readonly address: string; readonly path: string } | undefined;
}

const ownPath = "/mcp";
const pathIn = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? "";
const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/**
 * @param resource The URL of `/mcp` for clients; undefined if they reach this process by its own address.
 */
function createEndpointAddresses(resource: string | undefined): EndpointAddresses {
  const base = resource === undefined ? undefined : new URL(resource);
  const basePath = base?.pathname ?? ownPath;
  // The Host header was checked before.
  const at = (request: IncomingMessage, path: string): string =>
    new URL(`${base?.origin ?? `http://${request.headers.host}`}${path}`).href;
  const endpoint = (request: IncomingMessage): string => at(request, basePath);
  return {
    endpoint,
    of: (request) => `${endpoint(request)}${pathIn(request).slice(ownPath.length)}`,
    about(request) {
      const named = pathIn(request).slice(metadataPath.length);
      const path = named === "" || named === "/" ? basePath : named;
      if (!isBelow(path, basePath)) return undefined;
      return { address: at(request, path), path: `${ownPath}${path.slice(basePath.length)}` };
    },
  };
}

export interface SignIn extends EndpointAddresses {
  readonly verifier: TokenVerifier;
  /**
   * Verifies the token of a request.
   * @param isReadOnly Whether it may only read, whatever its scopes are.
   */
  verify(
    request: IncomingMessage,
    token: string,
    isReadOnly: boolean,
  ): Authentication | Promise<Authentication | Rejection>;
  /** Refuses a request whose token has a `problem`, or that has no token if there is no `problem`. */
  challenge(request: IncomingMessage, problem?: string): Rejection;
  /** Refuses a request whose token lacks a scope. */
  stepUp(request: IncomingMessage, message: string, wanted: readonly string[]): Rejection;
  /** The metadata of an address. */
  metadata(address: string): Readonly<Record<string, unknown>>;
}

/** The name of a request's owner: never a name of the token file or a path, and different for each client of a person. */
const nameOf = onceFor(
  ({ issuer, subject, client }: Authentication["principal"]): string =>
    `@${hash("sha256", JSON.stringify([issuer, subject, client ?? null])).slice(0, 32)}`,
);

/** How to accept tokens, and under which URL clients know this server. */
export interface SignInSettings extends TokenPolicy {
  /** The URL of `/mcp`; undefined if clients reach this process by its own address. */
  readonly resource: string | undefined;
  /** Whether anyone may make changes here. */
  readonly allowsWrites: boolean;
}

export function createSignIn(settings: SignInSettings): SignIn {
  const { issuers, scopePrefix, allowsWrites } = settings;
  const verifier = createTokenVerifier(settings);
  const addresses = createEndpointAddresses(settings.resource);
  const scopeNames = (wanted: readonly string[]): readonly string[] => wanted.map((scope) => `${scopePrefix}${scope}`);
  return {
    ...addresses,
    verifier,
    verify(request, token, isReadOnly) {
      const authenticationOf = (verified: VerifiedToken): Authentication => ({
        ...verified,
        name: nameOf(verified.principal),
        isReadOnly,
      });
      const verified = verifier.verify(token, addresses.of(request));
      return verified instanceof Promise
        ? verified.then((one) => ("status" in one ? one : authenticationOf(one)))
        : authenticationOf(verified);
    },
    challenge: (request, problem) =>
      challengeRejection(401, problem ?? "Sign in: this server takes the tokens of its identity provider.", {
        address: addresses.of(request),
        scopes: scopeNames([scopes.read]),
        ...(problem === undefined ? {} : { error: "invalid_token" }),
      }),
    stepUp: (request, message, wanted) =>
      challengeRejection(403, message, {
        address: addresses.of(request),
        scopes: scopeNames(wanted),
        error: "insufficient_scope",
      }),
    metadata: (address) => ({
      resource: address,
      authorization_servers: issuers,
      scopes_supported: scopeNames(allowsWrites ? [scopes.read, scopes.write, scopes.destructive] : [scopes.read]),
      bearer_methods_supported: ["header"],
      resource_name: "Edgewise",
    }),
  };
}
