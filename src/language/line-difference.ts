/** The difference between two values, line by line: removals, changes, additions and moves. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "./member.js";

/** Values by name, such as `behavior caching of default.ttl`. */
export type FactsByName = ReadonlyMap<string, unknown>;

/** An item of a list with its name. */
export interface NamedItem {
  readonly name: string;
  readonly value: unknown;
}

/** The values of a record by their paths, nested records included; a list is one value. */
export function* factsIn(value: unknown, at = ""): Generator<readonly [string, unknown]> {
  if (isRecord(value))
    for (const [name, inner] of Object.entries(value)) yield* factsIn(inner, at === "" ? name : `${at}.${name}`);
  else yield [at, value];
}

const bareWord = /^[A-Za-z0-9_@/.*][\w@/:.?&=%#~+*$!-]*$/;
const otherThanText = /^(true|false|null|none|[-+]?\d+(\.\d+)?(e[-+]?\d+)?)$/i;

/** A value on one line: a plain word without quotes, everything else as JSON, so that `"5"` and `5` differ. */
function textOf(value: unknown): string {
  if (value === undefined || value === "") return "none";
  return typeof value === "string" && bareWord.test(value) && !otherThanText.test(value)
    ? value
    : JSON.stringify(value);
}

const maxLength = 300;
const clipped = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length} characters)`;

/** Two texts that differ; long ones are cut to the part that differs. */
function pairOf(from: string, to: string): readonly [string, string] {
  if (from.length <= maxLength && to.length <= maxLength) return [from, to];
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const around = 20;
  const part = (text: string) => {
    const [first, last] = [Math.max(0, start - around), Math.min(text.length, text.length - end + around)];
    return clipped(`${first > 0 ? "…" : ""}${text.slice(first, last)}${last < text.length ? "…" : ""}`);
  };
  return [part(from), part(to)];
}

/** The items of one list that are missing in another, duplicates included. */
function missingFrom(some: readonly unknown[], others: readonly unknown[]): readonly string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(textOf(other), (left.get(textOf(other)) ?? 0) + 1);
  return some.map(textOf).filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** How a value changes; for a list, the items that are removed and added, or its new order. */
function changeOf(from: unknown, to: unknown): string {
  if (Array.isArray(from) && Array.isArray(to)) {
    const [gone, come] = [missingFrom(from, to), missingFrom(to, from)];
    const parts = [
      ...(gone.length === 0 ? [] : [`${clipped(gone.join(", "))} removed`]),
      ...(come.length === 0 ? [] : [`${clipped(come.join(", "))} added`]),
    ];
    if (parts.length > 0) return parts.join(", ");
  }
  return pairOf(textOf(from), textOf(to)).join(" → ");
}

const factText = (name: string, value: unknown): string =>
  value === undefined || value === "" ? name : `${name}: ${clipped(textOf(value))}`;

/** The facts that others lack, a line for each thing: its members, whose names begin with its own, are on its line. */
function wholeThings(some: FactsByName, others: FactsByName): string[] {
  const things: { readonly name: string; readonly value: unknown; readonly members: string[] }[] = [];
  for (const [name, value] of some) {
    if (others.has(name)) continue;
    const last = things.at(-1);
    if (last && name.startsWith(`${last.name}.`))
      last.members.push(`${name.slice(last.name.length + 1)} ${clipped(textOf(value))}`);
    else things.push({ name, value, members: [] });
  }
  return things.map(({ name, value, members }) =>
    members.length === 0
      ? factText(name, value)
      : `${name}${value === undefined || value === "" ? "" : ` (${clipped(textOf(value))})`}: ${members.join(", ")}`,
  );
}

/** The removals, changes and additions between two collections of facts, in this order. */
export function factDifference(before: FactsByName, after: FactsByName): string[] {
  const gone = wholeThings(before, after).map((line) => `- ${line}`);
  const come = wholeThings(after, before).map((line) => `+ ${line}`);
  const other = [...before].flatMap(([name, value]) =>
    !after.has(name) || isDeepStrictEqual(value, after.get(name))
      ? []
      : [`${name}: ${changeOf(value, after.get(name))}`],
  );
  return [...gone, ...other, ...come];
}

/** The kind of change in a line of a difference; undefined for a line that only introduces or ends the others. */
export function changeIn(line: string): "removed" | "added" | "changed" | undefined {
  if (line.startsWith("- ")) return "removed";
  if (line.startsWith("+ ")) return "added";
  const isChange = line.includes(" → ") || /: moves from place \d+ to place \d+$| (removed|added)$/.test(line);
  return isChange ? "changed" : undefined;
}

/** Names in a list, numbered if they occur more than once. */
export function numbered(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** The positions of a longest increasing subsequence; all other items have to move to put the numbers in order. */
function risingIn(numbers: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous[at] = tails[low - 1];
    tails[low] = at;
  }
  const rising = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) rising.add(at);
  return rising;
}

/** The names in both lists whose order differs, each with its positions; names are unique within a list. */
export function movedIn(before: readonly string[], after: readonly string[]): string[] {
  const places = new Map(before.map((name, at) => [name, at]));
  const commonNames = after.flatMap((name, to) => {
    const from = places.get(name);
    return from === undefined ? [] : [{ name, from, to }];
  });
  const still = risingIn(commonNames.map(({ from }) => from));
  return commonNames
    .filter((_, at) => !still.has(at))
    .map(({ name, from, to }) => `${name}: moves from place ${from + 1} to place ${to + 1}`);
}

/** The fields of an item, each after its name. */
export const fieldWords = (value: unknown): readonly string[] =>
  [...factsIn(value)].map(([name, inner]) => `${name} ${clipped(textOf(inner))}`.trim());

/** The fields of an item, on one line after its name. */
function memberWords(value: unknown): string {
  const words = fieldWords(value);
  return words.length === 0 ? "" : `: ${clipped(words.join(", "))}`;
}

/**
 * The difference between two lists of named items: removed, changed and added items and, if the order is significant,
 * moved items.
 * @param kind The noun for an item, such as `rule`.
 */
export function itemDifference(
  kind: string,
  before: readonly NamedItem[],
  after: readonly NamedItem[],
  { isOrdered = false }: { readonly isOrdered?: boolean } = {},
): string[] {
  const named = (items: readonly NamedItem[]) => {
    const names = numbered(items.map(({ name }) => name));
    return new Map(items.map(({ value }, at) => [`${kind} ${names[at]}`, value]));
  };
  const [old, now] = [named(before), named(after)];
  const places = new Map([...now.keys()].map((name, at) => [name, at + 1]));
  const at = (name: string) => (isOrdered ? ` at place ${places.get(name)}` : "");
  return [
    ...[...old].filter(([name]) => !now.has(name)).map(([name, value]) => `- ${name}${memberWords(value)}`),
    ...[...old].flatMap(([name, value]) =>
      now.has(name) ? factDifference(new Map(factsIn(value, name)), new Map(factsIn(now.get(name), name))) : [],
    ),
    ...(isOrdered ? movedIn([...old.keys()], [...now.keys()]) : []),
    ...[...now].filter(([name]) => !old.has(name)).map(([name, value]) => `+ ${name}${at(name)}${memberWords(value)}`),
  ];
}

// A preview keeps every line; a question shows the first ones and the number of the others.
const maxLines = 500;

/**
 * The lines of a difference, limited to the first ones if there are many.
 * @param nothing The line to show if there are none.
 */
export const limitLines = (lines: readonly string[], nothing: string, most = maxLines): readonly string[] =>
  lines.length === 0
    ? [nothing]
    : lines.length <= most
      ? lines
      : [...lines.slice(0, most), `And ${lines.length - most} more.`];

/** An activation: the version that it replaces, undefined if none is active, and the version that it makes active. */
export interface VersionReplacement {
  readonly from: string | number | undefined;
  readonly to: string | number;
  /** The network's name in messages. */
  readonly where: string;
  /** The object of the versions, if a call activates versions of several objects. */
  readonly of?: string;
}

/**
 * The difference between the active version and the one to be activated, under a line that names both.
 * @param lines The difference, or the whole content if nothing is active; undefined if it could not be read.
 * @param nothing The line to show if there is no difference.
 */
export function activationDifference(
  { from, to, where, of }: VersionReplacement,
  lines: readonly string[] | undefined,
  nothing: string,
): readonly string[] {
  const thing = of === undefined ? "" : ` of ${of}`;
  if (String(from) === String(to)) return [`Version ${to}${thing} is active on ${where} already, so nothing changes.`];
  return [
    from === undefined
      ? `No version${thing} is active on ${where} now, so all of it is new there:`
      : `From version ${from} to version ${to}${thing} on ${where}:`,
    ...(lines === undefined
      ? ["The difference is unknown, because it could not be read."]
      : limitLines(lines, nothing)),
  ];
}
