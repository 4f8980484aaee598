/** The review of a change: its differences as lines in the words of their domain, grouped by what they are about. */
import { isDeepStrictEqual } from "node:util";
import type { Arguments, IgnoredKind, ReviewEffect, ReviewForm } from "./conduct.js";
import {
  type ChangedItem,
  type ChangedList,
  changesBetween,
  type ItemPair,
  ignoredKind,
  isSet,
  isUsual,
  movedItems,
  type ReplacedValue,
  type ValueChange,
  type ValuePath,
} from "./difference.js";
import { isEmpty, isRecord, listAt, memberAt } from "./member.js";
import { onceFor } from "./once-for.js";
import {
  isLeaf,
  isShownRecord,
  keyText,
  likeness,
  pathText,
  valueText,
  withMaskedAsText,
  withMaskMarks,
} from "./value-text.js";

export interface ChangeLine {
  readonly text: string;
  readonly verb: "removed" | "changed" | "added" | "ignored";
  /** Set for a field without a value that is left out, so that nothing is lost. */
  readonly isEmptied?: true;
  /** The top-level member that it is in. */
  readonly list: string;
  readonly rank: number;
  readonly effect: ReviewEffect;
  /** Why an ignored difference is no change. */
  readonly ignored?: IgnoredKind;
  /** The record that a changed value is a member of, and the change as a part of a line about that record. */
  readonly member?: { readonly of: string; readonly says: string };
}

/** What differs between two states, without secrets. */
export interface Review {
  /** The changes, by rank and effect, and then removals first. */
  readonly changes: readonly ChangeLine[];
  /** What differs without being a change. */
  readonly ignored: readonly ChangeLine[];
}

type LinePlace = Pick<ChangeLine, "list" | "rank" | "effect">;

/** The two compared values, as they can be written, and their path. */
interface ChangeContext {
  /** Both with their secrets masked, for what is shown of the value at a path. */
  readonly before: unknown;
  readonly after: unknown;
  readonly form: ReviewForm;
  /** The text before a path. */
  readonly label: string;
  /** Whether long texts are cut to what differs. */
  readonly isShort: boolean;
  /** Where the lines of an item belong; absent for the whole. */
  readonly within?: LinePlace;
}

/** An item with its secrets masked, its title, and the fields that the title contains. */
interface TitledItem extends ChangedItem {
  readonly shown: unknown;
  readonly title: string;
  /** The title, with its number among the items of an ordered list that have the same one. */
  readonly label: string;
  readonly titled: readonly string[];
}

const naming = /^(id|[a-z]\w*I[dD]|name|key|path)$/;

/** A path in words, without the steps that say nothing. */
const wordsAt = (path: ValuePath, { silent = [] }: ReviewForm): string =>
  pathText(path.filter((step, at) => at === path.length - 1 || !silent.includes(String(step))));

/** The noun and the name that a table gives an item; undefined if it gives none. */
function titleOf(list: string, item: Arguments, form: ReviewForm): string | undefined {
  const words = form.title?.(list, item);
  if (words === undefined) return undefined;
  const noun = memberAt(form.nouns, [list]);
  return [...(noun === undefined ? [] : [noun]), ...words.map((word) => valueText(word))].join(" ");
}

/** For each item of a list, how many of those before it have its title. */
function sameTitles(items: readonly unknown[], list: string, form: ReviewForm): readonly number[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const title = isRecord(item) ? titleOf(list, item, form) : undefined;
    if (title === undefined) return 0;
    const same = counts.get(title) ?? 0;
    counts.set(title, same + 1);
    return same;
  });
}

/** Gives the items of the list at a path their titles; the list is read once, because thousands of its items can differ. */
function titlesIn(root: unknown, path: ValuePath, form: ReviewForm): (item: ChangedItem) => TitledItem {
  const list = wordsAt(path, form);
  const items = listAt(root, path);
  const numbers = isSet(form, path, items) || form.title === undefined ? [] : sameTitles(items, list, form);
  return (item) => titledItem(items[item.index], list, item, numbers[item.index] ?? 0, form);
}

/** @param same The number of items before it that have the same title. */
function titledItem(shown: unknown, list: string, item: ChangedItem, same: number, form: ReviewForm): TitledItem {
  const none = { ...item, shown, title: list, label: list, titled: [] };
  if (!isShownRecord(shown)) return none;
  const title = titleOf(list, shown, form);
  if (title !== undefined)
    return { ...none, title, label: same === 0 ? title : `${title} (${same + 1})`, titled: form.titled ?? [] };
  const key = Object.keys(shown).find(
    (name) =>
      naming.test(name) && isLeaf(shown[name]) && shown[name] !== null && ignoredKind(form, [name]) === undefined,
  );
  if (key === undefined) return none;
  const named = `${list} (${keyText(key)} ${valueText(shown[key])})`;
  return { ...none, title: named, label: named, titled: [key] };
}

function restOf({ shown, titled }: TitledItem, list: string, form: ReviewForm): string {
  if (!isShownRecord(shown)) return `: ${valueText(shown)}`;
  const rest = form.rest?.(list, shown);
  if (rest !== undefined) return rest;
  const { words = {}, apart = [] } = form;
  const names = [...new Set([...Object.keys(words), ...Object.keys(shown)])];
  const parts = names
    .filter((name) => Object.hasOwn(shown, name) && ![...titled, ...apart].includes(name))
    .filter((name) => ignoredKind(form, [name]) === undefined && !isUsual(shown[name], [name], form))
    .map((name) => [memberAt(words, [name]) ?? keyText(name), valueText(shown[name])].filter(Boolean).join(" "));
  if (parts.length === 0) return "";
  return form.words ? ` ${parts.join(" ")}` : `: ${parts.join(", ")}`;
}

const sameMembers = (a: unknown, b: unknown): number =>
  isRecord(a) && isRecord(b) ? Object.keys(a).filter((key) => isDeepStrictEqual(a[key], memberAt(b, [key]))).length : 0;

// Every removed item is compared with every added one with the same title.
const maxPairings = 2_500;

/**
 * Pairs of removed and added items that are the same item before and after: those with the same title, and of several
 * the most similar.
 */
function pairItems(removed: readonly TitledItem[], added: readonly TitledItem[]): TitledPair[] {
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

const longest = 300;
const maxRest = 2_000;

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length.toLocaleString("en-US")} characters)`;

/** Two texts; long ones are cut to the part that differs. */
function differingParts(from: string, to: string): readonly [string, string] {
  const most = Math.min(from.length, to.length);
  if (Math.max(from.length, to.length) <= longest) return [from, to];
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const around = 20;
  const part = (text: string) => {
    const [first, last] = [Math.max(0, start - around), Math.min(text.length, text.length - end + around)];
    return `${first > 0 ? "…" : ""}${shortened(text.slice(first, last), longest)}${last < text.length ? "…" : ""}`;
  };
  return [part(from), part(to)];
}

/** `from → to`, with a hint if a reader cannot see the difference, as between two masked secrets. */
function arrow(from: unknown, to: unknown, { isShort }: ChangeContext): string {
  const [before, after] = [valueText(from), valueText(to)];
  if (before === after) return `${before} → ${after} (a different value)`;
  const how = likeness(from, to);
  const parts = isShort ? differingParts(before, after) : [before, after];
  return `${parts.join(" → ")}${how === undefined ? "" : ` (${how})`}`;
}

const isAbsent = ({ from, to }: ReplacedValue): boolean => from === undefined || to === undefined;

/** What changes can be about, in the order in which their groups are shown. */
const effects: readonly ReviewEffect[] = ["security", "origin", "redirects", "caching", "logging", "other"];

/** The entry of a table for a name; an answer can also have something else than a text as the name of an item. */
const entryOf = ({ effects: known }: ReviewForm, name: unknown): ReviewEffect | "holder" | undefined =>
  typeof name === "string" ? (memberAt(known, [name]) as ReviewEffect | "holder" | undefined) : undefined;

/** What a value is about, by the names of its members and of the items in it: the first of the order. */
function effectIn(value: unknown, form: ReviewForm): ReviewEffect | undefined {
  const { apart = [] } = form;
  const found = new Set<unknown>();
  const collect = (inner: unknown) => {
    if (Array.isArray(inner)) {
      inner.forEach((item) => {
        found.add(entryOf(form, memberAt(item, ["name"])));
        collect(item);
      });
    } else if (isRecord(inner)) {
      for (const [name, member] of Object.entries(inner)) {
        if (apart.includes(name)) continue;
        found.add(entryOf(form, name));
        collect(member);
      }
    }
  };
  collect(value);
  return effects.find((effect) => found.has(effect));
}

/** What a record is about, read once, because thousands of its members can change. */
const holderEffect = onceFor((form: ReviewForm) => onceFor((holder: object) => effectIn(holder, form)));

/** What a change at a path is about, of an item or a member. */
function effectAt(path: ValuePath, around: ChangeContext, item?: unknown): ReviewEffect {
  const { form, after, before, within } = around;
  const { effects: known, apart = [] } = form;
  if (known === undefined) return "other";
  const names = path.filter((step) => typeof step === "string").toReversed();
  const isApart = apart.includes(String(names[0]));
  const [effect] = [isApart ? undefined : memberAt(item, ["name"]), ...names].flatMap((name) => {
    const one = entryOf(form, name);
    const holder = after ?? before;
    if (one === "holder") return [isRecord(holder) ? holderEffect(form)(holder) : undefined];
    return one === undefined ? [] : [one];
  });
  return effect ?? (isRecord(item) ? effectIn(item, form) : undefined) ?? within?.effect ?? "other";
}

const placeOf = (path: ValuePath, around: ChangeContext, value?: unknown): LinePlace => ({
  list: around.within?.list ?? pathText(path.slice(0, 1)),
  rank: around.within?.rank ?? around.form.rank?.(pathText(path), isRecord(value) ? value : undefined) ?? 0,
  effect: effectAt(path, around, value),
});

/** A label without what joins it to the next step. */
const withoutJoint = (label: string, { joint = " " }: ReviewForm): string =>
  label.endsWith(joint) ? label.slice(0, -joint.length) : label.trim();

function valueLine({ path, from, to, ignored }: ReplacedValue, around: ChangeContext): ChangeLine {
  const label = `${around.label}${wordsAt(path, around.form)}`;
  const [before, after] = [memberAt(around.before, path), memberAt(around.after, path)];
  const alone = (value: unknown) => (around.isShort ? shortened(valueText(value), maxRest) : valueText(value));
  const says = from === undefined ? alone(after) : to === undefined ? alone(before) : arrow(before, after, around);
  if (ignored !== undefined) {
    const how = from === undefined ? `none → ${says}` : to === undefined ? `${says} → none` : says;
    return { ...placeOf(path, around), text: `${label}: ${how}`, verb: "ignored", ignored };
  }
  const of = withoutJoint(`${around.label}${wordsAt(path.slice(0, -1), around.form)}`, around.form);
  const member = path.length === 0 ? {} : { member: { of, says: `${keyText(path.at(-1) as PropertyKey)} ${says}` } };
  const at = { ...placeOf(path, around, from ?? to), ...member };
  if (from === undefined) return { ...at, text: `+ ${label}: ${says}`, verb: "added" };
  if (to === undefined)
    return isEmpty(from)
      ? { ...at, text: `${label} ${says}`, verb: "changed", isEmptied: true }
      : { ...at, text: `- ${label}: ${says}`, verb: "removed" };
  return { ...at, text: `${label}: ${says}`, verb: "changed" };
}

type TitledPair = readonly [before: TitledItem, after: TitledItem];

/** The lines of one item before and after: its scalars on one line, nested values below. */
function pairLines(path: ValuePath, [before, after]: TitledPair, around: ChangeContext): ChangeLine[] {
  const { label, form } = around;
  const changes = changesBetween(before.value, after.value, form);
  const isReplacedMember = (change: ValueChange): change is ReplacedValue =>
    "from" in change && change.ignored === undefined && change.path.length === 1 && !isAbsent(change);
  const replacements = changes.filter(isReplacedMember).map(({ path: at }) => {
    const name = String(at[0]);
    return `${memberAt(form.words, [name]) || keyText(name)} ${arrow(memberAt(before.shown, at), memberAt(after.shown, at), around)}`;
  });
  const within = placeOf(path, around, before.shown);
  const text = `${label}${before.label}`;
  const inner: ChangeContext = {
    before: before.shown,
    after: after.shown,
    form,
    isShort: around.isShort,
    label: text === "" ? "" : `${text}${form.joint ?? " "}`,
    within,
  };
  const line: ChangeLine[] =
    replacements.length === 0 ? [] : [{ text: `${text}: ${replacements.join(", ")}`, verb: "changed", ...within }];
  return [
    ...line,
    ...changes.filter((change) => !isReplacedMember(change)).flatMap((change) => linesOf(change, inner)),
  ];
}

/** The lines of an item that comes or goes, and of the items in it that are shown apart. */
function wholeLines(
  sign: "-" | "+",
  path: ValuePath,
  item: TitledItem,
  around: ChangeContext,
  place = "",
): readonly ChangeLine[] {
  const { form, label } = around;
  const list = wordsAt(path, form);
  const at = placeOf(path, around, item.shown);
  const verb = sign === "+" ? "added" : "removed";
  const rest = restOf(item, list, form);
  // Items of a top-level list have no name before them.
  const text = `${sign} ${`${label}${item.label}${place}${around.isShort ? shortened(rest, maxRest) : rest}`.replace(/^:? /, "")}`;
  const inner = {
    ...around,
    before: item.shown,
    after: item.shown,
    label: `${label}${item.label}${form.joint ?? " "}`,
  };
  const nested = (form.apart ?? []).flatMap((name) => {
    const items = memberAt(item.shown, [name]);
    if (!Array.isArray(items)) return [];
    const titled = titlesIn(item.shown, [name], form);
    return items.flatMap((value, index) => wholeLines(sign, [name], titled({ index, value }), inner));
  });
  return [{ text, verb, ...at }, ...nested];
}

function moveLine(path: ValuePath, [before, after]: TitledPair, around: ChangeContext): ChangeLine {
  const { label, form } = around;
  const words = wordsAt(path, form);
  const thing =
    after.titled.length > 0
      ? `${before.label}:`
      : isLeaf(after.shown)
        ? `${words === "" ? "" : `${words}: `}${valueText(after.shown)}`
        : `${words}[${after.index}]:`;
  const place = after.index + 1;
  const how =
    before.index === after.index
      ? `stays at place ${place} while others move past it`
      : `moves from place ${before.index + 1} to place ${place}`;
  const text = `${label}${thing} ${how}`;
  return { text, verb: "changed", ...placeOf(path, around, after.shown) };
}

function listLines(change: ChangedList, around: ChangeContext): ChangeLine[] {
  const { form } = around;
  const { path } = change;
  const [titledBefore, titledAfter] = [titlesIn(around.before, path, form), titlesIn(around.after, path, form)];
  const removed = change.removed.map(titledBefore);
  const added = change.added.map(titledAfter);
  const pairs = pairItems(removed, added);
  const isPaired = new Set(pairs.flat());
  const titledPair = ([before, after]: ItemPair): TitledPair => [titledBefore(before), titledAfter(after)];
  const staying = [...change.staying, ...pairs];
  const moved = movedItems(staying);
  const isFree = isSet(form, path, listAt(around.before, path), listAt(around.after, path));
  const last = isFree ? 0 : staying.reduce((most, [, { index }]) => Math.max(most, index), -1);
  const isPlaced = form.title !== undefined && staying.length > 0;
  const placed = ({ index }: ChangedItem) => (!isFree && (isPlaced || index < last) ? ` at place ${index + 1}` : "");
  const reordered: ChangeLine = {
    text: `${around.label}${wordsAt(path, form) || "the list"}: the same items in another order`,
    verb: "ignored",
    ignored: "order",
    ...placeOf(path, around),
  };
  return [
    ...removed.filter((item) => !isPaired.has(item)).flatMap((item) => wholeLines("-", path, item, around)),
    ...pairs.flatMap((pair) => pairLines(path, pair, around)),
    ...added.filter((item) => !isPaired.has(item)).flatMap((item) => wholeLines("+", path, item, around, placed(item))),
    ...(isFree ? (moved.length > 0 ? [reordered] : []) : moved.map((pair) => moveLine(path, titledPair(pair), around))),
    ...change.staying
      .filter(([a, b]) => a.value !== b.value)
      .flatMap((pair) => pairLines(path, titledPair(pair), around)),
  ];
}

const linesOf = (change: ValueChange, around: ChangeContext): ChangeLine[] =>
  "from" in change ? [valueLine(change, around)] : listLines(change, around);

const order: readonly ChangeLine["verb"][] = ["removed", "changed", "added"];

/** The omitted fields without a value, on one line. */
function emptiedLine(lines: readonly ChangeLine[]): ChangeLine[] {
  const [first] = lines;
  if (first === undefined) return [];
  return [{ ...first, text: `left out, without a value now: ${lines.map(({ text }) => text).join(", ")}` }];
}

const signs = { removed: "- ", added: "+ ", changed: "", ignored: "" } as const;

/** Changes with one line for those of the same record, and the number of changes that each line has. */
export function linesByRecord(
  lines: readonly ChangeLine[],
): readonly { readonly text: string; readonly whole: number }[] {
  const runs: ChangeLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const isSame = first?.verb === line.verb && !line.isEmptied && first.member && first.member.of === line.member?.of;
    if (isSame) run?.push(line);
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
 * The differences between two states.
 * @param shown Returns the value with its secrets masked, as it can be written; without it nothing is masked, and long texts
 * are cut to what differs, because a reader does not approve each byte of them.
 */
export function review(
  present: unknown,
  proposed: unknown,
  form: ReviewForm = {},
  shown?: (value: unknown) => unknown,
): Review {
  const written = (value: unknown): unknown => {
    const seen = shown ? shown(value) : value;
    return form.hides ? withMaskMarks(seen, form.hides(seen)) : seen;
  };
  const label = form.root === undefined ? "" : `${form.root}${form.joint ?? " "}`;
  const isShort = shown === undefined;
  const around: ChangeContext = { before: written(present), after: written(proposed), form, label, isShort };
  const [now, then] = [withMaskedAsText(present, around.before), withMaskedAsText(proposed, around.after)];
  const lines = changesBetween(now, then, form).flatMap((change) => linesOf(change, around));
  const changes = lines.filter(({ verb, isEmptied }) => verb !== "ignored" && !isEmptied);
  return {
    changes: [
      ...changes.sort(
        (a, b) =>
          a.rank - b.rank ||
          effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
          order.indexOf(a.verb) - order.indexOf(b.verb),
      ),
      ...emptiedLine(lines.filter(({ isEmptied }) => isEmptied)),
    ],
    ignored: lines.filter(({ verb }) => verb === "ignored"),
  };
}
