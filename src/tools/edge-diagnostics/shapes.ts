/** What today's diagnostics take and return: where they run from, how a request is made, and the parts of their results. */
import type { Check, Explain } from "../../language/check.js";
import { json } from "../../language/define.js";
import { problem, shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { spelled } from "../../language/mend.js";
import { meantBy } from "../../language/nearest.js";
import { z } from "../../language/z.js";
import { asLocationId, ipAddress } from "../diagnostics/shapes.js";
import { EpochSeconds, members } from "../fields.js";

const text = z.string().optional();
const number = z.number();

/** The vendor's own examples have ids with capitals, too. */
export const edgeLocationId = spelled(
  z.string().regex(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, "a location id such as tokyo-japan"),
  asLocationId,
);
export const from = { edgeLocationId: edgeLocationId.optional(), edgeIp: ipAddress.optional() } as const;
export const queryType = z.enum(["A", "AAAA", "SOA", "CNAME", "PTR", "MX", "NS", "TXT", "SRV", "CAA", "ANY"]);
export const packetType = z.enum(["ICMP", "TCP"]);
export const port = z.union([z.literal(80), z.literal(443)]);
const headers = z.array(z.string().min(1)).optional();
export const requestHeaders = {
  requestHeaders: headers.describe("Name: value"),
  sensitiveRequestHeaderKeys: headers,
} as const;
/** How the edge requests a URL. */
export const requesting = {
  ipVersion: z.enum(["IPV4", "IPV6"]).optional(),
  ...requestHeaders,
  runFromSiteShield: z.boolean().optional(),
  spoofEdgeIp: ipAddress.optional().describe("Edge that serves it"),
} as const;

/** Limits how many of two members of the body a call has. */
export const given =
  (least: 0 | 1, most: 1 | 2, first: string, second: string): Check =>
  ({ args }) => {
    const [one, other] = [memberAt(args, `body.${first}`), memberAt(args, `body.${second}`)];
    if (one === undefined && other === undefined)
      return least === 0 ? [] : [{ field: `body.${first}`, takes: `a value, unless body.${second} has one` }];
    if (one === undefined || other === undefined || most === 2) return [];
    return problem(`body.${second}`, other, `nothing together with body.${first}: use one of them`);
  };

const Locations = z.looseObject({ edgeLocations: z.array(z.looseObject({ id: z.string() })) });
/** The reason for refusing a diagnostic: a location that there is not. */
export const explains: Explain = async ({ status, args, read }) => {
  const id = memberAt(args, "body.edgeLocationId");
  if ((status !== 400 && status !== 404) || typeof id !== "string") return [];
  const { data } = Locations.safeParse(await read("edgediag_locations_list", {}));
  const ids = data?.edgeLocations.map((one) => one.id) ?? [];
  if (ids.length === 0 || ids.includes(id)) return [];
  const meant = meantBy(id, ids);
  const at = ["body", "edgeLocationId"];
  const mends = meant === undefined ? {} : { mends: [{ at, value: meant, isGuess: true }] as const };
  const takes = `the id of a location: ${meant ?? ids.slice(0, 5).join(", ")}`;
  return [{ field: "body.edgeLocationId", given: shown(id), takes, ...mends }];
};
export const means = {
  400: "A value is not accepted: requestField in the response names its field.",
  429: "Too many diagnostics in a minute; wait and ask for fewer.",
} as const;

/** A response with the state of a diagnostic. */
export const Ran = <S extends z.ZodRawShape>(shape: S) =>
  json(
    z.looseObject({
      executionStatus: z.string().describe("SUCCESS, PARTIAL_SUCCESS or FAILURE; IN_PROGRESS while it runs"),
      ...members(text, "createdBy", "createdTime", "completedTime"),
      suggestedActions: z.array(z.string()).optional(),
      ...shape,
    }),
  );
const Place = z.looseObject({ ...members(z.string(), "city", "regionCode", "countryCode"), asNumber: z.int() });

const Record = z.looseObject({
  ...members(text, "domain", "hostname", "recordType", "recordClass"),
  ttl: z.int().optional(),
  value: text,
  preferenceValue: z.int().nullish(),
});
export const DigResult = z.looseObject({
  ...members(z.array(Record).optional(), "answerSection", "authoritySection"),
  result: z.string(),
});
export const CurlResult = z.looseObject({
  exitCode: z.int().describe("0 if the request was answered"),
  httpStatusCode: z.int().optional(),
  responseHeaderList: z.array(z.string()).optional(),
  responseBody: text,
});
export const MtrResult = z.looseObject({
  host: z.string(),
  startTime: EpochSeconds,
  ...members(number, "packetLoss", "averageLatency"),
  hops: z.array(
    z.looseObject({
      number: z.int(),
      ...members(text, "host", "ip"),
      ...members(number, "packetLoss", "averageLatency"),
    }),
  ),
  result: z.string(),
});
export const LogResult = z.looseObject({ logs: z.array(z.looseObject({})), legend: z.looseObject({}) });
const Statuses = z.array(z.looseObject({ httpStatus: z.int(), hits: z.int(), percentage: number })).optional();
const Edges = z
  .array(z.looseObject({ edgeIp: z.string(), httpStatus: z.int(), hits: z.int(), errorCode: z.string() }))
  .optional();
const whole = z.int().optional();
export const Statistics = z.looseObject({
  ...members(whole, "edgeHits", "edgeErrors", "edgeFailurePercentage"),
  edgeStatusCodeDistribution: Statuses,
  ...members(whole, "originHits", "originErrors", "originFailurePercentage"),
  originStatusCodeDistribution: Statuses,
  ...members(Edges, "topEdgeIpsWithError", "topEdgeIpsWithSuccess"),
  ...members(Edges, "topEdgeIpsWithErrorFromOrigin", "topEdgeIpsWithSuccessFromOrigin"),
});
const Located = z.looseObject({ ip: z.string(), ipLocation: Place }).optional();
export const TranslatedError = z.looseObject({
  ...members(text, "url", "date", "reasonForFailure", "wafDetails", "propertyName", "cacheKeyHostname"),
  ...members(z.int().optional(), "httpResponseCode", "cpCode"),
  epochTime: EpochSeconds.optional(),
  ...members(Located, "clientIp", "connectingIp", "edgeServerIp", "originIp"),
  logLines: LogResult.optional(),
});
/** One of the diagnostics that a combined one consists of. */
export const Part = <S extends z.ZodType>(result: S) =>
  z.array(z.looseObject({ executionStatus: z.string(), result: result.optional() }));

export const Geo = z.looseObject({
  ...members(text, "countryCode", "regionCode", "city", "continent", "timeZone"),
  ...members(number.optional(), "latitude", "longitude", "asNumber"),
});
export const Submission = z.looseObject({ uniqueId: z.int(), userAgent: z.string(), createdEpoch: EpochSeconds });
export const Group = {
  ...members(text, "groupId", "url", "ipaHostname", "note", "createdBy", "createdTime", "diagnosticLink"),
  diagnosticLinkStatus: text.describe("ACTIVE or EXPIRED"),
} as const;
