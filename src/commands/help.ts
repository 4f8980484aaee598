/** What `edgewise --help` and `edgewise --version` print. */
import manifest from "../../package.json" with { type: "json" };
import { settings } from "../config.js";

export const version = (): string => `${manifest.name} ${manifest.version}`;

/** The settings, a line each. */
const settingsHelp = (): string =>
  Object.entries(settings)
    .map(([name, setting]) => {
      const standard = "default" in setting ? ` [${setting.default}]` : "";
      return `  --${name.padEnd(23)} ${setting.help}${standard}`;
    })
    .join("\n");

export const help = (): string => `edgewise: an MCP server for the management APIs of a content delivery network

Usage: edgewise [COMMAND] [FLAGS]

Commands:
  (none), stdio            serve MCP over stdin and stdout
  http                     serve MCP over HTTP at /mcp
  emulator                 serve the embedded emulator of the API to other programs
  operations [--json]      list the tools; with --json, the API operations that they cover
  call TOOL [ARGUMENTS]    make one call, its arguments as --name VALUE, JSON, or - for JSON from stdin, and print its
                           result [--output table|json|csv|ndjson]; call TOOL --help lists the arguments
  show [ADDRESS]           read a resource, such as operation://TOOL; without an address, list the resources
  completion SHELL         print the script that completes all this in bash, zsh or fish
  audit verify [PATH]      check that no audit line of a directory or file was changed or removed
                           [--head FILE|-], against a head from audit head as well, which finds the newest ones removed
  audit head [PATH]        print where the audit lines end, to be kept elsewhere and given to audit verify
  audit show               list the recorded calls [--tool NAME] [--since TIME]; with --json, their audit lines
  policy check TOOL ['{}'] say what would become of a call and by which rule, without sending it
  profiles [--json]        list the profiles that are configured, and what each may do
  plans [--json]           list the plans that are kept, and what became of each
  approve PLAN [--refuse]  show a plan that waits for a person at this terminal, and approve or refuse it
  setup CLIENT [--write]   print a client's configuration; with --write, merge it into the client's file, where the
                           flags of the entry stay unless --fresh is given
  doctor [--json]          check the installation, credentials, grants, safeguards and clients, and say what to fix
  demo                     a tour: a report, an incident, a purge, a zone

Flags (each is also a variable, EDGEWISE_NAME):
${settingsHelp()}
  -h, --help                Print this text
  --version                 Print the version

Credentials come from AKAMAI_HOST, AKAMAI_CLIENT_TOKEN, AKAMAI_CLIENT_SECRET and AKAMAI_ACCESS_TOKEN, or from the
section of an .edgerc file. Without any, every call goes to the embedded emulator.

Exit codes:
  0   success, or a server that was asked to stop
  1   failed: a call was refused or not approved, show found nothing, doctor found a problem, or Edgewise failed with an
      internal error
  78  nothing was done: the command line or the configuration cannot be used`;
