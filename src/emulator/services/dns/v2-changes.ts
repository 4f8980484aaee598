/** Change lists and versions: a draft of the next version of a zone, and the versions before. */
import { membership } from "../../../language/guards.js";
import { textKey } from "../../../tools/dns/rdata.js";
import type { changes as declaredChanges } from "../../../tools/dns/v2-changes.js";
import type { versions as declaredVersions } from "../../../tools/dns/v2-versions.js";
import { conflict, created, noContent, ok, orNotFound } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { commit, listedSets, paged, withRecords, writable, zoneIn } from "./changed.js";
import { setOf, setsOf, withAllSets, withSetOf } from "./sets.js";
import { fileOf, setsOfFile } from "./v2-records.js";
import { iso, settingsOf } from "./v2-zones.js";
import { type Content, uuidOf, type Version, versionOf, versionsOf, type WholeSet } from "./zones.js";

interface Draft extends Content {
  readonly base: Version;
  readonly changeTag: string;
  readonly at: number;
}

const draftOf = (world: World, base: Version, content: Content, at = world.now()): Draft => ({
  base,
  zone: content.zone,
  others: content.others,
  changeTag: uuidOf(world, "change list", world.next("dns change", 1)),
  at,
});

/** The drafts of the user, of which one is there from the start, whatever has become of its zone since. */
const drafts = (world: World): Map<string, Draft> =>
  world.state("dns drafts", () => {
    const name = "shop.example";
    const base = versionsOf(world, name)?.findLast(({ at }) => at < world.startedAtMs);
    if (!base) return new Map();
    const set = { name: `m.${name}`, type: "CNAME", ttl: 300, rdata: [`www.${name}.`] };
    return new Map([[name, draftOf(world, base, withSetOf(base, set, set), world.startedAtMs)]]);
  });

const draftIn = (world: World, zone: string): Draft => {
  zoneIn(world, zone);
  return orNotFound(drafts(world).get(zone.toLowerCase()), `There is no change list for ${zone}`);
};

const isStale = (world: World, { base }: Draft): boolean =>
  versionOf(world, base.zone.name)?.versionId !== base.versionId;

const shownDraft = (world: World, draft: Draft) => ({
  zone: draft.base.zone.name,
  changeTag: draft.changeTag,
  zoneVersionId: draft.base.versionId,
  stale: isStale(world, draft),
  lastModifiedDate: iso(draft.at),
});

const keep = (world: World, draft: Draft, content: Content): void => {
  drafts(world).set(draft.base.zone.name, draftOf(world, draft.base, content));
};

const keyOf = ({ name, type }: WholeSet): string => `${name} ${type}`;
const dataOf = ({ ttl, rdata }: WholeSet) => ({ ttl, rdata });
function isSame(one: WholeSet, other: WholeSet): boolean {
  const { lost, gained } = membership(one.rdata, other.rdata, (text) => textKey(one.type, text));
  return one.ttl === other.ttl && lost.length === 0 && gained.length === 0;
}

interface SetDifference {
  readonly name: string;
  readonly type: string;
  readonly operation: "ADD" | "DELETE" | "EDIT";
  readonly fromValue?: unknown;
  readonly toValue?: unknown;
  readonly [member: string]: unknown;
}

/** What differs between two lists of sets. */
function differencesOf(before: readonly WholeSet[], after: readonly WholeSet[]): SetDifference[] {
  const [old, now] = [new Map(before.map((one) => [keyOf(one), one])), new Map(after.map((one) => [keyOf(one), one]))];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((key): SetDifference[] => {
    const [from, to] = [old.get(key), now.get(key)];
    const { name = "", type = "" } = from ?? to ?? {};
    if (!from && to) return [{ name, type, operation: "ADD", toValue: dataOf(to) }];
    if (from && !to) return [{ name, type, operation: "DELETE", fromValue: dataOf(from) }];
    if (!from || !to || isSame(from, to)) return [];
    return [{ name, type, operation: "EDIT", fromValue: dataOf(from), toValue: dataOf(to) }];
  });
}

/** The settings that differ between two versions. */
const settingDifferences = (before: Version, after: Version) =>
  ["comment", "signAndServe", "signAndServeAlgorithm", "endCustomerId", "contractId"].flatMap((fieldName) => {
    const [fromValue, toValue] = [before.settings[fieldName], after.settings[fieldName]];
    if (fromValue === toValue) return [];
    const operation: SetDifference["operation"] =
      fromValue === undefined ? "ADD" : toValue === undefined ? "DELETE" : "EDIT";
    return [
      {
        fieldName,
        operation,
        ...(fromValue === undefined ? {} : { fromValue }),
        ...(toValue === undefined ? {} : { toValue }),
      },
    ];
  });

interface Side {
  readonly id: string;
  readonly at: number;
}
const metadataOf = (from: Side, to: Side) => ({
  fromVersionId: from.id,
  toVersionId: to.id,
  fromVersionLastModifiedDate: iso(from.at),
  toVersionLastModifiedDate: iso(to.at),
});

/** The sets of a draft, each with what the draft makes of it. */
function annotated(draft: Draft) {
  const [before, after] = [setsOf(draft.base), setsOf(draft)];
  const stateOf = (set: WholeSet): "PRISTINE" | "EDITED" | "ADDED" => {
    const former = before.find((one) => keyOf(one) === keyOf(set));
    return former ? (isSame(former, set) ? "PRISTINE" : "EDITED") : "ADDED";
  };
  const gone = before.filter((one) => !after.some((other) => keyOf(other) === keyOf(one)));
  return [
    ...after.map((set) => ({ ...set, state: stateOf(set) })),
    ...gone.map((set) => ({ ...set, state: "DELETED" as const })),
  ];
}

export const changes: BehavioursOf<typeof declaredChanges> = {
  dns_changelists_list: (_, world) =>
    ok({ changeLists: [...drafts(world).values()].map((draft) => shownDraft(world, draft)) }),

  dns_changelist_create: ({ query: { zone, overwrite = "none" } }, world) => {
    const present = drafts(world).get(zone.toLowerCase());
    const isReplaceable = overwrite === "any" || (overwrite === "stale" && present && isStale(world, present));
    if (present && !isReplaceable) throw conflict(`There is a change list for ${zone} already`);
    const base = writable(world, zone);
    const draft = draftOf(world, base, base);
    drafts(world).set(base.zone.name, draft);
    return created(shownDraft(world, draft));
  },

  dns_changelist_get: ({ path: { zone } }, world) => ok(shownDraft(world, draftIn(world, zone))),

  dns_changelist_delete: ({ path: { zone } }, world) => {
    drafts(world).delete(draftIn(world, zone).base.zone.name);
    return noContent();
  },

  dns_changelist_recordsets_list: ({ path: { zone }, query }, world) =>
    ok(listedSets(zone, annotated(draftIn(world, zone)), query)),

  dns_changelist_recordset_set: ({ path: { zone }, body }, world) => {
    const draft = draftIn(world, zone);
    const { name, type, op, ttl = 0, rdata = [] } = body;
    const isThere = setOf(draft, name, type) !== undefined;
    if (isThere === (op === "ADD")) throw conflict(`${name} ${type} is ${isThere ? "there already" : "not there"}`);
    keep(world, draft, withSetOf(draft, body, op === "DELETE" ? undefined : { name, type, ttl, rdata }));
    return noContent();
  },

  dns_changelist_file_replace: ({ path: { zone }, body }, world) => {
    const draft = draftIn(world, zone);
    keep(world, draft, withAllSets(draft, setsOfFile(body, zone)));
    return noContent();
  },

  dns_changelist_compare: ({ path: { zone } }, world) => {
    const draft = draftIn(world, zone);
    const { base } = draft;
    return ok({
      metadata: metadataOf({ id: base.versionId, at: base.at }, { id: draft.changeTag, at: draft.at }),
      diffs: { recordSetDiffs: differencesOf(setsOf(base), setsOf(draft)), settingsDiffs: [] },
    });
  },

  dns_changelist_submit: ({ path: { zone } }, world) => {
    const draft = draftIn(world, zone);
    if (isStale(world, draft)) throw conflict(`The change list for ${zone} is stale: the zone has changed since`);
    commit(world, zone, draft.base, draft);
    drafts(world).delete(draft.base.zone.name);
    return noContent();
  },
};

const versionIn = (world: World, zone: string, id: string): Version => {
  zoneIn(world, zone);
  const found = versionsOf(world, zone)?.find(({ versionId }) => versionId === id.toLowerCase());
  return orNotFound(found, `${zone} has no version ${id}`);
};

export const versions: BehavioursOf<typeof declaredVersions> = {
  dns_zone_versions_list: ({ path: { zone }, query }, world) => {
    zoneIn(world, zone);
    const all = [...(versionsOf(world, zone) ?? [])].reverse();
    const { items, metadata } = paged(
      all.map((one, at) => ({
        ...settingsOf(world, one),
        ...(at > 0 ? { activationState: "OBSOLETE" as const } : {}),
      })),
      query,
    );
    return ok({ metadata, versions: items });
  },

  dns_zone_version_get: ({ path: { zone, uuid } }, world) => {
    const version = versionIn(world, zone, uuid);
    const isPresent = versionOf(world, zone)?.versionId === version.versionId;
    return ok({ ...settingsOf(world, version), ...(isPresent ? {} : { activationState: "OBSOLETE" as const }) });
  },

  dns_zone_version_compare: ({ path: { zone }, query }, world) => {
    const [from, to] = [versionIn(world, zone, query.from), versionIn(world, zone, query.to)];
    return ok({
      metadata: metadataOf({ id: from.versionId, at: from.at }, { id: to.versionId, at: to.at }),
      diffs: {
        recordSetDiffs: differencesOf(setsOf(from), setsOf(to)),
        settingsDiffs: settingDifferences(from, to),
      },
    });
  },

  dns_zone_version_recordsets_list: ({ path: { zone, uuid }, query }, world) =>
    ok(listedSets(zone, setsOf(versionIn(world, zone, uuid)), query)),

  dns_zone_version_file_get: ({ path: { zone, uuid } }, world) =>
    ok(fileOf(zone, setsOf(versionIn(world, zone, uuid)))),

  dns_zone_version_activate: ({ path: { zone, uuid } }, world) => {
    writable(world, zone);
    const present = withRecords(world, zone);
    const former = versionIn(world, zone, uuid);
    const { serial } = present.zone.soa;
    commit(world, zone, present, {
      zone: { ...former.zone, soa: { ...former.zone.soa, serial } },
      others: former.others,
    });
    return noContent();
  },
};
