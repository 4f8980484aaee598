/** The times of events: `MM/dd/yyyy hh:mm:ss AM` in UTC (public facts C, 6), which callers can write in ISO 8601. */
import { z } from "../../language/z.js";
import { hasOffset, isInstant, readInstant } from "../../time/instant.js";

const usTimePattern = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2}):(\d{2}) ([AP]M)$/;

/** The ISO form of a time of an event; undefined for any other text, and for an invalid time. */
function isoOf(text: string): string | undefined {
  const [, month, day, year, hour = "", minute, second, half] = usTimePattern.exec(text) ?? [];
  if (month === undefined || Number(hour) < 1 || Number(hour) > 12) return undefined;
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  const iso = `${year}-${month}-${day}T${String(hours).padStart(2, "0")}:${minute}:${second}Z`;
  return isInstant(iso) ? iso : undefined;
}

/** A time of an event in milliseconds since 1970; undefined for an empty or invalid one. */
export function eventMs(text: unknown): number | undefined {
  const iso = typeof text === "string" ? isoOf(text) : undefined;
  return iso === undefined ? undefined : readInstant(iso);
}

/** The time of an event for an instant, to the second. */
export function eventTime(ms: number): string {
  const [date = "", time = ""] = new Date(ms).toISOString().split("T");
  const [year, month, day] = date.split("-");
  const hours = Number(time.slice(0, 2));
  const hour = String(hours % 12 || 12).padStart(2, "0");
  return `${month}/${day}/${year} ${hour}${time.slice(2, 8)} ${hours < 12 ? "AM" : "PM"}`;
}

/** Whether a text is an ISO time with an offset and without fractions of a second, which the API does not support. */
const isExact = (text: string): boolean => isInstant(text) && hasOffset(text) && readInstant(text) % 1_000 === 0;

/** A time of an event, or an empty text for none. */
export const EventTime = z
  .string()
  .refine(
    (text) => text === "" || isoOf(text) !== undefined || isExact(text),
    "an ISO 8601 time with an offset such as 2026-06-01T12:00:00Z, or the API's form 06/01/2026 12:00:00 PM (UTC)",
  )
  .transform((text) => (isExact(text) ? eventTime(readInstant(text)) : text));

/** A time in unambiguous words: `1 June 2026, 12:00:00 UTC`. */
export function timeInWords(ms: number): string {
  const date = new Date(ms);
  const month = date.toLocaleString("en-US", { month: "long", timeZone: "UTC" });
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}, ${date.toISOString().slice(11, 19)} UTC`;
}

/** Whether swapping the day and the month would give a different valid time. */
export function isAmbiguous(ms: number): boolean {
  const date = new Date(ms);
  return date.getUTCDate() <= 12 && date.getUTCDate() !== date.getUTCMonth() + 1;
}
