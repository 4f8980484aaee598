/** README's section on clients: what to copy into each, made from the table that `edgewise setup` writes from. */

import { type Client, clients, entryName } from "../src/commands/setup/clients.js";
import { asShellWords, entryFields, stdioLaunch } from "../src/commands/setup/launch.js";
import { asFile } from "../src/commands/setup/merge.js";
import { readConfig } from "../src/config.js";

// Nothing is configured, so that the text is the same wherever it is made.
const config = readConfig([], {});

const baseNames = { home: "~", config: "~/.config", appData: "%APPDATA%", codex: "~/.codex", project: "" } as const;

/** The file of a client as a person writes its path, each path once. */
function filesOf({ file }: Client): string {
  const paths = Object.values(file ?? {}).map(([base, ...below]) =>
    [baseNames[base], ...below].filter((part) => part !== "").join("/"),
  );
  return [...new Set(paths)].map((path) => `\`${path}\``).join(", ");
}

function section(name: string, client: Client): string {
  const launch = stdioLaunch(config, client, { command: entryName, args: [] });
  const words = asShellWords([launch.command, ...launch.args]);
  const ways = [
    ...(client.adds ? [`Or run \`${asShellWords(client.adds)} ${words}\`.`] : []),
    ...(client.link ? [`Or [install it](${client.link(launch)}) with the client's own link.`] : []),
  ].join(" ");
  return [
    `<details><summary>${client.title}: <code>edgewise setup ${name}</code></summary>`,
    client.file ? `In ${filesOf(client)}:` : `Start \`${entryName} http\`, and give the client this address:`,
    `\`\`\`${client.syntax}\n${asFile(client, entryFields(config, client, launch)).trimEnd()}\n\`\`\``,
    ...(ways === "" ? [] : [ways]),
    client.reload,
    "</details>",
  ].join("\n\n");
}

/** The table of surfaces and, below it, what to copy for each client. */
export function clientsSection(): string {
  const all: readonly (readonly [string, Client])[] = Object.entries(clients);
  const rows = all.map(([, { title, surface, reason }]) => {
    return `| ${title} | \`${surface}\` | ${reason.charAt(0).toUpperCase()}${reason.slice(1)} |`;
  });
  return [
    ["| Client | Surface | Why |", "|---|---|---|", ...rows].join("\n"),
    ...all.map(([name, client]) => section(name, client)),
  ].join("\n\n");
}
