/** Zones of today: their settings, and requests that delete several of them in the background. */
import { dayMs } from "../../../time/durations.js";
import type { zones as declared } from "../../../tools/dns/v2-zones.js";
import type { Call } from "../../behaviour.js";
import { endOf, isOver, type Job } from "../../primitives/job.js";
import { findIn, Store } from "../../primitives/store.js";
import { badRequest, conflict, created, notFound, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { contracts } from "../account.js";
import { groupsOf } from "../groups.js";
import { isChosen, pageOfList, presentZoneOf } from "./changed.js";
import { knownTypes, type ZoneBody } from "./sets.js";
import { addVersion, endZone, everyZone, soa, uuidOf, versionOf, type ZoneVersion } from "./zones.js";

const aliasesOf = (world: World, name: string): readonly string[] =>
  everyZone(world)
    .filter(({ settings }) => settings.type === "ALIAS" && settings.target?.toLowerCase() === name.toLowerCase())
    .map(({ zone }) => zone.name);

/** A version of a zone as its settings are read. */
export function settingsOf(world: World, { zone, settings, versionId, at, by, isNew }: ZoneVersion) {
  const isAlias = settings.type === "ALIAS";
  const isPresent = versionOf(world, zone.name)?.versionId === versionId;
  return {
    zone: zone.name,
    ...settings,
    activationState: !isPresent ? ("OBSOLETE" as const) : isNew ? ("NEW" as const) : ("ACTIVE" as const),
    versionId,
    lastModifiedBy: by,
    lastModifiedDate: instant(at),
    ...(isAlias || isNew ? {} : { lastActivationDate: instant(at) }),
    ...(isAlias ? {} : { aliasCount: aliasesOf(world, zone.name).length }),
  };
}

const authorities = ["a1-64.edge.example.", "a9-65.edge.example.", "a24-66.edge.example."];

/** A new zone as it is before its first change list: its name servers and start of authority are not served yet. */
const blank = (name: string): ZoneBody => ({
  name,
  soa: soa(name, 1, authorities[0]),
  ns: authorities.map((target) => ({ name: null, ttl: 86_400, active: true, target })),
});

type Wanted = Call<(typeof declared)["dns_zone_create"]>["body"];

/** Why a zone cannot be created; undefined if it can. */
function obstacleTo(world: World, { zone, type, masters, target }: Wanted): string | undefined {
  if (versionOf(world, zone)) return "ZONE_ALREADY_EXISTS";
  if (type === "SECONDARY" && (!Array.isArray(masters) || masters.length === 0)) return "MALFORMED_ZONE";
  if (type === "ALIAS" && (typeof target !== "string" || !versionOf(world, target)))
    return "ALIAS_TARGET_NOT_PROPAGATED";
  return undefined;
}

const permissions = ["READ", "WRITE", "ADD", "DELETE"] as const;
const features = ["PRIMARY_ZONES", "SECONDARY_ZONES", "ALIAS_ZONES", "DNSSEC_SIGN_AND_SERVE"] as const;

function contractOf(world: World, id: string) {
  const contract = findIn(contracts, { id, isExpired: false }, `There is no contract ${id}`);
  return {
    contractId: id,
    contractName: contract.products[0]?.name ?? id,
    contractTypeName: "DIRECT_CUSTOMER",
    permissions,
    features,
    zoneCount: everyZone(world).filter(({ settings }) => settings.contractId === id).length,
    maximumZones: 50,
  };
}

const groupOf = (world: World, id: number) => findIn(groupsOf(world), { id }, `There is no group ${id}`);

/** Refuses a group that is named and does not exist. */
function checkGroup(world: World, gid: number | undefined): void {
  if (gid !== undefined) groupOf(world, gid);
}

/** A request that deletes zones in the background: what it did is known when it is over. */
interface Deletion extends Job {
  readonly requestId: string;
  readonly done: readonly string[];
  readonly failed: readonly { readonly zone: string; readonly failureReason: string }[];
}

const deletionsIn = (world: World): Store<Deletion> =>
  world.state("dns deletions", () => {
    const requestId = "6b1f7a52-3c0d-4e8f-9a2b-000000000001";
    const past = { requestId, atMs: world.startedAtMs, lastsMs: 0, done: ["winter.example"], failed: [] };
    return new Store<Deletion>("requestId", (id) => `There is no request ${id}`, [past]);
  });

const expirationDate = (deletion: Deletion): string => instant(endOf(deletion) + 7 * dayMs);

export const zones: BehavioursOf<typeof declared> = {
  dns_zones_list: ({ query }, world) => {
    const { contractIds = [], search = "", types = [] } = query;
    const found = everyZone(world)
      .filter(({ zone, settings: { contractId, type } }) => {
        return isChosen(contractIds, contractId) && isChosen(types, type) && zone.name.includes(search);
      })
      .map((version) => settingsOf(world, version));
    const { items, metadata } = pageOfList(found, query);
    return ok({ metadata, zones: items });
  },

  dns_zone_config_get: ({ path }, world) => ok(settingsOf(world, presentZoneOf(world, path.zone))),

  dns_zone_create: ({ query: { contractId, gid }, body }, world) => {
    contractOf(world, contractId);
    checkGroup(world, gid);
    const obstacle = obstacleTo(world, body);
    if (obstacle === "ZONE_ALREADY_EXISTS") throw conflict(`The zone ${body.zone} exists already`);
    if (obstacle) throw badRequest(`The zone ${body.zone} cannot be created: ${obstacle}`);
    const { zone, ...settings } = body;
    const version = addVersion(world, {
      zone: blank(zone),
      others: [],
      settings: { signAndServe: false, ...settings, contractId },
      isNew: settings.type === "PRIMARY",
    });
    return created(settingsOf(world, version));
  },

  dns_zone_config_replace: ({ path, body: { zone, ...settings } }, world) => {
    const present = presentZoneOf(world, path.zone);
    if (zone.toLowerCase() !== path.zone.toLowerCase()) throw badRequest("The body is of another zone than the path");
    if (settings.type !== present.settings.type) throw badRequest("The type of a zone cannot be changed");
    const { contractId = present.settings.contractId } = settings;
    return ok(settingsOf(world, addVersion(world, { ...present, settings: { ...settings, contractId } })));
  },

  dns_zone_aliases_list: ({ path: { zone } }, world) => {
    presentZoneOf(world, zone);
    return ok({ aliases: [...aliasesOf(world, zone)] });
  },

  dns_zone_contract_get: ({ path, query }, world) => {
    checkGroup(world, query.gid);
    return ok(contractOf(world, presentZoneOf(world, path.zone).settings.contractId));
  },

  dns_contracts_list: ({ query: { gid } }, world) =>
    ok({ contracts: groupOf(world, gid).contractIds.map((id) => contractOf(world, id)) }),

  dns_groups_list: ({ query: { gid } }, world) => {
    const { id, name, contractIds } = groupOf(world, gid);
    return ok({ groups: [{ groupId: id, groupName: name, contractIds: [...contractIds], permissions }] });
  },

  dns_authorities_list: ({ query: { contractIds = [] } }) => {
    const asked = contracts.filter(({ id }) => isChosen(contractIds, id));
    return ok({ contracts: asked.map(({ id }) => ({ contractId: id, authorities: [...authorities] })) });
  },

  dns_record_types_list: ({ query: { zone } }, world) => {
    presentZoneOf(world, zone);
    return ok({ types: [...knownTypes] });
  },

  dns_zone_deletion_submit: ({ query: { bypassSafetyChecks = false }, body }, world) => {
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
    const deletion = deletionsIn(world).add({
      requestId: uuidOf(world, "batch", world.next("dns batch", 1)),
      atMs: world.now(),
      lastsMs: 20_000,
      done: body.zones.filter((zone) => !failed.some((one) => one.zone === zone)),
      failed,
    });
    for (const zone of deletion.done) endZone(world, zone, endOf(deletion));
    return created({ requestId: deletion.requestId, expirationDate: expirationDate(deletion) });
  },
  dns_zone_deletion_status: ({ path: { requestId } }, world) => {
    const deletion = deletionsIn(world).find(requestId);
    const { done, failed } = deletion;
    const isComplete = isOver(world, deletion);
    return ok({
      requestId,
      isComplete,
      zonesSubmitted: done.length + failed.length,
      successCount: isComplete ? done.length : 0,
      failureCount: isComplete ? failed.length : 0,
      expirationDate: expirationDate(deletion),
    });
  },
  dns_zone_deletion_result: ({ path: { requestId } }, world) => {
    const deletion = deletionsIn(world).find(requestId);
    if (!isOver(world, deletion)) throw notFound(`The request ${requestId} is not complete`);
    return ok({ requestId, successfullyDeletedZones: [...deletion.done], failedZones: [...deletion.failed] });
  },
};
