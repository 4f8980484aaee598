/** What a client's entry says: the command that starts the server, or the address at which it is reached. */
import type { Config } from "../../config.js";
import { givenSettings, givenWords, ofHttp } from "../given-words.js";
import type { Client, Launch } from "./clients.js";
import type { Fields } from "./edit.js";
import { tokenFileOf, tokenVariable, withTokenFile } from "./http.js";
import { type Renewed, renewed } from "./renewed.js";

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
