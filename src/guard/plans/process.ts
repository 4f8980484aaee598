/** Recognizes the process that redeemed a plan, so that one that crashed is told from one that is still at work. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hourMs } from "../../language/durations.js";
import { lazily } from "../../language/once-for.js";
import type { Process } from "./storage.js";

/** No call takes longer than the largest timeout that can be configured, an hour. */
const longestCallMs = hourMs;

/** What the system says; empty where it does not. */
function told(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

/**
 * When a process started, in clock ticks since the boot: a later process with the same pid has another value. Undefined
 * for one that is gone, or has ended and only waits for its parent to notice.
 */
function startOf(pid: number): string | undefined {
  // The name in parentheses can hold spaces and parentheses itself; the state and the start are the first and the 20th
  // field behind it (proc(5)).
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
 * Whether a process may still be at work. A pid that means nothing here, as from another container, and a start that the
 * system does not tell are given the time of the longest call.
 * @param sinceMs When it was seen at work.
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
