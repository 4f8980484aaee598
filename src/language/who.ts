/** Rules about who calls: lists of patterns for a principal's subject, issuer, groups, client and scopes. */
import { matchesGlob } from "./glob.js";
import type { Principal } from "./principal.js";
import { z } from "./z.js";

const patterns = (of: string) =>
  z
    .array(
      z.string("a pattern in quotes").min(1, "a pattern, in which * matches any text and ? one character"),
      "a list",
    )
    .min(1, "a list of at least one item")
    .optional()
    .describe(`Patterns of ${of}`);

/** The lists, each of which has to match; an omitted one matches every principal. */
export const whoShape = {
  subjects: patterns("subjects, or of the names of tokens"),
  issuers: patterns("the issuers of tokens, within which subjects are unique"),
  groups: patterns("groups, of which one has to match"),
  clients: patterns("OAuth clients"),
  scopes: patterns("scopes, of which one has to match"),
};

export type Who = { readonly [K in keyof typeof whoShape]?: readonly string[] | undefined };

/** What a principal has of each kind, and the word for one. */
const kinds: { readonly [K in keyof Who]-?: readonly [word: string, (principal: Principal) => readonly string[]] } = {
  subjects: ["subject", ({ subject }) => [subject]],
  issuers: ["issuer", ({ issuer }) => (issuer === undefined ? [] : [issuer])],
  groups: ["group", ({ groups }) => groups],
  clients: ["client", ({ client }) => (client === undefined ? [] : [client])],
  scopes: ["scope", ({ scopes }) => scopes],
};

const names = Object.keys(kinds) as readonly (keyof Who)[];

/** Whether a rule is about who calls. */
export const namesWho = (who: Who): boolean => names.some((name) => who[name] !== undefined);

/**
 * What of a principal the lists match, in words; undefined if one of them matches nothing. Without a principal none
 * matches.
 */
export function matchedBy(who: Who, principal: Principal | undefined): readonly string[] | undefined {
  const found: string[] = [];
  for (const name of names) {
    const wanted = who[name];
    if (wanted === undefined) continue;
    const [word, of] = kinds[name];
    const one = principal && of(principal).find((text) => wanted.some((pattern) => matchesGlob(pattern, text)));
    if (one === undefined) return undefined;
    found.push(`the ${word} ${JSON.stringify(one)}`);
  }
  return found;
}
