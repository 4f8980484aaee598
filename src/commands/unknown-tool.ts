/** The failure of a command that is given a tool which there is not. */
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";

/** The failure for a name, with the tool that is most likely meant. */
export const unknownTool = (tool: string, tools: ReadonlyMap<string, unknown>): Failure =>
  new Failure("unknown_tool", `There is no tool ${JSON.stringify(tool)}${didYouMean(tool, tools.keys())}.`, {
    next: "`edgewise operations` lists the tools.",
  });
