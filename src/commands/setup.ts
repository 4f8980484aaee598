/** `edgewise setup`: prints a client's configuration or, with `--write`, merges it into the client's file. */
import { realpathSync } from "node:fs";
import type { Config } from "../config.js";
import { loadCatalogue } from "../engine/catalogue.js";
import { didYouMean } from "../text/nearest.js";
import { type Command, log, print, refuse } from "./command.js";
import { shellWords } from "./paste-line.js";
import { clientFileHere, clientNamed, type Launch, type SetupClient, setupClients } from "./setup/clients.js";
import { readClientFile, replaceClientFile } from "./setup/file.js";
import {
  entryFields,
  httpLaunch,
  httpSteps,
  makeTokenFile,
  startFault,
  stdioLaunch,
  tokenLaunch,
} from "./setup/launch.js";
import { applyEdits, type EntryFields, editsAsDiff, entryIn, fileText, mergeEntry } from "./setup/merge.js";

/** This program with absolute paths, because clients with a graphical interface do not have a shell's PATH. */
const programLaunch = (): Launch => ({ command: process.execPath, args: [realpathSync(process.argv[1] ?? "")] });

/**
 * Refuses to break a working entry; an entry that is already broken can be repaired in part.
 * @throws Failure `bad_configuration` if the given flags conflict with those of the entry.
 */
async function checkStart(path: string, before: EntryFields, after: EntryFields): Promise<void> {
  const fault = await startFault(after, loadCatalogue);
  if (!fault) return;
  if (await startFault(before, loadCatalogue))
    log(`The server will not start with this entry: ${fault.message}\n${fault.detail.next}`);
  else
    refuse(
      `${path} was not changed: ${fault.message}`,
      "Give all flags with --fresh, which keeps none of the entry's, or edit the file.",
      "The server would not start with the flags of the entry and those given now.",
    );
}

async function write(path: string, client: SetupClient, config: Config, isFresh: boolean): Promise<void> {
  const file = readClientFile(path);
  // A byte order mark is not part of the syntax.
  const mark = file.text.startsWith("\ufeff") ? "\ufeff" : "";
  const text = file.text.slice(mark.length);
  const entry = entryIn(text, client, path);
  const launch = stdioLaunch(config, client, programLaunch(), isFresh ? {} : entry);
  const fields = entryFields(config, client, launch);
  const edits = mergeEntry(text, client, fields, path);
  if (edits.length === 0) {
    log(`${path} is already up to date; nothing was written.`);
    return;
  }
  if (entry) await checkStart(path, entry, { ...entry, ...fields });
  print(editsAsDiff(text, edits));
  const copy = replaceClientFile(file, mark + applyEdits(text, edits), Date.now());
  if (launch.kept.length > 0)
    log(`Kept from the entry: ${shellWords(launch.kept)}. With --fresh, only the flags given now are written.`);
  log(`${file.path} was written${copy === undefined ? "" : `; its previous content is in ${copy}`}.\n${client.reload}`);
}

/** Further information for the user, next to the configuration. */
function explanation(client: SetupClient, config: Config, launch: Launch, path: string | undefined): string {
  const surface = config.given.has("surface") ? config.values.surface : client.surface;
  const isOurChoice = surface === client.surface;
  const words = shellWords([launch.command, ...launch.args]);
  const { command, args } = tokenLaunch(config, programLaunch());
  return [
    ...(path === undefined
      ? [`${client.title}:`, ...httpSteps(config, words, shellWords([command, ...args]))]
      : [`${client.title}: ${path}`]),
    `Surface ${surface}: ${isOurChoice ? client.reason : `chosen by you; ${client.surface} suits this client because ${client.reason}`}`,
    ...(client.adds ? [`Or run: ${shellWords(client.adds)} ${words}`] : []),
    ...(client.link ? [`Or open: ${client.link(launch)}`] : []),
    Object.keys(config.credentialVariables).length > 0
      ? "The AKAMAI_* variables are not passed on: keep the credentials in .edgerc, and name the file with --edgerc and the section with --section."
      : "Credentials stay in .edgerc; the entry at most names the file and the section.",
  ].join("\n");
}

export const setupCommand: Command = async (config, [name], flags) => {
  const client = name === undefined ? undefined : clientNamed(name);
  const names = Object.keys(setupClients);
  if (!client)
    refuse(
      name === undefined
        ? "setup takes a client."
        : `There is no client ${JSON.stringify(name)}${didYouMean(name, names)}.`,
      `Write: edgewise setup CLIENT, which is ${names.join(", ")}.`,
    );
  const path = clientFileHere(client, config.placeVariables);
  const isWritten = flags.includes("--write");
  if (flags.includes("--fresh") && !(isWritten && path !== undefined))
    refuse(
      "--fresh is only for --write into a client's file.",
      "Leave out --fresh, or add --write for a client that has a file.",
      "It drops the flags of an existing entry, and only --write keeps them.",
    );
  if (isWritten) {
    // The clients of plain HTTP have no common file; only their token file can be written.
    if (path === undefined) log(makeTokenFile(config));
    else await write(path, client, config, flags.includes("--fresh"));
    return 0;
  }
  const launch =
    path === undefined ? httpLaunch(config, programLaunch()) : stdioLaunch(config, client, programLaunch());
  const fields = entryFields(config, client, launch);
  log(explanation(client, config, launch, path));
  print(fileText(client, fields).trimEnd());
  if (path !== undefined)
    log("With --write this is merged into that file: its flags are kept, and a copy of the file is saved.");
  return 0;
};
