/** Changes several record sets of a DNS zone together: one change list, written and submitted under one approval. */

import type { Composition, NoChange } from "../calls/context.js";
import { composedChange } from "../calls/workflow.js";
import { lineTexts } from "../language/difference-lines.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { listAt, memberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { invalidInput, overrideArgument } from "../schema/arguments.js";
import { lossesBetween, refusedLosses, zoneOverrides } from "../tools/dns/losses.js";
import { zone as zoneName } from "../tools/dns/names.js";
import { type Rdata, settableTypes } from "../tools/dns/rdata.js";
import { aliasProblem, aliasTargets, type SetPlace } from "../tools/dns/record-set.js";
import {
  changeLinesOf,
  differenceOf,
  differenceWords,
  graveWarnings,
  type RecordSet,
} from "../tools/dns/set-notation.js";
import { emptyRequestProblems, oneOfSeveral, rdataOf, recordSetPlace, takesNewRecords } from "./dns-records.js";
import { rdataFor, recordSetAt, recordSetsIn, zoneOfSets } from "./dns-records-today.js";

const tool = "dns_records_set";
const makes = "dns_changelist_submit";
const reads = { lists: "dns_changelists_list" } as const;
const drafts = { starts: "dns_changelist_create", holds: "dns_changelist_recordset_set" } as const;

const input = z.strictObject({
  zone: zoneName,
  sets: z.array(oneOfSeveral).min(1).max(50),
  // Each removal is named by the call, so that there can be many.
  override: overrideArgument({ empty_zone: zoneOverrides.empty_zone, apex_ns: zoneOverrides.apex_ns }),
});
type SetRequest = z.output<typeof oneOfSeveral>;

/** A record set to change: where it is, and its values if it gets new ones. */
interface SetTarget {
  readonly asked: SetRequest;
  readonly at: SetPlace;
  readonly values?: readonly Rdata[];
}

const within = (at: number, problems: readonly FieldProblem[]): FieldProblem[] =>
  problems.map((one) => ({ ...one, field: `sets[${at}].${one.field}` }));

/**
 * The requested record sets.
 * @throws Failure `invalid_input` with the problems of all of them.
 */
function setTargets(zone: string, sets: readonly SetRequest[]): readonly SetTarget[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const targets = sets.map((asked, index): SetTarget => {
    const { at, problems: wrong } = recordSetPlace(
      { zone, ...asked },
      `${drafts.holds} writes SOA`,
      settableTypes.today,
    );
    const mine = [...wrong];
    const key = `${at.owner} ${at.type}`;
    if (wrong.length === 0 && seen.has(key))
      mine.push({ field: "name", given: quoteValue(asked.name), takes: "each name and type once" });
    seen.add(key);
    if (asked.remove && (asked.values ?? asked.ttl) !== undefined)
      mine.push({ field: "remove", takes: "no values and no ttl next to it" });
    if (!asked.remove) mine.push(...emptyRequestProblems(asked));
    const values = asked.values && mine.length === 0 ? rdataOf(at.type, asked.values, zone, mine) : undefined;
    problems.push(...within(index, mine));
    return { asked, at, ...(values === undefined ? {} : { values }) };
  });
  if (problems.length > 0) throw invalidInput(tool, problems);
  return targets;
}

/** What a record set is to become; nothing if it is removed, or its problem. */
function nextOf(zone: string, { asked, at, values }: SetTarget, present: RecordSet | undefined, usualTtl: number) {
  if (asked.remove) return { next: undefined };
  if (values === undefined && present === undefined) return { takes: takesNewRecords(at) };
  const rdata = values === undefined ? (present?.rdata ?? []) : rdataFor(zone, at, present, values);
  const ttl = asked.ttl ?? present?.ttl ?? usualTtl;
  return { next: { name: at.owner, type: at.type.toUpperCase(), ttl, rdata } };
}

interface RecordSetStates {
  readonly wanted: SetTarget;
  readonly present: RecordSet | undefined;
  readonly next?: (RecordSet & { readonly ttl: number }) | undefined;
}

/**
 * The record sets with their present and next state.
 * @throws Failure `invalid_input` for a set that cannot have this state among the others.
 */
function recordSetStates(zone: string, present: readonly RecordSet[], wanted: readonly SetTarget[]) {
  const { ttl: usualTtl } = zoneOfSets(zone, present).soa;
  const states = wanted.map((target) => {
    const former = recordSetAt(present, target.at);
    return { wanted: target, present: former, ...nextOf(zone, target, former, usualTtl) };
  });
  const isTouched = (set: RecordSet) => states.some(({ present: former }) => former === set);
  const after = [...present.filter((set) => !isTouched(set)), ...states.flatMap(({ next }) => next ?? [])];
  const whole = zoneOfSets(zone, after);
  const problems = states.flatMap(({ wanted: { at, asked }, next, takes }, index) => {
    if (takes !== undefined) return within(index, [{ field: "values", takes }]);
    const misplaced = next && aliasProblem(whole, at, next.rdata.length);
    return misplaced === undefined
      ? []
      : within(index, [{ field: "type", given: quoteValue(asked.type), takes: misplaced }]);
  });
  if (problems.length > 0) throw invalidInput(tool, problems);
  const warnings = states.flatMap(({ wanted: { at, values = [] } }) => aliasTargets(whole, at, values));
  return { states, after, warnings };
}

const isChange = ({ present, next }: RecordSetStates): boolean =>
  present?.ttl !== next?.ttl ||
  [...(present?.rdata ?? [])].sort().join("\n") !== [...(next?.rdata ?? [])].sort().join("\n");

/** The call that puts a record set into the change list. */
function callFor(zone: string, { wanted: { at }, present, next }: RecordSetStates) {
  const set = next ?? { name: at.owner, type: at.type.toUpperCase() };
  const op = next === undefined ? "DELETE" : present === undefined ? "ADD" : "EDIT";
  return { tool: drafts.holds, args: { zone, body: { ...set, op } } };
}

export const recordSets = composedChange({
  title: "DNS zones: set several record sets together",
  does: "Sets or removes several record sets of a zone at once, as one change list under one approval; all others stay unchanged.",
  input,
  steps: [
    "Read the record sets of the zone, and whether it has a change list.",
    "Compose the change of each named record set, and check them together.",
    "Preview the difference, and when it is approved start a change list, put each record set into it, and submit it.",
  ],
  example: {
    zone: "example.com",
    sets: [
      { name: "eu", type: "A", values: ["203.0.113.41"], ttl: 300 },
      { name: "www", type: "A", ttl: 60 },
    ],
  },
  isFrontLine: false,
  makes,

  async compose({ zone, sets, override }, { invoke }): Promise<Composition | NoChange> {
    const targets = setTargets(zone, sets);
    const lists = listAt((await invoke(reads.lists, {})).body, "changeLists");
    if (lists.some((one) => String(memberAt(one, "zone")).toLowerCase() === zone.toLowerCase()))
      throw invalidInput(tool, [
        {
          field: "zone",
          given: quoteValue(zone),
          takes: `a zone without a change list of yours: dns_changelist_compare shows what it would change, ${makes} makes it live, and dns_changelist_delete discards it`,
        },
      ]);
    const present = await recordSetsIn(invoke, zone);
    const { states: all, after, warnings } = recordSetStates(zone, present, targets);
    const changed = all.filter(isChange);
    if (changed.length === 0) return { unchanged: "The zone already has exactly these record sets." };
    const losses = lossesBetween(zone, present, after);
    const named = losses.filter((one) => one.override !== "many_removed");
    const refused = refusedLosses({ override }, named);
    if (refused.length > 0) throw invalidInput(tool, refused);
    const difference = differenceOf(zone, present, after);
    const same = all.length - changed.length;
    const touched = changed.flatMap(({ present: before, next }) => [before ?? [], next ?? []].flat());
    return {
      args: { zone, skipSignAndServeSafetyCheck: false },
      draft: {
        calls: [{ tool: drafts.starts, args: { zone } }, ...changed.map((one) => callFor(zone, one))],
        from: changed.map(({ present: before = null }) => before),
        ifLeft: `A change list of ${zone} is left, of which nothing is served: dns_changelist_compare shows it, and dns_changelist_delete discards it.`,
      },
      says: `CHANGE ${changed.length} record set${changed.length === 1 ? "" : "s"} of the zone ${zone} together, on PRODUCTION immediately: ${differenceWords(difference)}; no other record changes`,
      notes: [
        ...lineTexts(changeLinesOf(difference)),
        `${changed.length + 1} requests write the change list first; the digest covers them, too.`,
        ...(same === 0
          ? []
          : [`${same} of the ${all.length} record sets already have these records, and are left out.`]),
      ],
      warnings: [...graveWarnings(zone, touched), ...warnings],
    };
  },
});
