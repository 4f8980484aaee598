/** One call of a tool while it runs: who makes it, until when, and what is recorded of it. */
import type { AccountName } from "../language/account.js";
import type { Deadline } from "../language/durations.js";
import type { Caller } from "./caller.js";
import type { Context, InvokeFor } from "./context.js";
import type { Results } from "./results.js";
import type { StandingNotes } from "./standing-note.js";
import type { Trail } from "./trail.js";

export interface Run {
  readonly context: Context;
  readonly caller: Caller;
  readonly trail: Trail;
  readonly deadline: Deadline;
  /** Makes the calls that go with it: polls, and reads of what is there at that moment. */
  readonly invoke: InvokeFor;
  /** The same for what is read before anything is sent, each of it once. */
  readonly read: InvokeFor;
  readonly accountName: () => Promise<AccountName | undefined>;
  /** Adds what there is to know of the API's future. */
  readonly withStanding: StandingNotes;
  /** Keeps an answer for the caller, and names the handle; undefined when it has no room. */
  readonly keep: Results["keep"];
  /** Called with an error that is not a Failure. */
  readonly onFault: (error: unknown) => void;
}
