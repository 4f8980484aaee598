/** Diagnostics: probes, logs and statistics of the emulated world, directly or as launched requests that take a while. */
import { diagnostics as declared } from "../../../tools/diagnostics/index.js";
import { findIn } from "../../primitives/store.js";
import { accepted, created, ok, replyWith } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { type EdgeLocation, edgeAt, geoLocationOf, locations, trafficProperties } from "../account.js";
import labels from "./labels.json" with { type: "json" };
import { isReady, launchesOf, retryAfter } from "./launches.js";
import { findLines, type LogLine, type LogQuery, linesAt, logColumns } from "./logs.js";
import { curl, dig, fetchFromEdge, mtr } from "./probes.js";
import { ownCpCode, statistics } from "./statistics.js";
import unknownPlace from "./unknown-place.json" with { type: "json" };
import { createVisitLink, visits } from "./visits.js";
import {
  diagnosticErrorFormat,
  edgeOf,
  hostOf,
  locationOf,
  networkOf,
  originFailure,
  outcomeOf,
  readReference,
  refusal,
  serverFor,
  trafficPropertyOf,
} from "./world.js";

const isCdn = (ipAddress: string) => ({ isCdnIp: edgeAt(ipAddress) !== undefined });

/** The labels of the log types in a translated error (public facts A, 7; that of `f` by analogy). */
const logTypeLabels: Readonly<Record<string, string>> = { r: "client request (r)", f: "forward request (f)" };
const logged = (lines: Iterable<LogLine>) =>
  [...lines].map((line) => ({
    description: line.logType === "r" ? "Response to the client" : "Request to the origin",
    fields: Object.fromEntries(
      logColumns.map((name) => [name === "logType" ? logTypeLabels[line.logType] : labels[name], line[name]]),
    ),
  }));

function translated(world: World, errorCode: string) {
  const { location, host, atMs } = readReference(world, errorCode);
  const logs = logged(linesAt(world, location, atMs, { host, outcome: originFailure }));
  const clientIp = String(logs[0]?.fields[labels.clientIp]);
  return {
    translatedError: {
      url: `http://${host.name}/`,
      httpResponseCode: originFailure.status,
      timestamp: new Date(atMs).toUTCString(),
      epochTime: Math.floor(atMs / 1000),
      clientIp,
      connectingIp: clientIp,
      serverIp: location.edgeIp,
      originHostname: host.originName,
      originIp: host.originIp,
      userAgent: "N/A",
      requestMethod: "GET",
      reasonForFailure: originFailure.reason,
      wafDetails: "-",
      cpcode: String(host.cpCode),
      logs,
    },
  };
}

/** How the edge handles a URL, wherever its host resolves: the request goes to the edge server itself. */
function debugged(world: World, url: string, edgeIp: string | undefined) {
  const location = serverFor({ edgeIp });
  const host = hostOf(world, url, networkOf(location));
  const { httpStatusCode, responseHeaders } = fetchFromEdge(world, location, host, new URL(url).pathname);
  return {
    urlDebug: {
      dnsInformation: dig(world, location, host.name).answerSection.map(
        ({ domain, recordType, value, ttl }) => `${domain} ${ttl} IN ${recordType} ${value}`,
      ),
      httpResponse: [
        { name: "Response code", value: String(httpStatusCode) },
        { name: "Edge server", value: location.edgeIp },
      ],
      responseHeaders: Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`),
      logs: logged(linesAt(world, location, world.now(), { host, outcome: outcomeOf(httpStatusCode) })),
    },
  };
}

const eStatsOf = (world: World, cpCode: string) => ({ eStats: statistics(world, cpCode) });

/** The requests of each kind that are finished from the start; their number is 1. */
const seeds = {
  cdn: () => isCdn("192.0.2.20"),
  estats: (world: World) => eStatsOf(world, "12345"),
  error: (world: World) => translated(world, "9.c000020a.1779000000.692"),
  url: (world: World) => debugged(world, "http://www.shop.example/sale", undefined),
};
type Kind = keyof typeof seeds;
type Result<K extends Kind> = ReturnType<(typeof seeds)[K]>;
const paths: Readonly<Record<Kind, readonly [requests: string, result: string]>> = {
  cdn: ["is-cdn-ip-requests", "is-cdn-ip"],
  estats: ["estats-requests", "estats"],
  error: ["translate-error-requests", "translated-error"],
  url: ["url-debug-requests", "debugged-url"],
};
const idOf = (kind: Kind, number: number): string => Buffer.from(`${kind}-${number}`).toString("base64url");
const linkOf = (kind: Kind, id: string): string => `/diagnostic-tools/v2/${paths[kind][0]}/${id}`;
const launches = launchesOf("diagnostic", (world) =>
  (Object.keys(paths) as Kind[]).map((kind) => {
    return { kind, id: idOf(kind, 1), result: (): unknown => seeds[kind](world) };
  }),
);
interface OfRequest {
  readonly path: { readonly requestId: string };
}

/** Launches a request, whose result is computed when it is read. */
function launch<K extends Kind>(world: World, kind: K, result: () => Result<K>) {
  const { id } = launches.add(world, { kind, id: idOf(kind, world.next(`diagnostic ${kind}`, 2)), result });
  return accepted({ requestId: id, link: linkOf(kind, id), retryAfter });
}
/** Answers whether a request is ready: 303 with the address of its result. */
const status =
  (kind: Kind) =>
  ({ path: { requestId } }: OfRequest, world: World) => {
    const found = launches.find(world, kind, requestId);
    found.polls += 1;
    const link = linkOf(kind, requestId);
    return isReady(world, found)
      ? replyWith(303)(undefined, { location: `${link}/${paths[kind][1]}` })
      : ok({ requestId, link, retryAfter });
  };
/** The result of a request; refuses it before the request is ready. */
const result =
  <K extends Kind>(kind: K) =>
  ({ path: { requestId } }: OfRequest, world: World) => {
    const found = launches.find(world, kind, requestId);
    if (!isReady(world, found)) throw refusal(404, `The request ${requestId} is not ready`, "requestId");
    return ok(found.result() as Result<K>);
  };

const logLines = (world: World, location: EdgeLocation, query: LogQuery) =>
  ok({ logLines: { headers: Object.values(labels).join("\t"), logs: findLines(world, location, query) } });

const answering = emulateService(declared, diagnosticErrorFormat, {
  diag_locations_list: () => ok({ locations: locations.map(({ id, value }) => ({ id, value })) }),
  diag_location_dig_run: ({ path, query }, world) =>
    ok({ digInfo: dig(world, locationOf(path.locationId), query.hostName, query.queryType) }),
  diag_location_mtr_run: ({ path, query }, world) =>
    ok({ mtr: mtr(world, locationOf(path.locationId), query.destinationDomain, query.resolveDns) }),
  diag_location_curl_run: ({ path, body }, world) =>
    ok({ curlResults: curl(world, locationOf(path.locationId), body.url, body.userAgent) }),
  diag_location_logs_list: ({ path, query }, world) => logLines(world, locationOf(path.locationId), query),
  diag_ip_cdn_check: ({ path }) => ok(isCdn(path.ipAddress)),
  diag_ip_cdn_launch: ({ path }, world) => launch(world, "cdn", () => isCdn(path.ipAddress)),
  diag_ip_location_get: ({ path: { ipAddress: clientIp } }) => {
    const { place, asNum = "" } = geoLocationOf(clientIp) ?? {};
    if (!place) return ok({ geoLocation: { clientIp, ...unknownPlace } });
    const { city, countryCode, regionCode, continent, timeZone, latitude, longitude } = place;
    const at = { city, countryCode, regionCode, continent, timeZone, latitude, longitude };
    return ok({ geoLocation: { clientIp, ...unknownPlace, ...at, throughput: "vhigh", asNum } });
  },
  diag_ip_dig_run: ({ path, query }, world) =>
    ok({ digInfo: dig(world, edgeOf(path.ipAddress), query.hostName, query.queryType) }),
  diag_ip_mtr_run: ({ path, query }, world) =>
    ok({ mtr: mtr(world, edgeOf(path.ipAddress), query.destinationDomain, query.resolveDns) }),
  diag_ip_curl_run: ({ path, body }, world) =>
    ok({ curlResults: curl(world, edgeOf(path.ipAddress), body.url, body.userAgent) }),
  diag_ip_logs_list: ({ path, query }, world) => logLines(world, edgeOf(path.ipAddress), query),
  diag_ip_cdn_status: status("cdn"),
  diag_ip_cdn_result: result("cdn"),
  diag_user_link_create: ({ body }, world) =>
    created({ diagnosticUrl: createVisitLink(world, body.endUserName, body.url).address }),
  diag_user_requests_list: (_, world) =>
    ok({ endUserIpRequests: visits(world).map(({ ips: _, browser: __, ...visit }) => visit) }),
  diag_user_request_get: ({ path }, world) => {
    const missing = () => refusal(404, `There is no request ${path.requestId}`, "requestId");
    const { requestId: _, ips, ...rest } = findIn(visits(world), { requestId: path.requestId }, missing);
    return ok({ endUserIpDetails: { ...rest, email: null, ips } });
  },
  diag_gtm_properties_list: () =>
    ok({
      gtmProperties: trafficProperties.map(({ property, domain, hostName }) => ({ property, domain, hostName })),
    }),
  diag_gtm_ips_list: ({ path }) => ok({ gtmPropertyIps: trafficPropertyOf(path) }),
  diag_url_statistic_get: ({ query }, world) => ok(eStatsOf(world, String(hostOf(world, query.url).cpCode))),
  diag_url_statistic_launch: ({ body }, world) => {
    const { cpCode } = hostOf(world, body.url);
    return launch(world, "estats", () => eStatsOf(world, String(cpCode)));
  },
  diag_cpcode_statistic_get: ({ path }, world) => ok(eStatsOf(world, ownCpCode(world, path.cpCode))),
  diag_cpcode_statistic_launch: ({ path }, world) => {
    const cpCode = ownCpCode(world, path.cpCode);
    return launch(world, "estats", () => eStatsOf(world, cpCode));
  },
  diag_statistic_status: status("estats"),
  diag_statistic_result: result("estats"),
  diag_error_translation_get: ({ path }, world) => ok(translated(world, path.errorCode)),
  diag_error_translation_launch: ({ path }, world) => {
    readReference(world, path.errorCode);
    return launch(world, "error", () => translated(world, path.errorCode));
  },
  diag_error_translation_status: status("error"),
  diag_error_translation_result: result("error"),
  diag_url_debug_get: ({ query }, world) => ok(debugged(world, query.url, query.edgeIp)),
  diag_url_debug_launch: ({ body }, world) => {
    hostOf(world, body.url, networkOf(serverFor({ edgeIp: body.edgeIp })));
    return launch(world, "url", () => debugged(world, body.url, body.edgeIp));
  },
  diag_url_debug_status: status("url"),
  diag_url_debug_result: result("url"),
  diag_url_translation_get: ({ query }, world) => {
    const { originName, cpCode, serialNumber, ttl } = hostOf(world, query.url);
    return ok({ translatedUrl: { typeCode: "L", originServer: originName, cpCode, serialNumber, ttl } });
  },
});

// The rate limit's headers are public, its value is not (public facts A, 0.3).
export const diagnostics = { ...answering, requestsPerMinute: 300 };
