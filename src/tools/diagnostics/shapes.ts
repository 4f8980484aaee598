/** The schemas of the diagnostic tools, and what their errors mean. */
import { json } from "../../api/define.js";
import { EpochSeconds } from "../../api/fields.js";
import { z } from "../../api/z.js";

const ip = { error: "an IPv4 or IPv6 address" };
export const ipAddress = z.union([z.ipv4(ip), z.ipv6(ip)]);
export const locationId = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "a location id such as tokyo-japan");
export const requestId = z.string().regex(/^[\w=~-]{1,200}$/, "the requestId that the launch returned");
export const cpCode = z.int().positive();
export const Url = z
  .string()
  .regex(/^https?:\/\/[^\s/]+\S*$/, { error: "an http or https URL without spaces", abort: true });
export const errorCode = z
  .string()
  .regex(
    /^\d+\.[0-9a-f]+\.\d+\.[0-9a-f]+$/i,
    "the reference code of an error page, such as 1.5e3b5b68.1621415935.409841",
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
