/** The tools that the settings of a command line leave in, as a server with the same settings offers them. */
import type { Config } from "../config.js";
import type { Catalogue, ToolEntry } from "../mcp/catalogue.js";
import { menuOf, readMenuChoice, readsIn } from "../mcp/menu.js";

/** @throws Failure `bad_configuration` for settings that a server refuses. */
export function offeredTools(values: Config["values"], catalogue: Catalogue): readonly ToolEntry[] {
  const { tools } = menuOf(
    catalogue,
    readMenuChoice(values, () => catalogue),
  );
  return values["read-only"] ? readsIn([...tools.values()]) : [...tools.values()];
}
