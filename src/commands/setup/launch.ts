/** What a client's entry says: the command that starts the server, or the address at which it is reached. */
import { resolve } from "node:path";
import { type Config, type SettingName, settings } from "../../config.js";
import type { Client, Launch } from "./clients.js";

/** They matter to a server that listens and to no other. */
export const ofHttp: readonly SettingName[] = [
  "host",
  "port",
  "token-file",
  "allow-writes",
  "approver-token-file",
  "allowed-hosts",
];
/** A client starts the server in a directory of its own, so these are made absolute. */
const paths: readonly SettingName[] = [
  "edgerc",
  "config",
  "state-dir",
  "secret-dir",
  "policy",
  "token-file",
  "approver-token-file",
];

/** The settings that were given, as the words of a command line. */
export function givenWords({ values, given }: Config, isLeftOut: (name: SettingName) => boolean): string[] {
  return [...given.keys()]
    .filter((name) => !isLeftOut(name))
    .flatMap((name) => {
      const value = values[name];
      if (settings[name].kind === "flag") return value === true ? [`--${name}`] : [];
      const isPath = paths.includes(name) && !(name === "state-dir" && value === "memory");
      return [`--${name}`, isPath ? resolve(String(value)) : String(value)];
    });
}

/** How a client starts the server over stdio, with the settings that were given; none of them holds a secret. */
export const stdioLaunch = (config: Config, client: Client, { command, args }: Launch): Launch => ({
  command,
  args: [
    ...args,
    ...(config.given.has("surface") ? [] : ["--surface", client.surface]),
    ...givenWords(config, (name) => ofHttp.includes(name)),
  ],
});

/** How a person starts the server over HTTP, with the settings that were given. */
export const httpLaunch = (config: Config, { command, args }: Launch): Launch => ({
  command,
  args: [...args, "http", ...givenWords(config, () => false)],
});

/** The address at which a client reaches that server; without `--surface`, the address chooses what is listed. */
function addressOf({ values, given }: Config, { surface }: Client): string {
  const host = values.host.includes(":") ? `[${values.host}]` : values.host;
  return `http://${host}:${values.port}/mcp${given.has("surface") ? "" : `/${surface}`}`;
}

/** The fields of our entry in a client's file. */
export const entryFields = (config: Config, client: Client, launch: Launch): Readonly<Record<string, unknown>> =>
  client.file === undefined
    ? { ...client.fields, url: addressOf(config, client) }
    : { ...client.fields, command: launch.command, args: launch.args };
