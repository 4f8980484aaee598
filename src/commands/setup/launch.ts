/** What a client's entry says: the command that starts the server, or the address at which it is reached. */
import { resolve } from "node:path";
import { type Config, type SettingName, settings } from "../../config.js";
import type { Client, Launch } from "./clients.js";
import type { Fields } from "./edit.js";
import { tokenFileOf, tokenVariable, withTokenFile } from "./http.js";
import { type Renewed, renewed } from "./renewed.js";

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

/** The settings that were given to `setup`, each as the words of a command line; none for a flag that is turned off. */
function givenSettings(
  { values, given }: Config,
  isLeftOut: (name: SettingName) => boolean,
): ReadonlyMap<SettingName, readonly string[]> {
  const wordsOf = (name: SettingName): readonly string[] => {
    const value = values[name];
    if (settings[name].kind === "flag") return value === true ? [`--${name}`] : [];
    const isPath = paths.includes(name) && !(name === "state-dir" && value === "memory");
    return [`--${name}`, isPath ? resolve(String(value)) : String(value)];
  };
  return new Map([...given.keys()].filter((name) => !isLeftOut(name)).map((name) => [name, wordsOf(name)]));
}

/** The same as one line of words. */
export const givenWords = (config: Config, isLeftOut: (name: SettingName) => boolean): string[] =>
  [...givenSettings(config, isLeftOut).values()].flat();

/**
 * How a client starts the server over stdio, with the settings that were given; none of them holds a secret.
 * @param entry The entry that the client has already, whose other flags are kept.
 */
export const stdioLaunch = (config: Config, client: Client, own: Launch, entry: Fields = {}): Renewed =>
  renewed(
    entry,
    own,
    givenSettings(config, (name) => ofHttp.includes(name)),
    client.surface,
  );

/** How a person starts the server over HTTP, with the settings that were given and a file of tokens. */
export const httpLaunch = (config: Config, { command, args }: Launch): Launch => ({
  command,
  args: [...args, "http", ...givenWords(withTokenFile(config), () => false)],
});

/** How a person makes that file. */
export const tokenLaunch = (config: Config, { command, args }: Launch): Launch => ({
  command,
  args: [...args, "setup", "http", "--write", "--token-file", tokenFileOf(config)],
});

/** The address at which a client reaches that server; without `--surface`, the address chooses what is listed. */
function addressOf({ values, given }: Config, { surface }: Client): string {
  const host = values.host.includes(":") ? `[${values.host}]` : values.host;
  return `http://${host}:${values.port}/mcp${given.has("surface") ? "" : `/${surface}`}`;
}

/** The fields of our entry in a client's file. */
export const entryFields = (config: Config, client: Client, launch: Launch): Readonly<Record<string, unknown>> =>
  client.file === undefined
    ? {
        ...client.fields,
        url: addressOf(config, client),
        // A reference, because no output of ours holds a token.
        headers: { Authorization: `Bearer \${${tokenVariable}}` },
      }
    : { ...client.fields, command: launch.command, args: launch.args };
