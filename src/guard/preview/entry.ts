/** The parts of a preview: the lines of each as they are shown in whole, and a shorter form for a question. */
import { onOneLine } from "../../api/marks.js";

/** A line of the short form. */
export interface BriefLine {
  readonly text: string;
  /** How many lines of the whole preview it shows; the lines behind a summary or a shortened text are not among them. */
  readonly whole: number;
  readonly is?: "change" | "warning";
}

/** A part of a preview. */
export interface Entry {
  readonly lines: readonly string[];
  readonly brief: readonly BriefLine[];
}

const maxText = 240;

/** A text with its end cut off where it is long, and how long it is. */
export const clipped = (text: string, max = maxText): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max - 30).replace(/[\ud800-\udbff]$/, "")}… (${text.length.toLocaleString("en-US")} characters)`;

/** A part of one line, whatever its text holds; a question shows it in whole unless it is long. */
export function single(text: string, is?: BriefLine["is"], max = maxText): Entry {
  const line = onOneLine(text);
  const short = clipped(line, max);
  return {
    lines: [line],
    brief: [{ text: short, whole: short === line ? 1 : 0, ...(is === undefined ? {} : { is }) }],
  };
}

/** Several parts as one. */
export const together = (entries: readonly Entry[]): Entry => ({
  lines: entries.flatMap(({ lines }) => lines),
  brief: entries.flatMap(({ brief }) => brief),
});

/** Lines that a question shows as one sentence about them. */
export const behind = ({ lines }: Entry, sentence: string): Entry => ({
  lines,
  brief: [{ text: onOneLine(sentence), whole: 0 }],
});
