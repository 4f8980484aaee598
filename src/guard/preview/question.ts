/** A preview within a limit: of a question and of a result what is sent before what is there now, of a terminal what has room, with the number of what does not fit. */
import type { KeptPreview } from "../plan.js";
import type { Preview } from "../preview.js";
import type { BriefLine } from "./entry.js";
import { countOf } from "./text.js";

/** What a question takes while there is a present state to show, and what it may take so that nothing that is sent is hidden. */
const usualLength = 1_500;
const greatestLength = 4_000;

// What is said of the lines that are left out takes no more, a long name of their place aside.
const reserve = 260;

const lengthOf = (lines: readonly { readonly text: string }[]): number =>
  lines.reduce((sum, { text }) => sum + text.length + 1, 0);
const isNow = ({ is }: BriefLine): boolean => is === "now";

/** The lines of all that is sent, in the compact form. */
const sentIn = ({ brief }: Preview): readonly BriefLine[] => brief.filter((line) => !isNow(line));

/** Whether a question can show all that is sent. Where it cannot, whoever answered it would not know what they approve. */
export const isAskable = (preview: Preview): boolean => lengthOf(sentIn(preview)) <= greatestLength - reserve - 140;

/** The first lines that fit; one that does not ends them, so that what is first matters most. */
function fitting(lines: readonly BriefLine[], room: number): readonly BriefLine[] {
  let left = room;
  const end = lines.findIndex(({ text }) => {
    left -= text.length + 1;
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** What is not shown in whole, and where it is; undefined where all of it is shown. */
function sayLeft(
  { brief, changes = 0 }: Preview,
  shown: readonly BriefLine[],
  where: string | undefined,
): string | undefined {
  const leftOf = (is: BriefLine["is"]) => {
    const wholeIn = (lines: readonly BriefLine[]) =>
      lines.filter((line) => line.is === is).reduce((sum, { whole }) => sum + whole, 0);
    return wholeIn(brief) - wholeIn(shown);
  };
  const [left, warnings, others, now] = [leftOf("change"), leftOf("warning"), leftOf(undefined), leftOf("now")];
  const parts = [
    warnings > 0 ? countOf(warnings, "warning") : "",
    left > 0 ? `${left.toLocaleString("en-US")} of ${countOf(changes, "change")}` : "",
    others > 0 ? countOf(others, "line of the request", "lines of the request") : "",
    now > 0 ? countOf(now, "line of what is there now", "lines of what is there now") : "",
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  return `Not shown here: ${parts.join(", ")}.${where === undefined ? "" : ` The whole preview is at ${where}.`}`;
}

/** All that is sent, and of the present state what there is room for; where not even the former fits, the short form of it. */
function fitted(preview: Preview, most: number, usual: number, where: string | undefined) {
  const kept = reserve + (where?.length ?? 0);
  const sent = sentIn(preview);
  const isWhole = lengthOf(sent) <= most - kept;
  const now = isWhole ? fitting(preview.short.filter(isNow), usual - kept - lengthOf(sent)) : [];
  const shown = isWhole
    ? [...sent, ...now]
    : fitting(
        preview.short.filter((line) => !isNow(line)),
        most - kept,
      );
  return { lines: shown.map(({ text }) => text), left: sayLeft(preview, shown, where) };
}

/**
 * The question to a person, of a preview for which `isAskable` holds. Its first line is the summary; its last one is the
 * digest of the whole request.
 * @param where Names the place of the whole preview, such as `plan://plan_x`; absent where there is none.
 */
export function question(preview: Preview, where?: string): string {
  const { lines, left } = fitted(preview, greatestLength, usualLength, where);
  return [...lines, ...(left === undefined ? [] : [left]), preview.lines.at(-1) ?? ""].join("\n");
}

/** A preview as a result shows it: its parts as members, its lines as many as fit, and what is left out of them. */
export interface ShownPreview extends Omit<Preview, "lines" | "outline" | "actsOn" | "brief" | "short"> {
  readonly lines: readonly string[];
  readonly leftOut?: string;
}

/** A preview for a result of at most so many characters; see `question`. */
export function shownPreview(preview: Preview, maxChars: number, where?: string): ShownPreview {
  const { brief: _, short: __, outline: ___, actsOn: ____, ...whole } = preview;
  const size = preview.lines.reduce((sum, line) => sum + line.length + 4, 0);
  if (size + preview.summary.length <= maxChars) return whole;
  const { lines, left } = fitted(preview, maxChars / 2, maxChars / 2, where);
  return { ...whole, lines, ...(left === undefined ? {} : { leftOut: left }) };
}

/** Lines to show, and how many of the whole preview are not among them. */
export interface Folded {
  readonly lines: readonly string[];
  /** Lines of what is there now. */
  readonly now: number;
  /** Lines of the request that repeat what the changes show. */
  readonly repeated: number;
}

interface Fold {
  readonly from: number;
  readonly count: number;
  /** The sentence in their place; of what is there now, none. */
  readonly says: string | undefined;
}

/** What can be folded: the present state, and what a sentence stands for. */
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
 * Folds what a person need not read to know what would happen. Where all lines have room, all are shown.
 * @param height How many lines there is room for.
 * @param heightOf How many of these a line takes.
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
  // To ask for a line or two takes more room than they do.
  if (counts.now + counts.repeated <= leastFolded) return { lines, now: 0, repeated: 0 };
  return { lines: [...shown, ...lines.slice(at)], ...counts };
}
