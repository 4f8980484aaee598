/** Edge log lines: generated from the instant, the location and the host, with the response codes of the reports. */
import { minuteMs } from "../../../time/durations.js";
import type { diagnostics as declared } from "../../../tools/diagnostics/index.js";
import type { Call } from "../../behaviour.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { type AccountHost, type EdgeLocation, visitorIp } from "../account.js";
import { missesUntil } from "../reporting/ledger.js";
import { trafficAt } from "../reporting/series.js";
import labels from "./labels.json" with { type: "json" };
import { loggedOutcome, networkOf, type RequestOutcome, refusal } from "./world.js";

/** The declared filters of log lines. */
export type LogQuery = Call<(typeof declared)["operations"]["diag_location_logs_list"]>["query"];

/** A line, by the names that its columns have today. */
export type LogLine = Readonly<Record<keyof typeof labels, string>>;
export const logColumns = Object.keys(labels) as (keyof LogLine)[];

const stepMs = 4_000;
const pages = ["/", "/sale", "/cart", "/search?q=shoes", "/img/spring.jpg"];
const agents = ["Mozilla/5.0", "curl/8.5.0", "ExampleBot/2.1"];

const pick = <T>(list: readonly T[], share: number): T => list[Math.floor(share * list.length)] as T;

/** The host of a request, by a share of the traffic; undefined where no host has any. */
function hostBy(world: World, atMs: number, share: number): AccountHost | undefined {
  const traffic = trafficAt(world, atMs);
  let left = share * traffic.reduce((sum, { hits }) => sum + hits, 0);
  return traffic.find(({ hits }) => {
    left -= hits;
    return left < 0;
  })?.host;
}

/** The log lines of the request that a location served in one time step: from the client, and to the origin if it went there. */
export function* linesAt(
  world: World,
  location: EdgeLocation,
  atMs: number,
  known?: { readonly host: AccountHost; readonly outcome: RequestOutcome },
  missShare = missesUntil(world, atMs),
): Generator<LogLine> {
  const serial = Math.floor(atMs / stepMs);
  const share = (word: string) => world.noise(word, location.id, serial);
  // Visitors only reach production.
  const isVisited = networkOf(location) === "PRODUCTION";
  const host = known?.host ?? (isVisited ? hostBy(world, atMs, share("host")) : undefined);
  if (!host) return;
  const { status, error } = known?.outcome ?? loggedOutcome(world, host, atMs, share("status"));
  const page = pick(pages, share("page"));
  const isFromCache = share("cache") >= missShare(host, String(status), atMs);
  const line = (logType: string, clientIp: string, forwardIp: string): LogLine => ({
    logType,
    dateTime: new Date(atMs).toUTCString(),
    epochTime: (atMs / 1000).toFixed(3),
    edgeIp: location.edgeIp,
    clientIp,
    forwardIp,
    httpMethod: "GET",
    httpStatus: String(status),
    error,
    contentType: status === 200 && page.endsWith(".jpg") ? "image/jpeg" : "text/html",
    arl: `/L/${host.serialNumber}/${host.cpCode}/1h/${host.originName}${page}`,
    hostHeader: host.name,
    userAgent: pick(agents, share("agent")),
    cpCode: String(host.cpCode),
    objectStatus: isFromCache ? "g" : status < 500 ? "o" : "f",
    objectSize: status === 200 ? String(1_000 + Math.floor(share("size") * 90_000)) : "0",
    requestId: Math.floor(share("id") * 2 ** 32).toString(16),
  });
  yield line("r", visitorIp(share("client")), "-");
  if (!isFromCache) yield line("f", "-", host.originIp);
}

type Value = string | number;
/** Whether a value of a line is one of the wanted ones; any is where none are named. */
export const isAmong = (wanted: Value | readonly Value[] | undefined, value: string): boolean =>
  wanted === undefined || [wanted].flat().map(String).includes(value);
const isMatch = (line: LogLine, { logType = "r", arl = "", objStatus = "", userAgent = "", ...query }: LogQuery) =>
  (logType === "both" || line.logType === logType) &&
  isAmong(query.clientIp, line.clientIp) &&
  isAmong(query.cpCode, line.cpCode) &&
  isAmong(query.hostHeader, line.hostHeader) &&
  isAmong(query.httpStatusCode, line.httpStatus) &&
  isAmong(query.requestId, line.requestId) &&
  line.arl.includes(arl) &&
  line.objectStatus.includes(objStatus) &&
  line.userAgent.includes(userAgent);

/** The latest lines in a time range that match, oldest first. */
export function linesIn(
  world: World,
  location: EdgeLocation,
  { fromMs, toMs, most }: { readonly fromMs: number; readonly toMs: number; readonly most: number },
  isWanted: (line: LogLine) => boolean,
): LogLine[] {
  const found: LogLine[] = [];
  const missShare = missesUntil(world, toMs);
  for (let atMs = Math.floor(toMs / stepMs) * stepMs; atMs >= fromMs && found.length < most; atMs -= stepMs)
    for (const line of [...linesAt(world, location, atMs, undefined, missShare)].reverse())
      if (found.length < most && isWanted(line)) found.push(line);
  return found.reverse();
}

/** The latest lines in the query's time range that match its filters, oldest first. */
export function findLines(world: World, location: EdgeLocation, query: LogQuery): string[] {
  const { duration = 30, maxLogLines = 200 } = query;
  const now = world.now();
  const endMs = query.endTime === undefined ? now : utcOf(query.endTime);
  if (endMs > now + minuteMs || endMs < now - 48 * 60 * minuteMs)
    throw refusal(400, "endTime is not within the last 48 hours", "endTime");
  // A client's clock may be slightly ahead; the future has no log lines.
  const toMs = Math.min(endMs, now);
  const window = { fromMs: toMs - duration * minuteMs, toMs, most: maxLogLines };
  return linesIn(world, location, window, (line) => isMatch(line, query)).map((line) =>
    logColumns.map((name) => line[name]).join("\t"),
  );
}
