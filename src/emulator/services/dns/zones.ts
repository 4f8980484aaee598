/** The DNS zones of both generations: each with its versions, of which the last is served. */
import type { Call } from "../../../language/behaviour.js";
import { dayMs } from "../../../language/durations.js";
import type { dns as declared } from "../../../tools/dns/index.js";
import { hexDigits, noiseText, type World } from "../../world.js";
import { edgeNameOf, everyHost, mainContractId, portalUser, userInUse } from "../account.js";

export type Zone = Call<(typeof declared)["operations"]["dns_zone_write"]>["body"]["zone"];

/** A record set with everything that the API shows of it. */
export type WholeSet = {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: readonly string[];
  readonly [member: string]: unknown;
};

/** The settings of a zone, which the former API neither shows nor changes. */
export interface Settings {
  readonly type: "PRIMARY" | "SECONDARY" | "ALIAS";
  readonly contractId: string;
  readonly signAndServe?: boolean | undefined;
  readonly target?: string | undefined;
  readonly [name: string]: unknown;
}

/** The records of a zone: those that the former API can express, and the others, which it keeps. */
export interface Content {
  readonly zone: Zone;
  readonly others: readonly WholeSet[];
}

export interface Version extends Content {
  readonly token: string;
  readonly versionId: string;
  readonly settings: Settings;
  /** Whether it has no records yet, because no change list of it was submitted. */
  readonly isNew: boolean;
  readonly by: string;
  readonly at: number;
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

/** The id of a version, a request or a change list, the same in every run. */
export const uuidOf = (world: World, ...words: readonly (string | number)[]): string => {
  const digits = noiseText(world, hexDigits, 30, "uuid", ...words);
  const parts = [
    [0, 8],
    [8, 12],
    [12, 15],
    [15, 18],
    [18, 30],
  ].map(([from, to]) => digits.slice(from, to));
  return `${parts[0]}-${parts[1]}-4${parts[2]}-a${parts[3]}-${parts[4]}`;
};

/** The first version of an initial zone, and the one that is served. */
const seedVersion = (id: number, at: 1 | 2): string => `e0ec2d8a-1c5b-4f3e-9a76-0000000${id}${at}`;

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

const caa = [{ name: "example.com", type: "CAA", ttl: 3_600, rdata: ['0 issue "ca.example.net"'] }];

/** The versions of an initial zone: www had another address before. */
function seedVersions(world: World, zone: Zone): readonly Version[] {
  const id = zone.id ?? 0;
  const others = zone.name === "example.com" ? caa : [];
  const common = {
    settings: { type: "PRIMARY", contractId: mainContractId },
    isNew: false,
    by: portalUser,
    others,
  } as const;
  const former = (zone.a ?? []).filter(({ name }) => name !== "hosting");
  const first = { ...zone, a: former, soa: { ...zone.soa, serial: zone.soa.serial - 1 } };
  const days = (count: number) => world.startedAtMs - count * dayMs;
  return [
    { ...common, token: nextToken(world), versionId: seedVersion(id, 1), zone: first, at: days(40) },
    { ...common, token: nextToken(world), versionId: seedVersion(id, 2), zone, at: days(20) },
  ];
}

/** A zone that is fetched from another server, with a key for the transfer. */
const secondary = (world: World): Version => ({
  settings: {
    type: "SECONDARY",
    contractId: mainContractId,
    masters: ["203.0.113.90"],
    signAndServe: true,
    signAndServeAlgorithm: "ECDSA_P256_SHA256",
    tsigKey: { name: "transfer-2026", algorithm: "hmac-sha256", secret: "bWFkZS11cC1rZXktZm9yLTIwMjY=" },
  },
  zone: { id: 8_103, name: "partner.example", soa: soa("partner.example", 7), ns: servers },
  ...{ others: [], isNew: false, by: portalUser, at: world.startedAtMs - 10 * dayMs },
  ...{ token: nextToken(world), versionId: seedVersion(8_103, 2) },
});

const state = (world: World): Map<string, readonly Version[]> =>
  world.state("dns", () => {
    const primary = seeds().map((zone) => [zone.name, seedVersions(world, zone)] as const);
    return new Map([...primary, ["partner.example", [secondary(world)]]]);
  });

/** The versions of a zone of any type, by its name, oldest first; undefined if there is none. */
export const versionsOf = (world: World, name: string): readonly Version[] | undefined =>
  state(world).get(name.toLowerCase());
/** The present version of a zone of any type. */
export const versionOf = (world: World, name: string): Version | undefined => versionsOf(world, name)?.at(-1);
/** All zones of the account in their present version. */
export const everyZone = (world: World): readonly Version[] =>
  [...state(world).values()].flatMap((versions) => versions.at(-1) ?? []);

const isDocument = ({ settings, isNew }: Version): boolean => settings.type === "PRIMARY" && !isNew;

/** A primary zone as the former API has it, with its token, by its name in lower case. */
export function zoneOf(world: World, name: string): Version | undefined {
  const found = versionOf(world, name);
  return found && isDocument(found) ? found : undefined;
}
export const zoneNames = (world: World): readonly string[] =>
  everyZone(world)
    .filter(isDocument)
    .map(({ zone }) => zone.name.toLowerCase());

/** What resolvers are served: primary zones, and alias zones with the records of the zone that they copy. */
export const servedZones = (world: World): readonly Zone[] =>
  everyZone(world).flatMap((version) => {
    if (isDocument(version)) return [version.zone];
    const copied = version.settings.type === "ALIAS" ? zoneOf(world, String(version.settings.target)) : undefined;
    return copied ? [{ ...copied.zone, name: version.zone.name }] : [];
  });

/** Adds a version to a zone, or the first one of a new zone, which keeps its id. */
export function addVersion(
  world: World,
  name: string,
  next: Partial<Pick<Version, "settings" | "isNew">> & Content,
): Version {
  const versions = versionsOf(world, name) ?? [];
  const last = versions.at(-1);
  const id = last?.zone.id ?? world.next("zone", 8_200);
  const version: Version = {
    settings: last?.settings ?? { type: "PRIMARY", contractId: mainContractId },
    isNew: false,
    ...next,
    zone: { ...next.zone, id },
    token: nextToken(world),
    versionId: uuidOf(world, name, world.next("dns version", 1)),
    by: userInUse,
    at: world.now(),
  };
  state(world).set(name.toLowerCase(), [...versions, version]);
  return version;
}

/** Forgets a zone and its versions. */
export const removeZone = (world: World, name: string): boolean => state(world).delete(name.toLowerCase());

/** Replaces the zone of the same name, or adds one, as the former API does: what it cannot express is kept. */
export const writeZone = (world: World, zone: Zone): Version =>
  addVersion(world, zone.name, { zone, others: zoneOf(world, zone.name)?.others ?? [] });
