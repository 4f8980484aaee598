/** Checks of the clients on this machine: which have an entry for this server, and whether it would start. */
import { existsSync } from "node:fs";
import { isAbsolute, win32 } from "node:path";
import type { Config } from "../../config.js";
import { Failure } from "../../language/failure.js";
import { shellWords } from "../paste-line.js";
import { clientFileHere, type SetupClient, setupClients } from "../setup/clients.js";
import { readClientFile } from "../setup/file.js";
import { type EntryStart, entryStartOf, settingsIn, startFault } from "../setup/launch.js";
import { addressFields, type EntryFields, entryIn } from "../setup/merge.js";
import { type DoctorFinding, fail, notSet, pass, warning } from "./finding.js";
import type { ToolsOnDemand } from "./machine.js";

const subject = "Client";
const isPath = (word: string): boolean => isAbsolute(word) || win32.isAbsolute(word);

/** The entry of a client as text, with settings only: other words, and `env`, may contain secrets. */
const startText = ({ program, command, words }: EntryStart): string =>
  shellWords([program ?? command ?? "", ...settingsIn(words)]);

/** The finding for an entry that connects to a server elsewhere, which is only asked whether it runs. */
async function addressFinding(address: string, where: string): Promise<DoctorFinding> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const place = url ? `${url.origin}${url.pathname}` : "an invalid URL";
  const isThere =
    url !== undefined &&
    (await fetch(new URL("/healthz", url), { signal: AbortSignal.timeout(3_000), redirect: "error" }).then(
      ({ ok: isOk }) => isOk,
      () => false,
    ));
  return isThere
    ? pass(subject, `${where} connects to ${place}, which responds.`)
    : warning(subject, `${where} connects to ${place}, which does not respond.`, "Start edgewise http there.");
}

/** The finding for an entry that starts this program. */
async function startFinding(
  entry: EntryFields,
  where: string,
  renew: string,
  tools: ToolsOnDemand,
): Promise<DoctorFinding> {
  const parts = entryStartOf(entry);
  const { command, program } = parts;
  if (command === undefined) return fail(subject, `${where} starts nothing.`, renew);
  const gone = [command, program].find((one) => one !== undefined && isPath(one) && !existsSync(one));
  if (gone !== undefined) return fail(subject, `${where} starts ${gone}, which does not exist.`, renew);
  const fault = await startFault(entry, tools);
  if (fault) return fail(subject, `${where} starts no server: ${fault.message}`, fault.detail.next);
  const text = startText(parts);
  return isPath(program ?? command)
    ? pass(subject, `${where} starts ${text}.`)
    : warning(
        subject,
        `${where} starts ${text}, which the client looks up on its own PATH.`,
        `${renew} It names absolute paths.`,
      );
}

/** The finding for one client; none if its file has no entry for this server. */
async function findingsOfClient(
  name: string,
  client: SetupClient,
  path: string,
  tools: ToolsOnDemand,
): Promise<readonly DoctorFinding[]> {
  let entry: EntryFields | undefined;
  try {
    entry = entryIn(readClientFile(path).text.replace(/^\ufeff/, ""), client, path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      warning(
        subject,
        `${client.title}: ${path} cannot be read or is broken, so its entry is unknown.`,
        "Correct the file; the client cannot read it either.",
      ),
    ];
  }
  if (!entry) return [];
  const where = `${client.title}: the entry in ${path}`;
  const address = addressFields.map((field) => entry[field]).find((value) => typeof value === "string");
  return [
    address === undefined
      ? await startFinding(entry, where, `edgewise setup ${name} --write renews the entry.`, tools)
      : await addressFinding(address, where),
  ];
}

/** The clients with known files, each of which is read; none is started. */
export async function clientFindings(
  { placeVariables: variables }: Config,
  tools: ToolsOnDemand,
): Promise<readonly DoctorFinding[]> {
  const withFiles = Object.entries<SetupClient>(setupClients).flatMap(([name, client]) => {
    const path = clientFileHere(client, variables);
    return path === undefined ? [] : [{ name, client, path }];
  });
  const findingsByClient = await Promise.all(
    withFiles.map(({ name, client, path }) => findingsOfClient(name, client, path, tools)),
  );
  const all = findingsByClient.flat();
  return all.length > 0
    ? all
    : [
        notSet(
          subject,
          `None of ${withFiles.map(({ client }) => client.title).join(", ")} has an entry.`,
          "edgewise setup CLIENT --write adds one.",
        ),
      ];
}
