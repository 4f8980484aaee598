/** The claims that say who a token speaks for: their names in tokens, and as the configuration has them. */

/** Of several names, the first one that a token has. */
export interface ClaimNames {
  readonly subject: readonly string[];
  readonly groups: readonly string[];
  readonly client: readonly string[];
  readonly scopes: readonly string[];
}

/** The claims that are read if no others are set. */
export const usualClaims: ClaimNames = {
  subject: ["sub"],
  groups: ["groups"],
  client: ["client_id", "azp", "cid", "appid"],
  scopes: ["scope", "scp"],
};

/** A list of claims as in the setting: `subject=sub,client=client_id|azp`. */
export const claimsText = (claims: ClaimNames): string =>
  Object.entries(claims)
    .map(([name, names]) => `${name}=${names.join("|")}`)
    .join(",");
