/** The schema of a rule about who calls, in the policy file and in that of the profiles; only they are read with zod. */
import { z } from "../language/z.js";
import type { PrincipalPatterns } from "./who.js";

const patterns = (of: string) =>
  z
    .array(
      z.string("a pattern in quotes").min(1, "a pattern, in which * matches any text and ? one character"),
      "a list",
    )
    .min(1, "a list of at least one item")
    .optional()
    .describe(`Patterns of ${of}`);

export const principalPatternsShape = {
  subjects: patterns("subjects, or of the names of tokens"),
  issuers: patterns("the issuers of tokens, within which subjects are unique"),
  groups: patterns("groups, of which one has to match"),
  clients: patterns("OAuth clients"),
  scopes: patterns("scopes, of which one has to match"),
} satisfies Readonly<Record<keyof PrincipalPatterns, z.ZodType>>;
