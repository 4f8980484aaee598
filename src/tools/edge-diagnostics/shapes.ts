/** What today's diagnostics take beyond the vendor's definition, what limits it, and why a location is refused. */
import definition from "../../definitions/box/edge_diag.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import type { Check, Explain } from "../../language/check.js";
import { fieldProblem } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";
import { withSpelling } from "../../language/mend.js";
import { z } from "../../language/z.js";
import { asLocationId, cpCode, errorCode, ipAddress, Url, unknownLocation } from "../diagnostics/shapes.js";
import { EpochSeconds, members, Timestamp } from "../fields.js";

/** The vendor's own examples have ids with capitals, too. */
export const edgeLocationId = withSpelling(
  z.string().regex(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, "a location id such as tokyo-japan"),
  asLocationId,
);
const hostname = z.string().min(1).max(253);

/** Declares an operation of today's diagnostics. */
export const operationAt = overlay(definition, {
  arguments: {
    ...members(hostname, "hostname", "destination", "siteShieldHostname"),
    originServer: hostname.describe("Test origin to ask instead"),
    ipaHostname: hostname.describe("From edgediag_ipa_hostnames_list"),
    hostnames: true,
    isGtmHostname: "Load-balanced by DNS",
    queryType: true,
    source: true,
    sourceType: true,
    packetType: true,
    port: true,
    edgeLocationId,
    mdtLocationId: edgeLocationId.describe("From edgediag_metadata_locations_list"),
    ...members(ipAddress, "edgeIp", "ipAddress"),
    ipAddresses: z.array(ipAddress).min(1).max(10),
    spoofEdgeIp: ipAddress.describe("Edge that serves it"),
    runFromSiteShield: true,
    useStaging: true,
    ipVersion: true,
    url: Url,
    arls: true,
    httpMethod: "GET by default",
    httpBody: true,
    httpStatusCode: z.int().min(100).max(599),
    httpStatusCodes: true,
    requestHeaders: "Name: value",
    sensitiveRequestHeaderKeys: true,
    clientRequestHeaders: z.record(z.string(), z.string()),
    clientIP: z.ipv4().describe("The visitor's address"),
    clientIps: true,
    userAgents: true,
    cpCode,
    cpCodes: true,
    delivery: true,
    errorType: true,
    errorCode,
    traceForwardLogs: "Adds log lines",
    ...members(Timestamp, "start", "end"),
    logType: "R: from clients, F: to origins",
    viewsAllowed: true,
    note: true,
    requestId: z.int().nonnegative(),
  },
  answers: {
    // It repeats parts of the answer, and its examples in the definition lack most of what is required of them.
    summary: z.looseObject({}),
    exitCode: "0 if the request was answered",
    ...members(EpochSeconds, "startTime", "epochTime", "createdEpoch"),
  },
  // The definition's own examples lack them, such as the address of a hop that has not answered.
  optional: ["exitCode", "ip", "ipLocation", "destinationInternalIp"],
  nullable: ["exitCode", "ip", "ipLocation", "destinationInternalIp"],
});

/** Limits how many of two members of the body a call has. */
export const limitMembers =
  (least: 0 | 1, most: 1 | 2, first: string, second: string): Check =>
  ({ args }) => {
    const [firstValue, secondValue] = [memberAt(args, `body.${first}`), memberAt(args, `body.${second}`)];
    if (firstValue === undefined && secondValue === undefined)
      return least === 0 ? [] : [{ field: `body.${first}`, takes: `a value, unless body.${second} has one` }];
    if (firstValue === undefined || secondValue === undefined || most === 2) return [];
    return fieldProblem(`body.${second}`, secondValue, `nothing together with body.${first}: use one of them`);
  };

/** The reason for refusing a diagnostic: a location that there is not. */
export const explains: Explain = async ({ status, args, read }) => {
  const id = memberAt(args, "body.edgeLocationId");
  if ((status !== 400 && status !== 404) || typeof id !== "string") return [];
  const locations = listAt(await read("edgediag_locations_list", {}), "edgeLocations");
  return unknownLocation(["body", "edgeLocationId"], id, locations);
};
export const means = {
  400: "A value is not accepted: requestField in the response names its field.",
  429: "Too many diagnostics in a minute; wait and ask for fewer.",
} as const;
