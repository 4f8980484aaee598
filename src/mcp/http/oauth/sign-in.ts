/** Sign-in with the tokens of identity providers: this server is a protected resource, and never issues tokens itself. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { onceFor } from "../../../language/once-for.js";
import { scopes } from "../../../language/principal.js";
import type { Authenticated } from "../../owner.js";
import type { Rejection } from "../access.js";
import { type Addresses, createAddresses } from "./addresses.js";
import { challenged } from "./challenge.js";
import { type Accepted, createVerifier, type TokenVerifier, type Verified } from "./verifier.js";

export interface SignIn extends Addresses {
  readonly verifier: TokenVerifier;
  /**
   * Verifies the token of a request.
   * @param isReadOnly Whether it may only read, whatever its scopes are.
   */
  verify(
    request: IncomingMessage,
    token: string,
    isReadOnly: boolean,
  ): Authenticated | Promise<Authenticated | Rejection>;
  /** Refuses a request without a token that is accepted, because there is none if there is no `problem`. */
  challenge(request: IncomingMessage, problem?: string): Rejection;
  /** Refuses a request whose token lacks a scope. */
  stepUp(request: IncomingMessage, message: string, wanted: readonly string[]): Rejection;
  /** The metadata of an address. */
  metadata(address: string): Readonly<Record<string, unknown>>;
}

/** What the owner of a request is called: no name of the token file, no path, and different for each client of a person. */
const nameOf = onceFor(
  ({ issuer, subject, client }: Authenticated["principal"]): string =>
    `@${hash("sha256", JSON.stringify([issuer, subject, client ?? null])).slice(0, 32)}`,
);

/** How to accept tokens, and under which URL clients know this server. */
export interface SignInSettings extends Accepted {
  /** The URL of `/mcp`; undefined if clients reach this process by its own address. */
  readonly resource: string | undefined;
  /** Whether anyone may make changes here. */
  readonly allowsWrites: boolean;
}

export function createSignIn(settings: SignInSettings): SignIn {
  const { issuers, scopePrefix, allowsWrites } = settings;
  const verifier = createVerifier(settings);
  const addresses = createAddresses(settings.resource);
  const asked = (wanted: readonly string[]): readonly string[] => wanted.map((scope) => `${scopePrefix}${scope}`);
  return {
    ...addresses,
    verifier,
    verify(request, token, isReadOnly) {
      const named = (found: Verified): Authenticated => ({ ...found, name: nameOf(found.principal), isReadOnly });
      const found = verifier.verify(token, addresses.of(request));
      return found instanceof Promise ? found.then((one) => ("status" in one ? one : named(one))) : named(found);
    },
    challenge: (request, problem) =>
      challenged(401, problem ?? "Sign in: this server takes the tokens of its identity provider.", {
        address: addresses.of(request),
        scopes: asked([scopes.read]),
        ...(problem === undefined ? {} : { error: "invalid_token" }),
      }),
    stepUp: (request, message, wanted) =>
      challenged(403, message, { address: addresses.of(request), scopes: asked(wanted), error: "insufficient_scope" }),
    metadata: (address) => ({
      resource: address,
      authorization_servers: issuers,
      scopes_supported: asked(allowsWrites ? [scopes.read, scopes.write, scopes.destructive] : [scopes.read]),
      bearer_methods_supported: ["header"],
      resource_name: "Edgewise",
    }),
  };
}
