/** The clients for the pages: which there are, and what to copy into each, from the table that `edgewise setup` writes from. */
import { shellWords } from "../src/commands/paste-line.js";
import { entryName, type SetupClient, setupClients } from "../src/commands/setup/clients.js";
import { entryFields, stdioLaunch, tokenVariable } from "../src/commands/setup/launch.js";
import { fileText } from "../src/commands/setup/merge.js";
import { readConfig } from "../src/config.js";

// Nothing is configured, so that the text is the same wherever it is made.
const config = readConfig([], {});

const baseNames = { home: "~", config: "~/.config", appData: "%APPDATA%", codex: "~/.codex", project: "" } as const;

/** The file of a client as a person writes its path, each path once. */
function filesOf({ file }: SetupClient): string {
  const paths = Object.values(file ?? {}).map(([base, ...below]) =>
    [baseNames[base], ...below].filter((part) => part !== "").join("/"),
  );
  return [...new Set(paths)].map((path) => `\`${path}\``).join(", ");
}

const overHttp = `\`${entryName} setup http --write\` makes a file with a token, \`~/.edgewise-tokens\`, and
\`${entryName} http --token-file ~/.edgewise-tokens\` starts the server. Clients only read; add \`--allow-writes\` to let
those with a token make changes. Give the client this, with the token from the file in place of \`\${${tokenVariable}}\`; or
set that variable, if the client replaces variables in headers:`;

function section(name: string, client: SetupClient): string {
  const launch = stdioLaunch(config, client, { command: entryName, args: [] });
  const words = shellWords([launch.command, ...launch.args]);
  const ways = [
    ...(client.adds ? [`Or run \`${shellWords(client.adds)} ${words}\`.`] : []),
    ...(client.link ? [`Or [install it](${client.link(launch)}) with the client's own link.`] : []),
  ].join(" ");
  return [
    `### ${client.title}`,
    `\`edgewise setup ${name}\` prints this, with absolute paths.`,
    client.file ? `In ${filesOf(client)}:` : overHttp,
    `\`\`\`${client.syntax}\n${fileText(client, entryFields(config, client, launch)).trimEnd()}\n\`\`\``,
    ...(ways === "" ? [] : [ways]),
    client.reload,
  ].join("\n\n");
}

const all: readonly (readonly [name: string, client: SetupClient])[] = Object.entries(setupClients);

/** The table of clients: the command, how many tools each takes, the surface that suits it, and why. */
export function clientsTable(): string {
  const rows = all.map(([name, { title, surface, mostTools, reason }]) => {
    const why = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
    return `| [${title}](#${anchorOf(title)}) | \`setup ${name}\` | ${mostTools ?? ""} | \`${surface}\` | ${why} |`;
  });
  return ["| Client | Command | Takes at most | Surface | Why |", "|---|---|---|---|---|", ...rows].join("\n");
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

/** What to copy for each client. */
export const clientsSections = (): string => all.map(([name, client]) => section(name, client)).join("\n\n");
