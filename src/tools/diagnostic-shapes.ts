/** The shapes of the diagnostic tools, and what their failures mean. */
import { json } from "../api/define.js";
import { z } from "../api/z.js";

const ip = { error: "an IPv4 or IPv6 address" };
export const ipAddress = z.union([z.ipv4(ip), z.ipv6(ip)]);
export const requestId = z.string().regex(/^[\w=~-]{1,200}$/, "the requestId that the launch answered");
export const cpCode = z.int().positive();
export const Url = z.string().regex(/^https?:\/\/[^\s/]+\S*$/, "an http or https URL without spaces");
const Record = z.looseObject({
  domain: z.string(),
  recordType: z.string(),
  recordClass: z.string(),
  ttl: z.int(),
  value: z.string(),
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
  loss: number,
  avg: number,
  best: number,
  worst: number,
});
export const Mtr = json(
  z.looseObject({
    mtr: z.looseObject({
      source: z.string(),
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
export const Geo = z.looseObject({
  clientIp: z.string(),
  countryCode: z.string(),
  city: z.string(),
  asNum: z.string(),
});
const statuses = z.array(z.looseObject({ httpStatus: z.int(), hits: z.int(), percentage: number }));
const edgeIps = z.array(z.looseObject({ edgeIp: z.string(), httpStatus: z.int(), hits: z.int() }));
export const Statistics = json(
  z.looseObject({
    eStats: z.looseObject({
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
    }),
  }),
);
const logs = z.array(z.looseObject({ description: z.string(), fields: z.looseObject({}) }));
export const Translated = json(
  z.looseObject({
    translatedError: z.looseObject({
      url: z.string(),
      httpResponseCode: z.int(),
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
export const EndUserIp = z.looseObject({
  ip: z.string(),
  ipType: z.string(),
  location: z.string(),
  description: z.string(),
});

export const Launched = json(z.looseObject({ requestId: z.string(), link: z.string(), retryAfter: z.int() }));
export const errors = {
  400: "The edge could not use a value: the upstream's errors name the field.",
  404: "Unknown, or not ready yet: locations are in diag_location_list; of a launched request ask the status tool.",
  429: "Too many diagnostics in a minute; wait and ask for fewer locations.",
};
export const note = "The document does not show this body; its members are public facts.";
