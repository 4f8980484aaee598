/** What is said of a name that no tool has. */
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";

const mostWords = 8;

/** The search that a name stands for, as a command line. */
export const searchFor = (name: string): string =>
  `\`edgewise search ${(name.match(/[A-Za-z0-9]+/g) ?? ["WORDS"]).slice(0, mostWords).join(" ")}\``;

/** The failure of a command that is given a tool which there is not, with the one that is most likely meant. */
export function unknownTool(tool: string, tools: ReadonlyMap<string, unknown>): Failure {
  const guess = didYouMean(tool, tools.keys());
  return new Failure("unknown_tool", `There is no tool ${JSON.stringify(tool)}${guess}.`, {
    next:
      guess === ""
        ? `${searchFor(tool)} finds tools by what they do, and \`edgewise operations\` lists them.`
        : "`edgewise operations` lists the tools.",
  });
}
