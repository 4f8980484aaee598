/** The shared context of all calls of a process, and calls that are ready to be sent. */
import type { Audit, CallPurpose } from "../audit/index.js";
import type { ComposedCall, Plans } from "../guard/index.js";
import type { Account, AccountReading } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { CallDefaults } from "../language/defaults.js";
import type { AnyOperation } from "../language/define.js";
import type { Destination } from "../language/destination.js";
import type { NextCall } from "../language/next-call.js";
import type { Transaction } from "../language/transaction.js";
import type { Policy, Quotas } from "../policy/index.js";
import type { Tier } from "../policy/tier.js";
import type { ValidatedArguments } from "../schema/arguments.js";
import type { SecretFilesOf } from "../secrets/files.js";
import type { WriteStop } from "../state/index.js";
import type { Client, Reply, ResolvedRequest } from "../wire/index.js";

/** An operation of the catalogue, and its service. */
export interface DeclaredOperation {
  readonly service: string;
  readonly declared: AnyOperation;
}

/** The settings of a configured profile for its calls. */
interface CallProfile {
  readonly name: string;
  readonly highestTier?: Tier | undefined;
  readonly defaults: CallDefaults;
}

export interface CallContext {
  /** Finds an operation by its tool's name; undefined if there is none. */
  readonly operationOf: (tool: string) => Promise<DeclaredOperation | undefined>;
  readonly client: Client;
  /** Set if the server offers today's APIs; plans are bound to it. */
  readonly apis?: "today" | undefined;
  readonly plans: Plans;
  /**
   * Who approves: the user, or `confirm` if the client does not support elicitation; only `confirm`; only people; or
   * only the policy.
   */
  readonly approval: "auto" | "confirm" | "human" | "off";
  readonly policy: Policy;
  readonly quotas: Quotas;
  readonly audit: Audit;
  /** Runs the steps by which a change is admitted together or not at all, where the store of state can do that. */
  readonly together: <T>(work: (transaction: Transaction | undefined) => Promise<T>) => Promise<T>;
  /** The emergency stop of changes that is in force; undefined if there is none. */
  readonly writeStop: () => Promise<WriteStop | undefined>;
  readonly account: Account;
  /** The encoded forms of the process's own secrets, which plans must not contain. */
  readonly secrets: readonly string[];
  /** The settings of a configured profile: its name, the highest tier of its calls, and its defaults. */
  readonly profile?: CallProfile | undefined;
  /** The client token of the credential in use. */
  readonly signer?: () => Promise<string>;
  /** The files of secrets that are in no argument or result, separate for each client. */
  readonly secretFiles: SecretFilesOf;
  /** The calls that can return the account's name, in their order. */
  readonly accountReadings: () => Promise<readonly AccountReading[]>;
  readonly isReadOnly: boolean;
}

/**
 * Calls an operation by its tool's name, with the same validation as a tool call; for work made of several calls. Never
 * makes a call that needs an approval.
 * @throws Failure, always with what to do next.
 */
export type Invoke = (tool: string, args: Arguments) => Promise<Reply>;

/** The responses that a call has read so far. */
export type ReadMemory = Map<string, Promise<Reply>>;

/** The same for each purpose, which is recorded with the call and determines whether excluded tools can be read. */
export type InvokeByPurpose = (purpose: CallPurpose) => Invoke;

/** What goes on after the call that began it: it ends with its first read that fails. */
export type BackgroundWork = (invoke: Invoke) => Promise<void>;

/**
 * Reports a step; `done` increases with each call, and `total` is absent if unknown. Never throws: the work continues
 * without a listener.
 */
export type Progress = (done: number, message: string, total?: number) => Promise<void>;

/** Calls that write a draft: nothing of it is in effect until the operation that it is for has been called. */
export interface Draft {
  /** In order; none of them may need an approval. */
  readonly calls: readonly { readonly tool: string; readonly args: Arguments }[];
  /** The state that the calls were composed from, to which the plan is bound. */
  readonly from: unknown;
  /** What to do about the draft if a call fails, in a whole sentence. */
  readonly ifLeft: string;
}

/** The result of a composed change: the arguments of its operation. */
export interface Composition {
  /** The operation, if the declaration leaves it open; otherwise unused. */
  readonly tool?: string;
  readonly args: Arguments;
  /** What is written after the approval and before the call of the operation, and previewed with it. */
  readonly draft?: Draft;
  /** The change in the caller's terms, as the first sentence of the preview, without its full stop. */
  readonly says?: string;
  /** How the arguments were prepared, for the preview and the result. */
  readonly notes?: readonly string[];
  /** Possible problems, for the preview. */
  readonly warnings?: readonly string[];
}

/** Several calls of one operation, to be approved together. */
export interface CallSeries {
  readonly tool: string;
  readonly each: readonly Arguments[];
  /** The view of all responses together, if they are not shown one by one. */
  readonly view?: unknown;
  /**
   * Whether the caller gave the arguments of the calls; composed ones are unknown to the caller before their preview.
   */
  readonly isGiven: boolean;
  /** How the calls were prepared, for the preview. */
  readonly notes?: readonly string[];
}

/** There is nothing to approve or send: the state is already up to date, or a choice has to be made first. */
export interface NoChange {
  /** Why, in whole sentences. */
  readonly unchanged: string;
  /** The possible choices, by argument. */
  readonly choices?: Readonly<Record<string, unknown>>;
  /** The call that shows when there is something to do again. */
  readonly askAgainWith?: NextCall;
}

/** A call that is ready to be sent. */
export interface ResolvedCall extends DeclaredOperation {
  readonly tool: string;
  /** The composed change that prepared it, if the caller called that. */
  readonly composed?: ComposedCall | undefined;
  readonly checked: ValidatedArguments;
  /** Destinations to which the API sends data, if the arguments do not name them. */
  readonly reaches: readonly Destination[];
  readonly request: ResolvedRequest;
  /** The secrets in the request that are in no argument. */
  readonly secrets: readonly string[];
}
