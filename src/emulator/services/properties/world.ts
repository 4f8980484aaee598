/** The properties of the emulated account: their versions, hostnames and rule trees, and everything written since. */
import { createHash } from "node:crypto";
import { onceFor } from "../../../language/once-for.js";
import { dayMs } from "../../../time/durations.js";
import type { TreeRule } from "../../../tools/properties/shapes.js";
import { seedsOf } from "../../primitives/seeds.js";
import { byId } from "../../primitives/store.js";
import type { World } from "../../world.js";
import { type AccountHost, cpCodes, edgeZoneName, hosts, portalUser } from "../account.js";
import data from "./seeds.json" with { type: "json" };

export interface HostnameEntry {
  readonly cnameType: "EDGE_HOSTNAME";
  readonly edgeHostnameId: string;
  readonly cnameFrom: string;
  readonly cnameTo: string;
  readonly certProvisioningType?: "CPS_MANAGED" | "DEFAULT" | undefined;
}
export interface StoredPropertyVersion {
  readonly number: number;
  readonly note: string;
  readonly updatedBy: string;
  readonly updatedAtMs: number;
  readonly ruleFormat: string;
  readonly comments?: string | undefined;
  readonly rules: TreeRule;
  readonly hostnames: readonly HostnameEntry[];
}
export const edgeNetworks = ["STAGING", "PRODUCTION"] as const;
export type EdgeNetwork = (typeof edgeNetworks)[number];
export interface PropertyActivation {
  readonly id: string;
  readonly version: number;
  readonly network: EdgeNetwork;
  readonly type: "ACTIVATE" | "DEACTIVATE";
  readonly note: string;
  readonly notifyEmails: readonly string[];
  readonly submittedAtMs: number;
  cancelledAtMs?: number;
  /** Whether it falls back to the version before, which takes seconds. */
  isFast?: true;
}
export interface Property {
  readonly id: string;
  readonly name: string;
  readonly contractId: string;
  groupId: string;
  readonly assetId: string;
  readonly productId: string;
  readonly note: string;
  /** By number, the first one first. */
  readonly versions: StoredPropertyVersion[];
  readonly activations: PropertyActivation[];
}
export interface EdgeHostname {
  readonly id: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly productId: string;
  readonly secure: boolean;
  readonly ipVersionBehavior: string;
  /** The certificate that it serves with, if it has a dedicated one. */
  readonly enrollmentId?: number | undefined;
  readonly createdAtMs: number;
  readonly useCases?: readonly { readonly useCase: string; readonly option: string; readonly type: string }[];
}
export interface PropertyCpCode {
  readonly id: string;
  readonly contractId: string;
  readonly groupId: string;
  readonly name: string;
  readonly productId: string;
  readonly createdAtMs: number;
}
interface State {
  readonly properties: Map<string, Property>;
  readonly edgeHostnames: Map<string, EdgeHostname>;
  readonly cpCodes: Map<string, PropertyCpCode>;
  settings: { readonly ruleFormat: string; readonly usePrefixes: boolean };
}

/** The contract's products under this service's ids, by their ids in the contract. */
export const products = [
  { id: "prd_Site_Delivery", name: "Site_Delivery", soldAs: "M-SITE-7" },
  { id: "prd_API_Gateway", name: "API_Gateway", soldAs: "M-API-2" },
] as const;
const productOf = (soldAs: string): string => products.find((one) => one.soldAs === soldAs)?.id ?? products[0].id;

/** The group in which everything that the account has from the start is kept. */
const workGroup = "grp_11111";

/** The asset that a property is, by the number of the property. */
export const assetIdOf = (property: number): string => `aid_${property + 10_157_746}`;

export const ruleFormats = ["latest", "v2015-08-08", "v2014-05-26"] as const;

type RuleName = "Images" | "Checkout";
interface SeedVersion extends Pick<StoredPropertyVersion, "number" | "note" | "updatedAtMs"> {
  /** The names of the hosts that it serves, whose first one has its origin. */
  readonly hosts: readonly string[];
  /** The names of its rules, and the ids of its includes. */
  readonly children: readonly RuleName[];
  readonly includes: readonly string[];
}
type SeedActivation = Pick<PropertyActivation, "id" | "version" | "network" | "submittedAtMs">;
interface Seeds {
  readonly rules: Readonly<Record<RuleName, TreeRule>>;
  readonly properties: readonly (Omit<Property, "versions" | "activations"> & {
    readonly versions: readonly SeedVersion[];
    readonly activations: readonly SeedActivation[];
  })[];
}

/** The time to live in the rules that a host has from the start. */
export const initialTtl = (host: AccountHost): string => (host.ttl === "0" ? "0s" : "1h");

const treeOf = (
  host: AccountHost,
  { children, includes }: Pick<SeedVersion, "children" | "includes">,
  rules: Seeds["rules"],
): TreeRule => ({
  name: "default",
  options: { is_secure: false },
  criteria: [],
  behaviors: [
    {
      name: "origin",
      options: { originType: "CUSTOMER", hostname: host.originName, forwardHostHeader: "REQUEST_HOST_HEADER" },
    },
    { name: "cpCode", options: { value: { id: host.cpCode } } },
    { name: "caching", options: { behavior: "MAX_AGE", ttl: initialTtl(host) } },
    ...includes.map((id) => ({ name: "include", options: { id } })),
  ],
  children: children.map((name) => rules[name]),
});
const edgeIdOf = (host: AccountHost): string => `ehn_${host.serialNumber}`;
const entryOf = (host: AccountHost): HostnameEntry => ({
  cnameType: "EDGE_HOSTNAME",
  edgeHostnameId: edgeIdOf(host),
  cnameFrom: host.name,
  cnameTo: `${host.name}.${edgeZoneName}`,
});

function seeds(world: World): State {
  const before = (days: number) => world.startedAtMs - days * dayMs;
  const [shopHost] = hosts as readonly [AccountHost];
  const { properties, rules } = seedsOf<Seeds>(data, world.startedAtMs);
  const versionOf = ({ number, note, updatedAtMs, ...version }: SeedVersion): StoredPropertyVersion => {
    const served = hosts.filter(({ name }) => version.hosts.includes(name));
    return {
      number,
      note,
      updatedBy: portalUser,
      updatedAtMs,
      ruleFormat: "v2015-08-08",
      rules: treeOf(served[0] ?? shopHost, version, rules),
      hostnames: served.map(entryOf),
    };
  };
  const live = (seed: SeedActivation): PropertyActivation => ({
    ...seed,
    type: "ACTIVATE",
    note: `Version ${seed.version}`,
    notifyEmails: ["operations@shop.example"],
  });
  return {
    properties: byId(
      properties.map(({ versions, activations, ...property }) => ({
        ...property,
        versions: versions.map(versionOf),
        activations: activations.map(live),
      })),
    ),
    edgeHostnames: byId(
      hosts.map((host) => ({
        id: edgeIdOf(host),
        prefix: host.name,
        suffix: edgeZoneName,
        productId: products[0].id,
        secure: false,
        ipVersionBehavior: "IPV4",
        createdAtMs: before(420),
      })),
    ),
    cpCodes: byId(
      cpCodes.map(({ id, name, product, contractId }) => ({
        id: `cpc_${id}`,
        contractId: `ctr_${contractId}`,
        groupId: workGroup,
        name,
        productId: productOf(product.id),
        createdAtMs: before(500),
      })),
    ),
    settings: { ruleFormat: "latest", usePrefixes: true },
  };
}

/** The state of the service, created with the account's seeds. */
export const stateOf = (world: World): State => world.state("properties", () => seeds(world));

const digest = onceFor(({ id }: Property) =>
  onceFor(({ number, updatedAtMs, hostnames, rules, comments }: StoredPropertyVersion): string => {
    const content = JSON.stringify([id, number, updatedAtMs, hostnames, rules, comments]);
    return createHash("sha1").update(content).digest("hex");
  }),
);

/** The digest of a version's content: one for its hostnames and its rules together (public facts B, 3.2). */
export const etagOf = (property: Property, version: StoredPropertyVersion): string => digest(property)(version);
