/**
 * How a client starts the server or reaches it over HTTP, from the given settings and the flags of its entry; and
 * whether that would work.
 */
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import {
  apisOf,
  type Config,
  commandLineTokens,
  readConfig,
  type SettingName,
  settings,
  variableOf,
} from "../../config.js";
import type { Catalogue } from "../../engine/catalogue.js";
import { Failure } from "../../language/failure.js";
import { isRecord } from "../../language/member.js";
import type { Apis } from "../../language/service.js";
import { readTokens } from "../../mcp/http/access.js";
import { loadPolicy } from "../../policy/file.js";
import { configuredProfiles } from "../../profiles/index.js";
import { refuse } from "../command.js";
import { givenSettings, givenWords, httpSettings } from "../paste-line.js";
import type { Launch, SetupClient } from "./clients.js";
import type { EntryFields } from "./merge.js";

/** The token file: the given one, or one next to the `.edgerc`. */
const tokenFileOf = ({ values }: Config): string =>
  resolve(values["token-file"] ?? join(homedir(), ".edgewise-tokens"));

/** The configuration of a server with tokens, wherever their file is. */
const withTokenFile = (config: Config): Config => ({
  ...config,
  values: { ...config.values, "token-file": tokenFileOf(config) },
  given: new Map([...config.given, ["token-file", "line"] as const]),
});

/** The variable in which a client can have its token; with the prefix EDGEWISE_ it would be read as a setting. */
export const tokenVariable = "MCP_EDGEWISE_TOKEN";

/**
 * Creates the token file with one token for a first client, accessible only to its owner; an existing one is not
 * changed.
 * @returns What was done; the token itself is never shown.
 * @throws Failure `bad_configuration` if it cannot be written, or if the existing one cannot be used.
 */
export function makeTokenFile(config: Config): string {
  const path = tokenFileOf(config);
  if (existsSync(path)) {
    const names = readTokens("--token-file", path, "client").map(({ name }) => name);
    return `${path} already has tokens, of ${names.join(", ")}; nothing was written.`;
  }
  try {
    writeFileSync(path, `client ${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    refuse(`${path} cannot be written.`, "Check its directory, or name another file with --token-file.");
  }
  return `${path} was written: a line with the name of a client and its token. Add a line for each further client.`;
}

/** The steps by which a client reaches a server with tokens. */
export function httpSteps(config: Config, starts: string, makes: string): readonly string[] {
  const { "allow-writes": allowsWrites } = config.values;
  const file = tokenFileOf(config);
  return [
    existsSync(file)
      ? `1. The tokens are in ${file}, a line NAME TOKEN for each client.`
      : `1. Make a file with a token, which is not shown:\n   ${makes}`,
    `2. Start the server:\n   ${starts}\n   ${
      allowsWrites
        ? "Clients with a token can make changes."
        : "Clients only read. With --allow-writes, those with a token can make changes."
    }`,
    `3. Add the entry below to the client, with the token from the file in place of \${${tokenVariable}}; or set that\n   variable, if the client replaces variables in headers.`,
  ];
}

/** The parts of an entry that starts a server. */
export interface EntryStart {
  readonly command: string | undefined;
  /** The program that the command runs; undefined if the command is the program. */
  readonly program: string | undefined;
  /** The options of Node before the program; none for another command. */
  readonly nodeOptions: readonly string[];
  /** The words that the program takes. */
  readonly words: readonly string[];
}

/** The name of a program, from a path of any platform. */
const nameOf = (path: string): string => (path.split(/[\\/]/).at(-1) ?? "").replace(/\.(exe|cmd)$/i, "");
const isOurs = (word: string): boolean => /^(server\.js|edgewise(@.*)?)$/.test(nameOf(word));
const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);
const isWord = (value: unknown): value is string => typeof value === "string";

/** The parts of an entry; a list with anything but text is ignored. */
export function entryStartOf({ command, args }: EntryFields): EntryStart {
  const words = Array.isArray(args) && args.every(isWord) ? args : [];
  const name = isWord(command) ? command : undefined;
  if (name !== undefined && isOurs(name)) return { command: name, program: undefined, nodeOptions: [], words };
  // The word after a setting may be its value.
  const setting = words.findIndex((word) => isSetting(word.replace(/^--([^=]*).*/s, "$1")));
  const known = words.slice(0, setting < 0 ? undefined : setting).findIndex(isOurs);
  const at = known < 0 ? words.findIndex((word) => !word.startsWith("-")) : known;
  const isNode = name !== undefined && nameOf(name) === "node";
  return {
    command: name,
    program: words[at],
    nodeOptions: isNode ? words.slice(0, Math.max(at, 0)) : [],
    words: words.slice(at + 1),
  };
}

/** Each flag with its value, and each other word. */
function partsOf(words: readonly string[]) {
  return commandLineTokens(words).map((token, at, tokens) => ({
    name: token.kind === "option" && isSetting(token.name) ? token.name : undefined,
    words: words.slice(token.index, tokens[at + 1]?.index),
  }));
}

/** The settings among the words of an entry, which contain no secrets; other words may. */
export const settingsIn = (words: readonly string[]): readonly string[] =>
  partsOf(words).flatMap(({ name, words: own }) => (name === undefined ? [] : own));

/** Whether the words of a flag mean the same, with `=` or without. */
const isSame = (some: readonly string[], others: readonly string[]): boolean => some.join("=") === others.join("=");

/**
 * Why a server would not start with an entry; undefined if there is no known reason.
 * @param tools The tools, which a policy can name.
 */
export async function startFault(entry: EntryFields, tools: (apis: Apis) => Catalogue): Promise<Failure | undefined> {
  const variables = isRecord(entry["env"]) ? Object.entries(entry["env"]) : [];
  try {
    const config = readConfig(
      entryStartOf(entry).words,
      Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
    );
    const { values } = config;
    await configuredProfiles(values);
    // Relative paths depend on the directory in which the client starts the server.
    if (values.policy !== undefined && isAbsolute(values.policy)) loadPolicy(values.policy, tools(apisOf(config).apis));
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error;
  }
}

/**
 * How a client starts the server over stdio, with the given settings, none of which contains a secret.
 * @param program This program.
 * @param entry The client's existing entry, whose other flags are kept; the given ones replace them.
 * @returns Also the words of the entry that are kept in addition to the given ones.
 */
export function stdioLaunch(config: Config, { surface }: SetupClient, program: Launch, entry: EntryFields = {}) {
  const givenFlags = givenSettings(config, (name) => httpSettings.includes(name));
  const { nodeOptions, words } = entryStartOf(entry);
  const parts = partsOf(words);
  const lastOf = (name: SettingName) => parts.findLast((part) => part.name === name);
  const inPlace = parts.flatMap((part) => {
    const now = part.name && givenFlags.get(part.name);
    if (now === undefined || isSame(now, part.words)) return part.words;
    return part.name !== undefined && lastOf(part.name) === part ? now : [];
  });
  const added = [...givenFlags].flatMap(([name, now]) => (lastOf(name) === undefined ? now : []));
  const isChosen = (name: SettingName): boolean =>
    givenFlags.has(name) ||
    lastOf(name) !== undefined ||
    (isRecord(entry["env"]) && Object.hasOwn(entry["env"], variableOf(name)));
  const chosen = [
    ...(isChosen("surface") ? [] : ["--surface", surface]),
    // Written out, so that an entry for a live account offers the same as long as it stays as it is.
    ...(isChosen("apis") || apisOf(config).apis === "documents" ? [] : ["--apis", "today"]),
  ];
  return {
    command: program.command,
    args: [...nodeOptions, ...program.args, ...chosen, ...inPlace, ...added],
    kept: [
      ...nodeOptions,
      ...parts.flatMap(({ name, words: program }) => (name && givenFlags.has(name) ? [] : program)),
    ],
  };
}

/** How to start the server over HTTP, with the given settings and a token file. */
export const httpLaunch = (config: Config, { command, args }: Launch): Launch => ({
  command,
  args: [...args, "http", ...givenWords(withTokenFile(config), () => false)],
});

/** How to create that file. */
export const tokenLaunch = (config: Config, { command, args }: Launch): Launch => ({
  command,
  args: [...args, "setup", "http", "--write", "--token-file", tokenFileOf(config)],
});

/** The URL at which a client reaches that server; without `--surface`, the URL selects the surface. */
function addressOf({ values, given }: Config, { surface }: SetupClient): string {
  const host = values.host.includes(":") ? `[${values.host}]` : values.host;
  return `http://${host}:${values.port}/mcp${given.has("surface") ? "" : `/${surface}`}`;
}

/** The fields of our entry in a client's file. */
export const entryFields = (config: Config, client: SetupClient, launch: Launch): Readonly<Record<string, unknown>> =>
  client.file === undefined
    ? {
        ...client.fields,
        url: addressOf(config, client),
        // A reference, because tokens are never printed.
        headers: { Authorization: `Bearer \${${tokenVariable}}` },
      }
    : { ...client.fields, command: launch.command, args: launch.args };
