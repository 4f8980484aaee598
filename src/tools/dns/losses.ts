/** The losses of overwriting a zone that are refused unless the caller insists, in both generations of the API. */
import { insistsOn } from "../../language/check.js";
import type { Arguments } from "../../language/conduct.js";
import { type FieldProblem, shown } from "../../language/failure.js";
import { type DnsRecord, ownerOf, recordsOf, typesOf, type Zone } from "./zone.js";

/** The words of the argument `override`, and their meanings. */
export const zoneOverrides = {
  empty_zone: "the zone would be empty",
  apex_ns: "the apex would lose a name server",
  many_removed: "over a quarter of the records would be removed",
} as const;
type Override = keyof typeof zoneOverrides;

interface Loss {
  readonly override: Override;
  /** A loss, as a sentence. */
  readonly says: string;
}

/** What losses are found in: how many records each name and type has, and the name servers of the apex. */
export interface Served {
  readonly name: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly apexServers: readonly string[];
}

const isServed = ({ active }: DnsRecord): boolean => active !== false;

/** The served records of a zone that is one document. */
function servedIn(zone: Zone): Served {
  const counts = new Map<string, number>();
  for (const type of typesOf(zone))
    for (const { name } of recordsOf(zone, type).filter(isServed)) {
      const key = `${ownerOf(zone.name, name)} ${type}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const apexServers = recordsOf(zone, "ns")
    .filter((record) => isServed(record) && ownerOf(zone.name, record.name) === ownerOf(zone.name, null))
    .map(({ target }) => String(target).toLowerCase());
  return { name: zone.name, counts, apexServers };
}
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

/**
 * The losses between what is served and what would be. A record whose value changes is not lost, but one that is no
 * longer served is. A new zone loses nothing.
 */
export function lossesBetween(present: Served, written: Served): readonly Loss[] {
  const [before, after] = [present.counts, written.counts];
  const losses: Loss[] = [];
  if (total(after) === 0 && total(before) > 0)
    losses.push({ override: "empty_zone", says: `${shown(present.name)} would only have its SOA record.` });
  const left = new Set(written.apexServers);
  const gone = present.apexServers.filter((target) => !left.has(target));
  if (gone.length > 0)
    losses.push({
      override: "apex_ns",
      says: `The apex of ${shown(present.name)} would lose ${gone.length} of its ${present.apexServers.length} name servers: ${gone.map(shown).join(", ")}.`,
    });
  const removed = [...before].reduce((sum, [key, count]) => sum + Math.max(0, count - (after.get(key) ?? 0)), 0);
  if (removed * 4 > total(before))
    losses.push({
      override: "many_removed",
      says: `${removed} of the ${total(before)} records of ${shown(present.name)} would be removed.`,
    });
  return losses;
}

/** The losses when a zone is overwritten as one document. */
export const lossesOf = (present: Zone, written: Zone): readonly Loss[] =>
  lossesBetween(servedIn(present), servedIn(written));

/** A problem for each loss that the caller does not insist on. */
export const refusedLosses = (args: Arguments, losses: readonly Loss[]): readonly FieldProblem[] =>
  losses
    .filter(({ override }) => !insistsOn(args, override))
    .map(({ override, says }) => ({
      field: "override",
      takes: `${JSON.stringify(override)} in addition, if that is what the user wants: ${says}`,
    }));
