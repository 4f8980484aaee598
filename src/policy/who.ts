/** Rules about who calls: lists of patterns for a principal's subject, issuer, groups, client and scopes. */
import { matchesGlob } from "../text/glob.js";
import type { Principal } from "./principal.js";

/** The values that a principal has of each kind, and the noun for one. */
const kinds = {
  subjects: ["subject", ({ subject }: Principal) => [subject]],
  issuers: ["issuer", ({ issuer }: Principal) => (issuer === undefined ? [] : [issuer])],
  groups: ["group", ({ groups }: Principal) => groups],
  clients: ["client", ({ client }: Principal) => (client === undefined ? [] : [client])],
  scopes: ["scope", ({ scopes }: Principal) => scopes],
} satisfies Readonly<Record<string, readonly [word: string, of: (principal: Principal) => readonly string[]]>>;

/** The lists, each of which has to match; an omitted one matches every principal. */
export type PrincipalPatterns = { readonly [K in keyof typeof kinds]?: readonly string[] | undefined };

const names = Object.keys(kinds) as readonly (keyof PrincipalPatterns)[];

/** Whether a rule is about who calls. */
export const hasPrincipalPattern = (who: PrincipalPatterns): boolean => names.some((name) => who[name] !== undefined);

/**
 * What the lists match about a principal, in words; undefined if one of them matches nothing. Without a principal no
 * list matches.
 */
export function matchPrincipal(
  who: PrincipalPatterns,
  principal: Principal | undefined,
): readonly string[] | undefined {
  const phrases: string[] = [];
  for (const name of names) {
    const patterns = who[name];
    if (patterns === undefined) continue;
    const [word, of] = kinds[name];
    const match = principal && of(principal).find((text) => patterns.some((pattern) => matchesGlob(pattern, text)));
    if (match === undefined) return undefined;
    phrases.push(`the ${word} ${JSON.stringify(match)}`);
  }
  return phrases;
}
