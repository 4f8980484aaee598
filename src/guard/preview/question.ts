/**
 * A preview within a length limit: questions and results show what is sent before the present state, terminals what
 * fits, with the number of omitted lines.
 */
import { planTool } from "../../language/server-tools.js";
import { countOf } from "../../language/value-text.js";
import type { KeptPreview } from "../plan.js";
import type { Preview } from "../preview.js";
import { linesOfForm, type PreviewLine, type PreviewLineKind } from "./lines.js";

/** The maximum length of a question, so that nothing that is sent is hidden. */
const greatestLength = 4_000;

// The sentence about omitted lines is not longer, except for a long URI.
const reserve = 260;

const lengthOf = (lines: readonly PreviewLine[]): number => lines.reduce((sum, { text }) => sum + text.length + 1, 0);
const isNow = ({ is }: PreviewLine): boolean => is === "now";

/** The lines of a form about everything that is sent. */
const sentIn = (form: "brief" | "short", { ranked }: Preview): readonly PreviewLine[] =>
  linesOfForm(form, ranked).filter((line) => !isNow(line));

/** Whether a question can show everything that is sent. Otherwise the user would not know what they approve. */
export const isAskable = (preview: Preview): boolean =>
  lengthOf(sentIn("brief", preview)) <= greatestLength - reserve - 140;

/** The first lines that fit, up to the first one that does not, so that the most important ones remain. */
function fitting(lines: readonly PreviewLine[], room: number): readonly PreviewLine[] {
  let left = room;
  const end = lines.findIndex(({ text }) => {
    left -= text.length + 1;
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

const changeKinds: readonly PreviewLineKind[] = ["removed", "changed", "added"];

/** The number of lines of each group that some lines stand for. */
function countsIn(lines: readonly PreviewLine[]) {
  const counts = { change: 0, warning: 0, now: 0, request: 0 };
  for (const { is, whole } of lines)
    counts[changeKinds.includes(is) ? "change" : is === "warning" || is === "now" ? is : "request"] += whole;
  return counts;
}

/**
 * What is omitted, and where the whole preview is; undefined if nothing is omitted.
 * @param where Its URI, for readers who do not know the plan.
 */
function sayLeft({ ranked, outline }: Preview, shown: readonly PreviewLine[], where: string | undefined) {
  const [all, seen] = [countsIn(linesOfForm("brief", ranked)), countsIn(shown)];
  const now = outline.reduce((sum, { is, count }) => sum + (is === "now" ? count : 0), 0);
  const left = {
    warning: all.warning - seen.warning,
    change: all.change - seen.change,
    request: all.request - seen.request,
    now: now - seen.now,
  };
  const parts = [
    left.warning > 0 && countOf(left.warning, "warning"),
    left.change > 0 && `${left.change.toLocaleString("en-US")} of ${countOf(all.change, "change")}`,
    left.request > 0 && countOf(left.request, "line of the request", "lines of the request"),
    left.now > 0 && countOf(left.now, "line of the present state", "lines of the present state"),
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  return `Not shown here: ${parts.join(", ")}; ${where === undefined ? `${planTool} shows all` : `all of it is at ${where}`}.`;
}

/** Everything that is sent, then what fits of the present state; if the former does not fit, its short form. */
function fitLines(preview: Preview, most: number, where: string | undefined) {
  const room = most - reserve - (where?.length ?? 0);
  const sentLines = sentIn("brief", preview);
  const left = room - lengthOf(sentLines);
  const shown =
    left >= 0
      ? [...sentLines, ...fitting(linesOfForm("brief", preview.ranked).filter(isNow), left)]
      : fitting(sentIn("short", preview), room);
  const omitted = sayLeft(preview, shown, where);
  return [...shown.map(({ text }) => text), ...(omitted === undefined ? [] : [omitted]), preview.lines.at(-1) ?? ""];
}

/**
 * The question about a preview for which `isAskable` is true. Its first line is the summary, its last one the digest of
 * the whole request.
 * @param where The URI of the whole preview, such as `plan://plan_x`; absent if there is none.
 */
export const question = (preview: Preview, where?: string): string =>
  fitLines(preview, greatestLength, where).join("\n");

/** A preview in a result: its facts, and as many of its lines as fit. */
export type ShownPreview = Omit<Preview, "outline" | "actsOn" | "ranked">;

/** A preview for a result with a maximum number of characters, of which its facts take a part; see `question`. */
export function shownPreview(preview: Preview, maxChars: number): ShownPreview {
  const { ranked: _, outline: __, actsOn: ___, ...whole } = preview;
  return { ...whole, lines: fitLines(preview, maxChars / 2, undefined) };
}

/** The lines to show, and the numbers of the others. */
export interface FoldedPreview {
  readonly lines: readonly string[];
  /** Omitted lines of the present state. */
  readonly now: number;
  /** Omitted lines of the request that repeat the changes. */
  readonly repeated: number;
}

const leastFolded = 3;

/**
 * Folds lines that are not needed to understand the change, if not all fit.
 * @param height The number of lines that fit.
 * @param heightOf The number of lines that a line takes when wrapped.
 */
export function foldPreview(
  { lines, outline = [] }: KeptPreview,
  height: number,
  heightOf: (line: string) => number,
): FoldedPreview {
  const whole = { lines, now: 0, repeated: 0 };
  const heightIn = (some: readonly { readonly text: string }[]): number =>
    some.reduce((sum, { text }) => sum + heightOf(text), 0);
  const runs = outline.flatMap((run) => Array.from({ length: run.count }, () => run));
  const all = lines.map((text, at) => ({ text, run: runs[at] }));
  if (heightIn(all) <= height) return whole;
  const foldedLines = all.flatMap(({ text, run }, at) => {
    if (run?.behind === undefined) return [{ text, isNow: run?.is === "now" }];
    return run === runs[at - 1] ? [] : [{ text: run.behind, isNow: false }];
  });
  let room = height - heightIn(foldedLines.filter(({ isNow }) => !isNow));
  const shown = foldedLines.filter(({ text, isNow }) => {
    if (isNow) room -= heightOf(text);
    return !isNow || room >= 0;
  });
  const now = foldedLines.length - shown.length;
  const repeated = runs.filter(({ behind }) => behind !== undefined).length;
  // Offering a line or two takes more room than showing them.
  return now + repeated <= leastFolded ? whole : { lines: shown.map(({ text }) => text), now, repeated };
}
