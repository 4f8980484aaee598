/** Zones of today: their settings, and requests that delete several of them in the background. */
import type { zones as declared } from "../../../tools/dns/v2-zones.js";
import { badRequest, conflict, created, notFound, ok, orNotFound } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { contracts } from "../account.js";
import { groupsOf } from "../groups.js";
import { paged, zoneIn } from "./changed.js";
import { knownTypes } from "./sets.js";
import {
  addVersion,
  everyZone,
  removeZone,
  type Settings,
  soa,
  uuidOf,
  type Version,
  versionOf,
  type Zone,
} from "./zones.js";

export const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
const aliasesOf = (world: World, name: string): readonly string[] =>
  everyZone(world)
    .filter(({ settings }) => settings.type === "ALIAS" && settings.target?.toLowerCase() === name.toLowerCase())
    .map(({ zone }) => zone.name);

/** A version of a zone as its settings are read. */
export function settingsOf(world: World, { zone, settings, versionId, at, by, isNew }: Version) {
  const isAlias = settings.type === "ALIAS";
  return {
    zone: zone.name,
    ...settings,
    activationState: isNew ? ("NEW" as const) : ("ACTIVE" as const),
    versionId,
    lastModifiedBy: by,
    lastModifiedDate: iso(at),
    ...(isAlias || isNew ? {} : { lastActivationDate: iso(at) }),
    ...(isAlias ? {} : { aliasCount: aliasesOf(world, zone.name).length }),
  };
}

const authorities = ["a1-64.edge.example.", "a9-65.edge.example.", "a24-66.edge.example."];

/** A new zone as it is before its first change list: its name servers and start of authority are not served yet. */
const blank = (name: string): Zone => ({
  name,
  soa: soa(name, 1, authorities[0]),
  ns: authorities.map((target) => ({ name: null, ttl: 86_400, active: true, target })),
});

interface Wanted {
  readonly zone: string;
  readonly type: Settings["type"];
  readonly [name: string]: unknown;
}

/** Why a zone cannot be created; undefined if it can. */
function obstacleTo(world: World, { zone, type, masters, target }: Wanted): string | undefined {
  if (versionOf(world, zone)) return "ZONE_ALREADY_EXISTS";
  if (type === "SECONDARY" && (!Array.isArray(masters) || masters.length === 0)) return "MALFORMED_ZONE";
  if (type === "ALIAS" && (typeof target !== "string" || !versionOf(world, target)))
    return "ALIAS_TARGET_NOT_PROPAGATED";
  return undefined;
}

function addZone(world: World, contractId: string, { zone: name, ...settings }: Wanted): Version {
  return addVersion(world, name, {
    zone: blank(name),
    others: [],
    settings: { signAndServe: false, ...settings, contractId },
    isNew: settings.type === "PRIMARY",
  });
}

const permissions = ["READ", "WRITE", "ADD", "DELETE"] as const;
const features = ["PRIMARY_ZONES", "SECONDARY_ZONES", "ALIAS_ZONES", "DNSSEC_SIGN_AND_SERVE"] as const;

function contractOf(world: World, id: string) {
  const found = orNotFound(
    contracts.find((one) => one.id === id && !one.isExpired),
    `There is no contract ${id}`,
  );
  return {
    contractId: id,
    contractName: found.products[0]?.name ?? id,
    contractTypeName: "DIRECT_CUSTOMER",
    permissions,
    features,
    zoneCount: everyZone(world).filter(({ settings }) => settings.contractId === id).length,
    maximumZones: 50,
  };
}

const groupOf = (world: World, id: number) =>
  orNotFound(
    groupsOf(world).find((group) => group.id === id),
    `There is no group ${id}`,
  );

/** Refuses a group that is named and does not exist. */
function checkGroup(world: World, gid: number | undefined): void {
  if (gid !== undefined) groupOf(world, gid);
}

/** A request that works in the background: what it did is known when it is complete. */
interface Batch {
  readonly requestId: string;
  readonly readyAt: number;
  readonly done: readonly string[];
  readonly failed: readonly { readonly zone: string; readonly failureReason: string }[];
  /** Done once, when the request is complete. */
  finish?: (() => void) | undefined;
}

const batchSeconds = 20;
const batches = (world: World): Map<string, Batch> =>
  world.state("dns batches", () => {
    const requestId = "6b1f7a52-3c0d-4e8f-9a2b-000000000001";
    return new Map([[requestId, { requestId, readyAt: world.startedAtMs, done: ["winter.example"], failed: [] }]]);
  });

/** Lets the complete requests take effect; every behaviour that shows zones calls it first. */
function settle(world: World): void {
  for (const batch of batches(world).values()) {
    if (batch.readyAt > world.now()) continue;
    batch.finish?.();
    batch.finish = undefined;
  }
}

const expiry = ({ readyAt }: Batch): string => iso(readyAt + 7 * 86_400_000);

function started(world: World, batch: Omit<Batch, "requestId" | "readyAt">) {
  const requestId = uuidOf(world, "batch", world.next("dns batch", 1));
  const one = { ...batch, requestId, readyAt: world.now() + batchSeconds * 1_000 };
  batches(world).set(requestId, one);
  return created({ requestId, expirationDate: expiry(one) });
}

function batchOf(world: World, requestId: string): Batch {
  settle(world);
  return orNotFound(batches(world).get(requestId), `There is no request ${requestId}`);
}

function statusOf(world: World, requestId: string) {
  const batch = batchOf(world, requestId);
  const isComplete = batch.readyAt <= world.now();
  return {
    requestId,
    isComplete,
    zonesSubmitted: batch.done.length + batch.failed.length,
    successCount: isComplete ? batch.done.length : 0,
    failureCount: isComplete ? batch.failed.length : 0,
    expirationDate: expiry(batch),
  };
}

function resultOf(world: World, requestId: string): Batch {
  const batch = batchOf(world, requestId);
  if (batch.readyAt > world.now()) throw notFound(`The request ${requestId} is not complete`);
  return batch;
}

export const zones: BehavioursOf<typeof declared> = {
  dns_zones_list: ({ query }, world) => {
    settle(world);
    const { contractIds = [], search = "", types = [] } = query;
    const found = everyZone(world)
      .filter(({ zone, settings }) => {
        const isOf = contractIds.length === 0 || contractIds.includes(settings.contractId);
        return isOf && zone.name.includes(search) && (types.length === 0 || types.includes(settings.type));
      })
      .map((version) => settingsOf(world, version));
    const { items, metadata } = paged(found, query);
    return ok({ metadata, zones: items });
  },

  dns_zone_config_get: ({ path }, world) => {
    settle(world);
    return ok(settingsOf(world, zoneIn(world, path.zone)));
  },

  dns_zone_create: ({ query: { contractId, gid }, body }, world) => {
    settle(world);
    contractOf(world, contractId);
    checkGroup(world, gid);
    const obstacle = obstacleTo(world, body);
    if (obstacle === "ZONE_ALREADY_EXISTS") throw conflict(`The zone ${body.zone} exists already`);
    if (obstacle) throw badRequest(`The zone ${body.zone} cannot be created: ${obstacle}`);
    return created(settingsOf(world, addZone(world, contractId, body)));
  },

  dns_zone_config_replace: ({ path, body: { zone, ...settings } }, world) => {
    const present = zoneIn(world, path.zone);
    if (zone.toLowerCase() !== path.zone.toLowerCase()) throw badRequest("The body is of another zone than the path");
    if (settings.type !== present.settings.type) throw badRequest("The type of a zone cannot be changed");
    const { contractId } = present.settings;
    return ok(
      settingsOf(
        world,
        addVersion(world, zone, {
          ...present,
          settings: { ...settings, contractId: settings.contractId ?? contractId },
        }),
      ),
    );
  },

  dns_zone_aliases_list: ({ path: { zone } }, world) => {
    zoneIn(world, zone);
    return ok({ aliases: [...aliasesOf(world, zone)] });
  },

  dns_zone_contract_get: ({ path, query }, world) => {
    checkGroup(world, query.gid);
    return ok(contractOf(world, zoneIn(world, path.zone).settings.contractId));
  },

  dns_contracts_list: ({ query: { gid } }, world) =>
    ok({ contracts: groupOf(world, gid).contractIds.map((id) => contractOf(world, id)) }),

  dns_groups_list: ({ query: { gid } }, world) => {
    const { id, name, contractIds } = groupOf(world, gid);
    return ok({ groups: [{ groupId: id, groupName: name, contractIds: [...contractIds], permissions }] });
  },

  dns_authorities_list: ({ query: { contractIds = [] } }) => {
    const asked = contracts.filter(({ id }) => contractIds.length === 0 || contractIds.includes(id));
    return ok({ contracts: asked.map(({ id }) => ({ contractId: id, authorities: [...authorities] })) });
  },

  dns_record_types_list: ({ query: { zone } }, world) => {
    zoneIn(world, zone);
    return ok({ types: [...knownTypes] });
  },

  dns_zone_deletion_submit: ({ query: { bypassSafetyChecks = false }, body }, world) => {
    settle(world);
    // The initial zones are delegated to the CDN, and queried.
    const reasonOf = (name: string) => {
      const found = versionOf(world, name);
      if (!found) return "ZONE_NOT_FOUND";
      return !found.isNew && !bypassSafetyChecks ? "ZONE_STILL_IN_USE" : undefined;
    };
    const failed = body.zones.flatMap((zone) => {
      const failureReason = reasonOf(zone);
      return failureReason ? [{ zone, failureReason }] : [];
    });
    const done = body.zones.filter((zone) => !failed.some((one) => one.zone === zone));
    return started(world, {
      done,
      failed,
      finish: () => {
        for (const zone of done) removeZone(world, zone);
      },
    });
  },
  dns_zone_deletion_status: ({ path: { requestId } }, world) => ok(statusOf(world, requestId)),
  dns_zone_deletion_result: ({ path: { requestId } }, world) => {
    const { done, failed } = resultOf(world, requestId);
    return ok({ requestId, successfullyDeletedZones: [...done], failedZones: [...failed] });
  },
};
