/** Differences as lines in the notation of their domain: removals, additions and changed values. */
import { isDeepStrictEqual } from "node:util";
import type { ItemNotation } from "../../language/conduct.js";
import { isEmpty, isRecord, memberAt } from "../../language/member.js";
import { type ChangedItem, changesBetween, type ValueChange, type ValuePath } from "../difference.js";
import { isLeaf, keyText, likeness, pathText, valueText } from "./text.js";

export interface ChangeLine {
  readonly text: string;
  /** `emptied` is a field without a value that is left out, so that nothing is lost. */
  readonly verb: "removed" | "changed" | "added" | "emptied";
  /** The top-level member that it is in. */
  readonly list: string;
  readonly rank: number;
  /** The record that a changed value is a member of, and the change as a part of a line about that record. */
  readonly member?: { readonly of: string; readonly says: string };
}

/** What a write changes, without secrets. */
export interface Changes {
  readonly lines: readonly ChangeLine[];
  /** The arguments that are sent and that the state does not show. */
  readonly uncompared: readonly string[];
}

/** The two compared values, as they can be written, and their path. */
interface ChangeContext {
  /** Both with their secrets masked, for what is shown of the value at a path. */
  readonly before: unknown;
  readonly after: unknown;
  readonly notation?: ItemNotation | undefined;
  /** The text before a path. */
  readonly label: string;
  /** The top-level member of both, and its rank; absent for the whole. */
  readonly within?: Pick<ChangeLine, "list" | "rank">;
}

/** An item with its secrets masked, its title, and the fields that the title contains. */
interface TitledItem extends ChangedItem {
  readonly shown: unknown;
  readonly title: string;
  /** What distinguishes it from the others of its list. */
  readonly name: string;
  readonly titled: readonly string[];
}

const naming = /^(id|[a-z]\w*I[dD]|name|key|path)$/;

function titledIn(root: unknown, path: ValuePath, item: ChangedItem, notation: ItemNotation | undefined): TitledItem {
  const list = pathText(path);
  const shown = memberAt(root, [...path, item.index]);
  const none = { ...item, shown, title: list, name: valueText(shown), titled: [] };
  if (!isRecord(shown)) return none;
  if (notation) {
    const words = notation.title(list, shown).map((word) => valueText(word));
    return { ...none, title: words.join(" "), titled: notation.titled };
  }
  const key = Object.keys(shown).find((name) => naming.test(name) && isLeaf(shown[name]) && shown[name] !== null);
  if (key === undefined) return none;
  const name = valueText(shown[key]);
  return { ...none, title: `${list} (${keyText(key)} ${name})`, name, titled: [key] };
}

function restOf({ shown, titled }: TitledItem, notation: ItemNotation | undefined): string {
  if (!isRecord(shown)) return `: ${valueText(shown)}`;
  const { words = {}, usual = {} } = notation ?? {};
  const names = [...new Set([...Object.keys(words), ...Object.keys(shown)])];
  const parts = names
    .filter((name) => Object.hasOwn(shown, name) && !titled.includes(name))
    .filter((name) => !(Object.hasOwn(usual, name) && usual[name] === shown[name]))
    .map((name) => [memberAt(words, [name]) ?? keyText(name), valueText(shown[name])].filter(Boolean).join(" "));
  if (parts.length === 0) return "";
  return notation ? ` ${parts.join(" ")}` : `: ${parts.join(", ")}`;
}

const sameMembers = (a: unknown, b: unknown): number =>
  isRecord(a) && isRecord(b)
    ? Object.keys(a).filter((key) => changesBetween(a[key], memberAt(b, [key])).length === 0).length
    : 0;

// Every removed item is compared with every added one with the same title.
const maxPairings = 2_500;

/**
 * Pairs of removed and added items that are the same item before and after: those with the same title, and of several
 * the most similar.
 */
function pairItems(
  removed: readonly TitledItem[],
  added: readonly TitledItem[],
): (readonly [TitledItem, TitledItem])[] {
  const byTitle = new Map<string, { readonly before: TitledItem[]; readonly after: TitledItem[] }>();
  const sort = (items: readonly TitledItem[], side: "before" | "after") => {
    for (const item of items) {
      if (item.titled.length === 0) continue;
      const group = byTitle.get(item.title) ?? { before: [], after: [] };
      byTitle.set(item.title, group);
      group[side].push(item);
    }
  };
  sort(removed, "before");
  sort(added, "after");
  return [...byTitle.values()].flatMap(({ before, after }) => {
    if (before.length * after.length > maxPairings) return [];
    const used = new Set<TitledItem>();
    return before
      .flatMap((item) => after.map((other) => [item, other, sameMembers(item.value, other.value)] as const))
      .sort(([, , a], [, , b]) => b - a)
      .flatMap(([item, other]) => {
        if (used.has(item) || used.has(other)) return [];
        used.add(item).add(other);
        return [[item, other] as const];
      });
  });
}

/** `from → to`, with a hint if a reader cannot see the difference, as between two masked secrets. */
function arrow(from: unknown, to: unknown): string {
  const [before, after] = [valueText(from), valueText(to)];
  if (before === after) return `${before} → ${after} (a different value)`;
  const how = likeness(from, to);
  return `${before} → ${after}${how === undefined ? "" : ` (${how})`}`;
}

type ReplacedValue = Extract<ValueChange, { from: unknown }>;
type ChangedList = Exclude<ValueChange, ReplacedValue>;
const isAbsent = ({ from, to }: ReplacedValue): boolean => from === undefined || to === undefined;

const changePlaceOf = (
  path: ValuePath,
  { notation, within }: ChangeContext,
  item?: TitledItem,
): Pick<ChangeLine, "list" | "rank"> =>
  within ?? {
    list: pathText(path.slice(0, 1)),
    rank: notation?.rank?.(pathText(path), isRecord(item?.shown) ? item.shown : undefined) ?? 0,
  };

function valueLine({ path, from, to }: ReplacedValue, around: ChangeContext): ChangeLine {
  const label = `${around.label}${pathText(path)}`;
  const [before, after] = [memberAt(around.before, path), memberAt(around.after, path)];
  const says = from === undefined ? valueText(after) : to === undefined ? valueText(before) : arrow(before, after);
  const of = `${around.label}${pathText(path.slice(0, -1))}`.trim();
  const member = path.length === 0 ? {} : { member: { of, says: `${keyText(path.at(-1) as PropertyKey)} ${says}` } };
  const at = { ...changePlaceOf(path, around), ...member };
  if (from === undefined) return { ...at, text: `+ ${label}: ${says}`, verb: "added" };
  if (to === undefined)
    return isEmpty(from)
      ? { ...at, text: `${label} ${says}`, verb: "emptied" }
      : { ...at, text: `- ${label}: ${says}`, verb: "removed" };
  return { ...at, text: `${label}: ${says}`, verb: "changed" };
}

/** The lines of one item before and after: its scalars on one line, nested values below. */
function pairLines(
  path: ValuePath,
  [before, after]: readonly [TitledItem, TitledItem],
  around: ChangeContext,
): ChangeLine[] {
  const { label, notation } = around;
  const changes = changesBetween(before.value, after.value);
  const isReplacedMember = (change: ValueChange): change is ReplacedValue =>
    "from" in change && change.path.length === 1 && !isAbsent(change);
  const replacements = changes.filter(isReplacedMember).map(({ path: at }) => {
    const name = String(at[0]);
    return `${memberAt(notation?.words, [name]) || keyText(name)} ${arrow(memberAt(before.shown, at), memberAt(after.shown, at))}`;
  });
  const within = changePlaceOf(path, around, before);
  const text = `${label}${before.title}`;
  const line: ChangeLine[] =
    replacements.length === 0 ? [] : [{ text: `${text}: ${replacements.join(", ")}`, verb: "changed", ...within }];
  const inner: ChangeContext = { before: before.shown, after: after.shown, label: `${text} `, within };
  return [
    ...line,
    ...changes.filter((change) => !isReplacedMember(change)).flatMap((change) => linesOf(change, inner)),
  ];
}

/**
 * The new order of a list if it does not follow from removals and additions: if remaining items change places, or new
 * ones are not at the end. Items with a notation, such as records, have no order.
 */
function orderLine(
  { path, added, removed }: ChangedList,
  pairs: readonly (readonly [TitledItem, TitledItem])[],
  around: ChangeContext,
): ChangeLine[] {
  const [before, after] = [memberAt(around.before, path), memberAt(around.after, path)];
  if (around.notation || !Array.isArray(before) || !Array.isArray(after)) return [];
  const placesIn = (items: readonly ChangedItem[]) => new Set(items.map(({ index }) => index));
  const [gone, come] = [placesIn(removed), placesIn(added)];
  const marks = pairs.map(() => Symbol());
  const pairAt = (side: 0 | 1) => new Map(pairs.map((pair, at) => [pair[side].index, marks[at]]));
  // Items are compared as they are: writing out each of a thousand rules would be the most expensive step.
  const staying = (items: readonly unknown[], others: ReadonlySet<number>, paired: ReadonlyMap<number, unknown>) =>
    items.flatMap((item, at) => (paired.has(at) ? [paired.get(at)] : others.has(at) ? [] : [item]));
  const [pairedBefore, pairedAfter] = [pairAt(0), pairAt(1)];
  const stays = staying(after, come, pairedAfter);
  const isAsExpected =
    isDeepStrictEqual(staying(before, gone, pairedBefore), stays) &&
    added.every(({ index }) => pairedAfter.has(index) || index >= stays.length);
  if (isAsExpected) return [];
  const names = after.map((_, index) => titledIn(around.after, path, { index, value: undefined }, undefined).name);
  const text = `${around.label}${pathText(path)}, in its new order: ${names.join(", ")}`;
  return [{ text, verb: "changed", ...changePlaceOf(path, around) }];
}

function linesOf(change: ValueChange, around: ChangeContext): ChangeLine[] {
  if ("from" in change) return [valueLine(change, around)];
  const { label, notation } = around;
  const { path } = change;
  const removed = change.removed.map((item) => titledIn(around.before, path, item, notation));
  const added = change.added.map((item) => titledIn(around.after, path, item, notation));
  const pairs = pairItems(removed, added);
  const inOrder = orderLine(change, pairs, around);
  if (removed.length === 0 && added.length === 0 && inOrder.length === 0) {
    const text = `${label}${pathText(path)}: the same items in a different order`;
    return [{ text, verb: "changed", ...changePlaceOf(path, around) }];
  }
  const isPaired = new Set(pairs.flat());
  const whole = (sign: "-" | "+", items: readonly TitledItem[]) =>
    items
      .filter((item) => !isPaired.has(item))
      .map((item): ChangeLine => {
        // Items of a top-level list have no name before them.
        const text = `${sign} ${`${label}${item.title}${restOf(item, notation)}`.replace(/^:? /, "")}`;
        return { text, verb: sign === "+" ? "added" : "removed", ...changePlaceOf(path, around, item) };
      });
  return [
    ...whole("-", removed),
    ...pairs.flatMap((pair) => pairLines(path, pair, around)),
    ...whole("+", added),
    ...inOrder,
  ];
}

const order: readonly ChangeLine["verb"][] = ["removed", "changed", "added"];

/** The omitted fields without a value, on one line. */
function emptiedLine(lines: readonly ChangeLine[]): ChangeLine[] {
  const [first] = lines;
  if (first === undefined) return [];
  return [{ ...first, text: `left out, without a value now: ${lines.map(({ text }) => text).join(", ")}` }];
}

const signs = { removed: "- ", added: "+ ", changed: "", emptied: "" } as const;

/** Changes with one line for those of the same record, and the number of changes that each line has. */
export function linesByRecord(
  lines: readonly ChangeLine[],
): readonly { readonly text: string; readonly whole: number }[] {
  const runs: ChangeLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const isSame = (one: ChangeLine) => one.verb === line.verb && one.member && one.member.of === line.member?.of;
    if (run?.every(isSame)) run.push(line);
    else runs.push([line]);
  }
  return runs.map((run) => {
    const [{ text, verb, member }] = run as [ChangeLine];
    if (run.length === 1) return { text, whole: 1 };
    const head = `${signs[verb]}${member?.of ? `${member.of}: ` : ""}`;
    return { text: `${head}${run.map((one) => one.member?.says).join(", ")}`, whole: run.length };
  });
}

/** Whether a change removes a value because the call leaves it out. */
export const isLeftOut = ({ verb, member }: ChangeLine): boolean => verb === "removed" && member !== undefined;

/**
 * The lines of the changes, by rank and then removals first; empty if nothing would change.
 * @param shown Returns the value with its secrets masked, as it can be written.
 */
export function changeLines(
  present: unknown,
  proposed: unknown,
  notation: ItemNotation | undefined,
  shown: (value: unknown) => unknown,
): ChangeLine[] {
  const around: ChangeContext = { before: shown(present), after: shown(proposed), notation, label: "" };
  const lines = changesBetween(present, proposed).flatMap((change) => linesOf(change, around));
  const isEmptied = ({ verb }: ChangeLine): boolean => verb === "emptied";
  return [
    ...lines
      .filter((line) => !isEmptied(line))
      .sort((a, b) => a.rank - b.rank || order.indexOf(a.verb) - order.indexOf(b.verb)),
    ...emptiedLine(lines.filter(isEmptied)),
  ];
}
