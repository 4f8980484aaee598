/** The results of today's diagnostics: the probes, logs and statistics of the emulated world in today's form. */
import { STATUS_CODES } from "node:http";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { edgeAt, type Host, type Location, placeOf, routerIp, userInUse } from "../account.js";
import type { DnsRecord } from "../dns/resolver.js";
import { type Line, linesAt } from "./logs.js";
import { curl, dig, fetchFromEdge, mtr } from "./probes.js";
import type { statistics } from "./statistics.js";
import { edgeOf, failed, hostOf, locationOf, networkOf, outcomeOf, referenced, refusal } from "./world.js";

/** The location of an address that the world does not have. */
const nowhere = { city: "RESERVED", countryCode: "**", regionCode: "**", continent: "**" };

export function placed(ipAddress: string) {
  const found = placeOf(ipAddress);
  const { city, countryCode, regionCode } = found?.place ?? nowhere;
  return { city, countryCode, regionCode, asNumber: Number(found?.asNum ?? 0) };
}

export function geo(ipAddress: string) {
  const place = placeOf(ipAddress)?.place;
  const { continent } = place ?? nowhere;
  const at = place && { timeZone: place.timeZone, latitude: place.latitude, longitude: place.longitude };
  return { continent, ...placed(ipAddress), ...at };
}

/** What every diagnostic that answers at once says of itself. */
export const ran = <R, M extends object>(world: World, request: R, more: M) => ({
  request,
  createdBy: userInUse,
  createdTime: instant(world.now()),
  completedTime: instant(world.now()),
  executionStatus: "SUCCESS",
  ...more,
});

interface From {
  readonly edgeLocationId?: string | undefined;
  readonly edgeIp?: string | undefined;
}
/** The edge server that a diagnostic runs from; the one in Frankfurt unless a place is named. */
export function serverFor({ edgeLocationId, edgeIp }: From): Location {
  if (edgeLocationId !== undefined && edgeIp !== undefined)
    throw refusal(400, "Provide either edgeLocationId or edgeIp", "edgeLocationId");
  return edgeIp === undefined ? locationOf(edgeLocationId ?? "frankfurt-germany") : edgeOf(edgeIp);
}

const recordsOf = (records: readonly DnsRecord[]) =>
  records.map(({ preferenceValues, ...record }) => ({
    ...record,
    preferenceValue: preferenceValues === undefined || preferenceValues === null ? null : Number(preferenceValues[0]),
  }));
export function digResult(world: World, location: Location, hostname: string, queryType: string | undefined) {
  const { answerSection, authoritySection, result } = dig(world, location, hostname, queryType).digInfo;
  // A section without records is not in the answer.
  return {
    ...(answerSection.length > 0 && { answerSection: recordsOf(answerSection) }),
    ...(authoritySection.length > 0 && { authoritySection: recordsOf(authoritySection) }),
    result,
  };
}

type Fetched = ReturnType<typeof fetchFromEdge>;
function curlResult(location: Location, { curlResults }: Fetched) {
  const { httpStatusCode, responseHeaders, responseBody } = curlResults;
  const seconds = location.toOriginMs / 1_000;
  return {
    exitCode: 0,
    httpStatusCode,
    httpVersion: "HTTP/1.1",
    reasonPhrase: STATUS_CODES[httpStatusCode] ?? "",
    responseHeaderList: Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`),
    responseBody,
    timing: {
      dnsLookupTime: 0.002,
      tcpConnectionTime: 0.003,
      sslConnectionTime: 0,
      timeToFirstByte: 0.01 + seconds,
      totalTime: 0.02 + seconds,
    },
  };
}

interface Requesting {
  readonly url: string;
  readonly spoofEdgeIp?: string | undefined;
  readonly requestHeaders?: readonly string[] | undefined;
}
const agentIn = (headers: readonly string[] = []): string | undefined =>
  headers.flatMap((one) => /^user-agent:\s*(.*)$/i.exec(one)?.[1] ?? [])[0];

/** The response to a request from an edge server to wherever the host resolves, or to the named edge server. */
export function requested(world: World, location: Location, { url, spoofEdgeIp, requestHeaders }: Requesting) {
  if (spoofEdgeIp === undefined) return curlResult(location, curl(world, location, url, agentIn(requestHeaders)));
  const edge = edgeOf(spoofEdgeIp);
  const host = hostOf(world, url, networkOf(edge));
  return curlResult(edge, fetchFromEdge(world, edge, host, new URL(url).pathname, agentIn(requestHeaders)));
}

interface Shown {
  readonly resolveDns: boolean;
  readonly showIps: boolean;
  readonly showLocations: boolean;
}
const all: Shown = { resolveDns: true, showIps: true, showLocations: true };
export function mtrResult(world: World, location: Location, destination: string, shown: Shown = all) {
  const { hops, host, packetLoss, avgLatency, result } = mtr(world, location, destination, shown.resolveDns).mtr;
  const bare = mtr(world, location, destination, false).mtr.hops;
  return {
    host,
    packetLoss,
    averageLatency: avgLatency,
    startTime: Math.floor(world.now() / 1_000),
    result,
    hops: hops.map(({ number, host: name, loss, sent, last, avg, best, worst, stDev }, index) => {
      const ip = bare[index]?.host ?? routerIp(index);
      return {
        number,
        host: name,
        ...(shown.showIps ? { ip } : {}),
        packetLoss: loss,
        sentPackets: sent,
        lastPacketLatency: last,
        averageLatency: avg,
        bestRtt: best,
        worstRtt: worst,
        standardDeviation: stDev,
        ...(shown.showLocations ? { ipLocation: placed(ip) } : {}),
      };
    }),
  };
}

/** The members of a log line today, and the columns of the former API that hold the same. */
const columns = {
  logType: "Log Type",
  edgeIp: "Edge server IP",
  clientIp: "client IP",
  forwardIp: "Forward IP",
  httpMethod: "HTTP method",
  httpStatus: "HTTP status code",
  error: "error",
  contentType: "content-type",
  arl: "ARL",
  hostHeader: "host header",
  userAgent: "user-agent",
  cpCode: "CP code",
  objectStatus: "Object status",
  objectSize: "object size",
} as const;
const statuses = { g: "Served from the cache", o: "Fetched from the origin", f: "The origin could not be reached" };
const legend = {
  logType: { r: "Request of a client", f: "Request to the origin" },
  rObjectStatus: statuses,
  ...{ rObjectStatus2: {}, rObjectStatus3: {}, fObjectStatus: statuses, fObjectStatus2: {}, fObjectStatus3: {} },
};
export const logResult = (lines: Iterable<Line>) => ({
  legend,
  logs: [...lines].map(
    (line): Readonly<Record<string, string>> => ({
      ...Object.fromEntries(Object.entries(columns).map(([name, label]) => [name, line[label]])),
      dateTime: new Date(Number(line["Epoch Time"]) * 1_000).toISOString(),
    }),
  ),
});

const objectStatusOf = (code: string) => [{ code, description: statuses[code as keyof typeof statuses] ?? "" }];
type Edges = ReturnType<typeof statistics>["eStats"]["topEdgeIpsWithError"];
const edgesToday = (edges: Edges, cpCode: number, logType: string) =>
  edges.map(({ edgeIp, httpStatus, hits, objStatus, errorCode }) => ({
    ...{ edgeIp, httpStatus, hits, errorCode },
    edgeIpLocation: placed(edgeIp),
    objectStatus: objectStatusOf(objStatus),
    edgeLogsLink: `/edge-diagnostics/v1/grep?edgeIp=${edgeIp}&cpCode=${cpCode}&httpStatusCode=${httpStatus}&logType=${logType}`,
  }));
/** Statistics of a CP code, for both directions or one. */
export function statisticsToday({ eStats }: ReturnType<typeof statistics>, only: string | undefined) {
  const { cpCode } = eStats;
  const edge = {
    edgeHits: eStats.edgeHits,
    edgeErrors: eStats.edgeErrors,
    edgeFailurePercentage: Math.round(eStats.edgeFailurePercentage),
    edgeStatusCodeDistribution: eStats.edgeStatusCodeDistribution,
    topEdgeIpsWithError: edgesToday(eStats.topEdgeIpsWithError, cpCode, "R"),
    topEdgeIpsWithSuccess: edgesToday(eStats.topEdgeIpsWithSuccess, cpCode, "R"),
  };
  const origin = {
    originHits: eStats.originHits,
    originErrors: eStats.originErrors,
    originFailurePercentage: Math.round(eStats.originFailurePercentage),
    originStatusCodeDistribution: eStats.originStatusCodeDistribution,
    topEdgeIpsWithErrorFromOrigin: edgesToday(eStats.topEdgeIpsWithErrorFromOrigin, cpCode, "F"),
    topEdgeIpsWithSuccessFromOrigin: edgesToday(eStats.topEdgeIpsWithSuccessFromOrigin, cpCode, "F"),
  };
  return { ...(only === "ORIGIN_ERRORS" ? {} : edge), ...(only === "EDGE_ERRORS" ? {} : origin) };
}

const located = (ip: string) => ({ ip, ipLocation: placed(ip) });
/** The meaning of a reference code. */
export function translatedToday(world: World, errorCode: string) {
  const { location, host, atMs } = referenced(world, errorCode);
  const lines = [...linesAt(world, location, atMs, { host, outcome: failed })];
  const client = located(lines[0]?.["client IP"] ?? "");
  return {
    url: `http://${host.name}/`,
    httpResponseCode: failed.status,
    date: instant(atMs),
    epochTime: Math.floor(atMs / 1000),
    clientIp: client,
    connectingIp: client,
    edgeServerIp: located(location.edgeIp),
    originIp: located(host.originIp),
    cacheKeyHostname: host.originName,
    clientRequestMethod: "GET",
    userAgent: "N/A",
    reasonForFailure: failed.reason,
    wafDetails: "-",
    cpCode: host.cpCode,
    logLines: logResult(lines),
  };
}

/** One of the diagnostics that a combined one consists of. */
const part = <R>(result: R) => [{ executionContext: "DEFAULT", executionStatus: "SUCCESS", result }];
const route = (source: Location, destination: string, isToOrigin: boolean, result: ReturnType<typeof mtrResult>) => ({
  executionContext: isToOrigin ? "EDGE_IP_TO_ORIGIN_IP" : "EDGE_IP_TO_CLIENT_IP",
  executionStatus: "SUCCESS",
  sourceContext: "EDGE_IP_BASED_ON_LOCATION",
  destinationContext: isToOrigin ? "ORIGIN_IP" : "CLIENT_IP",
  sourceIpLocation: placed(source.edgeIp),
  destinationIpLocation: placed(destination),
  result,
});

interface Checked extends From, Requesting {
  readonly queryType?: string | undefined;
  readonly clientIp?: string | undefined;
}
/** The edge server that a combined diagnostic asks, and the URL's host there. */
export function subjectOf(world: World, request: Checked) {
  const location = request.spoofEdgeIp === undefined ? serverFor(request) : edgeOf(request.spoofEdgeIp);
  return { location, host: hostOf(world, request.url, networkOf(location)) };
}

/** The parts of a combined diagnostic of a URL. */
export function partsOf(world: World, request: Checked, views: readonly ("CONNECTIVITY" | "LOGS" | "DNS")[]) {
  const { location, host } = subjectOf(world, request);
  const response = requested(world, location, { ...request, spoofEdgeIp: location.edgeIp });
  const known = { host, outcome: outcomeOf(response.httpStatusCode) };
  const { clientIp } = request;
  const routes = [
    route(location, host.originIp, true, mtrResult(world, location, host.originIp)),
    ...(clientIp === undefined ? [] : [route(location, clientIp, false, mtrResult(world, location, clientIp))]),
  ];
  return {
    content: part(response),
    connectivity: views.includes("CONNECTIVITY") ? routes : [],
    logLines: views.includes("LOGS") ? part(logResult(linesAt(world, location, world.now(), known))) : [],
    domainDetails: views.includes("DNS") ? part(digResult(world, location, host.name, request.queryType)) : [],
  };
}

/** What the CDN knows of a URL, as the summary of its health check has it. */
export const summaryOf = (location: Location, host: Host, status: number) => ({
  edgeServerIp: location.edgeIp,
  edgeStatusCode: String(status),
  cacheKeyHostname: host.originName,
  cpCode: host.cpCode,
  originServerHostname: host.originName,
  originServerIp: host.originIp,
  serialNumber: String(host.serialNumber),
  ttl: host.ttl,
  typeCode: "L",
  content: [],
  domainDetails: [],
});

/** The edge server of an address, for the operations that take one. */
export const isEdge = (ipAddress: string): boolean => edgeAt(ipAddress) !== undefined;
