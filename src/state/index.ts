/**
 * The state of a process: plans, results, quotas, the audit chain, and whatever instances have to agree on. Callers see
 * one interface, whether the state is in memory, in a directory or in PostgreSQL. A plan is redeemed at most once among
 * all who share it, and a store that cannot be used fails the call instead of forgetting.
 */
import type { AuditSource } from "../audit/files.js";
import type { Journal } from "../audit/journal.js";
import type { PlanStorage } from "../guard/plans/storage.js";
import type { Transaction } from "../language/transaction.js";
import type { QuotaCounters } from "../policy/quotas.js";
import type { ResultStore } from "../rows/result-store.js";
import type { SecretHolders } from "../secrets/files.js";
import type { SharedLimits } from "../wire/shared-limits.js";
import type { StateKeys } from "./keys.js";

/** The emergency stop of all changes. */
export interface WriteStop {
  readonly reason: string;
  readonly by: string;
  readonly atMs: number;
}

/** Tokens that are denied together: those of a subject, those of a client, or one by its `jti`. */
export interface TokenGroup {
  readonly kind: "subject" | "client" | "jti";
  readonly value: string;
}

/** Tokens that are no longer accepted, although they have not expired. */
export interface DeniedTokens extends TokenGroup {
  readonly by: string;
  readonly atMs: number;
  /** When they are accepted again; absent if they are denied until an operator allows them. */
  readonly untilMs?: number | undefined;
}

/** Another instance that shares the state. */
export interface Peer {
  readonly id: string;
  /** The URL at which it is reached from here. */
  readonly address: string;
}

/** The instances that share a state. */
interface Instances {
  /** The id of this one. */
  readonly ownId: () => string;
  /** How many there are, this one included, as of the last beat. */
  readonly count: () => number;
  /** The instance with an id; undefined if it is gone, or serves no address. */
  find(id: string): Promise<Peer | undefined>;
  /** Publishes the URL at which other instances reach this one. */
  serveAt(address: string): Promise<void>;
  readonly secretHolders: SecretHolders;
}

export interface State {
  /** Whether other processes share it. */
  readonly isShared: boolean;
  readonly keys: StateKeys;
  readonly plans: PlanStorage;
  readonly results: ResultStore;
  /** The counters of an account's quotas. */
  counters(account: string): QuotaCounters;
  /** Begins the audit chain of this process; nothing is written before. */
  openJournal(): Promise<Journal>;
  /** The chains of all who share the state; undefined if lines are only logged. */
  readonly auditSource: AuditSource | undefined;
  /** Where audit lines are written, and what to do if they cannot be, for messages. */
  readonly auditPlace: { readonly name: string; readonly next: string };
  /** Marks a ticket as used; false if it has been used before. It is forgotten at a time in milliseconds. */
  useTicket(ticket: string, forgottenAtMs: number): Promise<boolean>;
  /** Which of some tickets have been used, until each is forgotten. */
  usedTickets(tickets: readonly string[]): Promise<ReadonlySet<string>>;
  /** The limits of an upstream, by its name, if other processes share them. */
  readonly upstreamLimits?: (upstream: string) => SharedLimits;
  /** The stop that is in force; undefined if changes may be made. */
  writeStop(): Promise<WriteStop | undefined>;
  /** Stops all changes, or lifts the stop. @returns whether that changed anything. */
  stopWrites(stop: Omit<WriteStop, "atMs">): Promise<boolean>;
  resumeWrites(by: string): Promise<boolean>;
  /** The tokens that are denied now, in the order in which they were. */
  deniedTokens(): Promise<readonly DeniedTokens[]>;
  /** Denies tokens from now on; replaces an earlier denial of the same tokens. */
  denyTokens(denied: Omit<DeniedTokens, "atMs">): Promise<void>;
  /** Accepts denied tokens again. @returns whether that changed anything. */
  allowTokens(group: TokenGroup): Promise<boolean>;
  /**
   * Runs the steps by which a change is admitted together or not at all, where the store can do that.
   * @throws whatever the work throws, and Failure `failed` if the store cannot be used.
   */
  inTransaction<T>(work: (transaction: Transaction | undefined) => Promise<T>): Promise<T>;
  /** @throws Failure `failed` if the store cannot be used at the moment. */
  check(): Promise<void>;
  /** The time that all who share the state agree on, in milliseconds. */
  readonly now: () => number;
  /** The instances that share it, if there can be several. */
  readonly instances?: Instances;
  close(): Promise<void>;
}
