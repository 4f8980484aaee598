/** The shared context of all calls of a process, and a call that is ready to be sent. */
import type { CheckedArguments } from "../arguments/index.js";
import type { Audit, Purpose } from "../audit/index.js";
import type { Composed, Plans } from "../guard/index.js";
import type { Account, AccountReading } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { CallDefaults } from "../language/defaults.js";
import type { AnyOperation } from "../language/define.js";
import type { NextCall } from "../language/next-call.js";
import type { Tier } from "../language/tier.js";
import type { Policy, Quotas } from "../policy/index.js";
import type { Destination } from "../schema/destination.js";
import type { SecretFilesOf } from "../secrets/files.js";
import type { Client, Reply, ResolvedRequest } from "../wire/index.js";

/** An operation of the catalogue, and the service that it belongs to. */
export interface Declared {
  readonly service: string;
  readonly declared: AnyOperation;
}

/** What a configured profile says of the calls that are made in it. */
interface InProfile {
  readonly name: string;
  readonly highestTier?: Tier | undefined;
  readonly defaults: CallDefaults;
}

export interface Context {
  /** Looks an operation up by its tool's name; undefined when there is none. */
  readonly operationOf: (tool: string) => Promise<Declared | undefined>;
  readonly client: Client;
  readonly plans: Plans;
  /**
   * Who approves: the user, or the model's `confirm` where the client cannot ask; that alone, where the operator says that
   * none can; people alone; or nobody but the policy.
   */
  readonly approval: "auto" | "confirm" | "human" | "off";
  readonly policy: Policy;
  readonly quotas: Quotas;
  readonly audit: Audit;
  readonly account: Account;
  /** The forms of the process's own secrets, which no plan may keep. */
  readonly secrets: readonly string[];
  /** Of a configured profile: its name, the gravest tier of its calls, and what fills in what they leave out. */
  readonly profile?: InProfile | undefined;
  /** The client token of the credential in use. */
  readonly signer?: () => Promise<string>;
  /** Where secrets are kept that no argument and no result holds, for each client by itself. */
  readonly secretFiles: SecretFilesOf;
  /** How services tell the account's name, in the order in which they are asked. */
  readonly accountReadings: () => Promise<readonly AccountReading[]>;
  readonly isReadOnly: boolean;
}

/**
 * Calls an operation by its tool's name, with its arguments checked as an assistant's are; for work made of several
 * calls. Never makes a call that needs an approval.
 * @throws Failure, always with what to do next.
 */
export type Invoke = (tool: string, args: Arguments) => Promise<Reply>;

/** The same for each purpose, which is on the record of each call and decides whether what is left out may be read. */
export type InvokeFor = (purpose: Purpose) => Invoke;

/**
 * Reports one step; `done` grows from call to call, and `total` is left out when it is not known. Never throws: the work
 * continues without a listener.
 */
export type Progress = (done: number, message: string, total?: number) => Promise<void>;

/** What a composed change comes to: the arguments of its operation. */
export interface Composition {
  /** The operation, where the declaration leaves it open; not used where it does not. */
  readonly tool?: string;
  readonly args: Arguments;
  /** What it changes in the caller's own terms, as the sentence that leads the preview, without its full stop. */
  readonly says?: string;
  /** How the arguments were prepared, for the preview and the answer. */
  readonly notes?: readonly string[];
  /** What may go wrong, for the preview. */
  readonly warnings?: readonly string[];
}

/** Several calls of one operation, to be approved as one. */
export interface Series {
  readonly tool: string;
  readonly each: readonly Arguments[];
  /** What the answers of all calls are shown as together, where they are not shown each by itself. */
  readonly view?: unknown;
  /** Whether its caller gave the arguments of the calls; nobody has seen those that were composed before their preview. */
  readonly isGiven: boolean;
  /** How the calls were prepared, for the preview. */
  readonly notes?: readonly string[];
}

/** There is nothing to approve or to send: the state is as asked already, or more has to be chosen first. */
export interface Unchanged {
  /** Why, in whole sentences. */
  readonly unchanged: string;
  /** What can be chosen, by the argument that takes it. */
  readonly choices?: Readonly<Record<string, unknown>>;
  /** The call that shows when there is something to do again. */
  readonly askAgainWith?: NextCall;
}

/** A call that is ready to be sent. */
export interface Prepared extends Declared {
  readonly tool: string;
  /** The composed change that prepared it, where its caller called that and not the operation. */
  readonly composed?: Composed | undefined;
  readonly checked: CheckedArguments;
  /** Where it makes the API send data without naming it among its arguments. */
  readonly reaches: readonly Destination[];
  readonly request: ResolvedRequest;
  /** The secrets in the request that no argument holds. */
  readonly secrets: readonly string[];
}
