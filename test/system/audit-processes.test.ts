/** The record across processes: several at once, one that is killed, a full disk, and more lines than fit in memory. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lineAfter } from "../../src/audit/chain.js";
import { emptyChainHead, newName } from "../../src/audit/files.js";
import { filesOf, freshDirectory, intent, linesOf, recordProcess } from "../audit/record.js";
import { verifyDirectory } from "../audit/verified.js";
import { needs } from "../lab/needs.js";
import { bundled } from "./bundled.js";

const script = await bundled({ entry: "test/audit/process.ts" });

const start = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
const exit = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once("exit", resolve));

it("is whole when several processes write at once", async () => {
  const dir = freshDirectory();
  const codes = await Promise.all([1, 2, 3, 4].map(() => exit(start("write", dir, "300"))));
  expect(codes).toEqual([0, 0, 0, 0]);
  const { lines, faults, notes } = await verifyDirectory(dir);
  const own = filesOf(dir).length * 2;
  expect({ faults, notes }).toEqual({ faults: [], notes: [] });
  // The files that were continued have two lines about themselves, like the last one of each process.
  expect(lines).toBe(4 * 600 + own);
});

it("can be verified while a process writes and goes on in further files", async () => {
  const dir = freshDirectory();
  const child = start("write", dir, "1500");
  let isRunning = true;
  const gone = exit(child).then(() => {
    isRunning = false;
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  let verified = 0;
  for (; isRunning; verified += 1) expect((await verifyDirectory(dir)).faults).toEqual([]);
  await gone;
  expect(verified).toBeGreaterThan(1);
  expect(filesOf(dir).length).toBeGreaterThan(5);
});

it("is whole up to the line at which a process is killed", async () => {
  const dir = freshDirectory();
  // In one file: a process that is killed as it begins a further one leaves that empty, and no line to be cut.
  const child = start("write", dir, "1000000", "guarded", "1000000000");
  await new Promise((resolve) => child.stdout?.on("data", (text) => /^[1-9]/.test(String(text)) && resolve(undefined)));
  const gone = exit(child);
  child.kill("SIGKILL");
  await gone;
  expect(await verifyDirectory(dir)).toMatchObject({ faults: [] });
  // A machine that crashes can leave a part of the last line.
  const last = filesOf(dir).at(-1) ?? "";
  const { length } = linesOf(dir, last);
  truncateSync(join(dir, last), statSync(join(dir, last)).size - 30);
  const { faults, notes } = await verifyDirectory(dir);
  expect(faults).toEqual([]);
  expect(notes[0]).toBe(`${last} ends in the middle of line ${length}: its process crashed there.`);
  // The next process goes on with a file of its own, and names the last whole line of the one that crashed.
  await recordProcess(dir, 1);
  expect(await verifyDirectory(dir)).toMatchObject({ faults: [] });
  truncateSync(join(dir, last), linesOf(dir, last).slice(0, -1).join("\n").length + 1);
  expect((await verifyDirectory(dir)).faults).toMatchObject([
    { file: last, what: expect.stringContaining("truncated") },
  ]);
});

it("a full disk stops guarded calls and leaves no partial audit line", needs.posix, async () => {
  const dir = freshDirectory();
  // A limit on the size of files stands in for the disk: the system writes what fits of a line, and then nothing.
  const limit = `trap '' XFSZ; ulimit -f 4; exec "$@" 2>&1`;
  const limited = (tier: string, maxFileBytes: number): string => {
    const command = [process.execPath, script, "write", dir, "40", tier, String(maxFileBytes)];
    return execFileSync("bash", ["-c", limit, "-", ...command], { encoding: "utf8" });
  };
  // Full in the middle of a file, and just when it is to be continued in a further one.
  for (const maxFileBytes of [20_000, 3_950]) {
    const guarded = limited("guarded", maxFileBytes);
    expect(guarded.match(/^refused: not_allowed$/gm)?.length).toBeGreaterThan(20);
    expect(guarded.match(/audit lines cannot be written/g)?.length).toBe(1);
    const read = limited("read", maxFileBytes);
    expect(read).not.toContain("refused");
    // Where a line does not fit, a shorter one after it still can; what is lost then is said anew.
    expect([1, 2]).toContain(read.match(/audit lines cannot be written/g)?.length);
  }
  const { faults, notes } = await verifyDirectory(dir);
  expect(faults).toEqual([]);
  expect(notes.filter((note) => note.includes("in the middle of"))).toEqual([]);
});

it("is verified in memory that does not grow with it", async () => {
  const dir = freshDirectory();
  mkdirSync(dir);
  const file = join(dir, newName(Date.now()));
  let head = emptyChainHead;
  const next = (members: Readonly<Record<string, unknown>>): string => {
    const line = lineAfter(head, 0, members);
    head = line.head;
    return `${line.text}\n`;
  };
  appendFileSync(file, next({ event: "opened", heads: [] }));
  for (let block = 0; block < 100; block += 1)
    appendFileSync(file, Array.from({ length: 1_000 }, () => next({ event: "intent", ...intent() })).join(""));
  // Twice the memory that the process takes to start, and less than the file.
  const heapMb = 24;
  expect(statSync(file).size).toBeGreaterThan(heapMb * 1024 * 1024);
  const args = [`--max-old-space-size=${heapMb}`, script, "verify", dir];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }))).toMatchObject({
    lines: 100_001,
    faults: [],
  });
});
