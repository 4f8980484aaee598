/** The results of today's diagnostics: the probes, logs and statistics of the emulated world in today's form. */
import { STATUS_CODES } from "node:http";
import type { edgeDiagnostics as declared } from "../../../tools/edge-diagnostics/index.js";
import type { Call } from "../../behaviour.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { type EdgeLocation, geoLocationOf, routerIp, userInUse } from "../account.js";
import type { LookupRecord } from "../dns/resolver.js";
import { type LogLine, linesAt } from "./logs.js";
import { curl, dig, fetchFromEdge, mtr } from "./probes.js";
import type { statistics } from "./statistics.js";
import { edgeOf, hostOf, networkOf, originFailure, readReference } from "./world.js";

export function ipLocationBody(ipAddress: string) {
  const { place, asNum = 0 } = geoLocationOf(ipAddress) ?? {};
  const { city = "RESERVED", countryCode = "**", regionCode = "**" } = place ?? {};
  return { city, countryCode, regionCode, asNumber: Number(asNum) };
}

export function geoBody(ipAddress: string) {
  const { continent = "**", timeZone, latitude, longitude } = geoLocationOf(ipAddress)?.place ?? {};
  return { continent, ...ipLocationBody(ipAddress), timeZone, latitude, longitude };
}

type Curl = Call<(typeof declared)["operations"]["edgediag_curl_run"]>["body"];

/** What every diagnostic that answers at once says of itself. */
export const finishedRun = <R, M extends object>(world: World, request: R, more: M) => ({
  request,
  createdBy: userInUse,
  createdTime: instant(world.now()),
  completedTime: instant(world.now()),
  executionStatus: "SUCCESS" as const,
  ...more,
});

/** A section of records; one without any is not in the answer. */
const recordsOf = (records: readonly LookupRecord[]) =>
  records.length === 0
    ? undefined
    : records.map(({ preferenceValues, ...record }) => ({
        ...record,
        preferenceValue: preferenceValues ? Number(preferenceValues[0]) : null,
      }));
export function digResult(world: World, location: EdgeLocation, hostname: string, queryType: string | undefined) {
  const { answerSection, authoritySection, result } = dig(world, location, hostname, queryType);
  return { answerSection: recordsOf(answerSection), authoritySection: recordsOf(authoritySection), result };
}

type Fetched = ReturnType<typeof fetchFromEdge>;
function curlResult(location: EdgeLocation, { httpStatusCode, responseHeaders, responseBody }: Fetched) {
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

const agentIn = (headers: readonly string[] = []): string | undefined =>
  headers.flatMap((one) => /^user-agent:\s*(.*)$/i.exec(one)?.[1] ?? [])[0];

/** The response to a request from an edge server to wherever the host resolves, or to the named edge server. */
export function curlResponse(world: World, location: EdgeLocation, { url, spoofEdgeIp, requestHeaders }: Curl) {
  if (spoofEdgeIp === undefined) return curlResult(location, curl(world, location, url, agentIn(requestHeaders)));
  const edge = edgeOf(spoofEdgeIp);
  const host = hostOf(world, url, networkOf(edge));
  return curlResult(edge, fetchFromEdge(world, edge, host, new URL(url).pathname, agentIn(requestHeaders)));
}

const all = { resolveDns: true, showIps: true, showLocations: true };
export function mtrResult(world: World, location: EdgeLocation, destination: string, shown = all) {
  const { hops, host, packetLoss, avgLatency, result } = mtr(world, location, destination, shown.resolveDns);
  const bare = mtr(world, location, destination, false).hops;
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
        ip: shown.showIps ? ip : undefined,
        packetLoss: loss,
        sentPackets: sent,
        lastPacketLatency: last,
        averageLatency: avg,
        bestRtt: best,
        worstRtt: worst,
        standardDeviation: stDev,
        ipLocation: shown.showLocations ? ipLocationBody(ip) : undefined,
      };
    }),
  };
}

const statuses = { g: "Served from the cache", o: "Fetched from the origin", f: "The origin could not be reached" };
const legend = {
  logType: { r: "Request of a client", f: "Request to the origin" },
  rObjectStatus: statuses,
  rObjectStatus2: {},
  rObjectStatus3: {},
  fObjectStatus: statuses,
  fObjectStatus2: {},
  fObjectStatus3: {},
};
export const logResult = (lines: Iterable<LogLine>) => ({
  legend,
  logs: [...lines].map(({ dateTime: _, epochTime, requestId: __, ...line }) => ({
    ...line,
    dateTime: new Date(Number(epochTime) * 1_000).toISOString(),
  })),
});

type Statistics = ReturnType<typeof statistics>;
const edgesToday = (edges: Statistics["topEdgeIpsWithError"], cpCode: number, logType: string) =>
  edges.map(({ edgeIp, httpStatus, hits, objStatus, errorCode }) => ({
    edgeIp,
    httpStatus,
    hits,
    errorCode,
    edgeIpLocation: ipLocationBody(edgeIp),
    objectStatus: [{ code: objStatus, description: statuses[objStatus as keyof typeof statuses] ?? "" }],
    edgeLogsLink: `/edge-diagnostics/v1/grep?edgeIp=${edgeIp}&cpCode=${cpCode}&httpStatusCode=${httpStatus}&logType=${logType}`,
  }));
/** Statistics of a CP code, for both directions or one. */
export function statisticsToday({ cpCode, ...eStats }: Statistics, only: string | undefined) {
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

const locatedIp = (ip: string) => ({ ip, ipLocation: ipLocationBody(ip) });
/** The meaning of a reference code. */
export function translatedToday(world: World, errorCode: string) {
  const { location, host, atMs } = readReference(world, errorCode);
  const lines = [...linesAt(world, location, atMs, { host, outcome: originFailure })];
  const client = locatedIp(lines[0]?.clientIp ?? "");
  return {
    url: `http://${host.name}/`,
    httpResponseCode: originFailure.status,
    date: instant(atMs),
    epochTime: Math.floor(atMs / 1000),
    clientIp: client,
    connectingIp: client,
    edgeServerIp: locatedIp(location.edgeIp),
    originIp: locatedIp(host.originIp),
    cacheKeyHostname: host.originName,
    clientRequestMethod: "GET",
    userAgent: "N/A",
    reasonForFailure: originFailure.reason,
    wafDetails: "-",
    cpCode: host.cpCode,
    logLines: logResult(lines),
  };
}
