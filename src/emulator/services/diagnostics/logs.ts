/** Edge log lines: generated from the instant, the location and the host, with the response codes of the reports. */
import type { Call } from "../../../language/behaviour.js";
import { minuteMs } from "../../../language/durations.js";
import type { diagnostics as declared } from "../../../tools/diagnostics/index.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { type Host, type Location, visitorIp } from "../account.js";
import { originShareOf, trafficAt } from "../reporting/series.js";
import { loggedOutcome, networkOf, type Outcome, refusal } from "./world.js";

/** The declared filters of log lines. */
export type LogQuery = Call<(typeof declared)["operations"]["diag_location_logs_list"]>["query"];

export const logLabels = [
  "Log Type",
  "Date & Time",
  "Epoch Time",
  "Edge server IP",
  "client IP",
  "Forward IP",
  "HTTP method",
  "HTTP status code",
  "error",
  "content-type",
  "ARL",
  "host header",
  "user-agent",
  "CP code",
  "Object status",
  "object size",
  "Request ID",
] as const;
export type Line = Readonly<Record<(typeof logLabels)[number], string>>;

const stepMs = 4_000;
const pages = ["/", "/sale", "/cart", "/search?q=shoes", "/img/spring.jpg"];
const agents = ["Mozilla/5.0", "curl/8.5.0", "ExampleBot/2.1"];

const pick = <T>(list: readonly T[], share: number): T => list[Math.floor(share * list.length)] as T;

/** The host of a request, by a share of the traffic; undefined where no host has any. */
function hostBy(world: World, atMs: number, share: number): Host | undefined {
  const traffic = trafficAt(world, atMs);
  let left = share * traffic.reduce((sum, { hits }) => sum + hits, 0);
  return traffic.find(({ hits }) => {
    left -= hits;
    return left < 0;
  })?.host;
}

/** The known host and outcome of a request. */
interface KnownRequest {
  readonly host: Host;
  readonly outcome: Outcome;
}

/** The log lines of the request that a location served in one time step: from the client, and to the origin if it went there. */
export function* linesAt(world: World, location: Location, atMs: number, known?: KnownRequest): Generator<Line> {
  const serial = Math.floor(atMs / stepMs);
  const share = (word: string) => world.noise(word, location.id, serial);
  // Visitors only reach production.
  const isVisited = networkOf(location) === "PRODUCTION";
  const host = known?.host ?? (isVisited ? hostBy(world, atMs, share("host")) : undefined);
  if (!host) return;
  const { status, error } = known?.outcome ?? loggedOutcome(world, host, atMs, share("status"));
  const page = pick(pages, share("page"));
  const isFromCache = share("cache") >= originShareOf(String(host.cpCode), String(status));
  const shared = {
    "Date & Time": new Date(atMs).toUTCString(),
    "Epoch Time": (atMs / 1000).toFixed(3),
    "Edge server IP": location.edgeIp,
    "HTTP method": "GET",
    "HTTP status code": String(status),
    error,
    "content-type": status === 200 && page.endsWith(".jpg") ? "image/jpeg" : "text/html",
    ARL: `/L/${host.serialNumber}/${host.cpCode}/1h/${host.originName}${page}`,
    "host header": host.name,
    "user-agent": pick(agents, share("agent")),
    "CP code": String(host.cpCode),
    "Object status": isFromCache ? "g" : status < 500 ? "o" : "f",
    "object size": status === 200 ? String(1_000 + Math.floor(share("size") * 90_000)) : "0",
    "Request ID": Math.floor(share("id") * 2 ** 32).toString(16),
  };
  yield { ...shared, "Log Type": "r", "client IP": visitorIp(share("client")), "Forward IP": "-" };
  if (!isFromCache) yield { ...shared, "Log Type": "f", "client IP": "-", "Forward IP": host.originIp };
}

function isMatch(line: Line, query: LogQuery): boolean {
  const { logType = "r", arl, clientIp, cpCode, hostHeader, httpStatusCode, objStatus, requestId, userAgent } = query;
  const equal: readonly (readonly [string | number | undefined, keyof Line])[] = [
    [clientIp, "client IP"],
    [cpCode, "CP code"],
    [hostHeader, "host header"],
    [httpStatusCode, "HTTP status code"],
    [requestId, "Request ID"],
  ];
  return (
    (logType === "both" || line["Log Type"] === logType) &&
    equal.every(([wanted, label]) => wanted === undefined || String(wanted) === line[label]) &&
    (arl === undefined || line.ARL.includes(arl)) &&
    (objStatus === undefined || line["Object status"].includes(objStatus)) &&
    (userAgent === undefined || line["user-agent"].includes(userAgent))
  );
}

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  readonly most: number;
}

/** The latest lines in a time range that match, oldest first. */
export function linesIn(
  world: World,
  location: Location,
  { fromMs, toMs, most }: Window,
  isWanted: (line: Line) => boolean,
): Line[] {
  const found: Line[] = [];
  for (let atMs = Math.floor(toMs / stepMs) * stepMs; atMs >= fromMs && found.length < most; atMs -= stepMs)
    for (const line of [...linesAt(world, location, atMs)].reverse())
      if (found.length < most && isWanted(line)) found.push(line);
  return found.reverse();
}

/** The latest lines in the query's time range that match its filters, oldest first. */
export function findLines(world: World, location: Location, query: LogQuery): string[] {
  const { duration = 30, maxLogLines = 200 } = query;
  const now = world.now();
  const asked = query.endTime === undefined ? now : utcOf(query.endTime);
  if (asked > now + minuteMs || asked < now - 48 * 60 * minuteMs)
    throw refusal(400, "endTime is not within the last 48 hours", "endTime");
  // A client's clock may be slightly ahead; the future has no log lines.
  const toMs = Math.min(asked, now);
  const window = { fromMs: toMs - duration * minuteMs, toMs, most: maxLogLines };
  return linesIn(world, location, window, (line) => isMatch(line, query)).map((line) =>
    logLabels.map((label) => line[label]).join("\t"),
  );
}
