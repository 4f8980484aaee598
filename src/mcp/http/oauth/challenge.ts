/** The challenges of a protected resource (RFC 6750, RFC 9728): what a client needs in order to get a token that is accepted. */
import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import type { Rejection } from "../access.js";

/** The path under which the metadata of each address is, with the path of the address after it. */
export const metadataPath = "/.well-known/oauth-protected-resource";

interface Challenge {
  /** The URL that the client has typed. */
  readonly address: string;
  /** The scopes to ask for, as the issuer knows them. */
  readonly scopes: readonly string[];
  /** What is wrong with the token; absent without one. */
  readonly error?: "invalid_token" | "insufficient_scope";
}

/** A challenge that refuses a request, with the reason for a person in `message`. */
export function challengeRejection(
  status: 401 | 403,
  message: string,
  { address, scopes, error }: Challenge,
): Rejection {
  const parameters = {
    realm: "edgewise",
    ...(error === undefined ? {} : { error, error_description: message }),
    scope: scopes.join(" "),
    resource_metadata: getOAuthProtectedResourceMetadataUrl(new URL(address)),
  };
  // A quoted string has no quotes, backslashes and characters beyond ASCII (RFC 6750, section 3).
  const quoted = (text: string): string => `"${text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`;
  const written = Object.entries(parameters).map(([name, value]) => `${name}=${quoted(value)}`);
  return { status, message, headers: { "www-authenticate": `Bearer ${written.join(", ")}` } };
}
