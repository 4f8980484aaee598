/** A preview in the height of a terminal: all that is sent and every change, and of the present state as much as has room. */
import type { KeptPreview } from "../plan.js";

/** Lines to show, and how many of the whole preview are not among them. */
export interface Folded {
  readonly lines: readonly string[];
  /** Lines of what is there now. */
  readonly now: number;
  /** Lines of the request that repeat what the changes show. */
  readonly repeated: number;
}

/** Lines that can be folded. */
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
