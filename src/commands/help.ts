/** The text of `edgewise --help`. */
import { settingsHelp } from "../config.js";

export const help = (): string => `edgewise: an MCP server for the management APIs of a content delivery network

Usage: edgewise [COMMAND] [FLAGS]

Commands:
  (none), stdio            serve MCP over stdin and stdout
  http                     serve MCP over HTTP at /mcp
  emulator                 serve the embedded emulator of the API to other programs
  operations [--json]      list the operations that are covered
  call TOOL ['{"json"}']   make one call and print its result
  doctor                   check credentials, clock and reachability, and say what to mend
  demo                     a tour: a report, an incident, a purge, a zone

Flags (each is also a variable, EDGEWISE_NAME):
${settingsHelp()}

Credentials come from AKAMAI_HOST, AKAMAI_CLIENT_TOKEN, AKAMAI_CLIENT_SECRET and AKAMAI_ACCESS_TOKEN, or from the
section of an .edgerc file. Without any, every call goes to the embedded emulator.`;
