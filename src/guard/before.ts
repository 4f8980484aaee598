/** What a plan keeps of a change so that it can be taken back. */
import type { Arguments } from "../api/conduct.js";

/** One request's part of the way back. */
export interface Before {
  /** The operation's tool. */
  readonly tool: string;
  readonly given: Arguments;
  readonly state: unknown;
}
