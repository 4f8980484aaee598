/** Instants in arguments and responses: where a schema has them, their notations, and their ISO form. */
import type { Arguments } from "../language/conduct.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { markOf, unitMsOf } from "../language/marks.js";
import { fieldOf, withMember } from "../language/member.js";
import { onceFor } from "../language/once-for.js";
import { unwrapSchema } from "../language/shape.js";
import { z } from "../language/z.js";
import { dayMs } from "./durations.js";
import { placeLocal } from "./zone.js";

const instantMark = (schema: z.ZodType) => markOf(schema, "instant");

/** A step of a path: a member's name, or each of the items of a list or record. */
const each = Symbol("each");
type Step = string | typeof each;

interface InstantPlace {
  /** Its notation there. */
  readonly as: NonNullable<ReturnType<typeof instantMark>>;
  readonly path: readonly Step[];
}

function* placesOf(schema: z.ZodType, path: readonly Step[], above: readonly z.ZodType[]): Generator<InstantPlace> {
  const kind = unwrapSchema(schema);
  const as = instantMark(kind);
  if (as) yield { as, path };
  // A recursive schema has no end; only its first level counts.
  if (above.includes(kind)) return;
  const below = [...above, kind];
  if (kind instanceof z.ZodObject)
    for (const [name, member] of Object.entries(kind.shape))
      yield* placesOf(member as z.ZodType, [...path, name], below);
  if (kind instanceof z.ZodArray) yield* placesOf(kind.element as z.ZodType, [...path, each], below);
  if (kind instanceof z.ZodRecord) yield* placesOf(kind.valueType as z.ZodType, [...path, each], below);
  if (kind instanceof z.ZodUnion) for (const option of kind.options) yield* placesOf(option as z.ZodType, path, below);
}

/** The paths of instants in a schema, in the order of its declaration. */
export const instantsIn = onceFor((schema: z.ZodType): readonly InstantPlace[] => {
  // The options of a union usually have the same members.
  const places = [...placesOf(schema, [], [])].map((place) => [place.path.map(String).join("\n"), place] as const);
  return [...new Map(places).values()];
});

/**
 * Splits a path inside the items of a single list: the path of the list and that of the member in an item.
 * @returns undefined for a path in no list or in several.
 */
export function placeInList({
  path,
}: InstantPlace): { readonly list: string; readonly member: readonly string[] } | undefined {
  const at = path.indexOf(each);
  const [list, member] = [path.slice(0, at), path.slice(at + 1)];
  const isName = (step: Step): step is string => typeof step === "string";
  return at >= 0 && member.length > 0 && member.every(isName) ? { list: list.join("."), member } : undefined;
}

/** The values at a path, with their own paths. */
export function* valuesAt(
  value: unknown,
  [step, ...rest]: readonly Step[],
  at: readonly PropertyKey[] = [],
): Generator<readonly [path: readonly PropertyKey[], value: unknown]> {
  if (step === undefined) yield [at, value];
  else if (typeof value !== "object" || value === null) return;
  else if (step !== each) {
    if (Object.hasOwn(value, step)) yield* valuesAt((value as Record<string, unknown>)[step], rest, [...at, step]);
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* valuesAt(item, rest, [...at, index]);
  else for (const [name, item] of Object.entries(value)) yield* valuesAt(item, rest, [...at, name]);
}

const grammar = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text has the form of an instant and names an existing day and time. */
export function isInstant(text: string): boolean {
  if (!grammar.test(text)) return false;
  const day = text.slice(0, 10);
  const date = new Date(day);
  // Date arithmetic would turn 30 February into 2 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !Number.isNaN(readInstant(text));
}

/** No instant is longer. */
export const longestInstant = 64;

/** Whether a time has a UTC offset. */
export const hasOffset = (text: string): boolean =>
  text.length <= longestInstant && /^[^T]*T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text);

/** A written instant in milliseconds since 1970; a time without an offset is read as UTC. */
export function readInstant(input: unknown): number {
  if (typeof input === "number") return input;
  if (String(input).length > longestInstant) return Number.NaN;
  const text = String(input).replace(/^([^T]*T.*[+-]\d{2})(\d{2})$/, "$1:$2");
  return Date.parse(hasOffset(text) || !text.includes("T") ? text : `${text}Z`);
}

/** An instant as text, to the second or, if needed, to the millisecond; undefined for an invalid number. */
export function isoText(instantMs: number): string | undefined {
  const date = new Date(instantMs);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(".000Z", "Z");
}

/** What an argument takes that is a number in the API. */
export const instantText = (unitMs: number): string =>
  `an ISO 8601 time such as 2026-05-01T00:00:00Z, or ${unitMs === 1 ? "milliseconds" : "seconds"} since 1970`;

type InstantReading = { readonly value: unknown; readonly note?: string } | { readonly takes: string };

function inZone(
  text: string,
  zone: string,
): { readonly instantMs: number; readonly note: string } | { readonly takes: string } {
  const placed = placeLocal(zone, readInstant(text));
  const local = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  if (!("instantMs" in placed))
    return {
      takes: `a time that exists in ${zone}, whose clocks skip this one: ${local(placed.lastBeforeMs)} and ${local(placed.firstAfterMs)} are the nearest`,
    };
  const which = placed.isAmbiguous ? ", the earlier of two occurrences of that local time" : "";
  return { instantMs: placed.instantMs, note: `${text} (${zone}) is ${isoText(placed.instantMs)}${which}.` };
}

/** The value of an unreadable instant: its digits if it is a number. */
function countIn(text: string, unitMs: number | undefined): InstantReading {
  if (unitMs === undefined) return { value: text };
  return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { takes: instantText(unitMs) };
}

const offsetOrZone = "an offset at its end, such as Z or +09:00, or a timeZone argument, such as Asia/Tokyo";

/** An instant in wire format, from what a caller wrote; other types are left to the schema. */
function reading(value: unknown, as: InstantPlace["as"], zone: string | undefined): InstantReading {
  if (typeof value !== "string") return { value };
  const unitMs = unitMsOf(as);
  if (!isInstant(value)) return countIn(value, unitMs);
  // The API ignores anything below its unit.
  if (unitMs !== undefined && readInstant(value) % unitMs !== 0) return { takes: "a time to the second" };
  const counted = (ms: number) => ms / (unitMs ?? 1);
  if (hasOffset(value)) return { value: unitMs === undefined ? value : counted(readInstant(value)) };
  // The API interprets a text itself.
  if (zone === undefined) return unitMs === undefined ? { value } : { takes: offsetOrZone };
  const placed = inZone(value, zone);
  if ("takes" in placed) return placed;
  const { instantMs, note } = placed;
  return { value: unitMs === undefined ? isoText(instantMs) : counted(instantMs), note };
}

/**
 * Arguments with their instants in wire format: ISO times and digits become numbers if the API takes those, and times
 * without an offset are interpreted in `zone`.
 * @returns the arguments, unreadable instants, and a note on each interpreted time.
 */
export function withInstants(
  schema: z.ZodType,
  args: unknown,
  zone: string | undefined,
): { readonly values: unknown; readonly problems: readonly FieldProblem[]; readonly notes: readonly string[] } {
  const problems: FieldProblem[] = [];
  const notes: string[] = [];
  let values = args;
  for (const { path, as } of instantsIn(schema))
    for (const [at, value] of valuesAt(args, path)) {
      const read = reading(value, as, zone);
      if ("takes" in read) problems.push({ field: fieldOf(at), given: quoteValue(value), takes: read.takes });
      else {
        if (read.note !== undefined) notes.push(`${fieldOf(at)} ${read.note}`);
        if (read.value !== value) values = withMember(values, at, read.value);
      }
    }
  return { values, problems, notes };
}

const usDate = /^(\d{2})\/(\d{2})\/(\d{4})(?::(\d{2}:\d{2}))?$/;

/** The ISO form of an American date; any other text is unchanged. */
export const isoOfUs = (text: string): string =>
  text.replace(usDate, (_, month: string, day: string, year: string, time: string | undefined) =>
    [`${year}-${month}-${day}`, ...(time === undefined ? [] : [`${time}Z`])].join("T"),
  );

/** The American form of an ISO date, or of a minute in UTC. */
export function usDateOf(text: string): string {
  const iso = isoOfUs(text);
  const at = new Date(readInstant(iso)).toISOString();
  const date = `${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)}`;
  return iso.length === 10 ? date : `${date}:${at.slice(11, 16)}`;
}

/** An American date in milliseconds since 1970; a date without a time is its first moment. */
export const readUsDate = (text: string): number => readInstant(isoOfUs(text));

/** How far back an API's data goes, for the argument with the time. */
interface Reach {
  readonly argument: string;
  /** The earliest time, in the argument's notation. */
  readonly earliest: string;
  /** Why, as the end of a sentence. */
  readonly because: string;
  /** The longest relative period within it, if one can be given instead of the argument. */
  readonly period?: string;
}

/** The problem of a time before the earliest one; none if it is later or left out. */
export function tooEarly(args: Arguments, { argument, earliest, because, period }: Reach): readonly FieldProblem[] {
  const instant = args[argument];
  if (instant === undefined || readInstant(instant) >= readInstant(earliest)) return [];
  const isRelative = args["period"] !== undefined;
  const field = isRelative ? "period" : argument;
  const takes = isRelative ? `a period that begins on ${earliest} or later` : `${earliest} or later`;
  const value = isRelative ? period : earliest;
  return [
    {
      field,
      given: quoteValue(args[field]),
      takes: `${takes}: ${because}`,
      ...(value === undefined ? {} : { mends: [{ at: [field], value, isGuess: true }] }),
    },
  ];
}

/** The first UTC midnight of the last given number of days, as an ISO time. */
export const midnightWithin = (days: number, nowMs: number): string =>
  new Date(Math.ceil((nowMs - days * dayMs) / dayMs) * dayMs).toISOString().replace(".000Z", "Z");
