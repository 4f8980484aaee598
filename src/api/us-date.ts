/** Dates in the American form, `MM/dd/yyyy` or `MM/dd/yyyy:HH:mm` of UTC, to and from ISO 8601. */
import { readInstant } from "./instant.js";

const usDate = /^(\d{2})\/(\d{2})\/(\d{4})(?::(\d{2}:\d{2}))?$/;

/** The ISO form of a date in the American one; any other text as it is. */
export const isoOfUs = (text: string): string =>
  text.replace(usDate, (_, month: string, day: string, year: string, time: string | undefined) =>
    [`${year}-${month}-${day}`, ...(time === undefined ? [] : [`${time}Z`])].join("T"),
  );

/** The American form of an ISO date, or of a minute in UTC. */
export function usDateOf(text: string): string {
  const iso = isoOfUs(text);
  const at = new Date(readInstant(iso)).toISOString();
  const date = `${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)}`;
  return iso.length === 10 ? date : `${date}:${at.slice(11, 16)}`;
}

/** A date in the American form in milliseconds since 1970; a date alone is its first moment. */
export const readUsDate = (text: string): number => readInstant(isoOfUs(text));
