/** The handles of kept results as callers write them, and what is kept under one. */
import type { Kept } from "../answers/store.js";
import { Failure, shown } from "../api/failure.js";
import { z } from "../api/z.js";
import type { Results } from "../calls/results.js";

export const Handle = z.string().regex(/^(?:result:\/\/)?[\w-]{8,64}(?:\?profile=[\w.-]+)?$/);
/** A handle without its scheme, and without the profile of an address; another profile's is not found under it. */
export const bare = (handle: string): string => handle.replace("result://", "").replace(/\?.*/s, "");

/**
 * What is kept under a handle.
 * @throws Failure when there is nothing for this caller.
 */
export function keptAt(results: Results, handle: string, field: string): Kept {
  const kept = results.get(bare(handle));
  if (kept === undefined)
    throw new Failure("not_found", `There is no kept result ${shown(bare(handle))}.`, {
      why: "A result is kept for half an hour, for whoever it was made for, and an older one makes room for a new one.",
      next: "Repeat the call whose result was kept, and use the handle that it returns.",
      fields: [{ field, given: shown(handle), takes: "the handle of a kept result" }],
    });
  return kept;
}
