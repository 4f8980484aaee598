/** An answer that is kept when its handle is first shown, and what is said of it: a member, or a note where it was cut. */
import { lazily } from "../language/once-for.js";
import { resultTool } from "../language/own-tools.js";
import type { Told } from "./store.js";

/** Keeps an answer, and names the handle under which the whole can be read. */
export type Keep = (whole: unknown, told?: Told) => string | undefined;

interface KeptOnce {
  /** The member by which an answer that is shown whole is found again; none where it is not kept. */
  readonly handle: () => { readonly handle?: string };
  /** Where the whole of an answer is that is shown in part, if it can be kept. */
  readonly note: () => readonly string[];
}

/** An answer that is kept when its handle is first asked for, and then once. */
export function onceKept(whole: unknown, keep: Keep | undefined): KeptOnce {
  const kept = lazily(() => keep?.(whole));
  return {
    handle: () => {
      const handle = kept();
      return handle === undefined ? {} : { handle };
    },
    note: () => {
      const handle = kept();
      return handle === undefined ? [] : [`The whole answer can be read at result://${handle} or with ${resultTool}.`];
    },
  };
}
