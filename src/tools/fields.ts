/** Fields that several services share. */
import { markSchema } from "../language/marks.js";
import { withSpelling } from "../language/mend.js";
import { z } from "../language/z.js";
import { nearestName } from "../text/nearest.js";
import { dayMs } from "../time/durations.js";
import { isInstant, isoOfUs, readInstant, usDateOf } from "../time/instant.js";

// The officially assigned codes. Intl knows more of them than ISO does, such as EU and XK, and has no way to list only the assigned ones.
const codes = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO " +
    "JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR " +
    "MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO " +
    "RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV " +
    "TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** The English names in lower case and their codes. */
function names(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames("en", { type: "region" });
  return new Map([...codes].map((code) => [(english.of(code) ?? code).toLowerCase(), code]));
}

/** Describes a country code and suggests the one that was most likely meant. */
function codeText(country: string): string {
  const what = "an ISO 3166-1 alpha-2 country code such as DE or JP";
  const known = names();
  // Intl knows the country of an old or unofficial code, such as UK.
  const named = /^[a-z]{2}$/i.test(country)
    ? new Intl.DisplayNames("en", { type: "region" }).of(country.toUpperCase())
    : country;
  const upper = country.toUpperCase();
  const code = codes.has(upper) ? upper : known.get((named ?? country).trim().toLowerCase());
  if (code !== undefined) return `${what}: use "${code}"`;
  const name = nearestName(country, known.keys());
  return name === undefined ? what : `${what}; did you mean "${known.get(name)}"?`;
}

/** An ISO 3166-1 alpha-2 code; the refusal of anything else suggests one. */
export const CountryCode = z
  .string()
  .refine((text) => codes.has(text), { error: ({ input }) => codeText(String(input)) });

/** Members of an object that all have one schema, in their order. */
export const members = <S extends z.ZodType, const N extends string>(schema: S, ...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;

/** A non-empty list of names. */
export const Names = z.array(z.string().min(1)).min(1);

/** The ISO form of a time that has a space for its T, spaces around it, or slashes. */
function isoSpelled(text: string): string {
  const isoText = text
    .trim()
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})/, "$1-$2-$3")
    .replace(/^(\d{4}-\d{2}-\d{2})\s+(?=\d)/, "$1T");
  const zone = /(?:utc|gmt|z)$/i.exec(isoText);
  return zone ? `${isoText.slice(0, zone.index).trimEnd()}Z` : isoText;
}

/** An instant as ISO 8601 text; the time zone is optional, as in the reports of document A. */
export const Timestamp = withSpelling(
  markSchema(z.string().refine(isInstant, "an ISO 8601 time such as 2026-05-01T00:00:00Z"), { instant: "iso" }),
  (given) => (typeof given === "string" ? isoSpelled(given) : undefined),
);
const isDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** A day as ISO 8601 text, such as the start of a period of whole days. */
export const Day = withSpelling(
  z
    .string()
    // A value that is not a date gets only this error.
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "a UTC date such as 2026-05-01", abort: true })
    .refine(isDay, "a date that exists in the calendar"),
  (given) => {
    const text = typeof given === "string" ? isoSpelled(given) : "";
    return isInstant(text) ? new Date(readInstant(text)).toISOString().slice(0, 10) : undefined;
  },
);

const yesterday = "yesterday";
/** A past day, as ISO 8601 text or as `yesterday`, which is the day before today in UTC by this machine's clock. */
export const PastDay = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2}|yesterday)$/, { error: "a UTC date such as 2026-05-01, or yesterday", abort: true })
  .refine((text) => text === yesterday || isDay(text), "a date that exists in the calendar")
  .transform((text) => (text === yesterday ? new Date(Date.now() - dayMs).toISOString().slice(0, 10) : text));

/**
 * A day or a minute of UTC that the API takes as `MM/dd/yyyy` or `MM/dd/yyyy:HH:mm` (public facts C, 5); an ISO 8601 date
 * or time is converted. A time to the second is refused, because the API would not see the seconds.
 */
export const UsDate = markSchema(
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
export const EntityTag = markSchema(
  z
    .string()
    .regex(/^(\*|(W\/)?"[\x21\x23-\x7e]*"|[\x21\x23-\x7e]+)$/, "an entity tag, with or without double quotes")
    .transform((tag) => (tag === "*" || tag.endsWith('"') ? tag : `"${tag}"`)),
  { alsoNamed: ["etag"] },
);

const minimum = 100_000_000_000;
/**
 * Milliseconds since 1970; a value in seconds is refused with an explanation, because it would be a date in January 1970.
 * An argument may also be an ISO time, see `withInstants`; a result shows the ISO time next to the data.
 */
export const EpochMs = withSpelling(
  markSchema(
    z
      .int()
      .refine((ms) => ms >= minimum, "milliseconds since 1970, not seconds")
      .meta({ minimum }),
    { instant: "epochMs" },
  ),
  (given) => (typeof given === "number" && given >= minimum / 1_000 ? given * 1_000 : undefined),
);

/** The same in a response in which 0 means never. */
export const EpochMsOrNever = markSchema(z.int().min(0), { instant: "epochMs" });

/**
 * Seconds since 1970, or 0 for no bound; a value in milliseconds is refused with an explanation, because it would be a
 * date thousands of years away. Otherwise it is treated like `EpochMs`.
 */
export const EpochSeconds = withSpelling(
  markSchema(
    z
      .int()
      .min(0)
      .refine((seconds) => seconds < minimum, "seconds since 1970, not milliseconds"),
    { instant: "epochSeconds" },
  ),
  (given) => (typeof given === "number" && given >= minimum ? Math.floor(given / 1_000) : undefined),
);
