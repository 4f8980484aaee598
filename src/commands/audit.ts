/** `edgewise audit`: verifies the audit log, exports its head, and shows it. */
import { readFile, stat } from "node:fs/promises";
import { buffer as wholeOf } from "node:stream/consumers";
import { type RecordedCall, readCalls } from "../audit/calls.js";
import { directorySource, type NamedHead } from "../audit/files.js";
import { headText, readHead, type Verification, verifyFile, verifyLog } from "../audit/verify.js";
import type { Config } from "../config.js";
import { openState } from "../engine/state.js";
import { isRecord } from "../language/member.js";
import { textIn } from "../system/file-access.js";
import { onOneLine } from "../text/marks.js";
import { quantity } from "../text/quantity.js";
import { type Command, flagValue, log, print, refuse } from "./command.js";
import { alignedLines } from "./terminal.js";

const noCalls = (dir: string): void => print(`No call has been recorded in ${dir}.`);
const kindOf = async (path: string): Promise<"directory" | "file" | "nothing"> => {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? "nothing" : found.isDirectory() ? "directory" : "file";
};

/**
 * The lines that an exported head names.
 * @param from A file, or `-` for stdin.
 */
async function headFrom(from: string): Promise<readonly NamedHead[]> {
  let text: string;
  try {
    text = textIn(await (from === "-" ? wholeOf(process.stdin) : readFile(from)));
  } catch {
    return refuse(`The head ${from} cannot be read.`, "Name the file with the output of edgewise audit head.");
  }
  return (
    readHead(text) ??
    refuse(
      `${from === "-" ? "The input on stdin" : from} is not the head of an audit log, or not all of it.`,
      "Give the whole line that edgewise audit head printed.",
    )
  );
}

/** The log at a path, or that of the configured state, with its name. */
async function logAt(config: Config, path: string | undefined) {
  if (path !== undefined)
    return { name: path, source: directorySource(path), exists: (await kindOf(path)) === "directory" };
  const { auditSource, auditPlace } = await openState(config, log);
  if (auditSource === undefined)
    return refuse(
      "With --state-dir memory no audit line is stored.",
      "Name the directory with --state-dir DIRECTORY, or give audit verify a path.",
    );
  return { name: auditPlace.name, source: auditSource, exists: (await auditSource.files()).length > 0 };
}

async function verifyAt(config: Config, path: string | undefined, head: readonly NamedHead[] | undefined) {
  const isFile = path !== undefined && (await kindOf(path)) === "file";
  if (isFile && head)
    refuse(`${path} is a single file, and a head belongs to a directory.`, "Name the directory of the audit files.");
  if (isFile) return verifyFile(path);
  const { name, source, exists } = await logAt(config, path);
  // With a head, a missing directory is one from which everything was removed.
  if (exists || head) return verifyLog(source, head);
  if (path !== undefined) refuse(`${path} does not exist.`, "Name an audit file, or a directory of them.");
  noCalls(name);
  return undefined;
}

const faultTexts = ({ faults }: Verification): string[] =>
  faults.map(({ file, line, what }) => (line === 0 ? `${file} ${what}.` : `${file}, line ${line}: ${what}.`));

async function verify(config: Config, path: string | undefined, from: string | undefined): Promise<number> {
  const verification = await verifyAt(config, path, from === undefined ? undefined : await headFrom(from));
  if (verification === undefined) return 0;
  const { files, lines, faults, notes } = verification;
  faultTexts(verification).forEach(print);
  for (const note of notes) print(`Note: ${note}`);
  print(`${quantity(lines, "line")} in ${quantity(files, "file")}, ${faults.length === 0 ? "unbroken" : "BROKEN"}`);
  return faults.length === 0 ? 0 : 1;
}

/** Prints the head of an intact audit log; that of a damaged one would confirm the damage. */
async function exportHead(config: Config, path: string | undefined): Promise<number> {
  const { name, source, exists } = await logAt(config, path);
  if (!exists && path !== undefined)
    refuse(`There is no directory ${path}.`, "Name a directory of audit files, or leave it out for this server's own.");
  const verification = await verifyLog(source);
  if (verification.faults.length > 0) {
    for (const text of faultTexts(verification)) log(text);
    log("edgewise: the audit log is broken, so its head is not exported; `edgewise audit verify` reports the same");
    return 1;
  }
  if (verification.files === 0) log(`edgewise: no call has been recorded in ${name}`);
  print(headText(verification.chains, Date.now()));
  return 0;
}

/** The milliseconds of `--since`; a time needs an offset, because the lines are in UTC. */
function sinceOf(text: string | undefined): number {
  if (text === undefined) return Number.NEGATIVE_INFINITY;
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const at = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at)
    ? refuse(
        `--since takes an ISO 8601 time, not ${JSON.stringify(text)}.`,
        "Write 2026-05-01, or 2026-05-01T12:00:00Z.",
      )
    : at;
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? onOneLine(String(value)) : "";

/** The outcome of a call in a word or two. */
function endOf({ members, isUnfinished }: Pick<RecordedCall, "members" | "isUnfinished">): string {
  if (isUnfinished) return "no outcome recorded";
  const { event, code, status, policy } = members;
  const { rule } = (policy ?? {}) as { readonly rule?: unknown };
  return [event === "outcome" ? "" : event, code, status, event === "denied" ? rule : ""]
    .map(textOf)
    .filter((word) => word !== "")
    .join(" ");
}

/** Who made a call: the subject and the client of its token, or the owner over stdio and at a shell. */
function callerOf({ who, subject, oauthClient }: RecordedCall["members"]): string {
  if (subject === undefined) return textOf(who);
  return oauthClient === undefined ? textOf(subject) : `${textOf(subject)} with ${textOf(oauthClient)}`;
}

/** Who approved a call, and why, and the rules that it breaks; older lines only have the channel. */
function approversOf({ approval, approvals = [approval], breaks }: RecordedCall["members"]): string {
  const given = Array.isArray(approvals) ? approvals : [];
  const said = given
    .filter(isRecord)
    .map(({ by, channel, reason }) => [by ?? channel, reason].map(textOf).filter(Boolean).join(": "))
    .join(", ");
  return Array.isArray(breaks) ? `against ${breaks.map(textOf).join(", ")}: ${said}` : said;
}

const headings = ["TIME", "WHO", "TOOL", "FOR", "TIER", "TICKET", "PLAN", "APPROVED BY", "OUTCOME", "REQUESTS", "MS"];

async function show(config: Config, tool: string | undefined, since: string | undefined, isJson: boolean) {
  const sinceMs = sinceOf(since);
  const { name, source, exists } = await logAt(config, undefined);
  if (!exists) {
    if (!isJson) noCalls(name);
    return 0;
  }
  const isKept = (call: Pick<RecordedCall, "tool" | "time">) =>
    (tool === undefined || call.tool === tool) && Date.parse(call.time) >= sinceMs;
  const { calls, unreadable } = await readCalls(source, isKept);
  if (unreadable > 0)
    log(`edgewise: ${quantity(unreadable, "line")} left out because of damage; \`edgewise audit verify\` names them`);
  if (isJson) for (const { members } of calls) print(JSON.stringify(members));
  else {
    const rows = calls.map((call) => {
      const { purpose, tier, ticket, plan, requests, ms } = call.members;
      const place = `${"↳ ".repeat(call.depth)}${call.tool}`;
      const whose = [call.time, callerOf(call.members), place, purpose, tier, ticket, plan, approversOf(call.members)];
      return [...whose, endOf(call), requests, ms].map(textOf);
    });
    alignedLines([headings, ...rows]).forEach(print);
  }
  return 0;
}

export const auditCommand: Command = async (config, [action, path], flags) => {
  if (action === "verify") return verify(config, path, flagValue(flags, "--head"));
  if (action === "head") return exportHead(config, path);
  return show(config, flagValue(flags, "--tool"), flagValue(flags, "--since"), flags.includes("--json"));
};
