/** What a run saw, as it is written to `result.json` and made into the page. */
import type { Transport } from "./clients.js";
import type { StepName } from "./steps.js";

/** Done, or why not: the reason in words, and what the client said or what was looked through. */
export type Cell = { readonly done: true } | { readonly done: false; readonly reason: string; readonly seen?: string };

interface Tried {
  /** The newest revision of the protocol that the client's requests named; absent where it was not tried. */
  readonly revision?: string;
  readonly steps: Readonly<Record<StepName, Cell>>;
}

interface ClientResult {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly form: string;
  readonly remark?: string;
  /** The Node that it ran on. */
  readonly node: string;
  readonly over: Readonly<Record<Transport, Tried>>;
}

export interface Result {
  /** The day of the run. */
  readonly date: string;
  readonly server: { readonly version: string; readonly node: string; readonly tools: number };
  readonly clients: readonly ClientResult[];
}
