/** The DNS service: whole zones, a token that changes with each write, a serial that has to grow. */
import type { Behaviours, Call } from "../../api/behaviour.js";
import { dns as declared } from "../../tools/dns.js";
import { problemDetails, Refusal } from "../problem.js";
import { emulated } from "../service.js";
import type { World } from "../world.js";

type Zone = Call<(typeof declared)["operations"]["dns_zone_write"]>["body"]["zone"];
interface Stored {
  token: string;
  zone: Zone;
}

const token = (world: World): string => {
  const number = world.next("dns token", 1);
  return Array.from({ length: 32 }, (_, index) =>
    Math.floor(world.noise("token", number, index) * 16).toString(16),
  ).join("");
};

const soa = (name: string, serial: number) => ({
  contact: `hostmaster.${name}.`,
  expire: 604_800,
  minimum: 180,
  originserver: `ns1.${name}.`,
  refresh: 900,
  retry: 300,
  serial,
  ttl: 900,
});
const at = (name: string | null, target: string, ttl = 300) => ({ name, ttl, active: true, target });

const state = (world: World): Map<string, Stored> =>
  world.state("dns", () => {
    const shops: Zone = {
      id: 8101,
      name: "example.com",
      soa: soa("example.com", 2_026_110_101),
      ns: [at(null, "ns1.example.com.", 86_400), at(null, "ns2.example.com.", 86_400)],
      a: [
        at(null, "192.0.2.10"),
        at("www", "192.0.2.11"),
        at("api", "192.0.2.12"),
        at("ns1", "192.0.2.53"),
        at("ns2", "198.51.100.53"),
      ],
      aaaa: [at("www", "2001:db8::11"), at("api", "2001:db8::12")],
      mx: [{ ...at(null, "mail.example.com.", 3_600), priority: 10 }],
      cname: [at("static", "www.example.com."), at("blog", "hosting.example.net.")],
      txt: [at(null, "v=spf1 mx -all", 3_600)],
    };
    const other: Zone = {
      id: 8102,
      name: "shop.example",
      soa: soa("shop.example", 41),
      ns: [at(null, "ns1.example.com.", 86_400)],
      a: [at(null, "192.0.2.20"), at("www", "192.0.2.20")],
    };
    return new Map([shops, other].map((zone) => [zone.name, { token: token(world), zone }]));
  });

const recordTypes =
  "a aaaa afsdb cname dnskey ds hinfo loc mx naptr ns nsec3 nsec3param ptr rp rrsig spf srv sshfp txt".split(
    " ",
  ) as readonly (keyof Zone & string)[];
const namesOf = (zone: Zone, type: string): string[] =>
  ((zone[type] ?? []) as readonly { readonly name: string | null }[]).map(({ name }) => (name ?? "").toLowerCase());

/** A name with a CNAME carries nothing else (public facts B, 8), not even another; the apex has the SOA record. */
function checkAliases(zone: Zone): void {
  const typesByName = new Map([["", ["soa"]]]);
  for (const type of recordTypes)
    for (const name of namesOf(zone, type)) {
      const types = typesByName.get(name);
      if (types) types.push(type);
      else typesByName.set(name, [type]);
    }
  for (const [name, types] of typesByName)
    if (types.length > 1 && types.includes("cname"))
      throw new Refusal(
        400,
        "Invalid zone",
        `${name || "the apex"} has a CNAME and may carry no other record, but has: ${types.join(", ")}`,
      );
}

const behaviours: Behaviours<typeof declared, World> = {
  dns_zone_get: ({ path }, world) => {
    const stored = state(world).get(path.zone.toLowerCase());
    if (!stored) throw new Refusal(404, "Not Found", `There is no zone ${path.zone}`);
    return { status: 200, body: { token: stored.token, zone: stored.zone } };
  },

  dns_zone_write: ({ path, body }, world) => {
    const name = path.zone.toLowerCase();
    const { zone } = body;
    const stored = state(world).get(name);
    if (zone.name.toLowerCase() !== name)
      throw new Refusal(400, "Invalid zone", `The zone is called ${zone.name}, but the path says ${path.zone}`);
    if (body.token === "new" && stored) throw new Refusal(409, "Conflict", `The zone ${name} exists already`);
    if (body.token !== "new" && !stored)
      throw new Refusal(404, "Not Found", `There is no zone ${name}; a new one takes the token new`);
    if (stored && body.token !== stored.token)
      throw new Refusal(409, "Conflict", "The token is not the zone's current token");
    if (stored && zone.soa.serial <= stored.zone.soa.serial)
      throw new Refusal(
        400,
        "Invalid serial",
        `The SOA serial ${zone.soa.serial} must exceed the existing serial ${stored.zone.soa.serial}`,
      );
    checkAliases(zone);
    state(world).set(name, {
      token: token(world),
      zone: { ...zone, id: stored?.zone.id ?? world.next("zone", 8_200) },
    });
    return { status: 204, body: undefined };
  },
};

export const dns = emulated(declared, { behaviours, wording: problemDetails("/config-dns/error-types") });
