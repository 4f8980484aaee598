/** The schemas of the diagnostic tools, and what their errors mean. */
import type { Explain } from "../../language/check.js";
import { json } from "../../language/define.js";
import { hourMs, minuteMs } from "../../language/durations.js";
import { shown } from "../../language/failure.js";
import { spelled } from "../../language/mend.js";
import { meantBy } from "../../language/nearest.js";
import { z } from "../../language/z.js";
import { tooEarly } from "../../time/instant.js";
import { EpochSeconds } from "../fields.js";

const ip = { error: "an IPv4 or IPv6 address" };
export const ipAddress = z.union([z.ipv4(ip), z.ipv6(ip)]);
/** The id of a location is its name in small letters, with a hyphen for what else stands in it (document A). */
const asLocationId = (given: unknown) =>
  typeof given === "string"
    ? given
        .normalize("NFD")
        .toLowerCase()
        .replaceAll(/\p{M}/gu, "")
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "")
    : undefined;
export const locationId = spelled(
  z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "a location id such as tokyo-japan"),
  asLocationId,
);
const Locations = z.looseObject({ locations: z.array(z.looseObject({ id: z.string() })) });
const logHours = 48;
/** What a diagnostic was refused for: a location that there is not, or log lines that are no longer there. */
export const explains: Explain = async ({ status, args, read, nowMs }) => {
  const { locationId: given } = args;
  if (status === 404 && typeof given === "string") {
    const { data } = Locations.safeParse(await read("diag_locations_list", {}));
    const ids = data?.locations.map(({ id }) => id) ?? [];
    if (ids.length === 0 || ids.includes(given)) return [];
    const meant = meantBy(given, ids);
    const mends = meant === undefined ? {} : { mends: [{ at: ["locationId"], value: meant, isGuess: true }] as const };
    const some = `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ` and ${ids.length - 5} more` : ""}`;
    return [{ field: "locationId", given: shown(given), takes: `the id of a location: ${meant ?? some}`, ...mends }];
  }
  if (status !== 400) return [];
  // The first whole minute of the window, and one more for the time until the call is made again.
  const earliest = new Date(Math.ceil((nowMs - logHours * hourMs) / minuteMs) * minuteMs + minuteMs).toISOString();
  const because = `log lines are kept for ${logHours} hours`;
  return tooEarly(args, { argument: "endTime", earliest: earliest.replace(".000Z", "Z"), because });
};
export const requestId = z.string().regex(/^[\w=~-]{1,200}$/, "the requestId that the launch returned");
/** The property service writes the same number with the prefix `cpc_` (public facts B, 3). */
export const cpCode = spelled(z.int().positive(), (given) => {
  const [, digits] = /^\s*(?:cpc_|cp ?code:? ?|cp ?)?(\d{1,15})\s*$/i.exec(String(given)) ?? [];
  return digits === undefined ? undefined : Number(digits);
});
export const Url = z
  .string()
  .regex(/^https?:\/\/[^\s/]+\S*$/, { error: "an http or https URL without spaces", abort: true });
export const errorCode = spelled(
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
  domain: z.string(),
  recordType: z.string(),
  recordClass: z.string(),
  ttl: z.int(),
  value: z.string(),
  preferenceValues: z.unknown().optional().describe("Null except for records with a preference"),
});
export const Dig = json(
  z.looseObject({
    digInfo: z.looseObject({
      hostname: z.string(),
      queryType: z.string(),
      answerSection: z.array(Record),
      authoritySection: z.array(Record),
      result: z.string(),
    }),
  }),
);
const number = z.number();
const Hop = z.looseObject({
  number: z.int(),
  host: z.string(),
  loss: number.describe("Percent"),
  sent: z.int(),
  last: number,
  avg: number,
  best: number,
  worst: number,
  stDev: number,
});
export const Mtr = json(
  z.looseObject({
    mtr: z.looseObject({
      source: z.string(),
      host: z.string(),
      startTime: z.string().describe("ISO 8601"),
      destination: z.string(),
      packetLoss: number,
      avgLatency: number,
      analysis: z.string(),
      hops: z.array(Hop),
      result: z.string(),
    }),
  }),
);
export const Curl = json(
  z.looseObject({
    curlResults: z.looseObject({
      httpStatusCode: z.int(),
      responseHeaders: z.record(z.string(), z.string()),
      responseBody: z.string(),
    }),
  }),
);
export const LogLines = json(
  z.looseObject({ logLines: z.looseObject({ headers: z.string(), logs: z.array(z.string()) }) }),
);
export const Cdn = json(z.looseObject({ isCdnIp: z.boolean() }));
const areaId = z.int().nullish();
const text = z.string().optional();
export const Geo = z.looseObject({
  clientIp: z.string(),
  countryCode: z.string(),
  city: z.string(),
  asNum: z.string(),
  regionCode: text,
  continent: text,
  latitude: number.optional(),
  longitude: number.optional(),
  timeZone: text,
  dma: areaId,
  msa: areaId,
  pmsa: areaId,
  areaCode: text,
  county: text,
  fips: text,
  zipCode: text,
  network: text,
  networkType: text,
  throughput: text,
  proxy: text,
});
const statuses = z.array(z.looseObject({ httpStatus: z.int(), hits: z.int(), percentage: number }));
const edgeIps = z.array(
  z.looseObject({
    edgeIp: z.string(),
    httpStatus: z.int(),
    hits: z.int(),
    region: z.int().optional(),
    objStatus: text,
    errorCode: text,
    edgeLogsLink: text.describe("The log lines behind it"),
  }),
);
export const Statistics = json(
  z.looseObject({
    eStats: z.looseObject({
      cpCode: z.int().optional(),
      edgeHits: z.int(),
      edgeErrors: z.int(),
      edgeFailurePercentage: number,
      edgeStatusCodeDistribution: statuses,
      originHits: z.int(),
      originErrors: z.int(),
      originFailurePercentage: number,
      originStatusCodeDistribution: statuses,
      topEdgeIpsWithError: edgeIps,
      topEdgeIpsWithErrorFromOrigin: edgeIps,
      topEdgeIpsWithSuccess: edgeIps.optional(),
      topEdgeIpsWithSuccessFromOrigin: edgeIps.optional(),
    }),
  }),
);
const logs = z.array(z.looseObject({ description: z.string(), fields: z.looseObject({}) }));
export const Translated = json(
  z.looseObject({
    translatedError: z.looseObject({
      url: z.string(),
      httpResponseCode: z.int(),
      timestamp: z.string(),
      epochTime: EpochSeconds,
      clientIp: z.string(),
      connectingIp: z.string(),
      serverIp: z.string(),
      userAgent: z.string().describe("N/A when there was none"),
      requestMethod: z.string(),
      wafDetails: z.string(),
      reasonForFailure: z.string(),
      originHostname: z.string(),
      originIp: z.string(),
      cpcode: z.string(),
      logs,
    }),
  }),
);
export const Debugged = json(
  z.looseObject({
    urlDebug: z.looseObject({
      dnsInformation: z.array(z.string()),
      httpResponse: z.array(z.looseObject({ name: z.string(), value: z.string() })),
      responseHeaders: z.array(z.string()),
      logs,
    }),
  }),
);
const EndUserIp = z.looseObject({
  ip: z.string(),
  ipType: z.string(),
  location: z.string(),
  description: z.string(),
});
export const EndUser = z.looseObject({
  name: z.string(),
  email: z.string().nullable(),
  url: z.string(),
  timestamp: z.string(),
  browser: z.string(),
  ips: z.array(EndUserIp),
});

export const Launched = json(z.looseObject({ requestId: z.string(), link: z.string(), retryAfter: z.int() }));
export const errors = {
  400: "The edge rejected a value: the upstream's errors name the field.",
  404: "Unknown, or not ready yet: locations are in diag_locations_list; for a launched request, call the status tool.",
  429: "Too many diagnostics in a minute; wait and ask for fewer locations.",
};
export const note = "The document does not show this body; its members are public facts.";
