/** Examples with relative times, turned into arguments of today: data about the last week is only there relative to now. */
import { hourMs } from "./durations.js";

const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");

/**
 * Replaces `{now}` and the like of `{now-7d}` and `{now+90h}` in an example by ISO instants on the hour, and `{today}` and
 * the like of `{today+7d}` by dates in UTC.
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
