/** A tool call in progress: its caller, its deadline, and its audit trail. */
import type { AccountName } from "../language/account.js";
import type { ChangeScope, Forecast } from "../language/forecast.js";
import type { Deadline } from "../time/durations.js";
import type { CallContext, InvokeByPurpose, ReadMemory } from "./context.js";
import type { CallOrigin } from "./origin.js";
import type { CallProgress } from "./progress.js";
import type { CallerResults } from "./results.js";
import type { StandingNotes } from "./standing-note.js";
import type { Trail } from "./trail.js";

export interface CallRun {
  readonly context: CallContext;
  readonly caller: CallOrigin;
  readonly trail: Trail;
  readonly deadline: Deadline;
  /** Reports to the caller that the call waits; absent if no one follows it. */
  readonly waiting: CallProgress["waiting"];
  /** Makes calls within the call: polls, and reads of the present state. */
  readonly invoke: InvokeByPurpose;
  /** The same for reads before anything is sent, memoized. */
  readonly read: InvokeByPurpose;
  /** What these have read. */
  readonly known: ReadMemory;
  readonly accountName: () => Promise<AccountName | undefined>;
  /** Forecasts what a call does that reaches these on the site; undefined if nothing is known to forecast. */
  readonly forecast: (scopes: readonly ChangeScope[]) => Promise<Forecast | undefined>;
  /** Adds notes on deprecated APIs. */
  readonly addStandingNotes: StandingNotes;
  /** Stores a result for the caller and returns its handle; undefined if it is too large. */
  readonly keep: CallerResults["keep"];
  /** Called with an error that is not a Failure. */
  readonly onFault: (error: unknown) => void;
}
