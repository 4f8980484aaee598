/** What an audit line says of a call: who made it, what it was, who approved it, and what became of it. */
import { hash, randomUUID } from "node:crypto";
import { canonical } from "../guard/difference.js";
import type { Tier } from "../language/tier.js";
import { scrubbed } from "../secrets/held-secrets.js";

/**
 * What a call is made for that is no call of a tool by itself: a step of one, what the guard shows and binds to, a check
 * of the arguments or of the credential, the account's name, a poll after a launch; or what is read without any tool.
 */
export type Purpose = "step" | "state" | "check" | "account" | "wait" | "resource" | "completion" | "subscription";

/** A call as every line about it names it. */
export interface AuditedCall {
  /** From `newCallId`: the same on all lines of a call. */
  readonly call: string;
  /** The id of the call on whose way it is made. */
  readonly parent?: string | undefined;
  /** Absent for a call that somebody made of a tool. */
  readonly purpose?: Purpose | undefined;
  /** The owner or principal that made the call. */
  readonly who: string;
  /** The client's name and version, as it introduced itself over the protocol. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  /** The session's id; only a digest of it is written, because the id itself admits to the session. */
  readonly session?: string | undefined;
  /** The account that the call acts on, in words. */
  readonly account: string;
  readonly tool: string;
  readonly tier: Tier;
  /** From `argumentsHash`; the arguments themselves are never written. */
  readonly args: string;
}

const processId = randomUUID().slice(-12);
let callsSoFar = 0;

/** An id that no other call has, of whatever process that writes to the same directory. */
export function newCallId(): string {
  callsSoFar += 1;
  return `${processId}.${callsSoFar}`;
}

/** The rule that allowed or denied a call, and the hash of the policy file that it stands in. */
interface AppliedPolicy {
  readonly rule: string;
  readonly hash?: string | undefined;
}

/** A call that is about to be sent. */
export interface Intent extends AuditedCall {
  /** The operation whose requests it sends, where its tool has composed them. */
  readonly makes?: string | undefined;
  readonly plan?: string | undefined;
  readonly approval?: { readonly channel: string; readonly atMs: number } | undefined;
  readonly policy?: AppliedPolicy | undefined;
}

/** What became of a call that was to be sent. */
export interface Outcome {
  /** `ok`, or the code of the failure. */
  readonly code: string;
  /** The status of the upstream's answer. */
  readonly status?: number | undefined;
  /** The id that the upstream gave the request. */
  readonly upstreamRequestId?: string | undefined;
  /** How many requests have left for it, every attempt and every page; those of its inner calls are on their own lines. */
  readonly requests: number;
  readonly ms: number;
}

/** A call that ended without a request. */
export type Note =
  | (AuditedCall & { readonly event: "preview"; readonly plan: string; readonly policy?: AppliedPolicy | undefined })
  /** Refused by a check of its arguments or by the guard; the tier of a call that could not be read is not known. */
  | (Omit<AuditedCall, "tier"> & {
      readonly event: "refused";
      readonly tier?: AuditedCall["tier"] | undefined;
      readonly code: string;
      readonly plan?: string | undefined;
    })
  /** Shown to a person, who did not approve it. */
  | (AuditedCall & { readonly event: "declined"; readonly plan: string; readonly channel: string })
  /** Forbidden by the policy. */
  | (AuditedCall & { readonly event: "denied"; readonly policy: AppliedPolicy });

/** The members of a line, in a form that is safe to write. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The SHA-256 of a call's arguments, whatever the order of their keys. It tells whether two calls had the same
 * arguments; it hides nothing that can be guessed.
 */
export function argumentsHash(args: unknown): string {
  try {
    return hash("sha256", canonical(args));
  } catch {
    // Arguments nested too deep for a recursion reach a refusal, and the refusal has to be recorded.
    return "none: nested too deep";
  }
}

// Names come from clients and upstreams; without a bound, one of them could fill the disk.
const maxText = 256;

/** A value as a line holds it: its texts without secrets and bounded, what is undefined left out. */
function cleaned(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") {
    const clean = scrubbed(value, secrets);
    return clean.length > maxText ? `${clean.slice(0, maxText)}…` : clean;
  }
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members[name] = cleaned(member, secrets);
  return members;
}

/**
 * What a line says of a call.
 * @param secrets The forms of the process's own secrets, which a client or an upstream may have put into a name or an id.
 */
export function membersOfCall(call: Intent | Note, secrets: readonly string[]): Members {
  const { session } = call;
  const approval = "approval" in call ? call.approval : undefined;
  const members = {
    ...call,
    session: session === undefined ? undefined : hash("sha256", session).slice(0, 16),
    approval: approval && { channel: approval.channel, at: new Date(approval.atMs).toISOString() },
  };
  return cleaned(members, secrets) as Members;
}

/**
 * What a line says of a call's outcome, besides the members of its intent.
 * @param of The sequence number of the intent's line, where it could be written.
 */
export const membersOfOutcome = (of: number | undefined, outcome: Outcome, secrets: readonly string[]): Members =>
  cleaned({ of, ...outcome }, secrets) as Members;
