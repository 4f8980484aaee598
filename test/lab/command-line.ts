/** Lines for a shell, read as `edgewise` reads them; nothing is run. */
import { argumentsInFlags, argumentsInWords, declaredTool } from "../../src/commands/arguments.js";
import { splitCall } from "../../src/commands/command-line.js";
import { commandLine } from "../../src/commands/run.js";
import type { catalogueOf } from "../../src/mcp/tool.js";

/** The words of a line as a shell passes them on. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? "");

/**
 * Reads the words of a command, with the arguments of a tool where it is a call.
 * @throws what the command would say.
 */
export async function readCommand(words: readonly string[], catalogue: ReturnType<typeof catalogueOf>): Promise<void> {
  const call = splitCall(words, () => catalogue);
  commandLine(call?.own ?? words, {});
  if (!call) return;
  const declared = await declaredTool(call.tool, catalogue);
  if (!declared) throw new Error(`There is no tool ${call.tool}.`);
  const inWords = async (bare: readonly string[]) => (bare.join() === "-" ? {} : argumentsInWords(bare, process.stdin));
  await argumentsInFlags(call.tool, call.words, declared.schema, [], inWords);
}
