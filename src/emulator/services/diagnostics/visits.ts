/** Links for visitors: a visitor opens each link soon after its creation, and their data is stored. */
import { dayMs, hourMs } from "../../../language/durations.js";
import type { World } from "../../world.js";
import { locations, visitorIp, visitorPlace } from "../account.js";

interface Link {
  readonly requestId: number;
  readonly name: string;
  readonly url: string;
  /** The address of the link itself. */
  readonly address: string;
  readonly openedAtMs: number;
  /** Set where today's API created it for an IP acceleration hostname. */
  readonly ipaHostname?: string | undefined;
}

const opensAfterMs = 5_000;

/** The links, one of which was opened the day before the world started. */
const links = (world: World): Link[] =>
  world.state("diagnostic links", () => [
    {
      requestId: 4711,
      name: "Jane Doe",
      url: "http://www.shop.example/",
      address: "http://diagnose.example/janedoe",
      openedAtMs: Math.floor(world.startedAtMs / dayMs) * dayMs - hourMs,
    },
  ]);

/** Creates a link, which its visitor opens some seconds later. */
export function visitLink(world: World, name: string, url: string, ipaHostname?: string): Link {
  const requestId = world.next("diagnostic link", 4_712);
  const path = Math.floor(world.noise("link", requestId, name, url) * 2 ** 32).toString(36);
  const openedAtMs = world.now() + opensAfterMs;
  const link = { requestId, name, url, address: `http://diagnose.example/${path}`, openedAtMs, ipaHostname };
  links(world).push(link);
  return link;
}

/** The links with what today's API shows of each: when it was created, until when it works, whether it was opened. */
export const linksToday = (world: World) =>
  links(world).map((link) => {
    const createdAtMs = link.openedAtMs - opensAfterMs;
    return { ...link, createdAtMs, endsAtMs: createdAtMs + 7 * dayMs, isOpened: link.openedAtMs <= world.now() };
  });

const shownIp = (ip: string, ipType: string, location: string, description: string) => ({
  ip,
  ipType,
  location,
  description,
});

/** What visitors submitted through opened links: they are in Berlin, and Frankfurt serves them. */
export function visits(world: World) {
  return links(world)
    .filter(({ openedAtMs }) => openedAtMs <= world.now())
    .map(({ requestId, name, url, openedAtMs }) => ({
      name,
      requestId,
      url,
      timestamp: new Date(openedAtMs).toISOString(),
      browser: "Mozilla/5.0",
      ips: [
        shownIp(visitorIp(world.noise("visitor", name)), "Client IP", visitorPlace, "The visitor's address"),
        shownIp(locations[0]?.edgeIp ?? "", "Edge IP", locations[0]?.value ?? "", "The edge server"),
      ],
    }));
}
