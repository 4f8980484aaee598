/** Sets or removes one record set of a DNS zone, without resending the zone. */
import { isDeepStrictEqual } from "node:util";
import type { Composition, Invoke, NoChange } from "../calls/context.js";
import { composedChange } from "../calls/workflow.js";
import { Failure, type FieldProblem, quoteValue } from "../language/failure.js";
import { introduction } from "../language/reading.js";
import { z } from "../language/z.js";
import { invalidInput, overrideArgument } from "../schema/arguments.js";
import { didYouMean } from "../text/nearest.js";
import { ZoneDocument } from "../tools/dns/index.js";
import { zoneOverrides } from "../tools/dns/losses.js";
import { zone as zoneName } from "../tools/dns/names.js";
import { namesOfValues } from "../tools/dns/presentation.js";
import { type Rdata, rdataKey, rdataText, readRdata, settableTypes } from "../tools/dns/rdata.js";
import {
  aliasProblem,
  aliasTargets,
  changedLines,
  lineOf,
  removeRecords,
  type SetPlace,
  setRecords,
  setTtl,
  ttlOf,
} from "../tools/dns/record-set.js";
import { nextSerial, ownerNamed, type StoredZone, setAt, typesOf } from "../tools/dns/zone.js";
import { parseShape } from "./steps.js";

const writes = "dns_zone_write";
const reads = "dns_zone_get";
const steps = [
  "Read the zone and its token.",
  "Change the one record set; everything else stays unchanged.",
  "Increase the serial: to today's if the zone follows the convention YYYYMMDDnn, or by one.",
  "Preview the difference, and when it is approved write the zone with the token that was read.",
] as const;

const ofSet = {
  name: z.string().min(1).max(254).describe("www, or www.example.com; @ is the apex"),
  type: z.string().min(1).max(12).describe("A, AAAA, CNAME, MX, TXT and others"),
};
const place = { zone: zoneName, ...ofSet };
const override = overrideArgument(zoneOverrides);
const value = z.string().min(1).max(4_000);
const forms = "as in a zone file: 10 mail.example.com. for MX";

const next = {
  values: z.array(value).min(1).max(200).optional().describe(`All of them, ${forms}`),
  ttl: z.int().min(0).max(2_147_483_647).optional().describe("Seconds; without values, only it changes"),
};
export const setInput = z.strictObject({ ...place, ...next, override });
/** One of several record sets. */
export const oneOfSeveral = z.strictObject({
  ...ofSet,
  ...next,
  remove: z.literal(true).optional().describe("In place of values and ttl"),
});
export const removalInput = z.strictObject({
  ...place,
  value: value.optional().describe(`Only this one, ${forms}`),
  override,
});

export interface RecordSetRequest {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly override?: readonly string[] | undefined;
}

/** The requested record set, with the problems of its name or type. */
export function recordSetPlace(
  { zone, name, type }: RecordSetRequest,
  others = `${writes} writes others`,
  types = settableTypes.former,
): {
  readonly at: SetPlace;
  readonly problems: readonly FieldProblem[];
} {
  const owner = ownerNamed(zone, name);
  const lower = type.toLowerCase();
  const known = types.map((one) => one.toUpperCase());
  const problems: FieldProblem[] = [];
  if (owner === undefined)
    problems.push({
      field: "name",
      given: quoteValue(name),
      takes: `a name in ${zone}: relative to it, absolute, or @ for the apex; in ASCII`,
    });
  if (!types.includes(lower))
    problems.push({
      field: "type",
      given: quoteValue(type),
      takes: `one of ${known.join(", ")}${didYouMean(type, known)}; ${others}`,
    });
  return { at: { owner: owner ?? "", type: lower }, problems };
}

/** The problem with a call that gives neither values nor a TTL. */
export function emptyRequestProblems({
  values,
  ttl,
}: {
  readonly values?: unknown;
  readonly ttl?: unknown;
}): readonly FieldProblem[] {
  return values === undefined && ttl === undefined
    ? [{ field: "values", takes: "the values of the records, or a ttl for the existing ones" }]
    : [];
}

interface ZoneWithToken {
  readonly token: string;
  readonly zone: StoredZone;
}

/** Reads the zone; undeclared parts are kept, because the whole zone is written again. */
async function readZone(invoke: Invoke, zone: string): Promise<ZoneWithToken> {
  const { body } = await invoke(reads, { zone });
  parseShape(reads, ZoneDocument, body);
  return body as ZoneWithToken;
}

/** The call that writes the changed zone; `unchanged` if there is nothing to write. */
function composeZoneWrite(
  { token, zone }: ZoneWithToken,
  changed: StoredZone,
  at: SetPlace,
  request: RecordSetRequest,
  { unchanged, says, notes = [], warnings = [] }: NoChange & Pick<Composition, "says" | "notes" | "warnings">,
): Composition | NoChange {
  if (isDeepStrictEqual(changed, zone)) return { unchanged };
  const serial = nextSerial(zone.soa.serial, Date.now());
  if (serial === undefined)
    throw new Failure("not_allowed", `The serial of ${request.zone} cannot be increased any more.`, {
      why: "It is the maximum of 32 bits, and a change needs a larger one.",
      next: "Have the vendor reset the zone's serial before changing it.",
    });
  const newZone = { ...changed, soa: { ...changed.soa, serial } };
  return {
    args: {
      zone: request.zone,
      body: { token, zone: newZone },
      ...(request.override === undefined ? {} : { override: request.override }),
    },
    ...(says === undefined ? {} : { says }),
    notes: [...changedLines(zone, newZone, at), `soa.serial: ${zone.soa.serial} -> ${serial}`, ...notes],
    warnings,
  };
}

const maxNamed = 5;

/** Values in a sentence, limited to the first ones. */
function valuesText(type: string, values: readonly Parameters<typeof rdataText>[1][]): string {
  const texts = values.slice(0, maxNamed).map((one) => rdataText(type, one));
  return `${texts.join(", ")}${values.length > maxNamed ? ` and ${values.length - maxNamed} more` : ""}`;
}

/** The values as data, with the problems of each. */
export function rdataOf(
  type: string,
  values: readonly string[],
  zone: string,
  problems: FieldProblem[],
): readonly Rdata[] {
  const seen = new Set<string>();
  return values.flatMap((text, at): Rdata[] => {
    const read = readRdata(type, text, namesOfValues(zone));
    const isData = !("takes" in read);
    const key = isData ? rdataKey(type, read) : "";
    const takes = isData ? (seen.has(key) ? "each value once" : undefined) : String(read["takes"]);
    seen.add(key);
    if (takes !== undefined) problems.push({ field: `values[${at}]`, given: quoteValue(text), takes });
    return isData ? [read] : [];
  });
}

/** The fields of the former API are texts without escapes, so that they hold only ASCII. */
const unwritable = (values: readonly Rdata[]): readonly FieldProblem[] =>
  values.flatMap((value, at) =>
    Object.values(value).every((one) => /^[\x20-\x7e]*$/.test(String(one)))
      ? []
      : [{ field: `values[${at}]`, takes: "printable ASCII, because this API has no escapes in this type" }],
  );

export const setTool = "dns_record_set";

/** What a call takes if there are no records whose TTL could change. */
export const takesNewRecords = ({ owner, type }: SetPlace): string =>
  `the values of new records: ${owner}. has no ${type.toUpperCase()} record whose TTL could change`;

/** @throws Failure `invalid_input` for a TTL of records that a zone does not have, with the types that the name has. */
export function refuseTtl(zone: StoredZone, at: SetPlace): never {
  const others = typesOf(zone).filter((type) => setAt(zone, at.owner, type).length > 0);
  const has = others.length === 0 ? "no record" : `${others.map((type) => type.toUpperCase()).join(", ")} records`;
  throw invalidInput(setTool, [{ field: "values", takes: `${takesNewRecords(at)}; it has ${has}` }]);
}

/** The existing records of a set with another TTL, otherwise unchanged. */
function ttlChange(
  stored: ZoneWithToken,
  at: SetPlace,
  request: RecordSetRequest,
  ttl: number,
): Composition | NoChange {
  const present = setAt(stored.zone, at.owner, at.type);
  if (present.length === 0) refuseTtl(stored.zone, at);
  const what = `the ${at.type.toUpperCase()} records of ${at.owner}.`;
  const former = [...new Set(present.map((record) => record.ttl))].filter((one) => one !== ttl);
  return composeZoneWrite(stored, setTtl(stored.zone, at, ttl), at, request, {
    unchanged: `The TTL of ${what} is already ${ttl}.`,
    says: `SET the TTL of ${what} in the zone ${request.zone} to ${ttl} instead of ${former.join(" and ")}, on PRODUCTION immediately: the values ${valuesText(at.type, present)} stay; no other record changes`,
  });
}

export const recordSet = composedChange({
  title: "DNS zones: set one record set",
  does: "Sets the records of one name and type in a zone, or only their TTL; all others stay unchanged. Increases the serial.",
  input: setInput,
  steps,
  example: { zone: "example.com", name: "www", type: "A", values: ["203.0.113.99"] },
  introduction: introduction`${setTool} changes one record of a DNS zone without resending the zone.`,
  makes: writes,

  async compose(request, { invoke }) {
    const { at, problems } = recordSetPlace(request);
    const wrong = [...problems, ...emptyRequestProblems(request)];
    const values = wrong.length === 0 ? rdataOf(at.type, request.values ?? [], request.zone, wrong) : [];
    wrong.push(...unwritable(values));
    if (wrong.length > 0) throw invalidInput(setTool, wrong);
    const stored = await readZone(invoke, request.zone);
    if (request.values === undefined && request.ttl !== undefined) return ttlChange(stored, at, request, request.ttl);
    const misplaced = aliasProblem(stored.zone, at, values.length);
    if (misplaced !== undefined)
      throw invalidInput(setTool, [{ field: "type", given: quoteValue(request.type), takes: misplaced }]);
    const present = setAt(stored.zone, at.owner, at.type);
    const isNew = request.ttl === undefined && present.length === 0;
    const ttl = ttlOf(stored.zone, at, request.ttl);
    const keys = new Set(values.map((one) => rdataKey(at.type, one)));
    const gone = present.filter((record) => !keys.has(rdataKey(at.type, record)));
    const former = present.find((record) => record.ttl !== ttl)?.ttl;
    const lost =
      gone.length === 0
        ? "nothing is removed"
        : `${valuesText(at.type, gone)} ${gone.length === 1 ? "is" : "are"} removed`;
    return composeZoneWrite(stored, setRecords(stored.zone, at, values, request.ttl), at, request, {
      unchanged: `${at.owner}. already has exactly these ${request.type.toUpperCase()} records, with a TTL of ${ttl}.`,
      says: `SET the ${at.type.toUpperCase()} records of ${at.owner}. in the zone ${request.zone} to ${valuesText(at.type, values)}, TTL ${ttl}${former === undefined ? "" : ` instead of ${former}`}, on PRODUCTION immediately: ${lost}; no other record changes`,
      notes: isNew ? [`The TTL is the zone's default, ${ttl} seconds, because none was given.`] : [],
      warnings: aliasTargets(stored.zone, at, values),
    });
  },
});

export const removeTool = "dns_record_remove";
export const recordRemoval = composedChange({
  title: "DNS zones: remove one record set",
  does: "Removes the records of one name and type from a zone, or one of them; all others stay unchanged. Increases the serial.",
  input: removalInput,
  steps,
  example: { zone: "example.com", name: "blog", type: "CNAME" },
  makes: writes,

  async compose(request, { invoke }) {
    const { at, problems } = recordSetPlace(request);
    if (problems.length > 0) throw invalidInput(removeTool, problems);
    const stored = await readZone(invoke, request.zone);
    const present = setAt(stored.zone, at.owner, at.type);
    const text = request.value?.trim();
    const data = text === undefined ? undefined : readRdata(at.type, text, namesOfValues(request.zone));
    const key = data === undefined || "takes" in data ? undefined : rdataKey(at.type, data);
    // A stored value can be one that could not be set; it is then named by its own text.
    const isChosen = (record: (typeof present)[number]) =>
      text === undefined || rdataText(at.type, record) === text || rdataKey(at.type, record) === key;
    if (data && "takes" in data && !present.some(isChosen))
      throw invalidInput(removeTool, [{ field: "value", given: quoteValue(text), takes: String(data["takes"]) }]);
    const lines = present.slice(0, maxNamed).map((record) => lineOf(at, record));
    const has = lines.length === 0 ? "none" : lines.join("; ");
    const what = text === undefined ? "" : " with this value";
    const [gone, remainder] = [present.filter(isChosen), present.filter((record) => !isChosen(record))];
    const type = at.type.toUpperCase();
    const left =
      remainder.length === 0 ? `the name then has no ${type} record` : `it keeps ${valuesText(at.type, remainder)}`;
    return composeZoneWrite(stored, removeRecords(stored.zone, at, isChosen), at, request, {
      unchanged: `${at.owner}. has no ${request.type.toUpperCase()} record${what}. Records of this name and type: ${has}.`,
      says: `REMOVE the ${type} record${gone.length === 1 ? "" : "s"} ${valuesText(at.type, gone)} of ${at.owner}. from the zone ${request.zone}, on PRODUCTION immediately: ${left}; no other record changes`,
    });
  },
});
