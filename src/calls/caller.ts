/** Who makes a call and what their client supports, whatever protocol the call came over. */
import type { Failure } from "../api/failure.js";
import type { Progress } from "./progress.js";
import type { Tools } from "./workflow.js";

/** The user's decision on a plan. */
export interface Decision {
  readonly plan: string;
  readonly isApproved: boolean;
  /** Whether they closed the question instead of answering it. */
  readonly isDismissed?: boolean;
  /** What they typed as the target of a critical call. */
  readonly typed?: string | undefined;
}

/** Whether the user was asked about this very call, whatever came back: then nothing but their yes has it sent. */
export const wasAsked = ({ decision, unanswered }: Caller): boolean =>
  decision !== undefined || unanswered !== undefined;

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
  /** The tools that can be called, where some are left out for this caller. */
  readonly tools?: Tools;
  /** Why this call is refused before it begins: it came by a way that does not lead to its tool. */
  readonly refused?: Failure | undefined;
  /** The plan that the user was asked about in vain: the question failed, or came back without an answer. That is a no. */
  readonly unanswered?: string;
  /** The name of the token that came with the call; absent where none is asked for. A client's secret files are its token's. */
  readonly tokenName?: string | undefined;
  /** Asks the user for a member of the body that an argument could name a file for; absent where there is no terminal. */
  readonly askSecret?: (argument: string, member: string) => Promise<string>;
  /** Whether no one follows the call while it runs, so that only a person elsewhere can approve it. */
  readonly isUnattended?: boolean;
  /** The client's name and version, as it introduced itself. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly session?: string | undefined;
  /** The budget of the result, where the caller wants less than the server allows. */
  readonly maxTokens?: number;
  /** The id under which the caller made the request, for the log of an internal error. */
  readonly requestId?: string | number;
}
