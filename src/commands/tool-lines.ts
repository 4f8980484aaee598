/** A list of tools for a terminal: the name whole, the effect, and as much of what each does as fits. */
import type { ToolListing } from "../mcp/catalogue.js";
import { cutTo, widthOf } from "./terminal-table.js";

export interface ToolLine {
  readonly tool: string;
  readonly effect: string;
  readonly does: string;
}

const gap = "  ";
// With less room for it, what a tool does stands on a line of its own.
const leastRoom = 30;

/** The first sentence of a description. */
export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** The effect of a tool in one word, as the reference has it: `guarded` where it previews and asks first. */
export const effectInList = (
  effect: string,
  { destructiveHint }: Pick<ToolListing["annotations"], "destructiveHint">,
): string => (destructiveHint ? "guarded" : effect);

/** @param total The columns of the terminal; undefined where there is none, so that nothing is cut. */
export function toolLines(rows: readonly ToolLine[], total: number | undefined): string[] {
  const widest = (member: keyof ToolLine) => Math.max(0, ...rows.map((row) => widthOf(row[member])));
  const [toolWidth, effectWidth] = [widest("tool"), widest("effect")];
  const room = total === undefined ? undefined : total - toolWidth - effectWidth - 2 * gap.length;
  return rows.flatMap(({ tool, effect, does }) => {
    const start = `${tool.padEnd(toolWidth)}${gap}${effect.padEnd(effectWidth)}`;
    if (total === undefined || room === undefined) return [`${start}${gap}${does}`];
    if (room >= leastRoom) return [`${start}${gap}${cutTo(does, room)}`];
    return [start.trimEnd(), cutTo(`    ${does}`, total)];
  });
}
