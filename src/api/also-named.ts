/** The names outside of the tools under which a caller may know an argument: its header's, or that of the answer's member. */
import { bare } from "./bare.js";
import { onceFor } from "./once-for.js";
import { z } from "./z.js";

/** The schemas whose values have a name elsewhere, with these names. */
export const alsoNamed = z.registry<{ readonly names: readonly string[] }>();

/** A name without what differs between the ways of writing it: `If-Match`, `if_match` and `ifMatch` are one. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

const byPlainName = onceFor((object: z.ZodObject): ReadonlyMap<string, string> => {
  const members = Object.entries(object.shape).flatMap(([name, member]) =>
    [name, ...(alsoNamed.get(bare(member as z.ZodType))?.names ?? [])].map((one) => [plain(one), name] as const),
  );
  // Of two members that one name can mean, the first one is meant.
  return new Map(members.toReversed());
});

/** The member of an object that a caller knows under the given name; undefined where there is none. */
export const knownAs = (given: string, object: z.ZodObject): string | undefined =>
  byPlainName(object).get(plain(given));
