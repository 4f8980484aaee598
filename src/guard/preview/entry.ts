/** The parts of a preview in three forms: complete, compact for a question, and short if that is too long. */
import { onOneLine } from "../../language/marks.js";

/** The kind of a line; other lines belong to the request. */
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
  /** The sentence that can replace these lines, because other lines show the same. */
  readonly behind?: string;
}

/** A line of the complete preview. */
export interface WholeLine extends LineFacts {
  readonly text: string;
}

/** Consecutive lines of the same kind. */
export interface Run extends LineFacts {
  readonly count: number;
}

/** The kinds of lines, in order. */
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
  /** How many lines of the complete preview it shows; lines behind a summary or a truncated text do not count. */
  readonly whole: number;
  /** `now` is the present state, which a question leaves out before anything that is sent. */
  readonly is?: "change" | "warning" | "now";
}

/** A part of a preview. */
export interface Entry {
  readonly lines: readonly WholeLine[];
  /** All of it, in compact form: different parts have different compact forms. */
  readonly brief: readonly BriefLine[];
  /** The most important lines, if even the compact form is too long. */
  readonly short: readonly BriefLine[];
}

export const nothing: Entry = { lines: [], brief: [], short: [] };

const maxText = 240;

/** A text, truncated if it is long, with its length. */
export const clipped = (text: string, max = maxText): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max - 30).replace(/[\ud800-\udbff]$/, "")}… (${text.length.toLocaleString("en-US")} characters)`;

const kindOf = (is: BriefLine["is"]) => (is === undefined ? {} : { is });

const inWhole = { change: "changed", warning: "warning", now: "now" } as const;

/** A part with one line; the short form truncates a long one. */
export function single(text: string, is?: BriefLine["is"], max = maxText): Entry {
  const line = onOneLine(text);
  const short = clipped(line, max);
  return {
    lines: [{ text: line, is: is === undefined ? "request" : inWhole[is] }],
    brief: [{ text: line, whole: 1, ...kindOf(is) }],
    short: [{ text: short, whole: short === line ? 1 : 0, ...kindOf(is) }],
  };
}

/** The same part, with the kind of its complete lines. */
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

/** The same part, with one line for all of it in the shorter forms. */
export function shortly({ lines }: Entry, sentence: string, is?: BriefLine["is"]): Entry {
  const [line] = single(sentence, is).brief;
  const brief = line === undefined ? [] : [{ ...line, whole: lines.length }];
  return { lines, brief, short: brief };
}

/** Lines that the shorter forms replace by a sentence, because other lines show the same. */
export function behind(entry: Entry, sentence: string): Entry {
  const { lines, ...others } = shortly(entry, sentence);
  const text = onOneLine(sentence);
  // One line is as short as the sentence.
  return { ...others, lines: lines.length > 1 ? lines.map((line) => ({ ...line, behind: text })) : lines };
}
