/** The current DNS zones: the account's initial zones with every write since. */
import type { Call } from "../../../language/behaviour.js";
import type { dns as declared } from "../../../tools/dns/index.js";
import { hexDigits, noiseText, type World } from "../../world.js";
import { edgeNameOf, everyHost } from "../account.js";

export type Zone = Call<(typeof declared)["operations"]["dns_zone_write"]>["body"]["zone"];
interface Stored {
  readonly token: string;
  readonly zone: Zone;
}

/** A new token for each write. */
const nextToken = (world: World): string => noiseText(world, hexDigits, 32, "token", world.next("dns token", 1));

/** The start of authority of a zone. */
export const soa = (name: string, serial: number, originserver = "ns1.example.com.") => ({
  contact: `hostmaster.${name}.`,
  expire: 604_800,
  minimum: 180,
  originserver,
  refresh: 900,
  retry: 300,
  serial,
  ttl: 900,
});
const at = (name: string | null, target: string, ttl = 300) => ({ name, ttl, active: true, target });
const servers = [at(null, "ns1.example.com.", 86_400), at(null, "ns2.example.com.", 86_400)];

/** The records of a zone that point its hosts to the CDN, and to their origins. */
const aliasesIn = (zone: string) =>
  everyHost
    .filter(({ name }) => name.endsWith(`.${zone}`))
    .map((host) => at(host.name.slice(0, -zone.length - 1), edgeNameOf(host)));
const originsIn = (zone: string) => {
  const addresses = new Map(everyHost.map(({ originName, originIp }) => [originName, originIp]));
  return [...addresses]
    .filter(([name]) => name.endsWith(`.${zone}`))
    .map(([name, address]) => at(name.slice(0, -zone.length - 1), address, 600));
};

const seeds = (): readonly Zone[] => [
  {
    id: 8101,
    name: "example.com",
    soa: soa("example.com", 2_026_110_101),
    ns: servers,
    a: [
      at(null, "203.0.113.20"),
      at("www", "203.0.113.21"),
      at("api", "203.0.113.22"),
      at("mail", "203.0.113.25"),
      at("hosting", "203.0.113.30"),
      // The server of www, under a name that stays its own when www leads to the CDN.
      at("origin", "203.0.113.21"),
      at("ns1", "203.0.113.53"),
      at("ns2", "203.0.113.54"),
    ],
    aaaa: [at("www", "2001:db8::11"), at("api", "2001:db8::12")],
    mx: [{ ...at(null, "mail.example.com.", 3_600), priority: 10 }],
    cname: [at("static", "www.example.com."), at("blog", "hosting.example.com.")],
    txt: [at(null, "v=spf1 mx -all", 3_600)],
  },
  {
    id: 8102,
    name: "shop.example",
    soa: soa("shop.example", 41),
    ns: servers,
    a: [at(null, "203.0.113.10"), ...originsIn("shop.example")],
    cname: aliasesIn("shop.example"),
  },
];

const state = (world: World): Map<string, Stored> =>
  world.state("dns", () => new Map(seeds().map((zone) => [zone.name, { token: nextToken(world), zone }])));

/** A zone with its token, by its name in lower case. */
export const zoneOf = (world: World, name: string): Stored | undefined => state(world).get(name);
export const zoneNames = (world: World): readonly string[] => [...state(world).keys()];

/** Replaces the zone of the same name, or adds one; a zone keeps its id. */
export function writeZone(world: World, zone: Zone): void {
  const name = zone.name.toLowerCase();
  const id = zoneOf(world, name)?.zone.id ?? world.next("zone", 8_200);
  state(world).set(name, { token: nextToken(world), zone: { ...zone, id } });
}
