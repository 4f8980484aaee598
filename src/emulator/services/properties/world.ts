/** The properties of the emulated account: their versions, hostnames and rule trees, and everything written since. */
import { createHash } from "node:crypto";
import { dayMs, hourMs } from "../../../language/durations.js";
import { onceFor } from "../../../language/once-for.js";
import type { Rule } from "../../../tools/properties/shapes.js";
import { byId } from "../../primitives/store.js";
import type { World } from "../../world.js";
import { cpCodes, edgeZoneName, type Host, hosts, mainContractId, portalUser } from "../account.js";

export interface HostnameEntry {
  readonly cnameType: "EDGE_HOSTNAME";
  readonly edgeHostnameId: string;
  readonly cnameFrom: string;
  readonly cnameTo: string;
  readonly certProvisioningType?: "CPS_MANAGED" | "DEFAULT" | undefined;
}
export interface Version {
  readonly number: number;
  readonly note: string;
  readonly updatedBy: string;
  readonly updatedAtMs: number;
  readonly ruleFormat: string;
  readonly comments?: string | undefined;
  readonly rules: Rule;
  readonly hostnames: readonly HostnameEntry[];
}
export type Network = "STAGING" | "PRODUCTION";
export interface Activation {
  readonly id: string;
  readonly version: number;
  readonly network: Network;
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
  readonly versions: Version[];
  readonly activations: Activation[];
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
export interface OwnCpCode {
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
  readonly cpCodes: Map<string, OwnCpCode>;
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

const treeOf = (host: Host, children: readonly Rule[] = []): Rule => ({
  name: "default",
  options: { is_secure: false },
  criteria: [],
  behaviors: [
    {
      name: "origin",
      options: { originType: "CUSTOMER", hostname: host.originName, forwardHostHeader: "REQUEST_HOST_HEADER" },
    },
    { name: "cpCode", options: { value: { id: host.cpCode } } },
    { name: "caching", options: { behavior: "MAX_AGE", ttl: host.ttl === "0" ? "0s" : "1h" } },
  ],
  children: [...children],
});
const images: Rule = {
  name: "Images",
  criteriaMustSatisfy: "any",
  criteria: [{ name: "fileExtension", options: { values: ["jpg", "png", "webp"] } }],
  behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl: "30d" } }],
  children: [],
};
const checkout: Rule = {
  name: "Checkout",
  criteriaMustSatisfy: "all",
  criteria: [{ name: "path", options: { values: ["/checkout/*"] } }],
  behaviors: [{ name: "caching", options: { behavior: "NO_STORE" } }],
  children: [images],
};

/** A version whose rules also apply an include. */
const usingInclude = (version: Version, id: string): Version => {
  const behaviors = [...(version.rules.behaviors ?? []), { name: "include", options: { id } }];
  return { ...version, rules: { ...version.rules, behaviors } };
};

const edgeIdOf = (host: Host): string => `ehn_${host.serialNumber}`;
const entryOf = (host: Host): HostnameEntry => ({
  cnameType: "EDGE_HOSTNAME",
  edgeHostnameId: edgeIdOf(host),
  cnameFrom: host.name,
  cnameTo: `${host.name}.${edgeZoneName}`,
});

/** The version that is a version's copy. */
export const copyOf = (version: Version, number: number, world: World, by: string): Version => ({
  ...version,
  number,
  note: `Copy of version ${version.number}`,
  updatedBy: by,
  updatedAtMs: world.now(),
});

const live = (id: number, of: number, network: Network, submittedAtMs: number): Activation => ({
  id: `atv_${id}`,
  version: of,
  network,
  type: "ACTIVATE",
  note: `Version ${of}`,
  notifyEmails: ["operations@shop.example"],
  submittedAtMs,
});
const property = (
  number: number,
  name: string,
  cpCode: number,
  versions: Version[],
  activations: Activation[],
): Property => {
  const sold = cpCodes.find(({ id }) => id === String(cpCode))?.product.id ?? "";
  const id = `prp_${number}`;
  const owner = { contractId: `ctr_${mainContractId}`, groupId: workGroup, assetId: assetIdOf(number) };
  return { id, name, ...owner, productId: productOf(sold), note: "", versions, activations };
};

function seeds(world: World): State {
  const before = (days: number) => world.startedAtMs - days * dayMs;
  const version = (number: number, days: number, own: readonly Host[], children: readonly Rule[], note: string) => ({
    number,
    note,
    updatedBy: portalUser,
    updatedAtMs: before(days),
    ruleFormat: "v2015-08-08",
    rules: treeOf(own[0] ?? shopHost, children),
    hostnames: own.map(entryOf),
  });
  const named = (name: string) => hosts.filter((host) => host.name === name);
  const [shopHost, apiHost] = hosts as readonly [Host, Host];
  const both = [...named("www.shop.example"), ...named("www.example.com")];
  const ofImages = named("images.shop.example");
  return {
    properties: byId([
      property(
        175_780,
        "www.shop.example",
        shopHost.cpCode,
        [
          version(1, 400, both.slice(0, 1), [], "First version"),
          version(2, 60, both, [images], "Cache images longer"),
          version(3, 2, both, [images, checkout], "Never cache the checkout"),
        ],
        [
          live(5_000, 1, "PRODUCTION", before(399)),
          live(5_001, 2, "STAGING", before(59)),
          live(5_002, 2, "PRODUCTION", before(58)),
        ],
      ),
      property(
        175_781,
        "api.shop.example",
        apiHost.cpCode,
        [usingInclude(version(1, 300, [apiHost], [], "First version"), "inc_310001")],
        [live(5_005, 1, "STAGING", before(299)), live(5_006, 1, "PRODUCTION", before(298))],
      ),
      property(
        175_782,
        "images.shop.example",
        67_890,
        [version(1, 200, ofImages, [], "First version"), version(2, 1, ofImages, [images], "Cache images for a month")],
        [
          live(5_007, 1, "PRODUCTION", before(199)),
          live(5_003, 2, "STAGING", before(1) + hourMs),
          live(5_004, 2, "PRODUCTION", world.startedAtMs - 30_000),
        ],
      ),
      property(175_783, "draft.shop.example", shopHost.cpCode, [version(1, 5, [], [], "Draft")], []),
    ]),
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
  onceFor(({ number, updatedAtMs, hostnames, rules, comments }: Version): string => {
    const content = JSON.stringify([id, number, updatedAtMs, hostnames, rules, comments]);
    return createHash("sha1").update(content).digest("hex");
  }),
);

/** The digest of a version's content: one for its hostnames and its rules together (public facts B, 3.2). */
export const etagOf = (property: Property, version: Version): string => digest(property)(version);
