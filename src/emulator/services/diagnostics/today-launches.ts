/** Today's launched diagnostics: requests that are read by their number until their result is there. */
import { minuteMs } from "../../../time/durations.js";
import type { edgeDiagnostics as declared } from "../../../tools/edge-diagnostics/index.js";
import type { Call } from "../../behaviour.js";
import { accepted, ok, RequestRefusal } from "../../reply.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { type EdgeLocation, userInUse } from "../account.js";
import { isReady, lastsMs, launchesOf, retryAfter } from "./launches.js";
import { isAmong, type LogLine, linesAt, linesIn } from "./logs.js";
import { curlResponse, digResult, ipLocationBody, logResult, mtrResult, translatedToday } from "./today-results.js";
import { edgeOf, hostOf, networkOf, outcomeOf, refusal, serverFor } from "./world.js";

type Operations = (typeof declared)["operations"];
type Body<N extends keyof Operations> = Call<Operations[N]>["body"];
type Health = Body<"edgediag_url_health_launch">;
type Connectivity = Body<"edgediag_connectivity_problem_launch">;
type Search = Body<"edgediag_log_search_launch">;

/** The parts of each combined diagnostic, and the views that it includes by default. */
const combinations = {
  "url-health-check": { parts: ["content", "connectivity", "logLines", "domainDetails"], views: ["DNS"] },
  "content-problems": { parts: ["content", "logLines"], views: ["LOGS"] },
  "connectivity-problems": { parts: ["content", "connectivity", "logLines"], views: ["LOGS", "CONNECTIVITY"] },
} as const;
type CombinedKind = keyof typeof combinations;

/** A diagnostic to launch: the request, what is known at once, and the result, which is computed when it is read. */
interface Launchable {
  readonly kind: CombinedKind | "error-translator" | "grep" | "metadata-tracer";
  readonly request: Readonly<Record<string, unknown>>;
  readonly pending: Readonly<Record<string, unknown>>;
  readonly result: () => Readonly<Record<string, unknown>>;
}

/** One of the diagnostics that a combined one consists of. */
const part = <R>(result: R) => [{ executionContext: "DEFAULT", executionStatus: "SUCCESS", result }];
const route = (world: World, source: EdgeLocation, destination: string, isToOrigin: boolean) => ({
  executionContext: isToOrigin ? "EDGE_IP_TO_ORIGIN_IP" : "EDGE_IP_TO_CLIENT_IP",
  executionStatus: "SUCCESS",
  sourceContext: "EDGE_IP_BASED_ON_LOCATION",
  destinationContext: isToOrigin ? "ORIGIN_IP" : "CLIENT_IP",
  sourceIpLocation: ipLocationBody(source.edgeIp),
  destinationIpLocation: ipLocationBody(destination),
  result: mtrResult(world, source, destination),
});

/** A combined diagnostic of a URL, whose parts follow from its kind. */
export function combinedDiagnostic(world: World, kind: CombinedKind, request: Health | Connectivity): Launchable {
  const location = request.spoofEdgeIp === undefined ? serverFor(request) : edgeOf(request.spoofEdgeIp);
  const host = hostOf(world, request.url, networkOf(location));
  const { parts, views } = combinations[kind];
  const { viewsAllowed = [], clientIp, queryType }: Partial<Health & Connectivity> = request;
  const shownViews: readonly string[] = [...views, ...viewsAllowed];
  const only = (all: Readonly<Record<string, unknown>>) => Object.fromEntries(parts.map((name) => [name, all[name]]));
  const none = only({ content: [], connectivity: [], logLines: [], domainDetails: [] });
  const summary = (status: number) =>
    kind !== "url-health-check"
      ? none
      : {
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
        };
  const known = { internalIp: location.edgeIp, internalIpLocation: ipLocationBody(location.edgeIp) };
  return {
    kind,
    request,
    pending: { ...known, ...none, summary: summary(0) },
    result: () => {
      const response = curlResponse(world, location, { ...request, spoofEdgeIp: location.edgeIp });
      const { httpStatusCode: status } = response;
      const lines = linesAt(world, location, world.now(), { host, outcome: outcomeOf(status) });
      const toOrigin = route(world, location, host.originIp, true);
      const toClient = clientIp === undefined ? [] : [route(world, location, clientIp, false)];
      const found = {
        content: part(response),
        connectivity: shownViews.includes("CONNECTIVITY") ? [toOrigin, ...toClient] : [],
        logLines: shownViews.includes("LOGS") ? part(logResult(lines)) : [],
        domainDetails: shownViews.includes("DNS") ? part(digResult(world, location, host.name, queryType)) : [],
      };
      return { ...only(found), summary: summary(status) };
    },
  };
}

/** Whether a log line is one of those that a search asks for. */
export function isSearchedLine(line: LogLine, search: Omit<Search, "edgeIp" | "start" | "end">) {
  const { logType, httpStatusCodes, arls } = search;
  const isStatus = isAmong(httpStatusCodes?.value, line.httpStatus);
  const isArl = arls === undefined || arls.value.some((one) => line.arl.includes(one));
  return (
    (logType === "BOTH" || logType.toLowerCase() === line.logType) &&
    isAmong(search.cpCodes, line.cpCode) &&
    isAmong(search.hostnames, line.hostHeader) &&
    isAmong(search.clientIps, line.clientIp) &&
    isAmong(search.userAgents, line.userAgent) &&
    (httpStatusCodes?.comparison === "NOT_EQUALS" ? !isStatus : isStatus) &&
    (arls?.comparison === "NOT_CONTAINS" ? !isArl : isArl)
  );
}

type Window = Pick<Call<Operations["edgediag_logs_list"]>["query"], "edgeIp" | "start" | "end">;
/** Lines of an edge server in a window that ends now, or earlier within a day. */
export function linesInWindow(world: World, { edgeIp, start, end }: Window, isWanted: (line: LogLine) => boolean) {
  const now = world.now();
  const toMs = Math.min(end === undefined ? now : utcOf(end), now);
  const fromMs = start === undefined ? toMs - 10 * minuteMs : utcOf(start);
  if (fromMs < now - (24 * 60 + 1) * minuteMs || fromMs > toMs)
    throw refusal(400, "start is not in the last 24 hours before end", "start");
  const lines = linesIn(world, edgeOf(edgeIp), { fromMs, toMs, most: 200 }, isWanted);
  return { logLinesCount: lines.length, result: logResult(lines) };
}

export function logSearch(world: World, request: Search): Launchable {
  const result = () => linesInWindow(world, request, (line) => isSearchedLine(line, request));
  result();
  // The definition has no IN_PROGRESS for it: what was accepted is a SUCCESS that is to be read after retryAfter.
  const pending = { executionStatus: "SUCCESS", edgeIpLocation: ipLocationBody(request.edgeIp) };
  return { kind: "grep", request, pending, result };
}

export function translation(world: World, request: Body<"edgediag_error_translation_launch">): Launchable {
  const result = () => ({ result: translatedToday(world, request.errorCode) });
  result();
  return { kind: "error-translator", request, pending: { completedTime: instant(world.now()) }, result };
}

const stages = ["S0_CLIENT_REQUEST", "S3_CACHE_HIT", "S4_FORWARD_START", "S7_CLIENT_RESPONSE"] as const;
export function trace(world: World, request: Body<"edgediag_metadata_trace_launch">): Launchable {
  const { edgeIp, mdtLocationId, useStaging = false } = request;
  const location = serverFor({ edgeIp, edgeLocationId: mdtLocationId });
  hostOf(world, request.url, useStaging ? "STAGING" : networkOf(location));
  return {
    kind: "metadata-tracer",
    request,
    pending: { internalIp: location.edgeIp, edgeIpLocation: ipLocationBody(location.edgeIp) },
    result: () => {
      const response = curlResponse(world, location, { ...request, spoofEdgeIp: location.edgeIp });
      const traceInformation = stages.map((stage, at) => ({
        line: at + 1,
        stages: { successes: [stage], failures: [] },
      }));
      const result = { ...response, responseBody: undefined, timing: undefined, traceInformation };
      return { completedTime: instant(world.now()), result };
    },
  };
}

/** A finished request of each kind, which the numbers 1 to 6 have. */
const seeds = (world: World): Launchable[] => {
  const url = "http://www.shop.example/sale";
  const end = instant(world.startedAtMs);
  const start = instant(world.startedAtMs - 10 * minuteMs);
  return [
    combinedDiagnostic(world, "url-health-check", { url }),
    combinedDiagnostic(world, "content-problems", { url }),
    combinedDiagnostic(world, "connectivity-problems", { url }),
    translation(world, { errorCode: "9.c000020a.1779000000.692" }),
    logSearch(world, { edgeIp: "192.0.2.20", start, end, logType: "R", hostnames: ["www.shop.example"] }),
    trace(world, { url }),
  ];
};

/** The world as a request sees it: its clock stops when the request is complete, however late the result is read. */
const until = (world: World, completeAtMs: number): World => ({
  ...world,
  now: () => Math.min(world.now(), completeAtMs),
});
const launches = launchesOf("edge diagnostic", (world) =>
  seeds(until(world, world.startedAtMs)).map((one, at) => ({ ...one, id: at + 1 })),
);
type Launch = ReturnType<typeof launches.find>;

const launchMembers = ({ request, atMs, id }: Launch) => {
  return { request, requestId: id, createdBy: userInUse, createdTime: instant(atMs) };
};
const running = (launchRecord: Launch) => ({
  ...launchMembers(launchRecord),
  executionStatus: "IN_PROGRESS",
  ...launchRecord.pending,
  link: `/edge-diagnostics/v1/${launchRecord.kind}/requests/${launchRecord.id}`,
  retryAfter,
});

/** Launches a request. Its kind decides what it answers, which the declarations tell apart and the types here do not. */
export function launch(world: World, launchableIn: (world: World) => Launchable) {
  const launchable = launchableIn(until(world, world.now() + lastsMs));
  return accepted(running(launches.add(world, { ...launchable, id: world.next("edge diagnostics", 7) }))) as never;
}

function stateOf(world: World, launchRecord: Launch) {
  if (!isReady(world, launchRecord)) return running(launchRecord);
  const done = { ...launchMembers(launchRecord), ...launchRecord.pending };
  try {
    return { ...done, executionStatus: "SUCCESS", ...launchRecord.result() };
  } catch (error) {
    // It was accepted, and could not run: the host is not served any more, for example.
    if (!(error instanceof RequestRefusal)) throw error;
    return { ...done, executionStatus: "FAILURE" };
  }
}
/** The state of a request of a kind, with its result as soon as it is ready. */
export const launchState =
  (kind: Launchable["kind"]) =>
  ({ path }: { readonly path: { readonly requestId: number } }, world: World) => {
    const launchRecord = launches.find(world, kind, path.requestId);
    launchRecord.polls += 1;
    return ok(stateOf(world, launchRecord)) as never;
  };
