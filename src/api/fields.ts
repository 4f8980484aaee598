/** Fields that several services share. */
import { z } from "./z.js";

/** A non-empty list of names. */
export const Names = z.array(z.string().min(1)).min(1);
/** An instant as ISO 8601 text; the time zone is optional, as document A has it for reports. */
export const Timestamp = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/,
    "an ISO 8601 time such as 2026-05-01T00:00:00Z",
  );
/** Milliseconds since 1970; a value in seconds is refused because it would be a date in January 1970. */
export const EpochMs = z.int().min(100_000_000_000, "milliseconds since 1970, not seconds");
