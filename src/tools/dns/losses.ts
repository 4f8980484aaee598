/** The losses of overwriting a zone that are refused unless the caller insists, in both generations of the API. */
import { insistsOn } from "../../language/check.js";
import type { Arguments } from "../../language/conduct.js";
import { type FieldProblem, quoteValue } from "../../language/failure.js";
import type { RecordSet } from "./set-notation.js";
import { ownerOf, recordsOf, type StoredZone, typesOf } from "./zone.js";

/** The words of the argument `override`, and their meanings. */
export const zoneOverrides = {
  empty_zone: "the zone would be empty",
  apex_ns: "the apex would lose a name server",
  many_removed: "over a quarter of the records would be removed",
} as const;

interface Loss {
  readonly override: keyof typeof zoneOverrides;
  /** A loss, as a sentence. */
  readonly says: string;
}

/** The number of records of each name and type. The SOA record does not count, because it always stays. */
function countsIn(sets: readonly RecordSet[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, type, rdata } of sets) {
    const key = `${name} ${type}`;
    if (type !== "SOA") counts.set(key, (counts.get(key) ?? 0) + rdata.length);
  }
  return counts;
}
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

const apexServers = (zone: string, sets: readonly RecordSet[]): readonly string[] =>
  sets
    .filter(({ name, type }) => type === "NS" && name === ownerOf(zone, null))
    .flatMap(({ rdata }) => rdata.map((target) => target.toLowerCase()));

/**
 * The losses between what is served and what would be. A record whose value changes is not lost, but one that is no
 * longer served is. A new zone loses nothing.
 */
export function lossesBetween(
  zone: string,
  present: readonly RecordSet[],
  newSets: readonly RecordSet[],
): readonly Loss[] {
  const [before, after] = [countsIn(present), countsIn(newSets)];
  const losses: Loss[] = [];
  if (total(after) === 0 && total(before) > 0)
    losses.push({ override: "empty_zone", says: `${quoteValue(zone)} would only have its SOA record.` });
  const [servers, left] = [apexServers(zone, present), new Set(apexServers(zone, newSets))];
  const gone = servers.filter((target) => !left.has(target));
  if (gone.length > 0)
    losses.push({
      override: "apex_ns",
      says: `The apex of ${quoteValue(zone)} would lose ${gone.length} of its ${servers.length} name servers: ${gone.map(quoteValue).join(", ")}.`,
    });
  const removed = [...before].reduce((sum, [key, count]) => sum + Math.max(0, count - (after.get(key) ?? 0)), 0);
  if (removed * 4 > total(before))
    losses.push({
      override: "many_removed",
      says: `${removed} of the ${total(before)} records of ${quoteValue(zone)} would be removed.`,
    });
  return losses;
}

/** The served records of a zone that is one document, each as a set of its own. */
const servedIn = (zone: StoredZone): readonly RecordSet[] =>
  typesOf(zone).flatMap((type) =>
    recordsOf(zone, type)
      .filter(({ active }) => active !== false)
      .map(({ name, target }) => ({
        name: ownerOf(zone.name, name),
        type: type.toUpperCase(),
        rdata: [String(target)],
      })),
  );

/** The losses when a zone is overwritten as one document. */
export const lossesOf = (present: StoredZone, written: StoredZone): readonly Loss[] =>
  lossesBetween(present.name, servedIn(present), servedIn(written));

/** A problem for each loss that the caller does not insist on. */
export const refusedLosses = (args: Arguments, losses: readonly Loss[]): readonly FieldProblem[] =>
  losses
    .filter(({ override }) => !insistsOn(args, override))
    .map(({ override, says }) => ({
      field: "override",
      takes: `${JSON.stringify(override)} in addition, if that is what the user wants: ${says}`,
    }));
