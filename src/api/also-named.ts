/** The names outside of the tools under which a caller may know an argument: its header's, or that of the answer's member. */
import { bare } from "./bare.js";
import { z } from "./z.js";

/** The schemas whose values have a name elsewhere, with these names. */
export const alsoNamed = z.registry<{ readonly names: readonly string[] }>();

/** A name without what differs between the ways of writing it: `If-Match`, `if_match` and `ifMatch` are one. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

/** The member of an object that a caller knows under the given name; undefined where there is none. */
export const knownAs = (given: string, object: z.ZodObject): string | undefined =>
  Object.entries(object.shape).find(([name, member]) =>
    [name, ...(alsoNamed.get(bare(member as z.ZodType))?.names ?? [])].some((one) => plain(one) === plain(given)),
  )?.[0];
