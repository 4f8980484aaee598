/** Every scalar of a value, line by line; long lists in a compact notation, and in the short form outliers first. */

import type { ValuePath } from "../../language/difference.js";
import { isRecord } from "../../language/member.js";
import {
  appearanceOf,
  countOf,
  isLeaf,
  likeness,
  memberForms,
  pathText,
  valueText,
} from "../../language/value-text.js";
import type { z } from "../../language/z.js";
import { canonical } from "../../text/canonical.js";
import {
  clipped,
  lineInForms,
  lineOrClipped,
  linesOfForm,
  onlyInForms,
  type PreviewLine,
  type PreviewLineKind,
  shortenTo,
} from "./lines.js";

/** The names and values of an item that are compared, such as its host and its action. */
export type ItemFeatures = readonly (readonly [name: string, value: string])[];

/**
 * How common each item is: the smallest share of items that have one of its values. Names whose values nearly all
 * differ, such as ids, are ignored.
 */
export function usualness(things: readonly ItemFeatures[]): readonly number[] {
  const records = things.map((features) => new Map(features));
  const names = new Set(things.flatMap((features) => features.map(([name]) => name)));
  const shares = things.map(() => 1);
  for (const name of names) {
    const counts = new Map<string | undefined, number>();
    // A missing value also distinguishes an item.
    for (const record of records) counts.set(record.get(name), (counts.get(record.get(name)) ?? 0) + 1);
    if (counts.size * 2 > things.length) continue;
    for (const [at, record] of records.entries())
      shares[at] = Math.min(shares[at] ?? 1, (counts.get(record.get(name)) ?? 0) / things.length);
  }
  return shares;
}

/** The indexes of items, outliers first and the others in order. */
export function unusualFirst(things: readonly ItemFeatures[]): readonly number[] {
  const shares = usualness(things);
  return [...things.keys()].sort((a, b) => (shares[a] ?? 1) - (shares[b] ?? 1) || a - b);
}

const maxItems = 10;
const maxGroups = 5;
const maxShown = 6;
const minBeginning = 8;

/** The group of a text: the host of a URL, the domain of an email address or a host name. */
export function domainGroupOf(item: unknown): string | undefined {
  if (typeof item !== "string") return undefined;
  const host = /^[a-z][a-z0-9+.-]{0,20}:\/\/([^/?#]+)/i.exec(item)?.[1] ?? /^[^@\s]+@([^@\s]+)$/.exec(item)?.[1];
  return host ?? /^[^./\s]+\.((?=[^/\s]+\.[^/\s])[^/\s]+)$/.exec(item)?.[1];
}

/**
 * The groups of a list with their counts, smallest first because they are outliers; nothing if an item has no group.
 */
function groupsIn(items: readonly unknown[]): string {
  const counts = new Map<string, number>();
  for (const item of items) {
    const group = domainGroupOf(item);
    if (group === undefined) return "";
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => a - b);
  const named = sorted
    .slice(0, maxGroups)
    .map(([group, count]) => `${clipped(valueText(group), 80)}: ${count.toLocaleString("en-US")}`);
  const rest = sorted.length - named.length;
  return `; ${[...named, ...(rest > 0 ? [`${countOf(rest, "other group")}`] : [])].join(", ")}`;
}

/** Where a value is, and how it is written. */
export interface LeafPlace {
  /** The text before the path, such as a mark for the present state. */
  readonly before: string;
  readonly is?: PreviewLineKind;
  readonly path: ValuePath;
  readonly forms: readonly z.ZodType[];
}

/** The text before a value; only `before` for the whole value. */
const labelOf = ({ before, path }: LeafPlace): string => `${before}${path.length === 0 ? "" : `${pathText(path)}: `}`;

/** Whether all members of a record are scalars, so that it fits on one line. */
const isFlat = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isLeaf);

/** Whether items of a list in a value look alike, so that each has to be written with what distinguishes it. */
const hasLikeness = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ((Array.isArray(value) && likenesses(value).some((mark) => mark !== "")) || Object.values(value).some(hasLikeness));

const maxInline = 160;

/** The lines of a value, for which the shorter forms have one line if that is short. */
function inline(lines: readonly PreviewLine[], shown: unknown, place: LeafPlace): readonly PreviewLine[] {
  // A number of scalars that cannot fit is not written out first.
  if (linesOfForm("whole", lines).length > maxItems || hasLikeness(shown)) return lines;
  const text = `${labelOf(place)}${valueText(shown, place.forms)}`;
  return text.length > maxInline ? lines : shortenTo(lines, text, place.is);
}

/** The parts of an item that can make it an outlier. */
function featuresOf(item: unknown): ItemFeatures {
  if (!isRecord(item)) return [["", domainGroupOf(item) ?? ""]];
  return Object.entries(item).map(([key, value]) => [key, domainGroupOf(value) ?? valueText(value)] as const);
}

/** For each item, an earlier item that looks like it but differs, and how. */
function likenesses(items: readonly unknown[]): readonly string[] {
  const known = new Map<string, number>();
  return items.map((item, index) => {
    if (!isLeaf(item)) return "";
    const look = appearanceOf(item);
    const at = known.get(look);
    if (at === undefined) {
      known.set(look, index);
      return "";
    }
    const how = likeness(items[at], item);
    return how === undefined ? "" : ` (looks like item ${at}: ${how})`;
  });
}

/** The characters after which a new part of a text begins. */
const separators = "/:.=?&_@-";

/** The longest common beginning of texts, up to the end of a part. */
function beginningOf([first = "", ...others]: readonly string[]): string {
  let shared = first.length;
  for (const other of others) {
    let same = 0;
    while (same < shared && first[same] === other[same]) same += 1;
    shared = same;
  }
  while (shared > 0 && !separators.includes(first[shared - 1] ?? "")) shared -= 1;
  return first.slice(0, shared);
}

/** A long list of texts, grouped by their common beginnings, smallest group first. */
function textLines(texts: readonly string[], marks: readonly string[]): string[] {
  const groups = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    const group = domainGroupOf(text) ?? "";
    groups.set(group, [...(groups.get(group) ?? []), at]);
  }
  const isGrouped = groups.size * 2 <= texts.length;
  const parts = isGrouped ? [...groups.values()].sort((a, b) => a.length - b.length) : [[...texts.keys()]];
  return parts.flatMap((places) => {
    const groupTexts = places.map((at) => texts[at] ?? "");
    const shared = places.length > 1 ? beginningOf(groupTexts) : "";
    const beginning = shared.length < minBeginning ? "" : shared;
    const items = places.map(
      (at) => `    [${at}] ${valueText((texts[at] ?? "").slice(beginning.length))}${marks[at] ?? ""}`,
    );
    const head = `  ${places.length} of ${countOf(texts.length, "item")} beginning with ${JSON.stringify(beginning)}:`;
    return beginning === "" ? items : [head, ...items];
  });
}

/** A long list of records: their common values once, then the records, outliers first. */
function recordLines(items: readonly Readonly<Record<string, unknown>>[], forms: readonly z.ZodType[]): string[] {
  const [first = {}] = items;
  const shared = Object.keys(first).filter((key) =>
    items.every((item) => Object.hasOwn(item, key) && valueText(item[key]) === valueText(first[key])),
  );
  const withoutShared = (item: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(item).filter(([key]) => !shared.includes(key)));
  const common = Object.fromEntries(shared.map((key) => [key, first[key]]));
  const order = unusualFirst(items.map(featuresOf));
  return [
    ...(shared.length === 0 ? [] : [`  all of them: ${valueText(common, memberForms(forms, 0))}`]),
    ...order.map((at) => `  [${at}] ${valueText(withoutShared(items[at] ?? {}), memberForms(forms, at))}`),
  ];
}

/** A list in as few lines as possible; undefined if its items have to be written one by one. */
function compactLines(shown: readonly unknown[], marks: readonly string[], forms: readonly z.ZodType[]) {
  if (shown.every((item) => typeof item === "string")) return textLines(shown, marks);
  if (shown.every((item) => isRecord(item) && isFlat(item)))
    return recordLines(shown as readonly Readonly<Record<string, unknown>>[], forms);
  if (!shown.every(isLeaf)) return undefined;
  return [`  ${shown.map((item, at) => `${valueText(item, memberForms(forms, at))}${marks[at]}`).join(", ")}`];
}

/**
 * The lines of single items of a list, by their index.
 * @param marks How items that look alike differ, if that is known already.
 */
export function itemLines(
  raw: readonly unknown[],
  shown: readonly unknown[],
  { path, forms, ...place }: LeafPlace,
  marks = likenesses(shown),
): (at: number) => readonly PreviewLine[] {
  return (at) => {
    const inner = { ...place, path: [...path, at], forms: memberForms(forms, at) };
    return isFlat(shown[at]) || isLeaf(shown[at])
      ? lineOrClipped(`${labelOf(inner)}${valueText(shown[at], inner.forms)}${marks[at]}`, place.is)
      : leafLines(raw[at], shown[at], inner);
  };
}

function listLines(raw: readonly unknown[], shown: readonly unknown[], place: LeafPlace): readonly PreviewLine[] {
  const { forms, is } = place;
  const different = new Set(raw.map(canonical)).size;
  const twice = different === raw.length ? "" : `, ${different.toLocaleString("en-US")} different`;
  const head = `${labelOf(place)}${countOf(raw.length, "item")}${twice}`;
  const marks = likenesses(shown);
  const parts = [...raw.keys()].map(itemLines(raw, shown, place, marks));
  const items = parts.flat();
  if (raw.length <= maxItems) return inline([...lineOrClipped(head, is), ...items], shown, place);
  const compact = compactLines(shown, marks, forms);
  const count = linesOfForm("whole", items).length;
  const order = unusualFirst(shown.map(featuresOf));
  return [
    lineInForms(["whole", "brief"], head, is),
    ...onlyInForms(compact ? ["whole"] : ["whole", "brief"], items),
    // The lines of the compact form count as many lines as there are items.
    ...(compact ?? []).map((text, at) => lineInForms(["brief"], text, is, at === 0 ? count : 0)),
    lineInForms(["short"], `${head}${groupsIn(shown)}`, is),
    ...order.slice(0, maxShown).flatMap((at) => onlyInForms(["short"], parts[at] ?? [])),
    lineInForms(["short"], `  … ${countOf(raw.length - maxShown, "more item")} not shown here`, is, 0),
  ];
}

/**
 * The scalars of a value with their paths.
 * @param raw The value as it is, to distinguish items that look alike when masked.
 * @param shown The same value, as returned by `withMaskMarks`.
 */
export function leafLines(raw: unknown, shown: unknown, place: LeafPlace): readonly PreviewLine[] {
  const { path, forms, is } = place;
  if (isLeaf(shown)) return lineOrClipped(`${labelOf(place)}${valueText(shown, forms)}`, is);
  if (Array.isArray(raw) && Array.isArray(shown)) return listLines(raw, shown, place);
  const members = Object.entries(shown as Readonly<Record<string, unknown>>);
  const of = raw as Readonly<Record<string, unknown>>;
  const all = members.flatMap(([key, member]) =>
    leafLines(of[key], member, { ...place, path: [...path, key], forms: memberForms(forms, key) }),
  );
  // The members of a body have lines of their own, so that several calls can share them.
  return path.length > 1 ? inline(all, shown, place) : all;
}
