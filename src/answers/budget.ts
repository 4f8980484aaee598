/**
 * Keeps a result within its size limit: lists are truncated at whole records, and every truncation is marked and
 * reported.
 */
import { pathTo } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { lazily } from "../language/once-for.js";
import { createNamesOf, type NamesOf, sizeOf, sizeOfName, textWithin } from "../rows/size.js";
import { cutMark } from "../text/marks.js";
import { longestName, wholeWordsTo } from "../text/whole-words.js";

/** A truncation: of items, fields or characters. */
export interface Truncation {
  readonly at: string;
  readonly kept: number;
  readonly total: number;
}

/** A value within its budget. */
export interface BoundedValue {
  readonly value: unknown;
  readonly cuts: readonly Truncation[];
}

/**
 * The beginning of a text, without partial names or half a surrogate pair at its end, because a UTF-8 reader would
 * reject the whole result.
 */
export function textTo(text: string, count: number): string {
  const { length } = text.slice(0, count).replace(/[\ud800-\udbff]$/, "");
  return text.slice(0, wholeWordsTo(text, length));
}

/** How many of the items fit together, by the size of each; at least one, even if it does not fit. */
export function fittingCount<T>(items: readonly T[], most: number, sizeOfOne: (item: T) => number): number {
  let left = most;
  const end = items.findIndex((item) => {
    left -= sizeOfOne(item);
    return left < 0;
  });
  return end < 0 ? items.length : Math.max(1, end);
}

// The values of these fields are whole or left out even if they contain spaces.
const namesOthers = /(?:path|file|ur[il]|href|link|handle|id)s?"?(?:\[\d+\])*$/i;

// The name of the whole value, whose path is empty.
const top = "the result";

// No mark of a member is longer than this.
const minRoom = 64;

interface TruncationRun {
  readonly namesOf: NamesOf;
  readonly cuts: Truncation[];
  /** Earlier truncations by path; their marks are still in place. */
  readonly earlier: ReadonlyMap<string, Truncation>;
}

/** A member and its share of the room. */
interface Share {
  readonly key: string | number;
  readonly value: unknown;
  readonly size: number;
  /** Whether it is truncated if it does not fit, instead of being left out. */
  readonly isDivisible: boolean;
  room: number;
}

/**
 * Distributes the remaining room among divisible members, so that small ones are complete and large ones get equal
 * shares.
 */
function spreadRoom(shares: readonly Share[], spare: number): void {
  const divisible = shares.filter(({ isDivisible }) => isDivisible).sort((a, b) => a.size - b.size);
  let left = spare;
  for (const [index, share] of divisible.entries()) {
    const more = Math.min(share.size - share.room, Math.floor(left / (divisible.length - index)));
    share.room += more;
    left -= more;
  }
}

/**
 * The first members of a list or object that fit together, each with its share of the room. A record of a list is
 * complete or left out, unless it takes most of the room; a large field of an object is always truncated, because a
 * missing field is worse than a shortened list.
 */
function shareRoom(
  holder: object,
  names: readonly string[] | undefined,
  count: number,
  room: number,
  run: TruncationRun,
): Share[] {
  const least = Math.max(minRoom, Math.floor(room / 16));
  const wholeUpTo = names ? least : Math.max(least, room / 2);
  const shares: Share[] = [];
  let left = room;
  for (let index = 0; index < count; index += 1) {
    const key = names?.[index] ?? index;
    const value = (holder as Readonly<Record<PropertyKey, unknown>>)[key];
    const nameSize = typeof key === "string" ? sizeOfName(key, left) : 1;
    const size = sizeOf(value, room, run.namesOf);
    // A part of a call could not be sent.
    const isDivisible =
      size > wholeUpTo && (typeof value === "string" || (typeof value === "object" && !(value instanceof NextCall)));
    const needed = isDivisible ? least : size;
    if (nameSize + needed > left) break;
    left -= nameSize + needed;
    shares.push({ key, value, size, isDivisible, room: needed });
  }
  spreadRoom(shares, left);
  return shares;
}

function truncateText(text: string, room: number, at: string, { cuts, earlier }: TruncationRun): string {
  const before = earlier.get(at);
  const whole = before ? text.slice(0, before.kept) : text;
  const total = before?.total ?? whole.length;
  const isWhole = total <= longestName && namesOthers.test(at);
  const most = isWhole ? "" : textWithin(whole, room - cutMark(total, total).length);
  const excerpt = whole.slice(0, wholeWordsTo(whole, most.length));
  cuts.push({ at: at || top, kept: excerpt.length, total });
  return excerpt + cutMark(excerpt.length, total);
}

/** A value that does not fit, truncated until it does. The room is never less than the mark. */
function truncate(value: unknown, room: number, at: string, run: TruncationRun): unknown {
  if (typeof value === "string") return truncateText(value, room, at, run);
  const holder = value as object;
  const names = Array.isArray(value) ? undefined : run.namesOf(holder);
  const before = run.earlier.get(at);
  const count = before?.kept ?? names?.length ?? (value as readonly unknown[]).length;
  const total = before?.total ?? count;
  const marked = cutMark(total, total).length + (names ? "{,:true}" : "[,]").length + '""'.length;
  const shares = shareRoom(holder, names, count, room - marked, run);
  if (shares.length < total) run.cuts.push({ at: at || top, kept: shares.length, total });
  const mark = shares.length < total ? [cutMark(shares.length, total)] : [];
  const shortened = shares.map(({ key, value: member, size, room: memberRoom }): [string | number, unknown] => [
    key,
    size > memberRoom ? truncate(member, memberRoom, pathTo(at, key), run) : member,
  ]);
  return names
    ? Object.fromEntries([...shortened, ...mark.map((name) => [name, true] as const)])
    : [...shortened.map(([, member]) => member), ...mark];
}

/**
 * Limits the size of a JSON value, in bytes of its text. The value itself is not changed, and only the shown part is
 * visited. Truncated parts end with a mark: the last item of a list, the end of a text, the last member of an object.
 * @param maxBytes At least 64.
 * @param earlier Earlier truncations of the value, so that the reported counts refer to the whole.
 * @param namesOf Lists names, shared with other walks.
 * @returns the value, truncated if necessary, and what was truncated.
 */
export function truncateValue(
  value: unknown,
  maxBytes: number,
  earlier: readonly Truncation[] = [],
  namesOf = createNamesOf(),
): BoundedValue {
  if (sizeOf(value, maxBytes, namesOf) <= maxBytes) return { value, cuts: [] };
  const cuts: Truncation[] = [];
  const run = { namesOf, cuts, earlier: new Map(earlier.map((one) => [one.at === top ? "" : one.at, one])) };
  return { value: truncate(value, maxBytes, "", run), cuts };
}

/**
 * A value that is truncated several times, each time from the first result, so that a large one is visited once.
 * @param mostBytes The largest limit that will be requested.
 */
export function truncatorOf(
  value: unknown,
  mostBytes: number,
  earlier: readonly Truncation[] = [],
  namesOf?: NamesOf,
): (maxBytes: number) => BoundedValue {
  const mostOf = lazily(() => truncateValue(value, mostBytes, earlier, namesOf));
  return (maxBytes) => {
    const first = mostOf();
    const known = [...earlier.filter(({ at }) => !first.cuts.some((one) => one.at === at)), ...first.cuts];
    if (maxBytes >= mostBytes) return first;
    const { value: shown, cuts } = truncateValue(first.value, maxBytes, known);
    const json = JSON.stringify(shown) ?? "";
    // The mark of an earlier truncation may itself have been left out.
    const isShown = ({ at, kept, total }: Truncation) =>
      !cuts.some((cut) => cut.at === at) && json.includes(cutMark(kept, total));
    return { value: shown, cuts: [...first.cuts.filter(isShown), ...cuts] };
  };
}
