/** The results of dig, mtr and curl in the emulated world: structured values, and the text that the tools would print. */
import type { World } from "../../world.js";
import { type AccountHost, type EdgeLocation, edgeAt, routerIp } from "../account.js";
import { addressOf, type LookupRecord, resolve } from "../dns/resolver.js";
import { redirectOf } from "../edge-logic/redirects.js";
import { servedHosts } from "../properties/served.js";
import { isFailing, networkOf, originFailure, referenceOf, refusal } from "./world.js";

const printed = ({ domain, ttl, recordClass, recordType, value, preferenceValues }: LookupRecord): string =>
  `${domain}\t${ttl}\t${recordClass}\t${recordType}\t${[...(preferenceValues ?? []), value].join(" ")}`;

/** A lookup from a location, in the current zones. */
export function dig(world: World, location: EdgeLocation, hostName: string, queryType = "A") {
  const { status, answer, authority } = resolve(world, location, hostName, queryType);
  const section = (title: string, records: readonly LookupRecord[]) =>
    records.length === 0 ? [] : [`;; ${title} SECTION:`, ...records.map(printed), ""];
  const lines = [
    `; <<>> DiG <<>> ${hostName} ${queryType}`,
    `;; ->>HEADER<<- opcode: QUERY, status: ${status}, ANSWER: ${answer.length}, AUTHORITY: ${authority.length}`,
    "",
    ...section("ANSWER", answer),
    ...section("AUTHORITY", authority),
    `;; SERVER: ${location.edgeIp}#53`,
  ];
  const [answerSection, authoritySection] = [[...answer], [...authority]];
  return { hostname: hostName, queryType, answerSection, authoritySection, result: `${lines.join("\n")}\n` };
}

const slowLocation = "saopaulo-brazil";
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The latency from a location to an address, in milliseconds: all servers outside the edge are in Frankfurt. */
function routeMs({ edgeIp, toOriginMs }: EdgeLocation, address: string): number {
  if (address === edgeIp) return 1;
  return toOriginMs + (edgeAt(address)?.toOriginMs ?? 0);
}

/** A route from a location; the one out of Sao Paulo has a slow hop that loses packets. */
export function mtr(world: World, location: EdgeLocation, destinationDomain: string, resolveDns = true) {
  const destination = addressOf(world, location, destinationDomain);
  if (destination === undefined) throw refusal(400, "The name could not be resolved", "destinationDomain");
  const totalMs = routeMs(location, destination);
  const count = totalMs < 5 ? 3 : 8;
  const isSlow = location.id === slowLocation && totalMs > 5;
  const hops = Array.from({ length: count }, (_, index) => {
    const isSlowHop = isSlow && index >= 4;
    const jitter = world.noise("hop", location.id, destination, index);
    const avg = rounded((totalMs * (index + 1)) / count + jitter + (isSlowHop ? 190 : 0));
    const address = index === count - 1 ? destination : routerIp(index);
    const name = index === count - 1 ? destinationDomain : `hop${index + 1}.transit.example`;
    return {
      number: index + 1,
      host: resolveDns ? name : address,
      loss: isSlowHop ? 12 : 0,
      sent: 10,
      last: avg,
      avg,
      best: rounded(avg * 0.94),
      worst: rounded(avg * 1.3),
      stDev: rounded(avg * 0.05),
    };
  });
  const last = hops.at(-1);
  const line = ({ number, host: name, loss, sent, last: latest, avg, best, worst, stDev }: (typeof hops)[number]) =>
    `${String(number).padStart(3)}.|-- ${name.padEnd(28)} ${loss.toFixed(1)}% ${sent} ${latest} ${avg} ${best} ${worst} ${stDev}`;
  return {
    source: location.edgeIp,
    host: location.edgeIp,
    destination: destinationDomain,
    packetLoss: last?.loss ?? 0,
    avgLatency: last?.avg ?? 0,
    analysis: isSlow
      ? "Packet loss and a rise in latency begin at hop 5 and stay to the destination."
      : "No packet loss, and latency rises only with distance.",
    startTime: new Date(world.now()).toISOString(),
    hops,
    result: [`HOST: ${location.edgeIp}  Loss% Snt Last Avg Best Wrst StDev`, ...hops.map(line), ""].join("\n"),
  };
}

const page = (title: string, text: string) => `<html><head><title>${title}</title></head><body>${text}</body></html>`;
const fetched = (world: World, status: number, body: string, headers: Readonly<Record<string, string>>) => ({
  httpStatusCode: status,
  responseHeaders: {
    "Content-Type": "text/html",
    "Content-Length": String(body.length),
    Date: new Date(world.now()).toUTCString(),
    ...headers,
  },
  responseBody: body,
});

/** An edge server's answer to a request for a host: a page, or an error page with its reference code. */
export function fetchFromEdge(
  world: World,
  location: EdgeLocation,
  host: AccountHost,
  pathname: string,
  userAgent = "",
) {
  const now = world.now();
  const varyHeader = userAgent.includes("Mobile") ? { Vary: "User-Agent" } : {};
  const cache = (kind: string) => ({ "X-Cache": `${kind} from ${location.id}` });
  const redirect = redirectOf(world, networkOf(location), host.name, pathname);
  if (redirect)
    return fetched(world, redirect.status, "", { Server: "GHost", Location: redirect.location, ...varyHeader });
  if (!isFailing(world, host, now)) {
    const headers = { Server: "Apache", ...cache("TCP_HIT"), Connection: "keep-alive", ...varyHeader };
    return fetched(world, 200, page("Shop", pathname), headers);
  }
  const reference = `Reference&#32;&#35;${referenceOf(location, host, now).replaceAll(".", "&#46;")}`;
  const body = page("Service Unavailable", `Service Unavailable - Zero size object<p>${reference}`);
  const headers = { Server: "GHost", ...cache("TCP_MISS"), Connection: "close", "Mime-Version": "1.0" };
  return fetched(world, originFailure.status, body, {
    ...headers,
    Expires: new Date(now).toUTCString(),
    ...varyHeader,
  });
}

/** A request from a location to wherever the URL's host resolves: the edge, or a server outside the CDN. */
export function curl(world: World, location: EdgeLocation, url: string, userAgent?: string) {
  const { hostname, pathname } = URL.canParse(url) ? new URL(url) : { hostname: "", pathname: "" };
  const address = addressOf(world, location, hostname);
  if (address === undefined) throw refusal(400, "The host of the URL could not be resolved", "url");
  const edge = edgeAt(address);
  const hosts = servedHosts(world, edge && networkOf(edge));
  const host = hosts.find(({ name }) => name === hostname);
  const unknown = page("Invalid URL", "The requested URL is invalid.");
  if (edge)
    return host
      ? fetchFromEdge(world, edge, host, pathname, userAgent)
      : fetched(world, 400, unknown, { Server: "GHost", Connection: "close" });
  const behind = hosts.find(({ originIp }) => originIp === address);
  if (behind && isFailing(world, behind, world.now()))
    throw refusal(400, `The host of the URL refused the connection (${address})`, "url");
  return fetched(world, 200, page(hostname, pathname), { Server: "Apache", Connection: "keep-alive" });
}
