/** Sets or removes one record set of a DNS zone with today's API: creates it, replaces it, or deletes it when it is emptied. */
import type { Composition, Invoke, NoChange } from "../calls/context.js";
import { anyOperation, composedChange } from "../calls/workflow.js";
import { quoteValue } from "../language/failure.js";
import { listInWords } from "../language/words.js";
import { invalidInput } from "../schema/arguments.js";
import { namesOfValues } from "../tools/dns/presentation.js";
import { type Rdata, rdataKey, rdataText, readRdata, settableTypes, textKey } from "../tools/dns/rdata.js";
import { aliasProblem, aliasTargets, type SetPlace } from "../tools/dns/record-set.js";
import { type RecordSet, setsIn } from "../tools/dns/set-notation.js";
import { relativeTo, type StoredZone } from "../tools/dns/zone.js";
import {
  emptyRequestProblems,
  type RecordSetRequest,
  rdataOf,
  recordSetPlace,
  refuseTtl,
  recordRemoval as removal,
  removalInput,
  removeTool,
  setInput,
  setTool,
  recordSet as setting,
} from "./dns-records.js";

const reads = "dns_recordsets_list";
const makes = {
  create: "dns_recordset_create",
  replace: "dns_recordset_replace",
  delete: "dns_recordset_delete",
} as const;
const steps = [
  "Read the record sets of the zone.",
  "Compose the one record set; a new one is created, an existing one replaced, and an emptied one deleted.",
  "Preview the difference, and when it is approved write only that record set; the API increases the serial.",
] as const;

/** The record set at a place, and the zone around it in the form in which the rules for aliases are checked. */
interface ZoneState {
  readonly present: RecordSet | undefined;
  readonly zone: StoredZone;
}

const fallbackTtl = 3_600;

/** The record sets of a zone. */
export const recordSetsIn = async (invoke: Invoke, zone: string): Promise<readonly RecordSet[]> =>
  setsIn((await invoke(reads, { zone, showAll: true })).body, "recordsets");

/** Record sets in the form that the rules for aliases are checked in. */
export function zoneOfSets(zone: string, sets: readonly RecordSet[]): StoredZone {
  const lists: Record<string, object[]> = {};
  for (const { name, type: of, ttl, rdata } of sets) {
    const list = of.toLowerCase();
    const records = rdata.map((target) => ({ name: relativeTo(zone, name), ttl, active: true, target }));
    if (list !== "soa") lists[list] = [...(lists[list] ?? []), ...records];
  }
  const ttl = sets.find((one) => one.type === "SOA")?.ttl ?? fallbackTtl;
  return { ...lists, name: zone, soa: { serial: 0, ttl } };
}

export const recordSetAt = (sets: readonly RecordSet[], { owner, type }: SetPlace): RecordSet | undefined =>
  sets.find((one) => one.name === owner && one.type === type.toUpperCase());

async function readState(invoke: Invoke, zone: string, at: SetPlace): Promise<ZoneState> {
  const sets = await recordSetsIn(invoke, zone);
  return { present: recordSetAt(sets, at), zone: zoneOfSets(zone, sets) };
}

const lines = (mark: string, { name, type, ttl, rdata }: RecordSet, others: RecordSet | undefined): readonly string[] =>
  rdata
    .filter((text) => ttl !== others?.ttl || !others?.rdata.includes(text))
    .map((text) => `${mark} ${name}. ${ttl} ${type} ${text}`);

/** The call that turns one record set into another. */
function composeSetWrite(
  { zone, override }: RecordSetRequest,
  { owner, type }: SetPlace,
  present: RecordSet | undefined,
  next: Pick<RecordSet, "rdata"> & { readonly ttl: number },
  texts: Pick<Composition, "says" | "notes" | "warnings">,
): Composition {
  const set = { name: owner, type: type.toUpperCase(), ...next };
  const isGone = next.rdata.length === 0;
  const tool = isGone ? makes.delete : present ? makes.replace : makes.create;
  const insists = present && override?.includes("apex_ns") ? { override: ["apex_ns"] } : {};
  return {
    tool,
    args: { zone, name: owner, type: set.type, ...(isGone ? {} : { body: set }), ...insists },
    ...texts,
    notes: [...(present ? lines("-", present, set) : []), ...lines("+", set, present), ...(texts.notes ?? [])],
  };
}

/** The existing records of a set with another TTL. */
function ttlChange(
  { present, zone }: ZoneState,
  at: SetPlace,
  request: RecordSetRequest,
  ttl: number,
): Composition | NoChange {
  if (present === undefined) refuseTtl(zone, at);
  const what = `the ${at.type.toUpperCase()} records of ${at.owner}.`;
  if (present.ttl === ttl) return { unchanged: `The TTL of ${what} is already ${ttl}.` };
  return composeSetWrite(
    request,
    at,
    present,
    { ttl, rdata: present.rdata },
    {
      says: `SET the TTL of ${what} in the zone ${request.zone} to ${ttl} instead of ${present.ttl}, on PRODUCTION immediately: the values ${listInWords(present.rdata)} stay; no other record changes`,
    },
  );
}

/** Values as they are written; one that is there keeps its spelling. */
export function rdataFor(
  zone: string,
  at: SetPlace,
  present: RecordSet | undefined,
  values: readonly Rdata[],
): readonly string[] {
  const known = new Map((present?.rdata ?? []).map((text) => [textKey(at.type, text, zone), text]));
  return values.map((one) => known.get(rdataKey(at.type, one)) ?? rdataText(at.type, one));
}

/** A set with these values, and a TTL if one is given. */
function valuesChange(
  { present, zone }: ZoneState,
  at: SetPlace,
  request: RecordSetRequest,
  values: readonly Rdata[],
  givenTtl: number | undefined,
): Composition | NoChange {
  const ttl = givenTtl ?? present?.ttl ?? zone.soa.ttl;
  const former = present?.rdata ?? [];
  const rdata = rdataFor(request.zone, at, present, values);
  const gone = former.filter((text) => !rdata.includes(text));
  const type = at.type.toUpperCase();
  if (gone.length === 0 && rdata.length === former.length && ttl === present?.ttl)
    return { unchanged: `${at.owner}. already has exactly these ${type} records, with a TTL of ${ttl}.` };
  const lost =
    gone.length === 0 ? "nothing is removed" : `${listInWords(gone)} ${gone.length === 1 ? "is" : "are"} removed`;
  const instead = present === undefined || present.ttl === ttl ? "" : ` instead of ${present.ttl}`;
  const isDefault = present === undefined && givenTtl === undefined;
  return composeSetWrite(
    request,
    at,
    present,
    { ttl, rdata },
    {
      says: `SET the ${type} records of ${at.owner}. in the zone ${request.zone} to ${listInWords(rdata)}, TTL ${ttl}${instead}, on PRODUCTION immediately: ${lost}; no other record changes`,
      notes: isDefault ? [`The TTL is that of the SOA record, ${ttl} seconds, because none was given.`] : [],
      warnings: aliasTargets(zone, at, values),
    },
  );
}

export const recordSetToday = composedChange({
  ...setting,
  does: "Sets the records of one name and type in a zone, or only their TTL; all others stay unchanged.",
  input: setInput,
  steps,
  makes: anyOperation,

  async compose(request, { invoke }) {
    const { at, problems } = recordSetPlace(request, `${makes.replace} writes SOA`, settableTypes.today);
    const wrong = [...problems, ...emptyRequestProblems(request)];
    const values = wrong.length === 0 ? rdataOf(at.type, request.values ?? [], request.zone, wrong) : [];
    if (wrong.length > 0) throw invalidInput(setTool, wrong);
    const found = await readState(invoke, request.zone, at);
    if (request.values === undefined && request.ttl !== undefined) return ttlChange(found, at, request, request.ttl);
    const misplaced = aliasProblem(found.zone, at, values.length);
    if (misplaced !== undefined)
      throw invalidInput(setTool, [{ field: "type", given: quoteValue(request.type), takes: misplaced }]);
    return valuesChange(found, at, request, values, request.ttl);
  },
});

export const recordRemovalToday = composedChange({
  ...removal,
  does: "Removes the records of one name and type from a zone, or one of them; all others stay unchanged.",
  input: removalInput,
  steps,
  makes: anyOperation,

  async compose(request, { invoke }) {
    const { at, problems } = recordSetPlace(request, "a zone keeps its SOA record", settableTypes.today);
    if (problems.length > 0) throw invalidInput(removeTool, problems);
    const { present } = await readState(invoke, request.zone, at);
    const text = request.value?.trim();
    const data = text === undefined ? undefined : readRdata(at.type, text, namesOfValues(request.zone));
    const former = present?.rdata ?? [];
    const isChosen = (one: string) =>
      text === undefined ||
      one === text ||
      textKey(at.type, one, request.zone) === textKey(at.type, text, request.zone);
    const [gone, remainder] = [former.filter(isChosen), former.filter((one) => !isChosen(one))];
    if (data && "takes" in data && gone.length === 0)
      throw invalidInput(removeTool, [{ field: "value", given: quoteValue(text), takes: String(data["takes"]) }]);
    const type = at.type.toUpperCase();
    if (present === undefined || gone.length === 0) {
      const what = text === undefined ? "" : " with this value";
      const has = former.length === 0 ? "none" : listInWords(former);
      return { unchanged: `${at.owner}. has no ${type} record${what}. Records of this name and type: ${has}.` };
    }
    const left = remainder.length === 0 ? `the name then has no ${type} record` : `it keeps ${listInWords(remainder)}`;
    return composeSetWrite(
      request,
      at,
      present,
      { ttl: present.ttl ?? fallbackTtl, rdata: remainder },
      {
        says: `REMOVE the ${type} record${gone.length === 1 ? "" : "s"} ${listInWords(gone)} of ${at.owner}. from the zone ${request.zone}, on PRODUCTION immediately: ${left}; no other record changes`,
      },
    );
  },
});
