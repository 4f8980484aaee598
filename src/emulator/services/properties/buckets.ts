/** Hostname buckets of emulated properties: hostnames that change on a network without a new version, over time. */
import type { hostnameOperations } from "../../../tools/properties/v1-hostnames.js";
import { findIn } from "../../primitives/store.js";
import { created, notFound, ok, RequestRefusal } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { hostnameEntriesOf } from "./content.js";
import { accountId, type ContractPlace, linkTo, ownerOf, propertyOf, propertyRefusal } from "./lookup.js";
import { completedAt, liveVersion, pendingActivation } from "./networks.js";
import { type EdgeNetwork, edgeNetworks, type HostnameEntry, type Property, stateOf } from "./world.js";

/** A change of a bucket on one network. */
interface BucketChange {
  readonly id: string;
  readonly network: EdgeNetwork;
  readonly add: readonly HostnameEntry[];
  readonly remove: readonly string[];
  readonly note: string;
  readonly notifyEmails: readonly string[];
  readonly submittedAtMs: number;
  cancelledAtMs?: number;
}

const draft = "prp_175783";

/** The changes of each property that has a bucket, the first one first. */
const bucketsOf = (world: World): Map<string, BucketChange[]> =>
  world.state("hostname buckets", () => {
    const [edge] = stateOf(world).edgeHostnames.values();
    const add = edge
      ? hostnameEntriesOf(world, [
          { cnameFrom: "draft.shop.example", edgeHostnameId: edge.id, certProvisioningType: "CPS_MANAGED" },
        ])
      : [];
    const change = (id: string, network: EdgeNetwork, submittedAtMs: number): BucketChange => {
      const notified = { note: "Draft of the shop", notifyEmails: ["operations@shop.example"] };
      return { id, network, add, remove: [], ...notified, submittedAtMs };
    };
    return new Map([
      [
        draft,
        [
          change("atv_5100", "STAGING", world.startedAtMs - 3_600_000),
          change("atv_5101", "PRODUCTION", world.startedAtMs - 30_000),
        ],
      ],
    ]);
  });

export const addBucket = (world: World, propertyId: string): void => void bucketsOf(world).set(propertyId, []);
export const propertyTypeOf = (world: World, propertyId: string): "HOSTNAME_BUCKET" | "TRADITIONAL" =>
  bucketsOf(world).has(propertyId) ? "HOSTNAME_BUCKET" : "TRADITIONAL";

const statusOf = (change: BucketChange, world: World): "ABORTED" | "PENDING" | "ACTIVE" => {
  if (change.cancelledAtMs !== undefined) return "ABORTED";
  return completedAt(change) > world.now() ? "PENDING" : "ACTIVE";
};

/** When the status of a change became what it is. */
const changedAt = (change: BucketChange, world: World): number =>
  change.cancelledAtMs ?? (statusOf(change, world) === "ACTIVE" ? completedAt(change) : change.submittedAtMs);

/** The hostnames that are active on a network: those of the bucket, or of the version that is live there. */
function activeOn(world: World, property: Property, network: EdgeNetwork): readonly HostnameEntry[] {
  const changes = bucketsOf(world).get(property.id);
  if (changes === undefined) {
    const live = liveVersion(property, network, world.now());
    return property.versions.find(({ number }) => number === live)?.hostnames ?? [];
  }
  const active = new Map<string, HostnameEntry>();
  for (const change of changes)
    if (change.network === network && statusOf(change, world) === "ACTIVE") {
      for (const name of change.remove) active.delete(name);
      for (const entry of change.add) active.set(entry.cnameFrom, entry);
    }
  return [...active.values()];
}

const sides = { STAGING: "staging", PRODUCTION: "production" } as const;
/** The members of a hostname for one network. */
const onSide = (network: EdgeNetwork, { cnameTo, edgeHostnameId, certProvisioningType }: HostnameEntry) => {
  const side = sides[network];
  return {
    [`${side}CnameTo`]: cnameTo,
    [`${side}EdgeHostnameId`]: edgeHostnameId,
    [`${side}CertType`]: certProvisioningType ?? "CPS_MANAGED",
  };
};

interface Filter {
  readonly offset?: number;
  readonly limit?: number;
  readonly sort?: "hostname:a" | "hostname:d";
  readonly hostname?: string;
  readonly cnameTo?: string;
  readonly network?: EdgeNetwork;
}

const matchesPattern = (pattern: string | undefined, text: string): boolean => {
  if (pattern === undefined) return true;
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === text;
  let from = first.length;
  if (!text.startsWith(first)) return false;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return rest.at(-1) === "" || text.endsWith(rest.at(-1) ?? "");
};

/** The active hostnames of a property that a filter finds, network by network. */
const foundOn = (world: World, property: Property, { network: only, hostname, cnameTo }: Filter) =>
  edgeNetworks
    .filter((network) => only === undefined || network === only)
    .flatMap((network) => activeOn(world, property, network).map((entry) => ({ network, entry })))
    .filter(({ entry }) => matchesPattern(hostname, entry.cnameFrom) && matchesPattern(cnameTo, entry.cnameTo));

/** A page of items, with what is known of the others. */
function pageOf<T extends { readonly cnameFrom: string }>(
  items: readonly T[],
  { offset = 0, limit = 1_000, sort }: Filter,
) {
  const sign = sort === "hostname:d" ? -1 : 1;
  const sorted = items.toSorted((a, b) => (a.cnameFrom < b.cnameFrom ? -sign : sign));
  const shown = sorted.slice(offset * limit, (offset + 1) * limit);
  return { items: shown, currentItemCount: shown.length, totalItems: items.length };
}

/** The active hostnames of a property, each with what it is on both networks. */
function byName(found: ReturnType<typeof foundOn>) {
  const all = new Map<string, { readonly cnameFrom: string; readonly cnameType: "EDGE_HOSTNAME" }>();
  for (const { network, entry } of found) {
    const { cnameFrom, cnameType } = entry;
    all.set(cnameFrom, { cnameFrom, cnameType, ...all.get(cnameFrom), ...onSide(network, entry) });
  }
  return [...all.values()];
}

const activationItem = (property: Property, change: BucketChange, world: World) => ({
  hostnameActivationId: change.id,
  propertyName: property.name,
  propertyId: property.id,
  network: change.network,
  activationType: "ACTIVATE" as const,
  status: statusOf(change, world),
  submitDate: instant(change.submittedAtMs),
  updateDate: instant(changedAt(change, world)),
  note: change.note,
  accountId,
  groupId: property.groupId,
  notifyEmails: [...change.notifyEmails],
});

function bucketOf(world: World, path: { readonly propertyId: string }, place: ContractPlace) {
  const property = propertyOf(world, path, place);
  const changes = bucketsOf(world).get(property.id);
  if (changes === undefined) throw propertyRefusal("http/forbidden", `${property.id} has no hostname bucket`, 403);
  return { property, changes };
}

function changeOf(
  world: World,
  path: { readonly propertyId: string; readonly hostnameActivationId: string },
  place: ContractPlace,
) {
  const { property, changes } = bucketOf(world, path, place);
  const id = path.hostnameActivationId;
  const change = findIn(changes, { id }, () => notFound(`${property.id} has no hostname activation ${id}`));
  const answer = () => {
    const items = [activationItem(property, change, world)];
    return ok({ ...ownerOf(property), hostnameActivations: { items, currentItemCount: 1, totalItems: 1 } });
  };
  return { change, answer };
}

export const hostnameBehaviours: BehavioursOf<typeof hostnameOperations> = {
  property_account_hostnames_list: ({ query }, world) => {
    const properties = [...stateOf(world).properties.values()].filter(
      ({ contractId, groupId }) =>
        contractId === (query.contractId ?? contractId) && groupId === (query.groupId ?? groupId),
    );
    const items = properties.flatMap((property) =>
      foundOn(world, property, query).map(({ network, entry }) => ({
        cnameFrom: entry.cnameFrom,
        contractId: property.contractId,
        groupId: property.groupId,
        propertyId: property.id,
        propertyName: property.name,
        propertyType: propertyTypeOf(world, property.id),
        [`${sides[network]}CnameType`]: entry.cnameType,
        ...onSide(network, entry),
      })),
    );
    return ok({
      accountId,
      availableSort: ["hostname:a", "hostname:d"],
      currentSort: query.sort ?? "hostname:a",
      defaultSort: "hostname:a",
      hostnames: pageOf(items, query),
    });
  },
  property_active_hostnames_list: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const items = byName(foundOn(world, property, query));
    return ok({ ...ownerOf(property), propertyId: property.id, hostnames: pageOf(items, query) });
  },
  property_hostname_differences_list: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const [staging, production] = edgeNetworks.map(
      (network) => new Map(activeOn(world, property, network).map((entry) => [entry.cnameFrom, entry.edgeHostnameId])),
    );
    const items = byName(foundOn(world, property, {}))
      .filter(({ cnameFrom }) => staging?.get(cnameFrom) !== production?.get(cnameFrom))
      .map(({ cnameType, ...item }) => ({
        ...item,
        ...(staging?.has(item.cnameFrom) && { stagingCnameType: cnameType }),
        ...(production?.has(item.cnameFrom) && { productionCnameType: cnameType }),
      }));
    return ok({ ...ownerOf(property), propertyId: property.id, hostnames: pageOf(items, query) });
  },
  property_active_hostnames_update: ({ path, query, body }, world) => {
    const { property, changes } = bucketOf(world, path, query);
    const { network, add = [], remove = [], note = "", notifyEmails = [] } = body;
    const isBusy = changes.some((one) => one.network === network && statusOf(one, world) === "PENDING");
    if (isBusy || pendingActivation(property, network, world))
      throw new RequestRefusal(409, "Operation failed", `An activation on ${network} is in progress`, {
        code: "resource-busy",
      });
    const id = `atv_${world.next("property activation", 6_001)}`;
    const entries = hostnameEntriesOf(world, add);
    changes.push({ id, network, add: entries, remove, note, notifyEmails, submittedAtMs: world.now() });
    const activationLink = linkTo(`properties/${property.id}/hostname-activations/${id}`, property);
    const hostnames = entries.map(({ certProvisioningType = "CPS_MANAGED", ...one }) => ({
      certProvisioningType,
      ...one,
    }));
    return created({ activationId: id, activationLink, hostnames }, { location: activationLink });
  },
  property_hostname_activations_list: ({ path, query }, world) => {
    const { property, changes } = bucketOf(world, path, query);
    const { offset = 0, limit = 1_000 } = query;
    const all = changes.filter(({ cancelledAtMs }) => cancelledAtMs === undefined).toReversed();
    const items = all.slice(offset * limit, (offset + 1) * limit).map((one) => activationItem(property, one, world));
    const counts = { currentItemCount: items.length, totalItems: all.length };
    return ok({ ...ownerOf(property), hostnameActivations: { items, ...counts } });
  },
  property_hostname_activation_get: ({ path, query }, world) => changeOf(world, path, query).answer(),
  property_hostname_activation_cancel: ({ path, query }, world) => {
    const { change, answer } = changeOf(world, path, query);
    const status = statusOf(change, world);
    if (status !== "PENDING")
      throw propertyRefusal("activation-cancellation/unprocessable-status", `The activation is ${status}`, 422);
    change.cancelledAtMs = world.now();
    return answer();
  },
};
