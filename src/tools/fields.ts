/** Fields that several services share. */
import { dayMs } from "../language/durations.js";
import { spelled } from "../language/mend.js";
import { z } from "../language/z.js";
import { marked } from "../schema/marks.js";
import { isInstant, isoOfUs, readInstant, usDateOf } from "../time/instant.js";

/** Members of an object that all have one schema, in their order. */
export const members = <S extends z.ZodType, const N extends string>(schema: S, ...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;

/** A non-empty list of names. */
export const Names = z.array(z.string().min(1)).min(1);

/** A time with a blank for its T, blanks around it, or slashes, in ISO form. */
function isoSpelled(text: string): string {
  const written = text
    .trim()
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})/, "$1-$2-$3")
    .replace(/^(\d{4}-\d{2}-\d{2})\s+(?=\d)/, "$1T");
  const zone = /(?:utc|gmt|z)$/i.exec(written);
  return zone ? `${written.slice(0, zone.index).trimEnd()}Z` : written;
}

/** An instant as ISO 8601 text; the time zone is optional, as document A has it for reports. */
export const Timestamp = spelled(
  marked(z.string().refine(isInstant, "an ISO 8601 time such as 2026-05-01T00:00:00Z"), { instant: "iso" }),
  (given) => (typeof given === "string" ? isoSpelled(given) : undefined),
);
const isDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** A day as ISO 8601 text, such as the beginning of a period of whole days. */
export const Day = spelled(
  z
    .string()
    // What is no date at all is refused for that alone.
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "a UTC date such as 2026-05-01", abort: true })
    .refine(isDay, "a date that exists in the calendar"),
  (given) => {
    const text = typeof given === "string" ? isoSpelled(given) : "";
    return isInstant(text) ? new Date(readInstant(text)).toISOString().slice(0, 10) : undefined;
  },
);

const yesterday = "yesterday";
/** A day that is over, as ISO 8601 text or as the day before this one in UTC by this machine's clock. */
export const PastDay = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2}|yesterday)$/, { error: "a UTC date such as 2026-05-01, or yesterday", abort: true })
  .refine((text) => text === yesterday || isDay(text), "a date that exists in the calendar")
  .transform((text) => (text === yesterday ? new Date(Date.now() - dayMs).toISOString().slice(0, 10) : text));

/**
 * A day or a minute of UTC that the API takes as `MM/dd/yyyy` or `MM/dd/yyyy:HH:mm` (public facts C, 5); an ISO 8601 date
 * or time is written so. A time to the second is refused, because the API would not see the seconds.
 */
export const UsDate = marked(
  z
    .string()
    .refine(
      (text) => isInstant(isoOfUs(text)) && !/T\d{2}:\d{2}:(?!00(?:\.0+)?(?:Z|[+-]|$))/.test(text),
      "a date such as 2026-05-01, or a time to the minute such as 2026-05-01T12:30Z",
    )
    .transform(usDateOf),
  { instant: "iso" },
);

/** A version stamp of a header such as If-Match: it is sent in double quotes, which the caller may leave out. */
export const EntityTag = marked(
  z
    .string()
    .regex(/^(\*|(W\/)?"[\x21\x23-\x7e]*"|[\x21\x23-\x7e]+)$/, "an entity tag, in double quotes or without them")
    .transform((tag) => (tag === "*" || tag.endsWith('"') ? tag : `"${tag}"`)),
  { alsoNamed: ["etag"] },
);

const minimum = 100_000_000_000;
/**
 * Milliseconds since 1970; a value in seconds is refused, in words, because it would be a date in January 1970. As an
 * argument it is also taken as an ISO time, see `withInstants`; in an answer it is shown as one beside the data.
 */
export const EpochMs = spelled(
  marked(
    z
      .int()
      .refine((ms) => ms >= minimum, "milliseconds since 1970, not seconds")
      .meta({ minimum }),
    { instant: "epochMs" },
  ),
  (given) => (typeof given === "number" && given >= minimum / 1_000 ? given * 1_000 : undefined),
);

/** The same in an answer in which 0 stands for never. */
export const EpochMsOrNever = marked(z.int().min(0), { instant: "epochMs" });

/**
 * Seconds since 1970, or 0 for no bound; a value in milliseconds is refused, in words, because it would be a date tens of
 * thousands of years away. It is written and shown as `EpochMs` is.
 */
export const EpochSeconds = spelled(
  marked(
    z
      .int()
      .min(0)
      .refine((seconds) => seconds < minimum, "seconds since 1970, not milliseconds"),
    { instant: "epochSeconds" },
  ),
  (given) => (typeof given === "number" && given >= minimum ? Math.floor(given / 1_000) : undefined),
);
