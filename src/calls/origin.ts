/** Where a call comes from: who makes it, and the capabilities of the client, independent of the protocol. */
import type { CallPurpose } from "../audit/index.js";
import type { Failure } from "../language/failure.js";
import type { Principal } from "../policy/principal.js";
import type { RequestObservation } from "../telemetry/observation.js";
import type { Progress } from "./context.js";
import type { ToolOffer } from "./offer.js";

/** The user's decision on a plan. */
export interface PlanDecision {
  readonly plan: string;
  readonly isApproved: boolean;
  /** Whether they closed the question instead of answering it. */
  readonly isDismissed?: boolean;
  /** The text that they typed as the target of a critical call. */
  readonly typed?: string | undefined;
}

/** Whether the user was asked about this call: then only their yes allows it. */
export const wasUserAsked = ({ decision, unanswered }: CallOrigin): boolean =>
  decision !== undefined || unanswered !== undefined;

/** The client on whose behalf something is read or called. */
export interface ReadOrigin {
  /** The owner of plans and stored results, which other owners cannot use. */
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  /** The client's name and version, from its initialization. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly session?: string | undefined;
  /** Whether this caller can only read, even if the server makes changes for others. */
  readonly isReadOnly?: boolean;
  /** The tools offered to this caller; all of them if absent. */
  readonly offer?: ToolOffer | undefined;
  /** Who makes the call, over HTTP; absent over stdio and at a shell, where there is one user. */
  readonly principal?: Principal | undefined;
  /** The name of the call's token; absent if none is required. Secret files belong to a token. */
  readonly tokenName?: string | undefined;
  /** The ticket that was given with the call. */
  readonly ticket?: string | undefined;
  /** What is observed of the request, if anyone does. */
  readonly observation?: RequestObservation | undefined;
  /** Whether its process ends with the call: nothing is stored for a later one, and nothing is notified. */
  readonly endsWithCall?: boolean;
  /** Asks the user for a secret that an argument could name a file for; absent without a terminal. */
  readonly askSecret?: (argument: string, member: string) => Promise<string>;
}

export interface CallOrigin extends ReadOrigin {
  readonly progress: Progress;
  /** Whether the client supports elicitation. */
  readonly supportsElicitation: boolean;
  readonly decision?: PlanDecision;
  /** Why this call is refused before it begins: the tool cannot be called in this way. */
  readonly refusal?: Failure | undefined;
  /** The plan whose question failed or came back without an answer, which counts as a no. */
  readonly unanswered?: string;
  /** Whether the call runs unattended, so that it can only be approved elsewhere. */
  readonly isUnattended?: boolean;
  /** Whether the emulated world of the call ends with it, so that nothing of a change is left to undo or to follow. */
  readonly endsWithWorld?: boolean;
  /** The token budget of the result, if the caller wants less than the server allows. */
  readonly maxTokens?: number;
  /** The id of the caller's request, for the log of internal errors. */
  readonly requestId?: string | number;
}

/** A client that reads without calling a tool, and what it reads for. */
export interface InvocationOrigin extends ReadOrigin {
  readonly purpose: CallPurpose;
}

/** For commands that check the credential and its grants. */
export const operatorOrigin: InvocationOrigin = { owner: "local", signal: undefined, purpose: "check" };
