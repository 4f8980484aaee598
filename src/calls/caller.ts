/** Who makes a call and what their client supports, whatever protocol the call came over. */
import type { Purpose } from "../audit/index.js";
import type { Failure } from "../language/failure.js";
import type { Progress } from "./context.js";
import type { Offer } from "./offer.js";

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

/** Who reads or calls something, as far as what is made on the way has to know. */
export interface Reader {
  /** Who owns the plans and kept results; no one else can use them. */
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  /** The client's name and version, as it introduced itself. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly session?: string | undefined;
  /** Whether this caller only reads, whatever the server may do for others. */
  readonly isReadOnly?: boolean;
  /** What is offered to this caller; everything where it is absent. */
  readonly offer?: Offer | undefined;
  /** The name of the token that came with the call; absent where none is asked for. A client's secret files are its token's. */
  readonly tokenName?: string | undefined;
  /** Asks the user for a member of the body that an argument could name a file for; absent where there is no terminal. */
  readonly askSecret?: (argument: string, member: string) => Promise<string>;
}

export interface Caller extends Reader {
  readonly progress: Progress;
  /** Whether the user can be asked directly. */
  readonly supportsElicitation: boolean;
  readonly decision?: Decision;
  /** Why this call is refused before it begins: it came by a way that does not lead to its tool. */
  readonly refused?: Failure | undefined;
  /** The plan that the user was asked about in vain: the question failed, or came back without an answer. That is a no. */
  readonly unanswered?: string;
  /** Whether no one follows the call while it runs, so that only a person elsewhere can approve it. */
  readonly isUnattended?: boolean;
  /** The budget of the result, where the caller wants less than the server allows. */
  readonly maxTokens?: number;
  /** The id under which the caller made the request, for the log of an internal error. */
  readonly requestId?: string | number;
}

/** Who reads something without calling a tool, and what for. */
export interface Reading extends Reader {
  readonly purpose: Purpose;
}

/** What a command reads to see whether the credential and its grants are good. */
export const operatorsCheck: Reading = { owner: "local", signal: undefined, purpose: "check" };
