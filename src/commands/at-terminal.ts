/** What somebody reads who starts the server at a terminal, where no client will ever speak with it. */

import type { Usage } from "./command.js";
import { usageLine } from "./help.js";
import { commands } from "./table.js";

/** The commands that a newcomer can try. */
const toTry = ["demo", "search", "call", "setup", "doctor"];

export function atTerminal(): string[] {
  const rows = toTry.map((name) => {
    const { does, positionals = [] } = commands[name] as Usage;
    return [`edgewise ${usageLine(name, { does, positionals, examples: [] })}`, does] as const;
  });
  const lines = [...rows, ["edgewise --help", "list the commands and the settings"] as const];
  const width = Math.max(...lines.map(([line]) => line.length));
  return [
    "edgewise: waiting for an MCP client to speak JSON-RPC over stdin, which is this terminal",
    "A client starts Edgewise by itself. At a terminal, press Ctrl-C and try one of these:",
    ...lines.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`),
  ];
}
