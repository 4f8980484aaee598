/** What dig, mtr and curl find in the emulated world: structured values, and the text that the tools would print. */
import type { World } from "../world.js";
import { type Host, hosts, isEdgeIp, type Location, outcomeOf, referenceOf, refusal } from "./diagnostic-world.js";

const record = (domain: string, recordType: string, value: string, ttl: number) => ({
  domain,
  recordType,
  value,
  ttl,
  preferenceValues: null,
  recordClass: "IN",
});
type Answer = ReturnType<typeof record>;

const zone = "shop.example.";
const edgeName = (host: Host): string => `${host.name}.edgesuite.example.`;

function answersFor(location: Location, hostName: string, queryType: string): Answer[] {
  const name = hostName.toLowerCase().replace(/\.$/, "");
  const host = hosts.find((one) => one.name === name);
  const origin = hosts.find((one) => one.originName === name);
  if (host) {
    const alias = record(`${name}.`, "CNAME", edgeName(host), 300);
    if (queryType === "A") return [alias, record(edgeName(host), "A", location.edgeIp, 20)];
    return queryType === "CNAME" ? [alias] : [];
  }
  if (origin) return queryType === "A" ? [record(`${name}.`, "A", origin.originIp, 600)] : [];
  if (`${name}.` === zone && queryType === "NS")
    return ["a1-67.dns.example.", "a9-64.dns.example."].map((server) => record(zone, "NS", server, 86_400));
  return [];
}

const printed = ({ domain, ttl, recordClass, recordType, value }: Answer): string =>
  `${domain}\t${ttl}\t${recordClass}\t${recordType}\t${value}`;

/** A look-up from a location. A name that there is not has no answer, and the zone's start in the authority section. */
export function dig(location: Location, hostName: string, queryType = "A") {
  const answerSection = answersFor(location, hostName, queryType);
  const soa = record(zone, "SOA", "a1-67.dns.example. hostmaster.shop.example. 2026110101 3600 600 604800 300", 300);
  const authoritySection = answerSection.length === 0 ? [soa] : [];
  const section = (title: string, records: readonly Answer[]) =>
    records.length === 0 ? [] : [`;; ${title} SECTION:`, ...records.map(printed), ""];
  const known = hostName.replace(/\.$/, "").endsWith("shop.example");
  const lines = [
    `; <<>> DiG <<>> ${hostName} ${queryType}`,
    `;; ->>HEADER<<- opcode: QUERY, status: ${known ? "NOERROR" : "NXDOMAIN"}, ANSWER: ${answerSection.length}`,
    "",
    ...section("ANSWER", answerSection),
    ...section("AUTHORITY", authoritySection),
    `;; SERVER: ${location.edgeIp}#53`,
  ];
  return {
    digInfo: { hostname: hostName, queryType, answerSection, authoritySection, result: `${lines.join("\n")}\n` },
  };
}

const slowLocation = "saopaulo-brazil";
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A route from a location; the one out of Sao Paulo has a slow hop that loses packets. */
export function mtr(world: World, location: Location, destinationDomain: string, resolveDns = true) {
  const host = hosts.find(({ name, originName }) => name === destinationDomain || originName === destinationDomain);
  const isAddress = /^[\d.]+$|:/.test(destinationDomain);
  if (!host && !isAddress) throw refusal(400, "The name could not be resolved", "destinationDomain");
  const destination = isAddress
    ? destinationDomain
    : host?.name === destinationDomain
      ? location.edgeIp
      : (host?.originIp ?? "");
  const totalMs = isEdgeIp(destination) ? 1 : location.toOriginMs;
  const count = totalMs < 5 ? 3 : 8;
  const isSlow = location.id === slowLocation && totalMs > 5;
  const hops = Array.from({ length: count }, (_, index) => {
    const isSlowHop = isSlow && index >= 4;
    const jitter = world.noise("hop", location.id, destination, index);
    const avg = rounded((totalMs * (index + 1)) / count + jitter + (isSlowHop ? 190 : 0));
    const address = index === count - 1 ? destination : `198.51.100.${200 + index}`;
    const name = index === count - 1 && !isAddress ? destinationDomain : `hop${index + 1}.transit.example`;
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
    mtr: {
      source: location.edgeIp,
      host: location.edgeIp,
      destination: destinationDomain,
      packetLoss: last?.loss ?? 0,
      avgLatency: last?.avg ?? 0,
      analysis: isSlow
        ? "Packet loss and a rise in latency begin at hop 5 and stay to the destination."
        : "No packet loss, and latency rises with distance alone.",
      startTime: new Date(world.now()).toISOString(),
      hops,
      result: [`HOST: ${location.edgeIp}  Loss% Snt Last Avg Best Wrst StDev`, ...hops.map(line), ""].join("\n"),
    },
  };
}

/** A request from a location: a page, or the error page with its reference code. */
export function curl(world: World, location: Location, url: string, userAgent = "") {
  const { hostname, pathname } = URL.canParse(url) ? new URL(url) : { hostname: "", pathname: "" };
  const host = hosts.find(({ name }) => name === hostname);
  if (!host) throw refusal(400, "The host of the URL could not be reached", "url");
  const now = world.now();
  const { status } = outcomeOf(world, host, now, 0);
  const body =
    status === 200
      ? `<html><head><title>Shop</title></head><body>${pathname}</body></html>`
      : `<html><head><title>Service Unavailable</title></head><body>Service Unavailable - Zero size object<p>Reference&#32;&#35;${referenceOf(location, host, now).replaceAll(".", "&#46;")}</body></html>`;
  return {
    curlResults: {
      httpStatusCode: status,
      responseHeaders: {
        Server: status === 200 ? "Apache" : "GHost",
        "Content-Type": "text/html",
        "Content-Length": String(body.length),
        Date: new Date(now).toUTCString(),
        "X-Cache": `${status === 200 ? "TCP_HIT" : "TCP_MISS"} from ${location.id}`,
        Connection: status === 200 ? "keep-alive" : "close",
        ...(status === 200 ? {} : { "Mime-Version": "1.0", Expires: new Date(now).toUTCString() }),
        ...(userAgent.includes("Mobile") ? { Vary: "User-Agent" } : {}),
      },
      responseBody: body,
    },
  };
}
