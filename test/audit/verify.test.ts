/** Tampering shows: every way of changing audit files afterwards is found, with the file and the line. */
import { appendFileSync, cpSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCalls } from "../../src/audit/calls.js";
import { lineAfter } from "../../src/audit/chain.js";
import { directorySource, emptyChainHead, headsToName, readEntry } from "../../src/audit/files.js";
import { openJournal } from "../../src/audit/journal.js";
import { headText, readHead, verifyFile } from "../../src/audit/verify.js";
import { promise } from "../lab/rules.js";
import { filesOf, freshDirectory, linesOf, record, recordCalls, recordProcess, writeLines } from "./record.js";
import { verifyDirectory } from "./verified.js";

let written: string;
let dir: string;
let first: string;
let second: string;
let lines: string[];

beforeAll(async () => {
  written = freshDirectory();
  await recordProcess(written, 5);
  await recordProcess(written, 3);
});
beforeEach(() => {
  dir = freshDirectory();
  cpSync(written, dir, { recursive: true });
  [first = "", second = ""] = filesOf(dir);
  lines = linesOf(dir, first);
});

const faultsOf = async () =>
  (await verifyDirectory(dir)).faults.map(({ file, line, what }) => `${file}:${line} ${what}`);
const swapped = <T>(list: readonly T[], at: number): T[] =>
  list.with(at, list[at + 1] as T).with(at + 1, list[at] as T);

const after = (all: readonly string[]): string =>
  lineAfter(readEntry(all.at(-1) ?? "") ?? emptyChainHead, Date.now(), { event: "preview" }).text;

/** A chain that is whole again after a change: what somebody could write who knows how the hashes are made. */
function rehashed(changed: readonly string[]): string[] {
  let head = emptyChainHead;
  return changed.map((line) => {
    const { seq: _seq, time, prev: _prev, hash: _hash, ...members } = JSON.parse(line) as Record<string, unknown>;
    const next = lineAfter(head, Date.parse(String(time)), members);
    head = next.head;
    return next.text;
  });
}

it("files that were only written have no fault", async () => {
  expect(await verifyDirectory(dir)).toMatchObject({ files: 2, lines: 20, faults: [], notes: [] });
  expect(await verifyFile(join(dir, first))).toMatchObject({ files: 1, lines: 12, faults: [], notes: [] });
});

const older = join(import.meta.dirname, "older");

it("an older log verifies with newer files, and is shown without ids", async () => {
  const { chains, ...found } = await verifyDirectory(older);
  expect(found).toEqual({ files: 4, lines: 18, faults: [], notes: [] });
  expect(chains.map(({ seq }) => seq)).toEqual([9, 9]);
  cpSync(older, dir, { recursive: true });
  await recordProcess(dir, 1);
  expect((await verifyDirectory(dir)).faults).toEqual([]);
  const own = ["dns_zone_get", "dns_zone_write", "dns_zone_write"];
  const { calls, unreadable } = await readCalls(directorySource(older), () => true);
  expect({ unreadable, calls: calls.map(({ tool, depth }) => [tool, depth]) }).toEqual({
    unreadable: 0,
    calls: [...own, ...own].map((tool) => [tool, 0]),
  });
});

it("verifying counts the lines that could not be written, at every gap", async () => {
  const lostBefore = new Map([
    [2, 2],
    [5, 3],
  ]);
  const withGaps = lines.map((line, at) => JSON.stringify({ ...JSON.parse(line), lost: lostBefore.get(at) }));
  writeLines(dir, second, rehashed(withGaps));
  expect((await verifyFile(join(dir, second))).notes).toEqual([expect.stringMatching(/^Lines that .*: 5\.$/)]);
});

it(promise("edit-found", "an edit of any line is found, whatever byte of it"), async () => {
  for (const [at, line] of lines.entries())
    for (let byte = at; byte < line.length; byte += 61) {
      const changed = line.slice(0, byte) + (line[byte] === "0" ? "1" : "0") + line.slice(byte + 1);
      writeLines(dir, first, lines.with(at, changed));
      const [fault] = (await verifyDirectory(dir)).faults;
      expect(fault, changed).toMatchObject({ file: first, line: at + 1, what: expect.stringContaining("edited") });
    }
});

it("an edit is found whose line was given the hash of its new bytes", async () => {
  const { seq: _, hash: __, prev, time, ...members } = JSON.parse(lines[3] ?? "") as Record<string, unknown>;
  const forged = lineAfter({ seq: 3, hash: String(prev) }, Date.parse(String(time)), { ...members, who: "someone" });
  writeLines(dir, first, lines.with(3, forged.text));
  expect(await faultsOf()).toEqual([`${first}:5 does not continue the line before it: one of the two was replaced`]);
});

const number = (line: number, found: number, wanted: number) =>
  `${line} has the sequence number ${found} instead of ${wanted}: lines were removed or reordered`;
it.each<[string, (all: readonly string[]) => string[], fault: string]>([
  ["line 2 was removed", (all) => all.toSpliced(1, 1), number(2, 3, 2)],
  ["line 11 was removed", (all) => all.toSpliced(10, 1), number(11, 12, 11)],
  ["line 1 was removed", (all) => all.slice(1), "1 is not the first line of a file: lines were removed before it"],
  ["line 2 changed places with the next", (all) => swapped(all, 1), number(2, 3, 2)],
  ["line 11 changed places with the next", (all) => swapped(all, 10), number(11, 12, 11)],
  ["a line was repeated", (all) => all.toSpliced(4, 0, all[3] ?? ""), number(5, 4, 5)],
  ["a line was appended", (all) => [...all, after(all)], "13 follows the last line of its file: it was added"],
  ["a line is not an audit line", (all) => all.with(2, "{}"), "3 is not an audit line: it was edited"],
])("verifying finds that %s", async (what, change, fault) => {
  writeLines(dir, first, change(lines));
  // Two lines that changed places are two faults at least.
  const found = (await faultsOf()).slice(0, what.includes("places") ? 1 : undefined);
  expect(found).toEqual([`${first}:${fault}`]);
});

it("several files: a cut in an older one is found, even inside a line", async () => {
  for (const kept of [0, 1, 7, 11]) {
    writeLines(dir, first, lines.slice(0, kept));
    expect((await faultsOf())[0]).toBe(
      `${first}:${kept} is the last one, but ${second} names a line with the sequence number 12: the file was truncated`,
    );
  }
  writeLines(dir, first, lines);
  truncateSync(join(dir, first), lines.join("\n").length - 40);
  expect((await faultsOf())[0]).toMatch(/:11 is the last one, but .* the file was truncated$/);
});

it("an older file that was removed, renamed or rewritten whole is found", async () => {
  writeLines(dir, first, rehashed(lines.map((line) => line.replace('"who":"local"', '"who":"someone"'))));
  expect((await verifyFile(join(dir, first))).faults).toEqual([]);
  expect(await faultsOf()).toEqual([`${first}:12 is not the line that ${second} names: it was replaced`]);
  writeLines(dir, first, lines);
  renameSync(join(dir, first), join(dir, "elsewhere.jsonl"));
  const removed = [`${first}:0 is missing, but ${second} names it: the file was removed`];
  expect(await faultsOf()).toEqual(removed);
  rmSync(join(dir, "elsewhere.jsonl"));
  expect(await faultsOf()).toEqual(removed);
});

it("lines that an old process wrote after a newer one began are named", async () => {
  const { audit } = record(dir);
  await recordCalls(audit, 1);
  await recordProcess(dir, 1);
  await recordCalls(audit, 1);
  const [, , lasting = ""] = filesOf(dir);
  await recordProcess(dir, 1);
  writeLines(dir, lasting, linesOf(dir, lasting).slice(0, -1));
  expect(await faultsOf()).toEqual([expect.stringMatching(/:4 is the last one, .* sequence number 5: .*truncated$/)]);
  await audit.close();
});

/** Each newest file names what was written before it, so that an older one is only read where that is not certain. */
it.each([
  ["names a file that was written 5 s before the newest was begun", 5_000, 0, true],
  ["does not name one that was written earlier", 5_001, 0, false],
  ["names one that was written earlier if the clock was set back", 5_001, -1, true],
])("%s", async (_, beforeMs, laterMs, isNamed) => {
  const directory = freshDirectory();
  const begunMs = Date.UTC(2026, 4, 1);
  for (const atMs of [begunMs - 60_000, begunMs]) {
    const journal = await openJournal(directory, () => atMs, { maxBytes: 1_000_000 });
    await journal.close({});
  }
  const [older = "", newest = ""] = filesOf(directory);
  const writtenAt = (begunMs - beforeMs) / 1_000;
  utimesSync(join(directory, older), writtenAt, writtenAt);
  const named = (await headsToName(directory, begunMs + laterMs)).map(({ file }) => file);
  expect(named).toEqual(isNamed ? [newest, older] : [newest]);
});

describe("a file that continues in other files", () => {
  beforeEach(async () => {
    dir = freshDirectory();
    await recordProcess(dir, 8, 1_500);
  });

  it("continued files are one chain, of which no part can be removed", async () => {
    const files = filesOf(dir);
    expect(files.length).toBeGreaterThan(3);
    expect(await verifyDirectory(dir)).toMatchObject({ files: files.length, faults: [], notes: [] });
    const sequence = files.flatMap((file) => linesOf(dir, file)).map((line) => readEntry(line)?.seq);
    expect(sequence).toEqual(sequence.map((_, at) => at + 1));
    for (const file of filesOf(dir)) {
      const kept = linesOf(dir, file);
      rmSync(join(dir, file));
      expect(await faultsOf(), file).toEqual([expect.stringContaining(`${file}:0 is missing`)]);
      writeLines(dir, file, kept);
    }
  });
});

it("a partial line after a crash is told from tampering", async () => {
  appendFileSync(join(dir, second), '{"seq":9,"time":"2026');
  writeLines(dir, second, linesOf(dir, second).slice(0, -1));
  appendFileSync(join(dir, second), '{"seq":8,"time":"2026');
  expect(await verifyDirectory(dir)).toMatchObject({
    files: 2,
    lines: 19,
    faults: [],
    notes: [`${second} ends in the middle of line 8: its process crashed there.`],
  });
  expect((await readCalls(directorySource(dir), () => true)).unreadable).toBe(0);
});

it("a crash may leave no line at all, or no last one", async () => {
  writeFileSync(join(dir, second), "");
  writeLines(dir, first, lines.slice(0, -1));
  expect(await verifyDirectory(dir)).toMatchObject({
    faults: [],
    notes: [expect.stringMatching(/^Files without a last line, .*: 2\.$/)],
  });
});

describe("against a head that was exported", () => {
  /** Chains of each kind: ended, continued in further files, still open, crashed in a line, and overlapping in time. */
  beforeEach(async () => {
    await recordProcess(dir, 5, 1_500);
    const { audit } = record(dir);
    await recordCalls(audit, 2);
    await recordProcess(dir, 1);
    await recordCalls(audit, 1);
    appendFileSync(join(dir, filesOf(dir).at(-1) ?? ""), '{"seq":5,"time"');
  });
  const exported = async () => readHead(headText((await verifyDirectory(dir)).chains, 0));
  const faultsWith = async (head: Awaited<ReturnType<typeof exported>>) => (await verifyDirectory(dir, head)).faults;

  it("files written before or after an exported head have no fault", async () => {
    const head = await exported();
    expect(head?.length).toBe(5);
    expect(await faultsWith(head)).toEqual([]);
    await recordProcess(dir, 3, 1_000);
    expect(await faultsWith(head)).toEqual([]);
  });

  it(promise("end-found", "exported head: removing a file, or last lines of any, is found"), async () => {
    const head = await exported();
    const files = filesOf(dir);
    for (const file of files) {
      const all = linesOf(dir, file);
      for (let kept = 0; kept < all.length; kept += 1) {
        writeLines(dir, file, all.slice(0, kept));
        expect([file, kept, (await faultsWith(head)).length]).toEqual([file, kept, expect.not.toBeOneOf([0])]);
      }
      rmSync(join(dir, file));
      expect((await faultsWith(head)).map((fault) => fault.file)).toContain(file);
      writeLines(dir, file, all);
    }
    expect(await faultsWith(head)).toEqual([]);
    for (const file of files.toReversed()) {
      rmSync(join(dir, file));
      expect(await faultsWith(head), file).not.toEqual([]);
    }
    rmSync(dir, { recursive: true });
    expect(await faultsWith(head)).toHaveLength(5);
  });

  it(promise("new-file-found", "no newest file can be written anew with a chain that is whole"), async () => {
    const head = await exported();
    for (const { file } of head ?? []) {
      const all = linesOf(dir, file);
      if (readEntry(all[0] ?? "")?.seq !== 1) continue;
      writeLines(dir, file, rehashed(all.map((line) => line.replace('"who":"local"', '"who":"someone"'))));
      expect((await faultsWith(head)).map(({ what }) => what)).toEqual([expect.stringContaining("it was replaced")]);
      writeLines(dir, file, all);
    }
  });
});
