/** Who makes a call and what their client supports, whatever protocol the call came over. */
import type { Progress } from "./progress.js";

/** The user's decision on a plan. */
export interface Decision {
  readonly plan: string;
  readonly isApproved: boolean;
}

export interface Caller {
  /** Who owns the plans and kept results; no one else can use them. */
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  readonly progress: Progress;
  /** Whether the user can be asked directly. */
  readonly supportsElicitation: boolean;
  readonly decision?: Decision;
  /** Whether this caller only reads, whatever the server may do for others. */
  readonly isReadOnly?: boolean;
  /** The id under which the caller made the request, for the log of an internal error. */
  readonly requestId?: string | number;
}
