/** The schemas of the diagnostic tools, and the meanings of their errors. */
import type { Explain } from "../../language/check.js";
import { json } from "../../language/define.js";
import { type FieldProblem, quoteValue } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";
import { withSpelling } from "../../language/mend.js";
import { z } from "../../language/z.js";
import { guessName } from "../../text/nearest.js";
import { hourMs, minuteMs } from "../../time/durations.js";
import { tooEarly } from "../../time/instant.js";
import { EpochSeconds, members } from "../fields.js";

/** A response with a single field. */
export const memberAnswer = <const N extends string, S extends z.ZodRawShape>(name: N, shape: S) =>
  json(z.looseObject({ [name]: z.looseObject(shape) } as Record<N, z.ZodObject<S, z.core.$loose>>));

const ip = { error: "an IPv4 or IPv6 address" };
export const ipAddress = z.union([z.ipv4(ip), z.ipv6(ip)]);
/** The id of a location is its name in lower case, with hyphens for other characters (document A). */
export const asLocationId = (location: unknown) =>
  typeof location === "string"
    ? location
        .normalize("NFD")
        .toLowerCase()
        .replaceAll(/\p{M}/gu, "")
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "")
    : undefined;
export const locationId = withSpelling(
  z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "a location id such as tokyo-japan"),
  asLocationId,
);
/** The problem of a location that is not among the known ones; none if it is, or if none are known. */
export function unknownLocation(at: readonly string[], given: string, known: readonly unknown[]): FieldProblem[] {
  const ids = known.map((one) => String(memberAt(one, "id")));
  if (ids.length === 0 || ids.includes(given)) return [];
  const meant = guessName(given, ids);
  const mends = meant === undefined ? {} : { mends: [{ at, value: meant, isGuess: true }] as const };
  const some = `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ` and ${ids.length - 5} more` : ""}`;
  return [{ field: at.join("."), given: quoteValue(given), takes: `the id of a location: ${meant ?? some}`, ...mends }];
}
const logHours = 48;
/** The reason for refusing a diagnostic: an unknown location, or log lines that are no longer available. */
export const explains: Explain = async ({ status, args, read, nowMs }) => {
  const { locationId: location } = args;
  if (status === 404 && typeof location === "string")
    return unknownLocation(["locationId"], location, listAt(await read("diag_locations_list", {}), "locations"));
  if (status !== 400) return [];
  // The first whole minute of the window, and one more for the time until the call is repeated.
  const earliest = new Date(Math.ceil((nowMs - logHours * hourMs) / minuteMs) * minuteMs + minuteMs).toISOString();
  const because = `log lines are kept for ${logHours} hours`;
  return tooEarly(args, { argument: "endTime", earliest: earliest.replace(".000Z", "Z"), because });
};
export const requestId = z.string().regex(/^[\w=~-]{1,200}$/, "the requestId that the launch returned");
/** The property service writes the same number with the prefix `cpc_` (public facts B, 3). */
export const cpCode = withSpelling(z.int().positive(), (given) => {
  const [, digits] = /^\s*(?:cpc_|cp ?code:? ?|cp ?)?(\d{1,15})\s*$/i.exec(String(given)) ?? [];
  return digits === undefined ? undefined : Number(digits);
});
export const Url = z
  .string()
  .regex(/^https?:\/\/[^\s/]+\S*$/, { error: "an http or https URL without spaces", abort: true });
export const errorCode = withSpelling(
  z
    .string()
    .regex(
      /^\d+\.[0-9a-f]+\.\d+\.[0-9a-f]+$/i,
      "the reference code of an error page, such as 1.5e3b5b68.1621415935.409841",
    ),
  // An error page writes it after "Reference #".
  (given) => /(?<!\d)\d+\.[0-9a-f]+\.\d+\.[0-9a-f]+/i.exec(String(given))?.[0],
);
const Record = z.looseObject({
  ...members(z.string(), "domain", "recordType", "recordClass"),
  ttl: z.int(),
  value: z.string(),
  preferenceValues: z.unknown().optional().describe("Null except for records with a preference"),
});
export const Dig = memberAnswer("digInfo", {
  ...members(z.string(), "hostname", "queryType"),
  answerSection: z.array(Record),
  authoritySection: z.array(Record),
  result: z.string(),
});
const number = z.number();
const Hop = z.looseObject({
  number: z.int(),
  host: z.string(),
  loss: number.describe("Percent"),
  sent: z.int(),
  ...members(number, "last", "avg", "best", "worst", "stDev"),
});
export const Mtr = memberAnswer("mtr", {
  ...members(z.string(), "source", "host"),
  startTime: z.string().describe("ISO 8601"),
  destination: z.string(),
  ...members(number, "packetLoss", "avgLatency"),
  analysis: z.string(),
  hops: z.array(Hop),
  result: z.string(),
});
export const Curl = memberAnswer("curlResults", {
  httpStatusCode: z.int(),
  responseHeaders: z.record(z.string(), z.string()),
  responseBody: z.string(),
});
export const LogLines = memberAnswer("logLines", { headers: z.string(), logs: z.array(z.string()) });
export const Cdn = json(z.looseObject({ isCdnIp: z.boolean() }));
const areaId = z.int().nullish();
const text = z.string().optional();
export const Geo = memberAnswer("geoLocation", {
  ...members(z.string(), "clientIp", "countryCode", "city", "asNum"),
  ...members(text, "regionCode", "continent"),
  ...members(number.optional(), "latitude", "longitude"),
  timeZone: text,
  ...members(areaId, "dma", "msa", "pmsa"),
  ...members(text, "areaCode", "county", "fips", "zipCode", "network", "networkType", "throughput", "proxy"),
});
const statuses = z.array(z.looseObject({ httpStatus: z.int(), hits: z.int(), percentage: number }));
const edgeIps = z.array(
  z.looseObject({
    edgeIp: z.string(),
    ...members(z.int(), "httpStatus", "hits"),
    region: z.int().optional(),
    ...members(text, "objStatus", "errorCode"),
    edgeLogsLink: text.describe("The log lines behind it"),
  }),
);
export const Statistics = memberAnswer("eStats", {
  cpCode: z.int().optional(),
  ...members(z.int(), "edgeHits", "edgeErrors"),
  edgeFailurePercentage: number,
  edgeStatusCodeDistribution: statuses,
  ...members(z.int(), "originHits", "originErrors"),
  originFailurePercentage: number,
  originStatusCodeDistribution: statuses,
  ...members(edgeIps, "topEdgeIpsWithError", "topEdgeIpsWithErrorFromOrigin"),
  ...members(edgeIps.optional(), "topEdgeIpsWithSuccess", "topEdgeIpsWithSuccessFromOrigin"),
});
const logs = z.array(z.looseObject({ description: z.string(), fields: z.looseObject({}) }));
export const Translated = memberAnswer("translatedError", {
  url: z.string(),
  httpResponseCode: z.int(),
  timestamp: z.string(),
  epochTime: EpochSeconds,
  ...members(z.string(), "clientIp", "connectingIp", "serverIp"),
  userAgent: z.string().describe("N/A if there was none"),
  ...members(z.string(), "requestMethod", "wafDetails", "reasonForFailure", "originHostname", "originIp", "cpcode"),
  logs,
});
export const Debugged = memberAnswer("urlDebug", {
  dnsInformation: z.array(z.string()),
  httpResponse: z.array(z.looseObject({ name: z.string(), value: z.string() })),
  responseHeaders: z.array(z.string()),
  logs,
});
const EndUserIp = z.looseObject(members(z.string(), "ip", "ipType", "location", "description"));
export const EndUser = memberAnswer("endUserIpDetails", {
  name: z.string(),
  email: z.string().nullable(),
  ...members(z.string(), "url", "timestamp", "browser"),
  ips: z.array(EndUserIp),
});

export const Launched = json(z.looseObject({ requestId: z.string(), link: z.string(), retryAfter: z.int() }));
export const errors = {
  400: "The edge rejected a value: the upstream's errors name the field.",
  404: "Unknown, or not ready yet: locations are in diag_locations_list; for a launched request, call the status tool.",
  429: "Too many diagnostics in a minute; wait and ask for fewer locations.",
};
export const note = "The document does not show this body; its members are public facts.";
