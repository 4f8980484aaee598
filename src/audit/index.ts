/**
 * The audit log: a line before a call is sent and one after it, in a hash chain that reveals later changes. Callers
 * record intents and outcomes; files, rotation and the counting of lost lines stay in this room. No line contains the
 * arguments of a call or a secret of the process. A guarded or critical call must not be sent without its line.
 */
import { hash, randomUUID } from "node:crypto";
import type { ApprovalRecord } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import type { Transaction } from "../language/transaction.js";
import type { Tier } from "../policy/tier.js";
import { scrub } from "../secrets/held-secrets.js";
import type { Log } from "../telemetry/log.js";
import { canonical } from "../text/canonical.js";
import type { AuditLine } from "./chain.js";
import { UnusableDirectory } from "./files.js";
import type { AppendOptions, Journal } from "./journal.js";

/**
 * The purpose of a call that is not a tool call: a step of one, the state for the guard, a check of the arguments or
 * the credential, the account's name, a poll after a launch, a forecast for a preview; or a read without any tool.
 */
export type CallPurpose =
  | "step"
  | "state"
  | "check"
  | "account"
  | "wait"
  | "forecast"
  | "resource"
  | "completion"
  | "subscription";

/** The members that all lines of a call have. */
export interface AuditedCall {
  /** From `newAuditedCall`: the same on all lines of a call. */
  readonly call: string;
  /** The id of the call within which it is made. */
  readonly parent?: string | undefined;
  /** Absent for a tool call. */
  readonly purpose?: CallPurpose | undefined;
  /** The owner or principal that made the call. */
  readonly who: string;
  /** The subject of the caller's token, or the name of a token of the file; absent over stdio and at a shell. */
  readonly subject?: string | undefined;
  readonly issuer?: string | undefined;
  /** The OAuth client to which the token was issued. */
  readonly oauthClient?: string | undefined;
  /** The name and version of the client's program, from its initialization. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  /** The session's id; only a digest of it is written, because the id grants access to the session. */
  readonly session?: string | undefined;
  /** The account that the call acts on, in words. */
  readonly account: string;
  readonly tool: string;
  readonly tier: Tier;
  /** The ticket that was given with the call. */
  readonly ticket?: string | undefined;
  /** From `newAuditedCall`: a hash, because the arguments themselves are never written. */
  readonly args: string;
}

const processId = randomUUID().slice(-12);
let callsSoFar = 0;

/**
 * The SHA-256 of a call's arguments, independent of the order of their keys. It shows whether two calls had the same
 * arguments; it does not hide guessable values.
 */
function argumentsHash(args: unknown): string {
  try {
    return hash("sha256", canonical(args));
  } catch {
    // Arguments nested too deep for recursion are refused, and the refusal has to be recorded.
    return "none: nested too deep";
  }
}

/** Names a new call: its id, unique across all processes that write to the same directory, and the hash of its arguments. */
export function newAuditedCall(args: unknown): Pick<AuditedCall, "call" | "args"> {
  callsSoFar += 1;
  return { call: `${processId}.${callsSoFar}`, args: argumentsHash(args) };
}

/** The rule that allowed or denied a call, and the hash of its policy file. */
interface AppliedPolicy {
  readonly rule: string;
  readonly hash?: string | undefined;
}

/** A call that is about to be sent. */
export interface CallIntent extends AuditedCall {
  /** The operation whose requests it sends, if the tool composed them. */
  readonly makes?: string | undefined;
  readonly plan?: string | undefined;
  /** Of the plan, in their order. */
  readonly approvals?: readonly ApprovalRecord[] | undefined;
  /** The rules that deny it to all but two persons, whose approvals have the reasons; never empty. */
  readonly breaks?: readonly string[] | undefined;
  readonly policy?: AppliedPolicy | undefined;
}

/** The outcome of a call that was to be sent. */
interface RecordedOutcome {
  /** `ok`, or the code of the failure. */
  readonly code: string;
  /** The status of the upstream's response. */
  readonly status?: number | undefined;
  /** The upstream's id of the request. */
  readonly upstreamRequestId?: string | undefined;
  /**
   * The number of requests that were sent for it, every attempt and page included; those of inner calls are on their
   * own lines.
   */
  readonly requests: number;
  readonly ms: number;
}

/** A call that ended without a request. */
export type AuditNote =
  | (AuditedCall & { readonly event: "preview"; readonly plan: string; readonly policy?: AppliedPolicy | undefined })
  /** Refused by a check of its arguments or by the guard; the tier is unknown if the arguments could not be read. */
  | (Omit<AuditedCall, "tier"> & {
      readonly event: "refused";
      readonly tier?: AuditedCall["tier"] | undefined;
      readonly code: string;
      readonly plan?: string | undefined;
    })
  /** Shown to a person, who did not approve it. */
  | (AuditedCall & { readonly event: "declined"; readonly plan: string; readonly channel: string })
  /** Denied by the policy. */
  | (AuditedCall & { readonly event: "denied"; readonly policy: AppliedPolicy });

/** What an operator did for all calls. */
export interface OperatorCommand {
  readonly event: "writes_stopped" | "writes_resumed" | "tokens_denied" | "tokens_allowed";
  readonly who: string;
  readonly reason?: string | undefined;
  /** Whose tokens, as on the command line. */
  readonly tokens?: string | undefined;
  /** Until when they are denied. */
  readonly until?: string | undefined;
}

/** The members of a line, in a form that is safe to write. */
type LineMembers = Readonly<Record<string, unknown>>;

// Names come from clients and upstreams; without a limit, one of them could fill the disk.
const maxText = 256;

/** A value for a line: texts truncated and without secrets, undefined members left out. */
function cleanValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") {
    const clean = scrub(value, secrets);
    return clean.length > maxText ? `${clean.slice(0, maxText)}…` : clean;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, secrets));
  const given = value as LineMembers;
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(given))
    if (given[name] !== undefined) members[name] = cleanValue(given[name], secrets);
  return members;
}

/**
 * The members of a call's line.
 * @param secrets The encoded forms of the process's own secrets, which a client or an upstream may have put into a name
 * or an id.
 */
function membersOfCall(call: CallIntent | AuditNote, secrets: readonly string[]): LineMembers {
  const { session } = call;
  const approvals = "approvals" in call ? call.approvals : undefined;
  const members = {
    ...call,
    session: session === undefined ? undefined : hash("sha256", session).slice(0, 16),
    approvals: approvals?.map(({ atMs, ...rest }) => ({ ...rest, at: new Date(atMs).toISOString() })),
  };
  return cleanValue(members, secrets) as LineMembers;
}

/**
 * The members of an outcome's line, in addition to those of its intent.
 * @param of The sequence number of the intent's line, if it could be written.
 */
const membersOfOutcome = (of: number | undefined, outcome: RecordedOutcome, secrets: readonly string[]): LineMembers =>
  cleanValue({ of, ...outcome }, secrets) as LineMembers;

/** The recorded intent of a call, for the line of its outcome. */
export interface RecordedIntent {
  readonly line: AuditLine;
  /** The members of both lines of the call. */
  readonly membersOf: () => LineMembers;
  readonly isRead: boolean;
}

export interface Audit {
  /**
   * Records a call before it is sent. When the promise resolves, the line of a guarded or critical call is on disk, and
   * that of another change is written. The lines of reads, which change nothing, are delayed until their call waits for
   * something else.
   * @param transaction The transaction with which the line stands or falls.
   * @throws Failure `not_allowed` if the line of a guarded or critical call cannot be written: it must not be sent.
   */
  intent(intent: CallIntent, transaction?: Transaction): Promise<RecordedIntent>;
  /**
   * Records the outcome of a call; resolves when the line of a change is written. Never throws, because the call has been
   * made.
   */
  outcome(recorded: RecordedIntent, outcome: RecordedOutcome): Promise<void>;
  /** Records a call that ended without a request. Never throws. */
  note(note: AuditNote): Promise<void>;
  /** Records what an operator did. Never throws. */
  command(command: OperatorCommand): Promise<void>;
  /** Writes the last line. Later lines count as lines that could not be written. */
  close(): Promise<void>;
}

interface AuditOptions {
  /** Begins the chain of this process. */
  readonly open: () => Promise<Journal>;
  /** Where the lines go, and what to do if they cannot be written, for messages. */
  readonly place: { readonly name: string; readonly next: string };
  /** Writes a line to stderr. */
  readonly log: Log;
  /** The encoded forms of the process's own secrets at any time; no line contains one. */
  readonly secrets: readonly string[];
}

/** Why a line cannot be written: the system's error code, without file names. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableDirectory) return error.message;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : "closed";
}

/** Creates what writes the lines of a process in their order. Nothing is read or written before the first line. */
function createWriter({ open, place, log }: Omit<AuditOptions, "secrets">) {
  let journal: Journal | undefined;
  let isClosed = false;
  let lost = 0;
  let delayed: AuditLine[] = [];

  const opened = lazily(async (): Promise<Journal> => {
    journal = await open();
    return journal;
  });

  /** Writes lines. If lines are lost, this is reported once, and the first line after them has their number. */
  const write = async (lines: readonly AuditLine[], how: AppendOptions): Promise<void> => {
    const before = lost;
    lost = 0;
    try {
      if (isClosed) throw new Error("The audit log is closed.");
      const to = journal ?? (await opened());
      if (before > 0 && lines[0]) lines[0].lost = before;
      await to.append(lines, how);
    } catch (error) {
      const isFirst = before === 0 && lost === 0;
      lost += before + lines.length;
      if (isFirst) log(`edgewise: audit lines cannot be written to ${place.name} (${reasonOf(error)})`, "error");
      throw error;
    }
  };

  /** Resolves when all lines that were delayed are written, or known to be lost. */
  const writeDelayed = async (): Promise<void> => {
    const lines = delayed;
    delayed = [];
    if (lines.length > 0) await write(lines, { mayWait: true }).catch(() => undefined);
  };

  return {
    /** Writes a line together with others that are delayed, when their calls wait for something else. */
    delay(line: AuditLine): void {
      const isFirst = delayed.push(line) === 1;
      if (isClosed) void writeDelayed();
      else if (isFirst) setImmediate(writeDelayed);
    },
    /** Writes a line now, after those that were delayed. */
    append(line: AuditLine, transaction?: Transaction): Promise<void> {
      void writeDelayed();
      return write([line], { transaction });
    },
    durable: async () => journal?.durable(),
    async close(): Promise<void> {
      const pendingWrite = writeDelayed();
      isClosed = true;
      // Lines that wait for the file to open are written before the last one, which counts those that are lost.
      await opened.peek()?.catch(() => undefined);
      await pendingWrite;
      try {
        await journal?.close(lost === 0 ? {} : { lost });
      } catch (error) {
        log(`edgewise: the audit file could not be closed (${reasonOf(error)})`, "error");
      }
    },
  };
}

/** Opens the audit log of a process. Nothing is read or written before the first line. */
export function openAudit({ secrets, ...options }: AuditOptions): Audit {
  const { place } = options;
  const { append, delay, durable, close } = createWriter(options);

  const refusal = (error: unknown): Failure =>
    new Failure("not_allowed", "A guarded call is not made without its audit line.", {
      why: `The line cannot be written to ${place.name} (${reasonOf(error)}). Nothing was sent.`,
      next: place.next,
    });

  const outcome: Audit["outcome"] = async ({ line, membersOf, isRead }, ended) => {
    const all = () => ({ event: "outcome", ...membersOf(), ...membersOfOutcome(line.seq, ended, secrets) });
    const last = { membersOf: all, seq: undefined };
    if (isRead) delay(last);
    else await append(last).catch(() => undefined);
  };

  return {
    async intent(intent, transaction) {
      const mustBeDurable = intent.tier === "guarded" || intent.tier === "critical";
      const membersOf = lazily(() => membersOfCall(intent, secrets));
      const line: AuditLine = { membersOf: () => ({ event: "intent", ...membersOf() }), seq: undefined };
      const recorded = { line, membersOf, isRead: intent.tier === "read" };
      // A line that stands or falls with a transaction is written before that ends.
      if (recorded.isRead && transaction === undefined) {
        delay(line);
        return recorded;
      }
      try {
        await append(line, transaction);
        if (mustBeDurable) await durable();
      } catch (error) {
        if (!mustBeDurable) return recorded;
        if (line.seq !== undefined) await outcome(recorded, { code: "not_sent", requests: 0, ms: 0 });
        throw refusal(error);
      }
      return recorded;
    },
    outcome,
    async note(note) {
      await append({ membersOf: () => membersOfCall(note, secrets), seq: undefined }).catch(() => undefined);
    },
    async command(command) {
      const membersOf = () => cleanValue(command, secrets) as LineMembers;
      await append({ membersOf, seq: undefined }).catch(() => undefined);
    },
    close,
  };
}
