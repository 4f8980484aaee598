/** The parts of a preview: their lines in whole, all of them in fewer words for a question, and in short where that is too long. */
import { onOneLine } from "../../language/marks.js";

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

interface LineFacts {
  readonly is: LineKind;
  /** The sentence that can stand in the place of these lines, because other lines show the same. */
  readonly behind?: string;
}

/** A line of the whole preview. */
export interface WholeLine extends LineFacts {
  readonly text: string;
}

/** Lines that follow each other and of which the same is known. */
export interface Run extends LineFacts {
  readonly count: number;
}

/** What is known of lines, in their order. */
export function runsOf(lines: readonly WholeLine[]): readonly Run[] {
  const runs: (LineFacts & { count: number })[] = [];
  for (const { text: _, ...facts } of lines) {
    const last = runs.at(-1);
    if (last?.is === facts.is && last.behind === facts.behind) last.count += 1;
    else runs.push({ ...facts, count: 1 });
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
  lines: entry.lines.map((line) => ({ ...line, is })),
});

/** Several parts as one. */
export const together = (entries: readonly Entry[]): Entry => ({
  lines: entries.flatMap(({ lines }) => lines),
  brief: entries.flatMap(({ brief }) => brief),
  short: entries.flatMap(({ short }) => short),
});

/** Lines that the shorter forms replace by one sentence, because other lines of theirs say the same. */
export function behind({ lines }: Entry, sentence: string): Entry {
  const text = onOneLine(sentence);
  const brief = [{ text, whole: lines.length }];
  // One line is as short as the sentence.
  return { lines: lines.length > 1 ? lines.map((line) => ({ ...line, behind: text })) : lines, brief, short: brief };
}
