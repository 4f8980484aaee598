/** The lines of a difference, under their headings and within their number. */
import type { DifferenceLine, IgnoredKind, ReviewForm } from "./conduct.js";
import { isMask } from "./marks.js";
import { type ChangeLine, review } from "./review.js";

/** A line that introduces or ends others. */
export const headLine = (text: string): DifferenceLine => ({ text });

const signs = { removed: "- ", added: "+ ", changed: "" } as const;

/** A line on a change, with the sign of its verb. */
export const signedLine = (verb: keyof typeof signs, text: string): DifferenceLine => ({
  text: `${signs[verb]}${text}`,
  verb,
});

const kinds: Readonly<Record<IgnoredKind, string>> = {
  order: "order",
  id: "ids",
  stamp: "stamps",
  default: "defaults",
};

/** A difference that is no change, and why. */
export type IgnoredDifference = Pick<ChangeLine, "text" | "ignored">;

/** The number of differences that are ignored and what they are of, in a sentence; undefined if there are none. */
export function ignoredInWords(ignored: readonly IgnoredDifference[]): string | undefined {
  if (ignored.length === 0) return undefined;
  const of = Object.entries(kinds).flatMap(([kind, words]) =>
    ignored.some((line) => line.ignored === kind) ? [words] : [],
  );
  const count = ignored.length.toLocaleString("en-US");
  const words = of.join(", ").replace(/, ([^,]+)$/, " and $1");
  return `Without effect: ${count} ${ignored.length === 1 ? "difference" : "differences"} of ${words}.`;
}

/** Changes by what they are about, each group under its heading; without one if no table says what they are about. */
export function changeGroups(
  changes: readonly ChangeLine[],
  { effects }: ReviewForm = {},
): readonly { readonly heading?: string; readonly lines: readonly ChangeLine[] }[] {
  if (effects === undefined) return changes.length === 0 ? [] : [{ lines: changes }];
  const groups: { readonly heading: string; readonly lines: ChangeLine[] }[] = [];
  for (const line of changes) {
    const heading = `${line.effect.charAt(0).toUpperCase()}${line.effect.slice(1)}:`;
    const last = groups.at(-1);
    if (last?.heading === heading) last.lines.push(line);
    else groups.push({ heading, lines: [line] });
  }
  return groups;
}

/** The number of the differences that are left out, and each of them. */
export function ignoredLines(ignored: readonly IgnoredDifference[]): readonly DifferenceLine[] {
  const count = ignoredInWords(ignored);
  if (count === undefined) return [];
  return [headLine(count), ...ignored.map(({ text }): DifferenceLine => ({ text: `  ${text}`, verb: "ignored" }))];
}

function masksIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return isMask(value) ? [String(value)] : [];
  return Object.values(value).flatMap(masksIn);
}

/**
 * How one value differs from another, line by line: the changes in their groups, and then what is left out and what is
 * unknown, because equal masks can stand for different secrets.
 */
export function differenceLines(before: unknown, after: unknown, form?: ReviewForm): readonly DifferenceLine[] {
  const { changes, ignored } = review(before, after, form);
  const masks = new Set(masksIn(before));
  const unseen = masks.size === 0 ? 0 : masksIn(after).filter((mask) => masks.has(mask)).length;
  return [
    ...changeGroups(changes, form).flatMap(({ heading, lines }) => [
      ...(heading === undefined ? [] : [headLine(heading)]),
      ...lines,
    ]),
    ...ignoredLines(ignored),
    ...(unseen === 0
      ? []
      : [
          headLine(
            `Unknown: whether ${unseen === 1 ? "a secret changes that has" : `${unseen.toLocaleString("en-US")} secrets change that have`} the same length in both.`,
          ),
        ]),
  ];
}

/** The number of changes in the lines of a difference. */
export const changesIn = (lines: readonly DifferenceLine[]): number =>
  lines.filter(({ verb }) => verb !== undefined && verb !== "ignored").length;

/** The texts of lines for a reader who has no use for what is left out, beyond its number. */
export const lineTexts = (lines: readonly DifferenceLine[]): readonly string[] =>
  lines.filter(({ verb }) => verb !== "ignored").map(({ text }) => text);

// A preview keeps every line; a question shows the first ones and the number of the others.
const maxLines = 500;

/**
 * The lines of a difference, limited to the first ones if there are many.
 * @param nothing The line to show if there are none.
 */
export const limitLines = (
  lines: readonly DifferenceLine[],
  nothing: string,
  most = maxLines,
): readonly DifferenceLine[] =>
  lines.length === 0
    ? [headLine(nothing)]
    : lines.length <= most
      ? lines
      : [...lines.slice(0, most), headLine(`And ${lines.length - most} more.`)];

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
  lines: readonly DifferenceLine[] | undefined,
  nothing: string,
): readonly DifferenceLine[] {
  const thing = of === undefined ? "" : ` of ${of}`;
  if (String(from) === String(to))
    return [headLine(`Version ${to}${thing} is active on ${where} already, so nothing changes.`)];
  return [
    headLine(
      from === undefined
        ? `No version${thing} is active on ${where} now, so all of it is new there:`
        : `From version ${from} to version ${to}${thing} on ${where}:`,
    ),
    ...(lines === undefined
      ? [headLine("The difference is unknown, because it could not be read.")]
      : limitLines(lines, nothing)),
  ];
}
