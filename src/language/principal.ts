/** Who makes a call over HTTP, as their token says: the person or program, its groups, its client and its scopes. */

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

export interface Principal extends Identity {
  readonly groups: readonly string[];
  /** The OAuth client to which the token was issued; absent for a token of the file. */
  readonly client?: string | undefined;
  readonly scopes: readonly string[];
}
