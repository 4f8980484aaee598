/** Lines that are written together: all of them or none, in the order in which they were added. */
import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Chain, type ChainFile, type Line } from "../../src/audit/chain.js";
import { readLine } from "../../src/audit/files.js";

const newPath = (): string => join(mkdtempSync(join(tmpdir(), "edgewise-chain-")), "lines");
const fileAt = (path: string, flags: string): ChainFile => ({
  fd: openSync(path, flags),
  first: {},
  bytes: 0,
  isBroken: false,
});

const lines = (count: number): Line[] =>
  Array.from({ length: count }, () => ({ membersOf: () => ({ event: "note" }), seq: undefined }));

it("writes the lines of one turn in their order, and not before it ends", async () => {
  const path = newPath();
  const file = fileAt(path, "ax");
  const chain = new Chain(Date.now);
  const added = lines(3).map((line, at) => chain.add(file, line, { event: `note ${at}` }));
  expect(readFileSync(path, "utf8")).toBe("");
  expect(chain.waitingBytes).toBeGreaterThan(0);
  await Promise.all(added);
  const entries = readFileSync(path, "utf8").trimEnd().split("\n").map(readLine);
  expect(entries.map((entry) => [entry?.seq, entry?.event, entry?.isIntact])).toEqual([
    [1, "note 0", true],
    [2, "note 1", true],
    [3, "note 2", true],
  ]);
  expect(entries.slice(1).map((entry) => entry?.prev)).toEqual(entries.slice(0, 2).map((entry) => entry?.hash));
  expect([file.bytes, chain.waitingBytes]).toEqual([readFileSync(path).length, 0]);
  closeSync(file.fd);
});

it("has none of them in the chain if they cannot be written", async () => {
  const path = newPath();
  const writable = fileAt(path, "ax");
  const readable = fileAt(path, "r");
  const chain = new Chain(Date.now);
  const added = lines(2);
  const ends = await Promise.allSettled(added.map((line) => chain.add(readable, line, { event: "note" })));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(added.map(({ seq }) => seq)).toEqual([undefined, undefined]);
  const [next] = lines(1);
  if (next) await chain.add(writable, next, { event: "next" });
  expect(next?.seq).toBe(1);
  expect(readLine(readFileSync(path, "utf8").trimEnd())).toMatchObject({ seq: 1, event: "next", prev: "" });
  for (const { fd } of [writable, readable]) closeSync(fd);
});
