/**
 * A preview within a length limit: questions and results show what is sent before the present state, terminals what
 * fits, with the number of omitted lines.
 */
import { planTool } from "../../language/own-tools.js";
import type { KeptPreview } from "../plan.js";
import type { Preview } from "../preview.js";
import type { BriefLine } from "./entry.js";
import { countOf } from "./text.js";

/** The maximum length of a question, so that nothing that is sent is hidden. */
const greatestLength = 4_000;

// The sentence about omitted lines is not longer, except for a long URI.
const reserve = 260;

const lengthOf = (lines: readonly { readonly text: string }[]): number =>
  lines.reduce((sum, { text }) => sum + text.length + 1, 0);
const isNow = ({ is }: BriefLine): boolean => is === "now";

/** The lines about everything that is sent, in compact form. */
const sentIn = ({ brief }: Preview): readonly BriefLine[] => brief.filter((line) => !isNow(line));

/** Whether a question can show everything that is sent. Otherwise the user would not know what they approve. */
export const isAskable = (preview: Preview): boolean => lengthOf(sentIn(preview)) <= greatestLength - reserve - 140;

/** The first lines that fit, up to the first one that does not, so that the most important ones remain. */
function fitting(lines: readonly BriefLine[], room: number): readonly BriefLine[] {
  let left = room;
  const end = lines.findIndex(({ text }) => {
    left -= text.length + 1;
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/**
 * What is omitted, and where the whole preview is; undefined if nothing is omitted.
 * @param where Its URI, for readers who do not know the plan.
 */
function sayLeft({ brief, outline, changes = 0 }: Preview, shown: readonly BriefLine[], where: string | undefined) {
  const wholeOf = (lines: readonly BriefLine[], is: BriefLine["is"]) =>
    lines.filter((line) => line.is === is).reduce((sum, { whole }) => sum + whole, 0);
  const leftOf = (is: BriefLine["is"]) => wholeOf(brief, is) - wholeOf(shown, is);
  const nowLines = outline.reduce((sum, { is, count }) => sum + (is === "now" ? count : 0), 0);
  const [left, warnings, others, now] = [
    leftOf("change"),
    leftOf("warning"),
    leftOf(undefined),
    nowLines - wholeOf(shown, "now"),
  ];
  const parts = [
    warnings > 0 ? countOf(warnings, "warning") : "",
    left > 0 ? `${left.toLocaleString("en-US")} of ${countOf(changes, "change")}` : "",
    others > 0 ? countOf(others, "line of the request", "lines of the request") : "",
    now > 0 ? countOf(now, "line of the present state", "lines of the present state") : "",
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  const all = where === undefined ? `${planTool} shows all` : `all of it is at ${where}`;
  return `Not shown here: ${parts.join(", ")}; ${all}.`;
}

/** Everything that is sent, then what fits of the present state; if the former does not fit, its short form. */
function fitted(preview: Preview, most: number, where: string | undefined) {
  const room = most - reserve - (where?.length ?? 0);
  const { brief, short } = preview;
  const sent = sentIn(preview);
  const isWhole = lengthOf(sent) <= room;
  const shown = isWhole
    ? [...sent, ...fitting(brief.filter(isNow), room - lengthOf(sent))]
    : fitting(
        short.filter((line) => !isNow(line)),
        room,
      );
  const left = sayLeft(preview, shown, where);
  return [...shown.map(({ text }) => text), ...(left === undefined ? [] : [left]), preview.lines.at(-1) ?? ""];
}

/**
 * The question about a preview for which `isAskable` is true. Its first line is the summary, its last one the digest of
 * the whole request.
 * @param where The URI of the whole preview, such as `plan://plan_x`; absent if there is none.
 */
export const question = (preview: Preview, where?: string): string => fitted(preview, greatestLength, where).join("\n");

/** A preview in a result: its facts, and as many of its lines as fit. */
export type ShownPreview = Omit<Preview, "outline" | "actsOn" | "brief" | "short">;

/** A preview for a result with a maximum number of characters, of which its facts take a part; see `question`. */
export function shownPreview(preview: Preview, maxChars: number): ShownPreview {
  const { brief: _, short: __, outline: ___, actsOn: ____, ...whole } = preview;
  return { ...whole, lines: fitted(preview, maxChars / 2, undefined) };
}

/** The lines to show, and the numbers of the others. */
export interface Folded {
  readonly lines: readonly string[];
  /** Omitted lines of the present state. */
  readonly now: number;
  /** Omitted lines of the request that repeat the changes. */
  readonly repeated: number;
}

interface Fold {
  readonly from: number;
  readonly count: number;
  /** The sentence that replaces them; none for the present state. */
  readonly says: string | undefined;
}

/** The lines that can be folded: the present state, and lines that a sentence can replace. */
function foldsIn(outline: KeptPreview["outline"] = []): readonly Fold[] {
  const folds: Fold[] = [];
  let from = 0;
  for (const { is, behind: says, count } of outline) {
    if (says !== undefined || is === "now") folds.push({ from, count, says });
    from += count;
  }
  return folds;
}

const leastFolded = 3;

/**
 * Folds lines that are not needed to understand the change, if not all fit.
 * @param height The number of lines that fit.
 * @param heightOf The number of lines that a line takes when wrapped.
 */
export function folded({ lines, outline }: KeptPreview, height: number, heightOf: (line: string) => number): Folded {
  const heightIn = (some: readonly string[]): number => some.reduce((sum, line) => sum + heightOf(line), 0);
  if (heightIn(lines) <= height) return { lines, now: 0, repeated: 0 };
  const folds = foldsIn(outline);
  const shown: string[] = [];
  const counts = { now: 0, repeated: 0 };
  const kept = lines.filter((_, at) => !folds.some(({ from, count }) => at >= from && at < from + count));
  let room = height - heightIn(kept) - heightIn(folds.flatMap(({ says = [] }) => says));
  let at = 0;
  for (const { from, count, says } of folds) {
    shown.push(...lines.slice(at, from));
    at = from + count;
    if (says !== undefined) {
      shown.push(says);
      counts.repeated += count;
      continue;
    }
    for (const [done, line] of lines.slice(from, at).entries()) {
      room -= heightOf(line);
      if (room < 0) {
        counts.now += count - done;
        break;
      }
      shown.push(line);
    }
  }
  // Offering a line or two takes more room than showing them.
  if (counts.now + counts.repeated <= leastFolded) return { lines, now: 0, repeated: 0 };
  return { lines: [...shown, ...lines.slice(at)], ...counts };
}
