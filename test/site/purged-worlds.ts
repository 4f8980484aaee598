/** Worlds in which something is purged: what was changed in them before, and what the purge brings to their origins. */
import { currentCpCodes } from "../../src/emulator/services/properties/served.js";
import { entriesOf } from "../../src/emulator/services/reporting/ledger.js";
import type { ControlledWorld, World } from "../../src/emulator/world.js";
import { startRaw } from "../lab/raw.js";

const minuteMs = 60_000;
const slotMs = 5 * minuteMs;
/** A purge takes effect so much later. */
const purgeMs = 2_000;
const place = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
const initial = {
  shop: { id: "prp_175780", cpCode: 12_345 },
  images: { id: "prp_175782", cpCode: 67_890 },
} as const;
type PropertyName = keyof typeof initial;
const shopOrigin = "origin.shop.example";

type Write = (method: string, url: string, body?: unknown) => Promise<Readonly<Record<string, unknown>>>;
interface Setting {
  readonly world: ControlledWorld;
  readonly write: Write;
}

const treeOf = (hostname: string, id: number, ttl: string) => ({
  name: "default",
  children: [],
  behaviors: [
    { name: "origin", options: { hostname } },
    { name: "cpCode", options: { value: { id } } },
    { name: "caching", options: { behavior: "MAX_AGE", ttl } },
  ],
});
async function activate({ world, write }: Setting, id: string, version: number): Promise<void> {
  const activation = { propertyVersion: version, network: "PRODUCTION", notifyEmails: ["a@shop.example"] };
  await write("POST", `/papi/v0/properties/${id}/activations/?${place}`, {
    ...activation,
    acknowledgeAllWarnings: true,
  });
  world.advance(9 * minuteMs);
}
/** Activates a new version of a property with an origin and a time to live. */
async function change(setting: Setting, name: PropertyName, hostname: string, ttl: string): Promise<void> {
  const { id, cpCode } = initial[name];
  const versions = `/papi/v0/properties/${id}/versions`;
  const { items } = (await setting.write("GET", `${versions}/?${place}`))["versions"] as {
    items: { propertyVersion: number }[];
  };
  const last = Math.max(...items.map(({ propertyVersion }) => propertyVersion));
  await setting.write("POST", `${versions}/?${place}`, { createFromVersion: last });
  await setting.write("PUT", `${versions}/${last + 1}/rules/?${place}`, { rules: treeOf(hostname, cpCode, ttl) });
  await activate(setting, id, last + 1);
}

const numberIn = (link: unknown): string => /_(\d+)/.exec(String(link))?.[1] ?? "";
async function addHost(setting: Setting, name: string, ttl: string, cpCode: number | undefined): Promise<void> {
  const { write } = setting;
  const productId = "prd_Site_Delivery";
  const id =
    cpCode ??
    Number(
      numberIn((await write("POST", `/papi/v0/cpcodes/?${place}`, { cpcodeName: name, productId }))["cpcodeLink"]),
    );
  const property = { productId, propertyName: name, ruleFormat: "v2015-08-08" };
  const { propertyLink } = await write("POST", `/papi/v0/properties/?${place}`, property);
  const propertyId = `prp_${numberIn(propertyLink)}`;
  const version = `/papi/v0/properties/${propertyId}/versions/1`;
  const edge = { cnameType: "EDGE_HOSTNAME", edgeHostnameId: "ehn_1682", cnameFrom: name };
  await write("PUT", `${version}/hostnames/?${place}`, [edge]);
  await write("PUT", `${version}/rules/?${place}`, { rules: treeOf(shopOrigin, id, ttl) });
  await activate(setting, propertyId, 1);
}

/** Has the name lead to the edge, instead of where it led before. */
async function leadToEdge({ write }: Setting, name: string): Promise<void> {
  const zone = name.split(".").slice(1).join(".");
  const sets = `/config-dns/v2/zones/${zone}/recordsets`;
  const { recordsets } = await write("GET", `${sets}?showAll=true`);
  const present = recordsets as { name: string; type: string }[];
  for (const { type } of present.filter((set) => set.name === name))
    await write("DELETE", `/config-dns/v2/zones/${zone}/names/${name}/types/${type}`);
  const target = "www.shop.example.edgesuite.example.";
  await write("POST", `/config-dns/v2/zones/${zone}/names/${name}/types/CNAME`, {
    ...{ name, type: "CNAME", ttl: 300, rdata: [target] },
  });
}

/** What is done in a world before the purge. */
type Step =
  | { readonly step: "wait"; readonly minutes: number }
  | { readonly step: "purge"; readonly cpCodes: readonly number[] }
  | { readonly step: "keep"; readonly property: PropertyName; readonly ttl: string }
  | { readonly step: "break" | "mend"; readonly property: PropertyName }
  | { readonly step: "lead"; readonly name: string }
  | { readonly step: "host"; readonly name: string; readonly ttl: string; readonly cpCode?: number };
const steps: { readonly [S in Step["step"]]: (setting: Setting, step: Extract<Step, { step: S }>) => unknown } = {
  wait: ({ world }, { minutes }) => world.advance(minutes * minuteMs),
  purge: ({ write }, { cpCodes }) => write("POST", "/ccu/v3/delete/cpcode/production", { objects: cpCodes }),
  keep: (setting, { property, ttl }) => change(setting, property, shopOrigin, ttl),
  break: (setting, { property }) => change(setting, property, "gone.example.net", "1h"),
  mend: (setting, { property }) => change(setting, property, shopOrigin, "1h"),
  lead: (setting, { name }) => leadToEdge(setting, name),
  host: (setting, { name, ttl, cpCode }) => addHost(setting, name, ttl, cpCode),
};

/** A world, what is done in it, and a purge. */
export interface Scenario {
  readonly at: string;
  readonly seed: number;
  readonly before: readonly Step[];
  readonly purge: {
    readonly action: "invalidate" | "delete";
    readonly kind: "cpcode" | "url" | "tag";
    readonly network: "production" | "staging";
    readonly objects: readonly (string | number)[];
    /** So many pages of a host, beside the objects. */
    readonly pages?: { readonly host: string; readonly count: number };
  };
}

/** A scenario's world, so long before a slot of the report that the purge takes effect at its start. */
export async function worldOf({ at, seed, before }: Scenario): Promise<ControlledWorld> {
  const raw = startRaw({ frozenAt: Date.parse(at) });
  const { world } = raw;
  world.reset(seed);
  const write: Write = async (method, url, body) => {
    const answer = await raw.send(method, url, body);
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
    return (answer.text === "" ? {} : answer.json()) as Readonly<Record<string, unknown>>;
  };
  // An activation of the initial world is on its way until then.
  world.advance(10 * minuteMs);
  for (const step of before) await steps[step.step]({ world, write }, step as never);
  world.advance(slotMs - ((world.now() + purgeMs) % slotMs));
  return world;
}

/** The arguments of a scenario's purge. */
export function argumentsOf({ purge: { pages, objects, ...purge } }: Scenario) {
  const urls = Array.from({ length: pages?.count ?? 0 }, (_, at) => `https://${pages?.host}/items/${at}.html`);
  return { ...purge, body: { objects: [...objects, ...urls] } };
}

/** The requests a second to all origins in the slots of the hour that begins then. */
function originRates(world: World, fromMs: number): readonly number[] {
  const rates = Array.from({ length: 12 }, () => 0);
  const cpCodes = currentCpCodes(world).map(({ id }) => id);
  for (const { startMs, origin } of entriesOf(world, cpCodes, [fromMs, fromMs + rates.length * slotMs], () => 1)) {
    const slot = (startMs - fromMs) / slotMs;
    rates[slot] = (rates[slot] ?? 0) + (1_000 * origin.hits) / slotMs;
  }
  return rates;
}

/**
 * The highest rate of requests a second to origins over five minutes of the hour after a purge, above that of a twin of the
 * world in which nothing was purged. Both clocks are moved on by the hour.
 */
export function highestLoad(purged: ControlledWorld, twin: ControlledWorld): number {
  const fromMs = purged.now() + purgeMs;
  for (const world of [purged, twin]) world.advance(61 * minuteMs);
  const [rates, usual] = [originRates(purged, fromMs), originRates(twin, fromMs)];
  return Math.max(...rates.map((rate, slot) => rate - (usual[slot] ?? 0)));
}
