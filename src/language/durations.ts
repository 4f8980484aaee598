/** Lengths of time in milliseconds. A day is one of 24 hours; the calendar's days, which may have 23 or 25, are of a zone. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
