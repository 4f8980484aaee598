/** Change lists and versions: a draft of the next version of a zone, and the versions before. */
import { membership } from "../../../language/guards.js";
import { textKey } from "../../../tools/dns/rdata.js";
import type { changes as declaredChanges } from "../../../tools/dns/v2-changes.js";
import type { versions as declaredVersions } from "../../../tools/dns/v2-versions.js";
import { conflict, created, noContent, ok, orNotFound } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { commitZone, listSets, pageOfList, presentZoneOf, writableZone } from "./changed.js";
import { type FullRecordSet, setOf, setsOf, withAllSets, withSetOf, type ZoneContent } from "./sets.js";
import { fileOf, setsOfFile } from "./v2-records.js";
import { settingsOf } from "./v2-zones.js";
import { uuidOf, versionOf, versionsOf, type ZoneVersion } from "./zones.js";

interface Draft extends ZoneContent {
  readonly base: ZoneVersion;
  readonly changeTag: string;
  readonly at: number;
}

const draftOf = (world: World, base: ZoneVersion, { zone, others }: ZoneContent, at = world.now()): Draft => ({
  base,
  zone,
  others,
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
  presentZoneOf(world, zone);
  return orNotFound(drafts(world).get(zone.toLowerCase()), `There is no change list for ${zone}`);
};

const isStale = (world: World, { base }: Draft): boolean =>
  versionOf(world, base.zone.name)?.versionId !== base.versionId;

const shownDraft = (world: World, draft: Draft) => ({
  zone: draft.base.zone.name,
  changeTag: draft.changeTag,
  zoneVersionId: draft.base.versionId,
  stale: isStale(world, draft),
  lastModifiedDate: instant(draft.at),
});

const keep = (world: World, draft: Draft, content: ZoneContent): void => {
  drafts(world).set(draft.base.zone.name, draftOf(world, draft.base, content));
};

const keyOf = ({ name, type }: FullRecordSet): string => `${name} ${type}`;
const dataOf = ({ ttl, rdata }: FullRecordSet) => ({ ttl, rdata });
function isSame(set: FullRecordSet, other: FullRecordSet): boolean {
  const { lost, gained } = membership(set.rdata, other.rdata, (text) => textKey(set.type, text));
  return set.ttl === other.ttl && lost.length === 0 && gained.length === 0;
}

/** A value on both sides of a difference; undefined where there is none. */
const sides = (fromValue: unknown, toValue: unknown) => ({
  operation:
    fromValue === undefined ? ("ADD" as const) : toValue === undefined ? ("DELETE" as const) : ("EDIT" as const),
  fromValue,
  toValue,
});

/** What differs between two lists of sets. */
function setDifferences(before: readonly FullRecordSet[], after: readonly FullRecordSet[]) {
  const [old, now] = [new Map(before.map((one) => [keyOf(one), one])), new Map(after.map((one) => [keyOf(one), one]))];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((key) => {
    const [from, to] = [old.get(key), now.get(key)];
    const { name = "", type = "" } = from ?? to ?? {};
    return from && to && isSame(from, to) ? [] : [{ name, type, ...sides(from && dataOf(from), to && dataOf(to)) }];
  });
}

/** The settings that differ between two versions. */
const settingDifferences = (before: ZoneVersion, after: ZoneVersion) =>
  ["comment", "signAndServe", "signAndServeAlgorithm", "endCustomerId", "contractId"].flatMap((fieldName) => {
    const [from, to] = [before.settings[fieldName], after.settings[fieldName]];
    return from === to ? [] : [{ fieldName, ...sides(from, to) }];
  });

type Side = Pick<ZoneVersion, "versionId" | "at">;
const metadataOf = (from: Side, to: Side) => ({
  fromVersionId: from.versionId,
  toVersionId: to.versionId,
  fromVersionLastModifiedDate: instant(from.at),
  toVersionLastModifiedDate: instant(to.at),
});

/** The sets of a draft, each with how the draft changes it. */
function annotated(draft: Draft) {
  const [before, after] = [setsOf(draft.base), setsOf(draft)];
  const stateOf = (set: FullRecordSet): "PRISTINE" | "EDITED" | "ADDED" => {
    const former = before.find((one) => keyOf(one) === keyOf(set));
    return former ? (isSame(former, set) ? "PRISTINE" : "EDITED") : "ADDED";
  };
  return [
    ...after.map((set) => ({ ...set, state: stateOf(set) })),
    ...membership(before, after, keyOf).lost.map((set) => ({ ...set, state: "DELETED" as const })),
  ];
}

export const changes: BehavioursOf<typeof declaredChanges> = {
  dns_changelists_list: (_, world) =>
    ok({ changeLists: [...drafts(world).values()].map((draft) => shownDraft(world, draft)) }),

  dns_changelist_create: ({ query: { zone, overwrite = "none" } }, world) => {
    const present = drafts(world).get(zone.toLowerCase());
    const isReplaceable = overwrite === "any" || (overwrite === "stale" && present && isStale(world, present));
    if (present && !isReplaceable) throw conflict(`There is a change list for ${zone} already`);
    const base = writableZone(world, zone);
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
    ok(listSets(zone, annotated(draftIn(world, zone)), query)),

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
    const { base, changeTag, at } = draft;
    return ok({
      metadata: metadataOf(base, { versionId: changeTag, at }),
      diffs: { recordSetDiffs: setDifferences(setsOf(base), setsOf(draft)), settingsDiffs: [] },
    });
  },

  dns_changelist_submit: ({ path: { zone } }, world) => {
    const draft = draftIn(world, zone);
    if (isStale(world, draft)) throw conflict(`The change list for ${zone} is stale: the zone has changed since`);
    commitZone(world, draft.base, draft);
    drafts(world).delete(draft.base.zone.name);
    return noContent();
  },
};

const versionIn = (world: World, zone: string, id: string): ZoneVersion => {
  presentZoneOf(world, zone);
  const found = versionsOf(world, zone)?.find(({ versionId }) => versionId === id.toLowerCase());
  return orNotFound(found, `${zone} has no version ${id}`);
};

export const versions: BehavioursOf<typeof declaredVersions> = {
  dns_zone_versions_list: ({ path: { zone }, query }, world) => {
    presentZoneOf(world, zone);
    const all = versionsOf(world, zone)?.toReversed() ?? [];
    const { items, metadata } = pageOfList(all, query);
    return ok({ metadata, versions: items.map((one) => settingsOf(world, one)) });
  },

  dns_zone_version_get: ({ path: { zone, uuid } }, world) => ok(settingsOf(world, versionIn(world, zone, uuid))),

  dns_zone_version_compare: ({ path: { zone }, query }, world) => {
    const [from, to] = [versionIn(world, zone, query.from), versionIn(world, zone, query.to)];
    return ok({
      metadata: metadataOf(from, to),
      diffs: { recordSetDiffs: setDifferences(setsOf(from), setsOf(to)), settingsDiffs: settingDifferences(from, to) },
    });
  },

  dns_zone_version_recordsets_list: ({ path: { zone, uuid }, query }, world) =>
    ok(listSets(zone, setsOf(versionIn(world, zone, uuid)), query)),

  dns_zone_version_file_get: ({ path: { zone, uuid } }, world) =>
    ok(fileOf(zone, setsOf(versionIn(world, zone, uuid)))),

  dns_zone_version_activate: ({ path: { zone, uuid } }, world) => {
    const present = writableZone(world, zone);
    const { zone: former, others } = versionIn(world, zone, uuid);
    commitZone(world, present, {
      zone: { ...former, soa: { ...former.soa, serial: present.zone.soa.serial } },
      others,
    });
    return noContent();
  },
};
