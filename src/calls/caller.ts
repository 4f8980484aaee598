/** Who makes a call and what they can do: told by whatever protocol the call came over. */
import type { Progress } from "./progress.js";

/** What a person said when they were asked about a plan. */
export interface Decision {
  readonly plan: string;
  readonly isApproved: boolean;
}

export interface Caller {
  /** Whose plans and results these are: nobody else can use them. */
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  readonly progress: Progress;
  /** Whether the person can be asked directly. */
  readonly supportsElicitation: boolean;
  readonly decision?: Decision;
  /** The id under which the caller made the request, for the trace of a fault. */
  readonly requestId?: string | number;
}
