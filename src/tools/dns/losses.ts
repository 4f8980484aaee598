/** What a written zone would lose that is rarely meant: all its records, the apex's name servers, or a great part. */
import { unlessInsisted } from "../../language/check.js";
import { type FieldProblem, shown } from "../../language/failure.js";
import { isRecord, memberAt } from "../../language/member.js";
import { ownerOf } from "./names.js";
import { type DnsRecord, recordsOf, typesOf, type Zone } from "./zone.js";

/** The words of the argument `override`, and what each of them stands for. */
export const zoneOverrides = {
  empty_zone: "the zone would be empty",
  apex_ns: "the apex would lose a name server",
  many_removed: "over a quarter of the records would go",
} as const;
type Override = keyof typeof zoneOverrides;

interface Loss {
  readonly override: Override;
  /** What would be lost, as a sentence. */
  readonly says: string;
}

const isServed = ({ active }: DnsRecord): boolean => active !== false;

/** How many records each name and type has that are served. */
function countsOf(zone: Zone): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of typesOf(zone))
    for (const { name } of recordsOf(zone, type).filter(isServed)) {
      const key = `${ownerOf(zone.name, name)} ${type}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

const apexServers = (zone: Zone): readonly string[] =>
  recordsOf(zone, "ns")
    .filter((record) => isServed(record) && ownerOf(zone.name, record.name) === ownerOf(zone.name, null))
    .map(({ target }) => String(target).toLowerCase());

/**
 * What is lost when a zone is written over another. A record whose value changes is not lost; one that is no longer
 * served is. Nothing is lost by a zone that is new.
 */
export function lossesOf(present: Zone, written: Zone): readonly Loss[] {
  const [before, after] = [countsOf(present), countsOf(written)];
  const losses: Loss[] = [];
  if (total(after) === 0 && total(before) > 0)
    losses.push({ override: "empty_zone", says: `${shown(present.name)} would have no record but its SOA.` });
  const left = new Set(apexServers(written));
  const gone = apexServers(present).filter((target) => !left.has(target));
  if (gone.length > 0)
    losses.push({
      override: "apex_ns",
      says: `The apex of ${shown(present.name)} would lose ${gone.length} of its ${apexServers(present).length} name servers: ${gone.map(shown).join(", ")}.`,
    });
  const removed = [...before].reduce((sum, [key, count]) => sum + Math.max(0, count - (after.get(key) ?? 0)), 0);
  if (removed * 4 > total(before))
    losses.push({
      override: "many_removed",
      says: `${removed} of the ${total(before)} records of ${shown(present.name)} would be gone.`,
    });
  return losses;
}

/** Whether a value has what the losses are found by; the schema of a write is stricter, and what is read may be odd. */
export const isZone = (value: unknown): value is Zone =>
  isRecord(value) && typeof value["name"] === "string" && isRecord(value["soa"]);

/** Refuses a write that would lose something, unless the caller insists on each loss with `override`. */
export const refuseLosses = unlessInsisted(zoneOverrides, async ({ args, present }) => {
  const written = memberAt(args, "body.zone");
  if (!isZone(written)) return [];
  const stored = memberAt(await present(), "zone");
  const insisted = (args["override"] ?? []) as readonly string[];
  if (!isZone(stored)) return [];
  return lossesOf(stored, written)
    .filter(({ override }) => !insisted.includes(override))
    .map(
      ({ override, says }): FieldProblem => ({
        field: "override",
        takes: `${JSON.stringify(override)} as well where that is what the user wants: ${says}`,
      }),
    );
});
