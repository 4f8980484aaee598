/** What a plan keeps of a change so that it can be taken back. */
import type { Arguments } from "../api/conduct.js";
import type { WholeCall } from "../api/next-call.js";

/** One request's part of the way back. */
export interface Before {
  /** The operation's tool. */
  readonly tool: string;
  readonly given: Arguments;
  readonly state: unknown;
  /** How it is taken back by hand, in words: what that is said from is not kept itself. */
  readonly wayBack?: string;
  /** The call that does that, where it is one. */
  readonly returnsBy?: WholeCall;
  /** What its answer named of what it made: that is known after the plan was written, and stands with its outcome. */
  readonly made?: Arguments;
}
