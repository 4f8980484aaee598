/** Fields that several services share. */
import { instants, isInstant } from "./instant.js";
import { z } from "./z.js";

/** A non-empty list of names. */
export const Names = z.array(z.string().min(1)).min(1);

/** An instant as ISO 8601 text; the time zone is optional, as document A has it for reports. */
export const Timestamp = z
  .string()
  .refine(isInstant, "an ISO 8601 time such as 2026-05-01T00:00:00Z")
  .register(instants, { as: "iso" });

const minimum = 100_000_000_000;
/**
 * Milliseconds since 1970; a value in seconds is refused, in words, because it would be a date in January 1970. As an
 * argument it is also taken as an ISO time, see `withInstants`; in an answer it is shown as one beside the data.
 */
export const EpochMs = z
  .int()
  .refine((ms) => ms >= minimum, "milliseconds since 1970, not seconds")
  .meta({ minimum })
  .register(instants, { as: "epochMs" });
