/** Freezes: rules that deny calls in windows of time, and when they end. */
import { machineZone, zonedText } from "../time/zone.js";
import type { PolicyRule } from "./file.js";
import { endOfWindows } from "./window.js";

/** The freeze that a call is in: a rule that denies it, in windows of time. */
export interface Freeze {
  readonly rule: string;
  /** When it ends, in milliseconds; absent if no end is known. */
  readonly untilMs?: number;
  /** The zone in which the operator reads the end. */
  readonly zone: string;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The end of a freeze, for the operator and as an instant. */
export function freezeInWords({ untilMs, zone }: Freeze): string {
  const local = untilMs === undefined ? undefined : zonedText(zone, untilMs);
  if (untilMs === undefined || local === undefined) return "The freeze has no known end.";
  const [date = "", time = ""] = local.split("T");
  const day = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()];
  const clock = time.slice(0, 8).replace(/:00$/, "");
  const instant = new Date(untilMs).toISOString().replace(".000Z", "Z");
  return `The freeze ends on ${day} ${date} at ${clock} in ${zone} (${instant}).`;
}

/**
 * The freeze of a rule at a time; undefined for a rule without windows, or outside of them.
 * @param timeZone The zone that the policy names for its operator.
 */
export function freezeOf(
  { id, during }: Pick<PolicyRule, "id" | "during">,
  timeZone: string | undefined,
  nowMs: number,
): Freeze | undefined {
  const end = during && endOfWindows(during, nowMs);
  if (end === undefined) return undefined;
  const { atMs, zone = machineZone() } = end;
  return { rule: id, ...(atMs === undefined ? {} : { untilMs: atMs }), zone: timeZone ?? zone };
}
