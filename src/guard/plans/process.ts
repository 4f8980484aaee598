/** Who redeemed a plan: how a process and an instance are recorded, and whether a process is still running. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { lazily } from "../../language/once-for.js";
import { z } from "../../language/z.js";
import { hourMs } from "../../time/durations.js";

/** The process that redeemed a plan, in a form that can be recognized later. */
const processSchema = z.strictObject({
  pid: z.int().positive(),
  /** Its start in the system's unit; undefined if the system does not report it. */
  started: z.string().optional(),
  /** The scope of its pid: one boot of one machine, and one pid namespace. */
  space: z.string(),
});
type Process = z.infer<typeof processSchema>;

/** The instance that redeemed a plan, where several share a database. */
const instanceSchema = z.strictObject({ instance: z.string() });

export const holderSchema = z.union([processSchema, instanceSchema]);
export type Holder = z.infer<typeof holderSchema>;

/** No call takes longer than the maximum timeout, which is an hour. */
const longestCallMs = hourMs;

/** The system's value; empty if it has none. */
function readOrEmpty(read: () => string): string {
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
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // Stryker disable next-line StringLiteral: only the compiler asks for the default.
  const [state = "", ...rest] = stat.replace(/^.*\) /s, "").split(" ");
  return /[ZX]/.test(state) ? undefined : rest[18];
}

const currentSpace = (): string =>
  [
    readOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")) || hostname(),
    readOrEmpty(() => readlinkSync("/proc/self/ns/pid")),
  ].join(" ");

/** This process. */
export const thisProcess = lazily((): Process => {
  const started = startOf(process.pid);
  return { pid: process.pid, space: currentSpace(), ...(started === undefined ? {} : { started }) };
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
