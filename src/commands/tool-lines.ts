/** Lists of tools at a terminal: those that the settings leave in, and a line for each, with its name and effect whole. */
import type { Config } from "../config.js";
import type { Catalogue, ToolEntry, ToolListing } from "../engine/catalogue.js";
import { type Menu, menuOf, readMenuChoice, readsIn } from "../mcp/menu.js";
import { cutTo, widthOf } from "./terminal.js";

/**
 * What a server with the same settings offers.
 * @throws Failure `bad_configuration` for settings that a server refuses.
 */
export const menuWith = (values: Config["values"], catalogue: Catalogue): Menu =>
  menuOf(
    catalogue,
    readMenuChoice(values, () => catalogue),
  );

/** Its tools, which are those that read where it is read-only; see `menuWith`. */
export function offeredTools(values: Config["values"], catalogue: Catalogue): readonly ToolEntry[] {
  const { tools } = menuWith(values, catalogue);
  return values["read-only"] ? readsIn([...tools.values()]) : [...tools.values()];
}

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
