/** What changes of one record set share: which set is meant, the reading of the zone, and the call that writes it back. */
import { isDeepStrictEqual } from "node:util";
import { Failure, type FieldProblem, shown } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import { overrideArgument } from "../api/override.js";
import { z } from "../api/z.js";
import type { Composition, Invoke, Unchanged } from "../calls/context.js";
import { ZoneDocument, zone as zoneName } from "../tools/dns/index.js";
import { zoneOverrides } from "../tools/dns/losses.js";
import { ownerNamed } from "../tools/dns/names.js";
import { rdataText, settableTypes } from "../tools/dns/rdata.js";
import { changedLines, type Place } from "../tools/dns/record-set.js";
import { nextSerial } from "../tools/dns/serial.js";
import type { Zone } from "../tools/dns/zone.js";
import { inShape } from "./steps.js";

export const writes = "dns_zone_write";
const reads = "dns_zone_get";
export const steps = [
  "Read the zone and its token.",
  "Change the one record set; everything else stays as it was read.",
  "Raise the serial: to today's by the convention YYYYMMDDnn where the zone follows it, or by one.",
  "Preview the difference, and when it is approved write the zone with the token that was read.",
] as const;

export const place = {
  zone: zoneName,
  name: z.string().max(254).describe("www, or www.example.com; @ is the apex"),
  type: z.string().min(1).max(12).describe("A, AAAA, CNAME, MX, TXT and others"),
};
export const override = overrideArgument(zoneOverrides);
export const value = z.string().min(1).max(4_000);
export const forms = "as in a zone file: 10 mail.example.com. for MX";

export interface Asked {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly override?: readonly string[] | undefined;
}

/** The record set that is asked for, with what is wrong with its name or type. */
export function placeOf({ zone, name, type }: Asked): {
  readonly at: Place;
  readonly problems: readonly FieldProblem[];
} {
  const owner = ownerNamed(zone, name);
  const lower = type.toLowerCase();
  const known = settableTypes.map((one) => one.toUpperCase());
  const problems: FieldProblem[] = [];
  if (owner === undefined)
    problems.push({
      field: "name",
      given: shown(name),
      takes: `a name in ${zone}: relative to it, absolute, or @ for the apex; in ASCII`,
    });
  if (!settableTypes.includes(lower))
    problems.push({
      field: "type",
      given: shown(type),
      takes: `one of ${known.join(", ")}${didYouMean(type, known)}; ${writes} writes others`,
    });
  return { at: { owner: owner ?? "", type: lower }, problems };
}

export interface Stored {
  readonly token: string;
  readonly zone: Zone;
}

/** Reads the zone; what is not declared of it is kept, because the whole is written again. */
export async function read(invoke: Invoke, zone: string): Promise<Stored> {
  const { body } = await invoke(reads, { zone });
  inShape(reads, ZoneDocument, body);
  return body as Stored;
}

/** The call that writes the changed zone; `unchanged` where there is nothing to write. */
export function composed(
  { token, zone }: Stored,
  changed: Zone,
  at: Place,
  asked: Asked,
  { unchanged, says, notes = [], warnings = [] }: Unchanged & Pick<Composition, "says" | "notes" | "warnings">,
): Composition | Unchanged {
  if (isDeepStrictEqual(changed, zone)) return { unchanged };
  const serial = nextSerial(zone.soa.serial, Date.now());
  if (serial === undefined)
    throw new Failure("not_allowed", `The serial of ${asked.zone} cannot be raised any more.`, {
      why: "It is the greatest that 32 bits hold, and a change needs a greater one.",
      next: "Have the zone's serial reset at the vendor before changing it.",
    });
  const written = { ...changed, soa: { ...changed.soa, serial } };
  return {
    args: {
      zone: asked.zone,
      body: { token, zone: written },
      ...(asked.override === undefined ? {} : { override: asked.override }),
    },
    ...(says === undefined ? {} : { says }),
    notes: [...changedLines(zone, written, at), `soa.serial: ${zone.soa.serial} -> ${serial}`, ...notes],
    warnings,
  };
}

export const maxNamed = 5;

/** Values in a sentence, the first of them where they are many. */
export function named(type: string, values: readonly Parameters<typeof rdataText>[1][]): string {
  const texts = values.slice(0, maxNamed).map((one) => rdataText(type, one));
  return `${texts.join(", ")}${values.length > maxNamed ? ` and ${values.length - maxNamed} more` : ""}`;
}
