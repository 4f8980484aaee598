/** A preview within a limit: what does not fit is counted, and the place where all of it stands is named. */
import type { Preview } from "../preview.js";
import type { BriefLine } from "./entry.js";
import { countOf } from "./text.js";

/** Lines of a preview, and how many of the whole are not among them. */
interface Shortened {
  readonly lines: readonly string[];
  readonly left: { readonly changes: number; readonly warnings: number; readonly others: number };
}

/** What is not shown in whole, and where it is; undefined where all of it is shown. */
function sayLeft({ changes = 0 }: Preview, { left }: Shortened, where: string | undefined): string | undefined {
  const parts = [
    left.warnings > 0 ? countOf(left.warnings, "warning") : "",
    left.changes > 0 ? `${left.changes.toLocaleString("en-US")} of ${countOf(changes, "change")}` : "",
    left.others > 0 ? countOf(left.others, "other line") : "",
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  const none = changes > 0 && left.changes === 0 ? ", and no change among them" : "";
  return `Not shown here in whole: ${parts.join(", ")}${none}.${where === undefined ? "" : ` The whole preview is at ${where}.`}`;
}

/** The lines of the short form that fit; a line that does not fit ends them, so that what is first matters most. */
function shortened({ brief, changes = 0, warnings, lines }: Preview, room: number): Shortened {
  const shown: BriefLine[] = [];
  let left = room;
  for (const line of brief) {
    left -= line.text.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const whole = (kind?: BriefLine["is"]) =>
    shown.filter(({ is }) => is === kind).reduce((sum, line) => sum + line.whole, 0);
  // The digest's line is always shown.
  const total = lines.length - 1 - changes - warnings.length;
  return {
    lines: shown.map(({ text }) => text),
    left: {
      changes: changes - whole("change"),
      warnings: warnings.length - whole("warning"),
      others: total - whole(),
    },
  };
}

// What is said of the lines that are left out takes no more, a long name of their place aside.
const reserve = 260;

/** A preview that fits, its parts apart. */
function fitted(preview: Preview, maxChars: number, where: string | undefined) {
  const room = maxChars - reserve - (where?.length ?? 0);
  const short = shortened(preview, room);
  return { lines: short.lines, left: sayLeft(preview, short, where) };
}

/**
 * The question to a person. Its first line is the summary; its last one is the digest of the whole request, so that two
 * different calls never ask the same.
 * @param maxChars At least 1,000.
 * @param where Names the place of the whole preview, such as `plan://plan_x`; absent where there is none.
 */
export function question(preview: Preview, maxChars: number, where?: string): string {
  const { lines, left } = fitted(preview, maxChars, where);
  const last = preview.lines.at(-1) ?? "";
  return [...lines, ...(left === undefined ? [] : [left]), last].join("\n");
}

/** A preview as a result shows it: its parts as members, its lines as many as fit, and what is left out of them. */
export interface ShownPreview extends Omit<Preview, "lines" | "brief"> {
  readonly lines: readonly string[];
  readonly leftOut?: string;
}

/** A preview for a result of at most so many characters; see `question`. */
export function shownPreview({ brief, ...preview }: Preview, maxChars: number, where?: string): ShownPreview {
  const size = preview.lines.reduce((sum, line) => sum + line.length + 4, 0);
  if (size + preview.summary.length <= maxChars) return preview;
  const { lines, left } = fitted({ ...preview, brief }, maxChars / 2, where);
  return { ...preview, lines, ...(left === undefined ? {} : { leftOut: left }) };
}
