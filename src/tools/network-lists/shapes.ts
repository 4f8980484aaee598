/** What network lists are made of: their types, the networks, and which texts can be elements. */
import { z } from "../../language/z.js";

export const environments = ["STAGING", "PRODUCTION"] as const;
export const Type = z.enum(["IP", "GEO"]);

/** The statuses in which a network has a version of the list, or is about to have one. */
export const inForce: ReadonlySet<unknown> = new Set(["ACTIVE", "MODIFIED", "PENDING_ACTIVATION"]);

/** What an element of each type is; a block may have bits behind its prefix. */
export const fits = {
  IP: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
  GEO: z.string().regex(/^[A-Z]{2}$/),
} as const;
