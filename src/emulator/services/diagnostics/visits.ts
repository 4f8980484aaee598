/** Links for visitors: a visitor opens each link soon after its creation, and their data is stored. */
import { dayMs, hourMs } from "../../../time/durations.js";
import { endOf, isOver, type Job } from "../../primitives/job.js";
import type { World } from "../../world.js";
import { locations, visitorIp, visitorPlace } from "../account.js";

/** A link from its creation until it is opened. */
export interface VisitLink extends Job {
  readonly requestId: number;
  readonly name: string;
  readonly url: string;
  /** The address of the link itself. */
  readonly address: string;
  /** Set where today's API created it for an IP acceleration hostname. */
  readonly ipaHostname?: string | undefined;
}
const lastsMs = 5_000;

/** The links, one of which was opened the day before the world started. */
export const visitLinks = (world: World): VisitLink[] =>
  world.state("diagnostic links", () => {
    const atMs = Math.floor(world.startedAtMs / dayMs) * dayMs - hourMs - lastsMs;
    const address = "http://diagnose.example/janedoe";
    return [{ requestId: 4711, name: "Jane Doe", url: "http://www.shop.example/", address, atMs, lastsMs }];
  });

/** Creates a link, which its visitor opens some seconds later. */
export function createVisitLink(world: World, name: string, url: string, ipaHostname?: string): VisitLink {
  const requestId = world.next("diagnostic link", 4_712);
  const path = Math.floor(world.noise("link", requestId, name, url) * 2 ** 32).toString(36);
  const address = `http://diagnose.example/${path}`;
  const link = { requestId, name, url, address, atMs: world.now(), lastsMs, ipaHostname };
  visitLinks(world).push(link);
  return link;
}

/** What visitors submitted through opened links: they are in Berlin, and Frankfurt serves them. */
export function visits(world: World) {
  const { edgeIp = "", value = "" } = locations[0] ?? {};
  const edge = { ip: edgeIp, ipType: "Edge IP", location: value, description: "The edge server" };
  return visitLinks(world)
    .filter((link) => isOver(world, link))
    .map(({ requestId, name, url, ...link }) => {
      const ip = visitorIp(world.noise("visitor", name));
      const client = { ip, ipType: "Client IP", location: visitorPlace, description: "The visitor's address" };
      const timestamp = new Date(endOf(link)).toISOString();
      return { name, requestId, url, timestamp, browser: "Mozilla/5.0", ips: [client, edge] };
    });
}
