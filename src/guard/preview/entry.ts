/** The parts of a preview: their lines in whole, all of them in fewer words for a question, and in short where that is too long. */
import { onOneLine } from "../../api/marks.js";

/** What a line of the whole preview says; what has no other kind is of the request. */
export type LineKind =
  | "summary"
  | "account"
  | "undo"
  | "warning"
  | "difference"
  | "removed"
  | "changed"
  | "added"
  | "note"
  | "call"
  | "request"
  | "now"
  | "digest";

/** A line of the whole preview. */
export interface WholeLine {
  readonly text: string;
  readonly is: LineKind;
}

/** Lines of one kind that follow each other. */
export interface Run {
  readonly is: LineKind;
  readonly count: number;
}

/** The kinds of lines, in their order. */
export function runsOf(lines: readonly WholeLine[]): readonly Run[] {
  const runs: { is: LineKind; count: number }[] = [];
  for (const { is } of lines) {
    const last = runs.at(-1);
    if (last?.is === is) last.count += 1;
    else runs.push({ is, count: 1 });
  }
  return runs;
}

/** A line of one of the shorter forms. */
export interface BriefLine {
  readonly text: string;
  /** How many lines of the whole preview it shows; what is behind a summary or a shortened text is not among them. */
  readonly whole: number;
  /** `now` is the present state, which a question leaves out before anything that is sent. */
  readonly is?: "change" | "warning" | "now";
}

/** A part of a preview. */
export interface Entry {
  readonly lines: readonly WholeLine[];
  /** All that the lines say, written compactly: two parts that differ have two of these. */
  readonly brief: readonly BriefLine[];
  /** What matters most of it, where not even that has room. */
  readonly short: readonly BriefLine[];
}

export const nothing: Entry = { lines: [], brief: [], short: [] };

const maxText = 240;

/** A text with its end cut off where it is long, and how long it is. */
export const clipped = (text: string, max = maxText): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max - 30).replace(/[\ud800-\udbff]$/, "")}… (${text.length.toLocaleString("en-US")} characters)`;

const kindOf = (is: BriefLine["is"]) => (is === undefined ? {} : { is });

const inWhole = { change: "changed", warning: "warning", now: "now" } as const;

/** A part of one line, whatever its text holds; the short form cuts the end of a long one. */
export function single(text: string, is?: BriefLine["is"], max = maxText): Entry {
  const line = onOneLine(text);
  const short = clipped(line, max);
  return {
    lines: [{ text: line, is: is === undefined ? "request" : inWhole[is] }],
    brief: [{ text: line, whole: 1, ...kindOf(is) }],
    short: [{ text: short, whole: short === line ? 1 : 0, ...kindOf(is) }],
  };
}

/** The same part, with what its lines in whole are. */
export const ofKind = (is: LineKind, entry: Entry): Entry => ({
  ...entry,
  lines: entry.lines.map(({ text }) => ({ text, is })),
});

/** Several parts as one. */
export const together = (entries: readonly Entry[]): Entry => ({
  lines: entries.flatMap(({ lines }) => lines),
  brief: entries.flatMap(({ brief }) => brief),
  short: entries.flatMap(({ short }) => short),
});

/** Lines that the shorter forms replace by one sentence, because other lines of theirs say the same. */
export function behind({ lines }: Entry, sentence: string): Entry {
  const brief = [{ text: onOneLine(sentence), whole: lines.length }];
  return { lines, brief, short: brief };
}
