/** The parts of a preview: their lines in whole, all of them in fewer words for a question, and in short where that is too long. */
import { onOneLine } from "../../api/marks.js";

/** A line of one of the shorter forms. */
export interface BriefLine {
  readonly text: string;
  /** How many lines of the whole preview it shows; what is behind a summary or a shortened text is not among them. */
  readonly whole: number;
  /** `now` is the present state, which a question leaves out before anything that is sent. */
  readonly is?: "change" | "warning" | "now";
}

/**
 * Lines of the whole preview that a terminal may fold while there is no room for them: what is there now, or what other
 * lines show already and `says` names.
 */
export interface Fold {
  readonly from: number;
  readonly count: number;
  readonly says?: string;
}

/** A part of a preview. */
export interface Entry {
  readonly lines: readonly string[];
  /** Which of the lines can be folded, in their order; no line is in two of these. */
  readonly folds: readonly Fold[];
  /** All that the lines say, written compactly: two parts that differ have two of these. */
  readonly brief: readonly BriefLine[];
  /** What matters most of it, where not even that has room. */
  readonly short: readonly BriefLine[];
}

export const nothing: Entry = { lines: [], folds: [], brief: [], short: [] };

const maxText = 240;

/** A text with its end cut off where it is long, and how long it is. */
export const clipped = (text: string, max = maxText): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max - 30).replace(/[\ud800-\udbff]$/, "")}… (${text.length.toLocaleString("en-US")} characters)`;

const kindOf = (is: BriefLine["is"]) => (is === undefined ? {} : { is });

/** A part of one line, whatever its text holds; the short form cuts the end of a long one. */
export function single(text: string, is?: BriefLine["is"], max = maxText): Entry {
  const line = onOneLine(text);
  const short = clipped(line, max);
  return {
    lines: [line],
    folds: is === "now" ? [{ from: 0, count: 1 }] : [],
    brief: [{ text: line, whole: 1, ...kindOf(is) }],
    short: [{ text: short, whole: short === line ? 1 : 0, ...kindOf(is) }],
  };
}

/** What can be folded of several parts, of which each begins behind the one before it. */
function foldsIn(entries: readonly Pick<Entry, "lines" | "folds">[]): Fold[] {
  const folds: Fold[] = [];
  let at = 0;
  for (const { lines, folds: own } of entries) {
    for (const { from, ...fold } of own) {
      const last = folds.at(-1);
      const isNext = last?.from === at + from - (last?.count ?? 0);
      // The present state is one fold, however many lines it has.
      if (last && isNext && last.says === undefined && fold.says === undefined)
        folds[folds.length - 1] = { from: last.from, count: last.count + fold.count };
      else folds.push({ from: at + from, ...fold });
    }
    at += lines.length;
  }
  return folds;
}

/** The lines of several parts, and what can be folded of them. */
export const linesOf = (entries: readonly Pick<Entry, "lines" | "folds">[]): Pick<Entry, "lines" | "folds"> => ({
  lines: entries.flatMap(({ lines }) => lines),
  folds: foldsIn(entries),
});

/** Several parts as one. */
export const together = (entries: readonly Entry[]): Entry => ({
  ...linesOf(entries),
  brief: entries.flatMap(({ brief }) => brief),
  short: entries.flatMap(({ short }) => short),
});

/** Lines that the shorter forms replace by one sentence, because other lines of theirs say the same. */
export function behind({ lines }: Entry, sentence: string): Entry {
  const says = onOneLine(sentence);
  const brief = [{ text: says, whole: lines.length }];
  return { lines, folds: lines.length > 1 ? [{ from: 0, count: lines.length, says }] : [], brief, short: brief };
}
