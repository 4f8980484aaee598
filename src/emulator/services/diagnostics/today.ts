/** Today's diagnostics on the same edge servers, hosts and visitors as the former API's. */
import { STATUS_CODES } from "node:http";
import type { Call } from "../../../language/behaviour.js";
import { minuteMs } from "../../../language/durations.js";
import { edgeDiagnostics as declared } from "../../../tools/edge-diagnostics/index.js";
import { foundIn } from "../../primitives/store.js";
import { created, type ErrorFormat, ok } from "../../reply.js";
import { emulated } from "../../service.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { locations, trafficProperties, userInUse, visitorIp } from "../account.js";
import { type Line, linesIn } from "./logs.js";
import { ownCpCode, statistics } from "./statistics.js";
import { type Kind, type Launchable, launchedToday, launchToday } from "./today-launches.js";
import {
  digResult,
  geo,
  isEdge,
  logResult,
  mtrResult,
  partsOf,
  placed,
  ran,
  requested,
  serverFor,
  statisticsToday,
  subjectOf,
  summaryOf,
  translatedToday,
} from "./today-results.js";
import { linksToday, visitLink } from "./visits.js";
import { edgeOf, hostOf, locationOf, networkOf, refusal } from "./world.js";

type Operations = (typeof declared)["operations"];
type Body<N extends keyof Operations> = Call<Operations[N]>["body"];

/** The error format of the definition; requestField is the field that was refused. */
const errorFormat: ErrorFormat = ({ status, detail, more: { field } }) => {
  const title = STATUS_CODES[status] ?? "";
  const type = `${title.toLowerCase().replaceAll(" ", ".")}.error`;
  const errors = field === undefined ? {} : { errors: [{ type: "field.invalid", title: detail, requestField: field }] };
  return { body: { type, title, status, detail, ...errors }, type: "application/problem+json" };
};

const noParts = { content: [], connectivity: [], logLines: [], domainDetails: [] };
const kept = {
  "url-health-check": ["content", "connectivity", "logLines", "domainDetails"],
  "content-problems": ["content", "logLines"],
  "connectivity-problems": ["content", "connectivity", "logLines"],
} as const;
const summaries = {
  "content-problems": ["content", "logLines"],
  "connectivity-problems": kept["connectivity-problems"],
} as const;
type Combined = keyof typeof kept;
const only = (names: readonly string[], parts: object) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => names.includes(name)));

/** A combined diagnostic of a URL, whose parts follow from its kind. */
function combined(
  world: World,
  kind: Combined,
  request: Body<"edgediag_url_health_launch"> | Body<"edgediag_connectivity_problem_launch">,
): Launchable {
  const { location, host } = subjectOf(world, request);
  const views =
    kind === "url-health-check"
      ? (["DNS", ...("viewsAllowed" in request ? (request.viewsAllowed ?? []) : [])] as const)
      : (["LOGS", ...(kind === "content-problems" ? [] : (["CONNECTIVITY"] as const))] as const);
  const summary = (status: number) =>
    kind === "url-health-check" ? summaryOf(location, host, status) : only(summaries[kind], noParts);
  const known = { internalIp: location.edgeIp, internalIpLocation: placed(location.edgeIp) };
  return {
    kind,
    request,
    pending: { ...known, ...only(kept[kind], noParts), summary: summary(0) },
    result: () => {
      const parts = partsOf(world, request, views);
      return { ...only(kept[kind], parts), summary: summary(parts.content[0]?.result.httpStatusCode ?? 0) };
    },
  };
}

type Search = Body<"edgediag_log_search_launch">;
const isOneOf = (wanted: readonly (string | number)[] | undefined, value: string): boolean =>
  wanted === undefined || wanted.some((one) => String(one) === value);

function isFound(line: Line, { logType, cpCodes, hostnames, clientIps, userAgents, httpStatusCodes, arls }: Search) {
  const isStatus = isOneOf(httpStatusCodes?.value, line["HTTP status code"]);
  const isArl = arls === undefined || arls.value.some((one) => line.ARL.includes(one));
  return (
    (logType === "BOTH" || logType.toLowerCase() === line["Log Type"]) &&
    isOneOf(cpCodes, line["CP code"]) &&
    isOneOf(hostnames, line["host header"]) &&
    isOneOf(clientIps, line["client IP"]) &&
    isOneOf(userAgents, line["user-agent"]) &&
    (httpStatusCodes?.comparison === "NOT_EQUALS" ? !isStatus : isStatus) &&
    (arls?.comparison === "NOT_CONTAINS" ? !isArl : isArl)
  );
}

const keptMs = 24 * 60 * minuteMs;
/** Lines of a window that ends now, or earlier within a day. */
function searched(
  world: World,
  edgeIp: string,
  window: { start?: string; end?: string },
  isWanted: (line: Line) => boolean,
) {
  const now = world.now();
  const toMs = Math.min(window.end === undefined ? now : utcOf(window.end), now);
  const fromMs = window.start === undefined ? toMs - 10 * minuteMs : utcOf(window.start);
  if (fromMs < now - keptMs - minuteMs || fromMs > toMs)
    throw refusal(400, "start is not in the last 24 hours before end", "start");
  const lines = linesIn(world, edgeOf(edgeIp), { fromMs, toMs, most: 200 }, isWanted);
  return { logLinesCount: lines.length, result: logResult(lines) };
}

function logSearch(world: World, request: Search): Launchable {
  const search = () => searched(world, request.edgeIp, request, (line) => isFound(line, request));
  search();
  // The definition has no IN_PROGRESS for it: what was accepted is a SUCCESS that is to be read after retryAfter.
  return {
    kind: "grep",
    request,
    pending: { executionStatus: "SUCCESS", edgeIpLocation: placed(request.edgeIp) },
    result: search,
  };
}

function translation(world: World, request: Body<"edgediag_error_translation_launch">): Launchable {
  const translate = () => ({ result: translatedToday(world, request.errorCode) });
  translate();
  return { kind: "error-translator", request, pending: { completedTime: instant(world.now()) }, result: translate };
}

type Trace = Body<"edgediag_metadata_trace_launch">;
const stages = ["S0_CLIENT_REQUEST", "S3_CACHE_HIT", "S4_FORWARD_START", "S7_CLIENT_RESPONSE"] as const;
function trace(world: World, request: Trace): Launchable {
  const { edgeIp, mdtLocationId, useStaging = false } = request;
  const location = serverFor({ edgeIp, edgeLocationId: mdtLocationId });
  hostOf(world, request.url, useStaging ? "STAGING" : networkOf(location));
  return {
    kind: "metadata-tracer",
    request,
    pending: { internalIp: location.edgeIp, edgeIpLocation: placed(location.edgeIp) },
    result: () => {
      const {
        responseBody: _,
        timing: __,
        ...response
      } = requested(world, location, {
        ...request,
        spoofEdgeIp: location.edgeIp,
      });
      const lines = stages.map((stage, line) => ({ line: line + 1, stages: { successes: [stage], failures: [] } }));
      return { completedTime: instant(world.now()), result: { ...response, traceInformation: lines } };
    },
  };
}

/** A finished request of each kind, which the numbers 1 to 6 have. */
const seeds = (world: World): Launchable[] => {
  const url = "http://www.shop.example/sale";
  const end = instant(world.startedAtMs);
  const start = instant(world.startedAtMs - 10 * minuteMs);
  return [
    combined(world, "url-health-check", { url }),
    combined(world, "content-problems", { url }),
    combined(world, "connectivity-problems", { url }),
    translation(world, { errorCode: "9.c000020a.1779000000.692" }),
    logSearch(world, { edgeIp: "192.0.2.20", start, end, logType: "R", hostnames: ["www.shop.example"] }),
    trace(world, { url }),
  ];
};
const launch = (world: World, launching: (world: World) => Launchable) => launchToday(world, seeds, launching) as never;
const launched = (world: World, kind: Kind, requestId: number) => launchedToday(world, seeds, kind, requestId) as never;

type Group = ReturnType<typeof linksToday>[number];
const groupOf = (world: World, { requestId, name, url, address, ipaHostname, createdAtMs, endsAtMs }: Group) => ({
  groupId: String(requestId),
  ...(ipaHostname === undefined ? { url } : { ipaHostname }),
  note: name,
  createdBy: userInUse,
  createdTime: instant(createdAtMs),
  diagnosticLink: address,
  diagnosticLinkStatus: world.now() < endsAtMs ? "ACTIVE" : "EXPIRED",
});
const counted = (world: World, group: Group) => ({ ...groupOf(world, group), recordCount: group.isOpened ? 1 : 0 });

function recordsOf(world: World, { name, openedAtMs, isOpened }: Group) {
  if (!isOpened) return [];
  const [edge] = locations;
  const at = (ip: string, ipType: string) => ({ id: 1, ip, ipType, ipLocation: placed(ip) });
  const client = { ...at(visitorIp(world.noise("visitor", name)), "Client IP"), associatedDnsId: 1 };
  return [
    {
      uniqueId: 1,
      createdTime: instant(openedAtMs),
      createdEpoch: Math.floor(openedAtMs / 1_000),
      ...{ protocol: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", cookie: true, userAgent: "Mozilla/5.0" },
      clientIpv4: client,
      preferredClientIp: client,
      edgeIps: edge ? [{ ...at(edge.edgeIp, "Edge IP"), associatedDnsId: 1, regionId: edge.region }] : [],
    },
  ];
}

const ipaHostnames = ["vpn.shop.example"];

const answering = emulated(declared, errorFormat, {
  edgediag_locations_list: () => ok({ edgeLocations: locations.map(({ id, value }) => ({ id, value })) }),
  edgediag_dig_run: ({ body }, world) => {
    const location = serverFor(body);
    const result = digResult(world, location, body.hostname, body.queryType);
    return ok(ran(world, body, { edgeIpLocation: placed(location.edgeIp), internalIp: location.edgeIp, result }));
  },
  edgediag_mtr_run: ({ body }, world) => {
    const { source, sourceType, destination } = body;
    const location =
      source === undefined ? serverFor({}) : sourceType === "LOCATION" ? locationOf(source) : edgeOf(source);
    const result = mtrResult(world, location, destination, body);
    const target = mtrResult(world, location, destination).hops.at(-1)?.ip ?? "";
    return ok(
      ran(world, body, {
        sourceInternalIp: location.edgeIp,
        sourceIpLocation: placed(location.edgeIp),
        destinationInternalIp: target,
        destinationIpLocation: placed(target),
        result,
      }),
    );
  },
  edgediag_curl_run: ({ body }, world) => {
    const location = serverFor(body);
    const result = requested(world, location, body);
    return ok(ran(world, body, { edgeIpLocation: placed(location.edgeIp), internalIp: location.edgeIp, result }));
  },
  edgediag_logs_list: ({ query }, world) => {
    const { edgeIp, cpCode, clientIp, objectStatus, httpStatusCode, userAgent, arl, start, end, logType = "R" } = query;
    const cpCodes = [cpCode];
    const httpStatusCodes = httpStatusCode === undefined ? {} : { value: [String(httpStatusCode)] };
    const filter = {
      ...{ edgeIp, cpCodes, logType },
      ...(clientIp === undefined ? {} : { clientIps: [clientIp] }),
      ...(userAgent === undefined ? {} : { userAgents: [userAgent] }),
      ...(arl === undefined ? {} : { arls: { comparison: "CONTAINS" as const, value: [arl] } }),
      ...("value" in httpStatusCodes
        ? { httpStatusCodes: { comparison: "EQUALS" as const, value: httpStatusCodes.value as string[] } }
        : {}),
    };
    const bounds = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
    const isWanted = (line: Line) =>
      isFound(line, { ...filter, start: "", end: "" }) &&
      (objectStatus === undefined || line["Object status"].includes(objectStatus));
    const { completedTime: _, ...answer } = ran(
      world,
      { edgeIp, cpCodes, logType, end: end ?? instant(world.now()), ...bounds },
      searched(world, edgeIp, bounds, isWanted),
    );
    return ok(answer);
  },
  edgediag_statistic_get: ({ body }, world) => {
    const cpCode =
      body.cpCode === undefined ? String(hostOf(world, body.url ?? "").cpCode) : ownCpCode(world, body.cpCode);
    return ok(ran(world, body, { result: statisticsToday(statistics(world, cpCode), body.errorType) }));
  },
  edgediag_url_translation_get: ({ body }, world) => {
    const { originName, cpCode, serialNumber, ttl } = hostOf(world, body.url);
    const translatedUrl = {
      typeCode: "L",
      cacheKeyHostname: originName,
      cpCode,
      serialNumber: String(serialNumber),
      ttl,
    };
    return ok({ request: body, translatedUrl });
  },
  edgediag_edge_ip_check: ({ body }, world) => {
    const results = body.ipAddresses.map((ipAddress) => ({
      ...{ ipAddress, executionStatus: "SUCCESS" },
      isEdgeIp: isEdge(ipAddress),
    }));
    return ok(ran(world, body, { results }));
  },
  edgediag_ip_location_get: ({ body }, world) => {
    const results = body.ipAddresses.map((ipAddress) => ({
      ...{ ipAddress, executionStatus: "SUCCESS" },
      geoLocation: geo(ipAddress),
    }));
    return ok(ran(world, body, { results }));
  },
  edgediag_ip_describe: ({ body }, world) => {
    const { ipAddress } = body;
    const result = { isEdgeIp: isEdge(ipAddress), geoLocation: geo(ipAddress) };
    const { completedTime: _, ...answer } = ran(world, body, { result });
    return ok(answer);
  },
  edgediag_esi_debug_run: ({ body }, world) => {
    hostOf(world, body.url);
    const { responseBody } = requested(world, serverFor({}), body);
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
      gtmProperties: trafficProperties.map(({ property, domain, hostName }) => ({
        ...{ property, domain },
        hostname: hostName,
      })),
    }),
  edgediag_gtm_ips_list: ({ path }) => {
    const missing = () => refusal(404, `There is no property ${path.property} of ${path.domain}`, "property");
    const { testIps, targetIps } = foundIn(trafficProperties, path, missing);
    return ok({ gtmPropertyIps: { ...path, testIps: [...testIps], targets: [...targetIps] } });
  },
  edgediag_ipa_hostnames_list: () => ok({ hostnames: ipaHostnames }),
  edgediag_user_groups_list: (_, world) => ok({ groups: linksToday(world).map((one) => counted(world, one)) }),
  edgediag_user_group_create: ({ body }, world) => {
    const { url, ipaHostname, note = "" } = body;
    if (ipaHostname !== undefined && !ipaHostnames.includes(ipaHostname))
      throw refusal(400, `${ipaHostname} has no IP acceleration`, "ipaHostname");
    const { requestId } = visitLink(world, note, url ?? `http://${ipaHostname}/`, ipaHostname);
    const missing = () => refusal(404, `There is no group ${requestId}`, "groupId");
    return created(counted(world, foundIn(linksToday(world), { requestId }, missing)));
  },
  edgediag_user_records_list: ({ path }, world) => {
    const missing = () => refusal(404, `There is no group ${path.groupId}`, "groupId");
    const group = foundIn(linksToday(world), { requestId: Number(path.groupId) }, missing);
    const records = recordsOf(world, group);
    const expiryTime = instant(group.endsAtMs);
    return ok({ ...groupOf(world, group), expiryTime, records, submissionsRemaining: 50 - records.length });
  },
  edgediag_url_health_launch: ({ body }, world) => launch(world, (its) => combined(its, "url-health-check", body)),
  edgediag_url_health_result: ({ path }, world) => launched(world, "url-health-check", path.requestId),
  edgediag_content_problem_launch: ({ body }, world) => launch(world, (its) => combined(its, "content-problems", body)),
  edgediag_content_problem_result: ({ path }, world) => launched(world, "content-problems", path.requestId),
  edgediag_connectivity_problem_launch: ({ body }, world) =>
    launch(world, (its) => combined(its, "connectivity-problems", body)),
  edgediag_connectivity_problem_result: ({ path }, world) => launched(world, "connectivity-problems", path.requestId),
  edgediag_error_translation_launch: ({ body }, world) => launch(world, (its) => translation(its, body)),
  edgediag_error_translation_result: ({ path }, world) => launched(world, "error-translator", path.requestId),
  edgediag_log_search_launch: ({ body }, world) => launch(world, (its) => logSearch(its, body)),
  edgediag_log_search_result: ({ path }, world) => launched(world, "grep", path.requestId),
  edgediag_metadata_trace_launch: ({ body }, world) => launch(world, (its) => trace(its, body)),
  edgediag_metadata_trace_result: ({ path }, world) => launched(world, "metadata-tracer", path.requestId),
  edgediag_metadata_locations_list: () =>
    ok({ mdtLocations: locations.map(({ id, value }) => ({ id, value, supportedMethods: ["HEAD", "GET", "POST"] })) }),
});

export const edgeDiagnostics = { ...answering, requestsPerMinute: 300 };
