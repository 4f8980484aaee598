/** Raw text in a response, of which only a limited part is shown. */
import type { AnswerDisplay } from "../language/conduct.js";
import { memberAt, withMember } from "../language/member.js";
import { cutMark } from "../text/marks.js";
import { fittingCount, type Truncation, textTo } from "./budget.js";

/** Raw text of which only a part is shown. */
export interface RawTruncation extends Truncation {
  readonly unit: "characters" | "lines";
}

interface PresentedRaw {
  readonly body: unknown;
  readonly cuts: readonly RawTruncation[];
}

const maxCharacters = 4_000;

/** The first whole lines that fit together; at least one. */
const firstLines = (lines: readonly unknown[]): readonly unknown[] =>
  lines.slice(
    0,
    fittingCount(lines, maxCharacters, (line) => String(line).length),
  );

/** Truncates the raw text of a body. The body itself is not changed. */
export function presentRaw(body: unknown, { raw = [] }: AnswerDisplay): PresentedRaw {
  let shown = body;
  const cuts: RawTruncation[] = [];
  for (const path of raw) {
    const value = memberAt(body, path);
    if (typeof value !== "string" && !Array.isArray(value)) continue;
    const excerpt = typeof value === "string" ? textTo(value, maxCharacters) : firstLines(value);
    if (excerpt.length === value.length) continue;
    const mark = cutMark(excerpt.length, value.length);
    shown = withMember(shown, path.split("."), typeof excerpt === "string" ? excerpt + mark : [...excerpt, mark]);
    const unit = typeof excerpt === "string" ? "characters" : "lines";
    cuts.push({ at: path, kept: excerpt.length, total: value.length, unit });
  }
  return { body: shown, cuts };
}
