/** The status of a plan, read from its marks, and whether the process that redeemed it is still running. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hourMs } from "../../language/durations.js";
import { lazily } from "../../language/once-for.js";
import type { Approval, PlanRecord, PlanStatus, VoidBecause } from "../plan.js";
import { damaged, type MarkOf, type Process, type Story } from "./storage.js";

/** No call takes longer than the maximum timeout, which is an hour. */
const longestCallMs = hourMs;

/** The system's value; empty if it has none. */
function told(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

/**
 * The start of a process in clock ticks since boot, which differs for a later process with the same pid. Undefined if
 * the process is gone, or has ended and waits for its parent.
 */
function startOf(pid: number): string | undefined {
  // The name in parentheses can contain spaces and parentheses; the state and the start are the first and the 20th
  // field after it (proc(5)).
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // Stryker disable next-line StringLiteral: only the compiler asks for the default.
  const [state = "", ...rest] = stat.replace(/^.*\) /s, "").split(" ");
  return /[ZX]/.test(state) ? undefined : rest[18];
}

const spaceHere = (): string =>
  [
    told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")) || hostname(),
    told(() => readlinkSync("/proc/self/ns/pid")),
  ].join(" ");

/** This process. */
export const thisProcess = lazily((): Process => {
  const started = startOf(process.pid);
  return { pid: process.pid, space: spaceHere(), ...(started === undefined ? {} : { started }) };
});

/**
 * Whether a process may still be running. If its pid is meaningless here, as from another container, or the system does
 * not report its start, it is given the time of the longest call.
 * @param sinceMs When it was last seen running.
 */
export function isAtWork({ pid, started, space }: Process, sinceMs: number, nowMs: number): boolean {
  const mayStillCall = nowMs - sinceMs < longestCallMs;
  if (space !== thisProcess().space) return mayStillCall;
  if (started !== undefined) return startOf(pid) === started;
  try {
    process.kill(pid, 0);
    return mayStillCall;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" && mayStillCall;
  }
}

type Redeemed = Extract<MarkOf<"taken">, { as: "redeemed" }>;

/**
 * Who approved a plan and when: recorded with its redemption, or by a person outside; undefined if it is not approved.
 */
export function approvalOf({ taken, approved }: Story): Approval | undefined {
  if (taken !== undefined && taken !== damaged && taken.as === "redeemed") {
    const { channel, approvedAtMs: atMs, by } = taken;
    return { channel, atMs, ...(by === undefined ? {} : { by }) };
  }
  if (approved === undefined || approved === damaged) return undefined;
  const { channel, atMs, by } = approved;
  return { channel, atMs, ...(by === undefined ? {} : { by }) };
}

function statusOfUntaken({ plan, approved, sending }: Story, nowMs: number): PlanStatus {
  if (sending !== undefined) return "unknown";
  if (plan.expiresAtMs <= nowMs) return "expired";
  return approved === undefined || approved === damaged ? "open" : "approved";
}

function statusOfRedeemed(taken: Redeemed, sending: Story["sending"], nowMs: number): PlanStatus {
  const sinceMs = sending === undefined || sending === damaged ? taken.atMs : sending.atMs;
  if (isAtWork(taken.process, sinceMs, nowMs)) return sending === undefined ? "redeemed" : "sending";
  return sending === undefined ? "not_sent" : "unknown";
}

/** The status at a time. A damaged mark counts as the most restrictive status. */
export function statusOf(story: Story, nowMs: number): PlanStatus {
  const { taken, sending, settled } = story;
  if (settled !== undefined) return settled === damaged ? "unknown" : settled.state;
  if (taken === undefined) return statusOfUntaken(story, nowMs);
  if (taken === damaged) return "unknown";
  return taken.as === "redeemed" ? statusOfRedeemed(taken, sending, nowMs) : taken.as;
}

const becauseOf: Readonly<Record<VoidBecause, string>> = {
  arguments: "it was used with arguments other than the previewed ones",
  state: "the state changed after the preview",
  asked: "the user was asked and has not said yes, so confirm no longer approves it",
  newer: "its owner opened too many newer plans",
};

const voidBecauseOf = ({ taken }: Story): VoidBecause | undefined =>
  taken !== undefined && taken !== damaged && taken.as === "void" ? taken.because : undefined;

/** The outcome as the rest of a sentence; undefined while the plan waits. */
function outcomeOf(story: Story, status: PlanStatus): string | undefined {
  const { plan, settled } = story;
  if (settled !== undefined && settled !== damaged) return settled.says;
  switch (status) {
    case "open":
    case "approved":
      return undefined;
    case "redeemed":
    case "sending":
      return "it is in progress";
    case "not_sent":
      return "the process ended before anything was sent";
    case "refused":
      return "it was refused";
    case "expired":
      return `it expired at ${new Date(plan.expiresAtMs).toISOString()}`;
    case "void": {
      const because = voidBecauseOf(story);
      return because && becauseOf[because];
    }
    default:
      return "whether it was done is unknown, because no response was recorded";
  }
}

/** A plan, for its owner and the operator. */
export function recordOf(story: Story, nowMs: number): PlanRecord {
  const status = statusOf(story, nowMs);
  const approval = approvalOf(story);
  const outcome = outcomeOf(story, status);
  const voidBecause = voidBecauseOf(story);
  const { unmade, made } = story.settled === undefined || story.settled === damaged ? {} : story.settled;
  return {
    plan: story.plan,
    status,
    ...(approval === undefined ? {} : { approval }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(unmade === undefined ? {} : { unmade }),
    ...(made === undefined ? {} : { made }),
    ...(voidBecause === undefined ? {} : { voidBecause }),
  };
}
