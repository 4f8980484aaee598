/**
 * Verifies audit files against their chains and against exported heads, line by line, and reports where they were
 * changed.
 */
import { basename, dirname } from "node:path";
import { isRecord } from "../language/member.js";
import { parsedJson } from "../text/parsed-json.js";
import {
  type AuditEntry,
  type AuditSource,
  type ChainHead,
  directorySource,
  emptyChainHead,
  headsNamedBy,
  isAuditFile,
  isNamedHead,
  type NamedHead,
  readEntry,
} from "./files.js";

/**
 * The text of a head: one line of JSON.
 * @param chains The last line of each chain. Its sequence number is the number of the chain's lines.
 */
export const headText = (chains: readonly NamedHead[], nowMs: number): string =>
  JSON.stringify({
    version: 1,
    time: new Date(nowMs).toISOString(),
    lines: chains.reduce((sum, { seq }) => sum + seq, 0),
    chains: chains.map(({ file, seq, hash }) => ({ file, seq, hash })),
  });

/** Parses the text of a head; undefined if it is invalid or incomplete. */
export function readHead(text: string): readonly NamedHead[] | undefined {
  const value = parsedJson(text);
  if (!isRecord(value) || value["version"] !== 1 || !Array.isArray(value["chains"])) return undefined;
  const chains = value["chains"].filter(
    (one) => isNamedHead(one) && isAuditFile(one.file) && one.seq > 0 && /^[0-9a-f]{64}$/.test(one.hash),
  );
  const lines = chains.reduce((sum, { seq }) => sum + seq, 0);
  return chains.length === value["chains"].length && lines === value["lines"] ? chains : undefined;
}

/** The first problem of a file. */
interface AuditFault {
  readonly file: string;
  /** The number of the line, from 1; 0 if the whole file is missing. */
  readonly line: number;
  readonly what: string;
}

export interface Verification {
  readonly files: number;
  readonly lines: number;
  readonly faults: readonly AuditFault[];
  /** Remarks that are not signs of tampering. */
  readonly notes: readonly string[];
  /** The last line of each chain, which is that of a process across its files. */
  readonly chains: readonly NamedHead[];
}

/** A line that another file names, and the name of that file. */
interface ExpectedHead extends NamedHead {
  readonly by: string;
}

function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

/** All lines that the first lines of files name. */
async function expectedHeadsIn(source: AuditSource, files: readonly string[]): Promise<readonly ExpectedHead[]> {
  const named: ExpectedHead[] = [];
  for (const by of files)
    for await (const { text } of source.lines(by)) {
      const entry = readEntry(text);
      // An edited line is reported when its file is checked, so its references prove nothing.
      if (entry?.isIntact) named.push(...headsNamedBy(entry).map((head) => ({ ...head, by })));
      break;
    }
  return named;
}

/** The problem of a line's place in its chain, of which the first lines may have been removed. */
function misplacementOf(
  entry: AuditEntry,
  before: AuditEntry | undefined,
  number: number,
  retired: NamedHead | undefined,
): string | undefined {
  const isFirst = number === 1;
  const continued = entry.members["continues"];
  const begin: ChainHead = retired ?? (isNamedHead(continued) ? continued : emptyChainHead);
  if (isFirst !== (entry.event === "opened") && !(isFirst && retired !== undefined))
    return isFirst ? "is not the first line of a file: lines were removed before it" : "begins a file in another";
  const { seq, hash } = isFirst ? begin : (before ?? emptyChainHead);
  if (entry.seq !== seq + 1)
    return `has the sequence number ${entry.seq} instead of ${seq + 1}: lines were removed or reordered`;
  if (entry.prev !== hash) return "does not continue the line before it: one of the two was replaced";
  if (before?.event === "closed" || before?.event === "rotated")
    return "follows the last line of its file: it was added";
  return undefined;
}

/** The problem of a line, by itself, in its chain, or by the references of other files. */
function faultIn(
  entry: AuditEntry,
  before: AuditEntry | undefined,
  number: number,
  {
    named = [],
    retired,
  }: { readonly named?: readonly ExpectedHead[] | undefined; readonly retired: NamedHead | undefined },
) {
  if (!entry.isIntact) return "does not have the bytes of its hash: it was edited";
  const other = named.find(({ hash }) => hash !== entry.hash);
  return (
    misplacementOf(entry, before, number, retired) ??
    (other && `is not the line that ${other.by} names: it was replaced`)
  );
}

interface FileCheck {
  readonly lines: number;
  readonly fault: AuditFault | undefined;
  readonly last: AuditEntry | undefined;
  readonly isCutShort: boolean;
  /** How many lines the process could not write. */
  readonly lost: number;
  /** The file that it continues. */
  readonly continues: string | undefined;
}

/** The named lines of a file that were not removed with its oldest ones. */
const headsNotRetired = (
  expected: readonly ExpectedHead[] = [],
  retired: NamedHead | undefined,
): readonly ExpectedHead[] => expected.filter(({ seq }) => seq > (retired?.seq ?? 0));

async function checkFile(
  source: AuditSource,
  file: string,
  expected: readonly ExpectedHead[],
  retired?: NamedHead,
): Promise<FileCheck> {
  const expectedBySeq = new Map<number, ExpectedHead[]>();
  for (const head of expected) addTo(expectedBySeq, head.seq, head);
  let last: AuditEntry | undefined;
  let lines = 0;
  let lost = 0;
  let isCutShort = false;
  let continues: string | undefined;
  const checked = (fault: AuditFault | undefined): FileCheck => ({ lines, fault, last, isCutShort, lost, continues });
  const ended = (what: string): FileCheck => checked({ file, line: lines, what });
  for await (const { number, text, isComplete } of source.lines(file)) {
    isCutShort = !isComplete;
    if (isCutShort) break;
    lines = number;
    const entry = readEntry(text);
    if (entry === undefined) return ended("is not an audit line: it was edited");
    const what = faultIn(entry, last, number, { named: expectedBySeq.get(entry.seq), retired });
    if (what !== undefined) return ended(what);
    expectedBySeq.delete(entry.seq);
    const { lost: before, continues: from } = entry.members;
    if (typeof before === "number") lost += before;
    if (number === 1 && isNamedHead(from)) continues = from.file;
    last = entry;
  }
  const [missing] = [...expectedBySeq.values()].flat();
  if (missing === undefined) return checked(undefined);
  return ended(
    `is the last one, but ${missing.by} names a line with the sequence number ${missing.seq}: the file was truncated`,
  );
}

/** Verifies one file by itself, without its references to other files. */
export async function verifyFile(path: string): Promise<Verification> {
  const file = basename(path);
  return report([await checkFile(directorySource(dirname(path)), file, [])], [file], []);
}

/**
 * Verifies all files of a log, each by itself and against the references of the others.
 * @param known Lines that existed before, from an exported head: no other file names the newest files.
 */
export async function verifyLog(source: AuditSource, known: readonly NamedHead[] = []): Promise<Verification> {
  const files = await source.files();
  const retired = new Map((await source.retired()).map((head) => [head.file, head]));
  const expected = new Map<string, ExpectedHead[]>();
  const namedIn = new Map<string, string>();
  const exported = known.map((head) => ({ ...head, by: "the exported head" }));
  for (const one of [...exported, ...(await expectedHeadsIn(source, files))]) {
    addTo(expected, one.file, one);
    namedIn.set(one.file, one.by);
  }
  const checked: FileCheck[] = [];
  for (const file of files) {
    const one = await checkFile(
      source,
      file,
      headsNotRetired(expected.get(file), retired.get(file)),
      retired.get(file),
    );
    checked.push(one);
    const next = one.last?.event === "rotated" ? one.last.members["to"] : undefined;
    if (typeof next === "string") namedIn.set(next, file);
  }
  // Processes may have continued in other files in the meantime.
  const present = new Set(await source.files());
  const missing = [...namedIn].filter(([file]) => !present.has(file) && !retired.has(file));
  return report(
    checked,
    files,
    missing.map(([file, by]) => ({ file, line: 0, what: `is missing, but ${by} names it: the file was removed` })),
    retired.size,
  );
}

function report(
  checked: readonly FileCheck[],
  files: readonly string[],
  missing: readonly AuditFault[],
  retired = 0,
): Verification {
  const notes: string[] = [];
  let open = 0;
  let lost = 0;
  for (const [at, { last, lines, isCutShort, fault, ...check }] of checked.entries()) {
    lost += check.lost;
    if (fault !== undefined) continue;
    if (isCutShort) notes.push(`${files[at]} ends in the middle of line ${lines + 1}: its process crashed there.`);
    else if (last?.event !== "closed" && last?.event !== "rotated") open += 1;
  }
  const continued = new Set(checked.map(({ continues }) => continues));
  const chains = checked.flatMap(({ last }, at) => {
    const file = files[at] ?? "";
    return last === undefined || continued.has(file) ? [] : [{ file, seq: last.seq, hash: last.hash }];
  });
  if (open > 0)
    notes.push(`Files without a last line, because a process is running or ended without writing it: ${open}.`);
  if (lost > 0) notes.push(`Lines that could not be written at the time, according to the lines after them: ${lost}.`);
  if (retired > 0)
    notes.push(`Files whose oldest lines were removed because they were kept for long enough: ${retired}.`);
  return {
    files: files.length,
    lines: checked.reduce((sum, { lines }) => sum + lines, 0),
    faults: [...checked.flatMap(({ fault }) => fault ?? []), ...missing],
    notes,
    chains,
  };
}
