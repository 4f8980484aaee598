/** What somebody reads who starts the server at a terminal, where no client will ever speak with it. */
import { shortUsage, usages } from "./help.js";

/** The commands that a newcomer can try. */
const toTry = ["demo", "search", "call", "setup", "doctor"];

export function atTerminal(): string[] {
  const known = usages().filter(([name]) => toTry.includes(name));
  const rows = known.map(([name, usage]) => [`edgewise ${shortUsage(name, usage)}`, usage.does] as const);
  const lines = [...rows, ["edgewise --help", "list the commands and the settings"] as const];
  const width = Math.max(...lines.map(([line]) => line.length));
  return [
    "edgewise: waiting for an MCP client to speak JSON-RPC over stdin, which is this terminal",
    "MCP clients start Edgewise themselves. Here, press Ctrl-C and try one of these:",
    ...lines.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`),
  ];
}
