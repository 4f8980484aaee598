/** The lines of a preview in one list: each with its kind, the forms that show it, and how many lines it stands for. */
import { onOneLine } from "../../text/marks.js";

/** The kind of a line; other lines belong to the request. */
export type PreviewLineKind =
  | "summary"
  | "account"
  | "policy"
  | "forecast"
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

/**
 * The forms of a preview: complete; compact, with all that is sent; and the most important lines, if even that is too
 * long.
 */
export type PreviewForm = "whole" | "brief" | "short";

interface LineFacts {
  readonly is: PreviewLineKind;
  /** The sentence that can replace these lines, because other lines show the same. */
  readonly behind?: string;
}

export interface PreviewLine extends LineFacts {
  readonly text: string;
  readonly in: readonly PreviewForm[];
  /** How many lines of the complete form it shows; lines behind a summary or a truncated text do not count. */
  readonly whole: number;
}

/** Consecutive lines of the same kind. */
export interface LineRun extends LineFacts {
  readonly count: number;
}

/** The kinds of lines, in order. */
export function lineRunsOf(lines: readonly PreviewLine[]): readonly LineRun[] {
  const runs: (LineFacts & { count: number })[] = [];
  for (const { is, behind } of lines) {
    const last = runs.at(-1);
    if (last?.is === is && last.behind === behind) last.count += 1;
    else runs.push({ is, ...(behind === undefined ? {} : { behind }), count: 1 });
  }
  return runs;
}

/** The lines that a form shows. */
export const linesOfForm = (form: PreviewForm, lines: readonly PreviewLine[]): readonly PreviewLine[] =>
  lines.filter(({ in: forms }) => forms.includes(form));

/** The lines that some forms show, for these forms alone. */
export const onlyInForms = (forms: readonly PreviewForm[], lines: readonly PreviewLine[]): readonly PreviewLine[] =>
  forms.flatMap((form) => linesOfForm(form, lines).map((line) => ({ ...line, in: [form] })));

const maxText = 240;

/** A text, truncated if it is long, with its length. */
export const clipped = (text: string, max = maxText): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max - 30).replace(/[\ud800-\udbff]$/, "")}… (${text.length.toLocaleString("en-US")} characters)`;

/** A line of some forms. */
export const lineInForms = (
  forms: readonly PreviewForm[],
  text: string,
  is: PreviewLineKind = "request",
  whole = 1,
): PreviewLine => ({
  text: onOneLine(text),
  is,
  in: forms,
  whole,
});

/** A line of all forms; the short one truncates a long one. */
export function lineOrClipped(text: string, is?: PreviewLineKind, max = maxText, whole = 1): readonly PreviewLine[] {
  const short = clipped(onOneLine(text), max);
  return short === onOneLine(text)
    ? [lineInForms(["whole", "brief", "short"], text, is, whole)]
    : [lineInForms(["whole", "brief"], text, is, whole), lineInForms(["short"], short, is, 0)];
}

/** The same lines, with one line for all of them in the shorter forms. */
export const shortenTo = (
  lines: readonly PreviewLine[],
  sentence: string,
  is?: PreviewLineKind,
): readonly PreviewLine[] => [
  ...onlyInForms(["whole"], lines),
  lineInForms(["brief", "short"], sentence, is, linesOfForm("whole", lines).length),
];

/** Lines that the shorter forms replace by a sentence, because other lines show the same. */
export function collapseTo(lines: readonly PreviewLine[], sentence: string): readonly PreviewLine[] {
  const all = shortenTo(lines, sentence);
  // One line is as short as the sentence.
  return linesOfForm("whole", lines).length === 1
    ? all
    : all.map((line) => (line.in.includes("whole") ? { ...line, behind: onOneLine(sentence) } : line));
}
