/** Who makes a call over HTTP, as their token says: the person or program, its groups, its client and its scopes. */
import type { Effect } from "../language/define.js";

/** The scopes by what they allow; a scope with `:SERVICE` after it allows the same for one service only. */
export const scopes = {
  read: "edgewise:read",
  write: "edgewise:write",
  destructive: "edgewise:destructive",
  approve: "edgewise:approve",
} as const;

/** A person or program: its name is unique only within the issuer, or within the files of tokens. */
export interface Identity {
  /** The subject of the token, or the name of a token of the file. */
  readonly subject: string;
  /** The issuer of the token; absent for a token of the file. */
  readonly issuer?: string | undefined;
}

/**
 * The key by which names without an issuer are compared. Two names that a person or a file system may take for one have
 * the same key, whatever their case, their normal form, and the white space and invisible characters in them.
 */
export const nameKey = (name: string): string =>
  name
    .normalize("NFKC")
    // Some letters share their small or their capital form with others, such as two sigmas and the sharp s.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, "")
    .normalize("NFKC");

export interface Principal extends Identity {
  readonly groups: readonly string[];
  /** The OAuth client to which the token was issued; absent for a token of the file. */
  readonly client?: string | undefined;
  readonly scopes: readonly string[];
}

/** The scope that a call with an effect needs. */
export function scopeOf(effect: Effect): string {
  if (effect === "read" || effect === "destructive") return scopes[effect];
  return scopes.write;
}

/**
 * Whether a token's scopes include one, for all services or for this one. No scope implies another: permission to write
 * does not include permission to read.
 * @param service Undefined for what belongs to no single service, for which the scope of any will do.
 */
export const holdsScope = (held: readonly string[], scope: string, service: string | undefined): boolean =>
  held.some(
    (one) => one === scope || (service === undefined ? one.startsWith(`${scope}:`) : one === `${scope}:${service}`),
  );
