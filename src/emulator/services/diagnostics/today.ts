/** Today's diagnostics on the same edge servers, hosts and visitors as the former API's. */
import { STATUS_CODES } from "node:http";
import { dayMs } from "../../../time/durations.js";
import { edgeDiagnostics as declared } from "../../../tools/edge-diagnostics/index.js";
import { endOf, isOver } from "../../primitives/job.js";
import { findIn } from "../../primitives/store.js";
import { created, type ErrorFormat, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { type EdgeLocation, edgeAt, locations, trafficProperties, userInUse, visitorIp } from "../account.js";
import { isAmong, type LogLine } from "./logs.js";
import { ownCpCode, statistics } from "./statistics.js";
import {
  combinedDiagnostic,
  isSearchedLine,
  launch,
  launchState,
  linesInWindow,
  logSearch,
  trace,
  translation,
} from "./today-launches.js";
import {
  curlResponse,
  digResult,
  finishedRun,
  geoBody,
  ipLocationBody,
  mtrResult,
  statisticsToday,
} from "./today-results.js";
import { createVisitLink, type VisitLink, visitLinks } from "./visits.js";
import { edgeOf, hostOf, locationOf, refusal, serverFor, trafficPropertyOf } from "./world.js";

/** The error format of the definition; requestField is the field that was refused. */
const errorFormat: ErrorFormat = ({ status, detail, extras: { field } }) => {
  const title = STATUS_CODES[status] ?? "";
  const type = `${title.toLowerCase().replaceAll(" ", ".")}.error`;
  const errors = field === undefined ? {} : { errors: [{ type: "field.invalid", title: detail, requestField: field }] };
  return { body: { type, title, status, detail, ...errors }, type: "application/problem+json" };
};

const lifeMs = 7 * dayMs;
const groupOf = (world: World, { requestId, name, url, address, ipaHostname, atMs }: VisitLink) => ({
  groupId: String(requestId),
  url: ipaHostname === undefined ? url : undefined,
  ipaHostname,
  note: name,
  createdBy: userInUse,
  createdTime: instant(atMs),
  diagnosticLink: address,
  diagnosticLinkStatus: world.now() < atMs + lifeMs ? ("ACTIVE" as const) : ("EXPIRED" as const),
});
const groupWithCount = (world: World, link: VisitLink) => ({
  ...groupOf(world, link),
  recordCount: isOver(world, link) ? 1 : 0,
});

/** What the visitor submitted by opening a link. */
function recordsOf(world: World, link: VisitLink) {
  if (!isOver(world, link)) return [];
  const [edge] = locations;
  const at = (ip: string, ipType: string) => ({
    id: 1,
    ip,
    ipType,
    ipLocation: ipLocationBody(ip),
    associatedDnsId: 1,
  });
  const client = at(visitorIp(world.noise("visitor", link.name)), "Client IP");
  return [
    {
      uniqueId: 1,
      createdTime: instant(endOf(link)),
      createdEpoch: Math.floor(endOf(link) / 1_000),
      protocol: "TLSv1.3",
      cipher: "TLS_AES_256_GCM_SHA384",
      cookie: true,
      userAgent: "Mozilla/5.0",
      clientIpv4: client,
      preferredClientIp: client,
      edgeIps: edge ? [{ ...at(edge.edgeIp, "Edge IP"), regionId: edge.region }] : [],
    },
  ];
}

/** The edge server on which a diagnostic ran. */
const serverMembers = ({ edgeIp }: EdgeLocation) => ({ edgeIpLocation: ipLocationBody(edgeIp), internalIp: edgeIp });
/** What a diagnostic says of each address. */
const ofEach = <M extends object>(ipAddresses: readonly string[], of: (ip: string) => M) =>
  ipAddresses.map((ipAddress) => ({ ipAddress, executionStatus: "SUCCESS" as const, ...of(ipAddress) }));
const isEdge = (ipAddress: string) => ({ isEdgeIp: edgeAt(ipAddress) !== undefined });

const ipaHostnames = ["vpn.shop.example"];

const answering = emulateService(declared, errorFormat, {
  edgediag_locations_list: () => ok({ edgeLocations: locations.map(({ id, value }) => ({ id, value })) }),
  edgediag_dig_run: ({ body }, world) => {
    const location = serverFor(body);
    const result = digResult(world, location, body.hostname, body.queryType);
    return ok(finishedRun(world, body, { ...serverMembers(location), result }));
  },
  edgediag_mtr_run: ({ body }, world) => {
    const { source, sourceType, destination } = body;
    const location =
      source === undefined ? serverFor({}) : sourceType === "LOCATION" ? locationOf(source) : edgeOf(source);
    const result = mtrResult(world, location, destination, body);
    const target = mtrResult(world, location, destination).hops.at(-1)?.ip ?? "";
    return ok(
      finishedRun(world, body, {
        sourceInternalIp: location.edgeIp,
        sourceIpLocation: ipLocationBody(location.edgeIp),
        destinationInternalIp: target,
        destinationIpLocation: ipLocationBody(target),
        result,
      }),
    );
  },
  edgediag_curl_run: ({ body }, world) => {
    const location = serverFor(body);
    const result = curlResponse(world, location, body);
    return ok(finishedRun(world, body, { ...serverMembers(location), result }));
  },
  edgediag_logs_list: ({ query }, world) => {
    const { edgeIp, start, end = instant(world.now()), logType = "R" } = query;
    const cpCodes = [query.cpCode];
    const isWanted = (line: LogLine) =>
      isSearchedLine(line, { cpCodes, logType }) &&
      isAmong(query.clientIp, line.clientIp) &&
      isAmong(query.userAgent, line.userAgent) &&
      isAmong(query.httpStatusCode, line.httpStatus) &&
      line.arl.includes(query.arl ?? "") &&
      line.objectStatus.includes(query.objectStatus ?? "");
    const request = { edgeIp, cpCodes, logType, end, start };
    return ok({ ...finishedRun(world, request, linesInWindow(world, query, isWanted)), completedTime: undefined });
  },
  edgediag_statistic_get: ({ body }, world) => {
    const cpCode =
      body.cpCode === undefined ? String(hostOf(world, body.url ?? "").cpCode) : ownCpCode(world, body.cpCode);
    return ok(finishedRun(world, body, { result: statisticsToday(statistics(world, cpCode), body.errorType) }));
  },
  edgediag_url_translation_get: ({ body }, world) => {
    const { originName: cacheKeyHostname, cpCode, serialNumber, ttl } = hostOf(world, body.url);
    const translatedUrl = { typeCode: "L", cacheKeyHostname, cpCode, serialNumber: String(serialNumber), ttl };
    return ok({ request: body, translatedUrl });
  },
  edgediag_edge_ip_check: ({ body }, world) =>
    ok(finishedRun(world, body, { results: ofEach(body.ipAddresses, isEdge) })),
  edgediag_ip_location_get: ({ body }, world) => {
    return ok(finishedRun(world, body, { results: ofEach(body.ipAddresses, (ip) => ({ geoLocation: geoBody(ip) })) }));
  },
  edgediag_ip_describe: ({ body }, world) => {
    const result = { ...isEdge(body.ipAddress), geoLocation: geoBody(body.ipAddress) };
    return ok({ ...finishedRun(world, body, { result }), completedTime: undefined });
  },
  edgediag_esi_debug_run: ({ body }, world) => {
    hostOf(world, body.url);
    const { responseBody } = curlResponse(world, serverFor({}), body);
    return ok({
      sourceDebugPage: {
        pageLink: body.url,
        enumeratedSource: responseBody.split("\n").map((line, at) => `//${at + 1}    ${line}`),
        environmentVariables: [],
        evaluatedResults: ["The page has no ESI tags."],
        syntaxErrorMessages: [],
      },
      allIncludedPages: [],
    });
  },
  edgediag_gtm_properties_list: () =>
    ok({
      gtmProperties: trafficProperties.map(({ property, domain, hostName: hostname }) => {
        return { property, domain, hostname };
      }),
    }),
  edgediag_gtm_ips_list: ({ path }) => {
    const { targetIps: targets, ...gtmProperty } = trafficPropertyOf(path);
    return ok({ gtmPropertyIps: { ...gtmProperty, targets } });
  },
  edgediag_ipa_hostnames_list: () => ok({ hostnames: ipaHostnames }),
  edgediag_user_groups_list: (_, world) => ok({ groups: visitLinks(world).map((one) => groupWithCount(world, one)) }),
  edgediag_user_group_create: ({ body }, world) => {
    const { url, ipaHostname, note = "" } = body;
    if (ipaHostname !== undefined && !ipaHostnames.includes(ipaHostname))
      throw refusal(400, `${ipaHostname} has no IP acceleration`, "ipaHostname");
    return created(groupWithCount(world, createVisitLink(world, note, url ?? `http://${ipaHostname}/`, ipaHostname)));
  },
  edgediag_user_records_list: ({ path }, world) => {
    const missing = () => refusal(404, `There is no group ${path.groupId}`, "groupId");
    const link = findIn(visitLinks(world), { requestId: Number(path.groupId) }, missing);
    const records = recordsOf(world, link);
    const expiryTime = instant(link.atMs + lifeMs);
    return ok({ ...groupOf(world, link), expiryTime, records, submissionsRemaining: 50 - records.length });
  },
  edgediag_url_health_launch: ({ body }, world) =>
    launch(world, (its) => combinedDiagnostic(its, "url-health-check", body)),
  edgediag_url_health_result: launchState("url-health-check"),
  edgediag_content_problem_launch: ({ body }, world) =>
    launch(world, (its) => combinedDiagnostic(its, "content-problems", body)),
  edgediag_content_problem_result: launchState("content-problems"),
  edgediag_connectivity_problem_launch: ({ body }, world) =>
    launch(world, (its) => combinedDiagnostic(its, "connectivity-problems", body)),
  edgediag_connectivity_problem_result: launchState("connectivity-problems"),
  edgediag_error_translation_launch: ({ body }, world) => launch(world, (its) => translation(its, body)),
  edgediag_error_translation_result: launchState("error-translator"),
  edgediag_log_search_launch: ({ body }, world) => launch(world, (its) => logSearch(its, body)),
  edgediag_log_search_result: launchState("grep"),
  edgediag_metadata_trace_launch: ({ body }, world) => launch(world, (its) => trace(its, body)),
  edgediag_metadata_trace_result: launchState("metadata-tracer"),
  edgediag_metadata_locations_list: () =>
    ok({ mdtLocations: locations.map(({ id, value }) => ({ id, value, supportedMethods: ["HEAD", "GET", "POST"] })) }),
});

export const edgeDiagnostics = { ...answering, requestsPerMinute: 300 };
