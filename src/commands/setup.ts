/** `edgewise setup`: prints a client's configuration, and with `--write` merges it into the client's file. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import type { Config } from "../config.js";
import { type Command, log, print } from "./command.js";
import { type Client, clientNamed, clients, type Launch } from "./setup/clients.js";
import { difference, edited } from "./setup/edit.js";
import { readClientFile, replaceClientFile } from "./setup/file.js";
import { pathOf, platformOf } from "./setup/files.js";
import { entryFields, httpLaunch, stdioLaunch } from "./setup/launch.js";
import { asFile, merge } from "./setup/merge.js";
import { shellWords } from "./shell-words.js";

/** This program, by absolute paths: a client with windows does not have the PATH of a shell. */
const ownLaunch = (): Launch => ({ command: process.execPath, args: [realpathSync(process.argv[1] ?? "")] });

function filePath({ file }: Client, { placeVariables: variables }: Config): string | undefined {
  const platform = platformOf(process.platform);
  return file && pathOf(file[platform], { platform, home: homedir(), project: process.cwd(), variables });
}

function write(path: string, client: Client, fields: Readonly<Record<string, unknown>>): void {
  const file = readClientFile(path);
  // A byte order mark is no part of the syntax.
  const mark = file.text.startsWith("\ufeff") ? "\ufeff" : "";
  const text = file.text.slice(mark.length);
  const edits = merge(text, client, fields, path);
  if (edits.length === 0) {
    log(`${path} says all of this already; nothing was written.`);
    return;
  }
  print(difference(text, edits));
  const copy = replaceClientFile(file, mark + edited(text, edits), Date.now());
  log(`${file.path} was written${copy === undefined ? "" : `; what it was is in ${copy}`}.\n${client.reload}`);
}

/** What a person should know beside the configuration. */
function explained(client: Client, config: Config, launch: Launch, path: string | undefined): string {
  const surface = config.given.has("surface") ? config.values.surface : client.surface;
  const isOurChoice = surface === client.surface;
  const words = shellWords([launch.command, ...launch.args]);
  return [
    `${client.title}: ${path ?? `start the server with ${words}`}`,
    `Surface ${surface}: ${isOurChoice ? client.reason : `chosen here; ${client.surface} suits it because ${client.reason}`}`,
    ...(client.adds ? [`Or run: ${shellWords(client.adds)} ${words}`] : []),
    ...(client.link ? [`Or open: ${client.link(launch)}`] : []),
    Object.keys(config.credentialVariables).length > 0
      ? "The AKAMAI_* variables are not passed on: keep the credentials in .edgerc, and name them with --edgerc and --section."
      : "Credentials stay in .edgerc; the entry at most names the file and the section.",
  ].join("\n");
}

export const setup: Command = async (config, words) => {
  const name = words.find((word) => !word.startsWith("--"));
  const client = name === undefined ? undefined : clientNamed(name);
  const names = Object.keys(clients);
  if (!client)
    throw new Failure(
      "bad_configuration",
      name === undefined
        ? "setup takes a client."
        : `There is no client ${JSON.stringify(name)}${didYouMean(name, names)}.`,
      { next: `Write: edgewise setup CLIENT, which is ${names.join(", ")}.` },
    );
  const path = filePath(client, config);
  const launch = path === undefined ? httpLaunch(config, ownLaunch()) : stdioLaunch(config, client, ownLaunch());
  const fields = entryFields(config, client, launch);
  if (words.includes("--write")) {
    if (path === undefined)
      throw new Failure("bad_configuration", `${client.title} has no file that all its clients share.`, {
        next: `Leave out --write, and copy what is printed into the client's own file.`,
      });
    write(path, client, fields);
    return 0;
  }
  log(explained(client, config, launch, path));
  print(asFile(client, fields).trimEnd());
  if (path !== undefined) log("With --write this is merged into that file; a copy of the file is kept.");
  return 0;
};
