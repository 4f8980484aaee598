/** Resolves relative times in examples, because recent data can only be named relative to now. */
import { hourMs } from "../time/durations.js";

const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");

/**
 * Replaces `{now}`, `{now-7d}`, `{now+90h}` etc. in an example by ISO instants on the hour, and `{today}`, `{today+7d}`
 * etc. by UTC dates.
 * @param nowMs Milliseconds since 1970.
 */
export function resolvedExample(example: Readonly<Record<string, unknown>>, nowMs: number): Record<string, unknown> {
  const hour = Math.floor(nowMs / hourMs) * hourMs;
  const text = JSON.stringify(example).replaceAll(
    /\{(now|today)(?:([+-]\d+)([dh]))?\}/g,
    (_, from: string, count = "0", unit = "h") => {
      const at = instant(hour + Number(count) * (unit === "d" ? 24 : 1) * hourMs);
      return from === "today" ? at.slice(0, 10) : at;
    },
  );
  return JSON.parse(text) as Record<string, unknown>;
}
