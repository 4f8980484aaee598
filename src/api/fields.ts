/** Fields that several services share. */
import { z } from "./z.js";

/** A non-empty list of names. */
export const Names = z.array(z.string().min(1)).min(1);

const instant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text has the form of an instant and names a day and a time that there are. */
function isInstant(text: string): boolean {
  if (!instant.test(text)) return false;
  const day = text.slice(0, 10);
  const date = new Date(day);
  // A calendar that rolls over would take 30 February for 2 March.
  return (
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(day) &&
    !Number.isNaN(Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")))
  );
}

/** An instant as ISO 8601 text; the time zone is optional, as document A has it for reports. */
export const Timestamp = z.string().refine(isInstant, "an ISO 8601 time such as 2026-05-01T00:00:00Z");
const minimum = 100_000_000_000;
/** Milliseconds since 1970; a value in seconds is refused, in words, because it would be a date in January 1970. */
export const EpochMs = z
  .int()
  .refine((ms) => ms >= minimum, "milliseconds since 1970, not seconds")
  .meta({ minimum });
