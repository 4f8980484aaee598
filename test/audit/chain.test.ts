/** Lines that are written together: all of them or none, in their order. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Chain, type ChainFile, type Line, lineOf } from "../../src/audit/chain.js";
import { readLine } from "../../src/audit/files.js";
import { folder } from "../lab/files.js";

const newPath = (): string => join(folder(), "lines");
const fileAt = (path: string, flags: string): ChainFile => ({
  fd: openSync(path, flags),
  first: {},
  bytes: 0,
  isBroken: false,
});

const notes = (count: number): Line[] => Array.from({ length: count }, (_, at) => lineOf({ event: `note ${at}` }));

it("writes lines in their order, behind those before them", () => {
  const path = newPath();
  const file = fileAt(path, "ax");
  const chain = new Chain(Date.now);
  chain.write(file, [lineOf({ event: "first" })]);
  chain.write(file, notes(2));
  const entries = readFileSync(path, "utf8").trimEnd().split("\n").map(readLine);
  expect(entries.map((entry) => [entry?.seq, entry?.event, entry?.isIntact])).toEqual([
    [1, "opened", true],
    [2, "first", true],
    [3, "note 0", true],
    [4, "note 1", true],
  ]);
  expect(entries.slice(1).map((entry) => entry?.prev)).toEqual(entries.slice(0, 3).map((entry) => entry?.hash));
  expect(file.bytes).toBe(readFileSync(path).length);
  closeSync(file.fd);
});

it("has none of them in the chain if they cannot be written", () => {
  const path = newPath();
  const writable = fileAt(path, "ax");
  const readable = { ...fileAt(path, "r"), bytes: 1 };
  const chain = new Chain(Date.now);
  const lost = notes(2);
  expect(() => chain.write(readable, lost)).toThrow("EBADF");
  expect(lost.map(({ seq }) => seq)).toEqual([undefined, undefined]);
  const next = lineOf({ event: "next" });
  chain.write({ ...writable, bytes: 1 }, [next]);
  expect(next.seq).toBe(1);
  expect(readLine(readFileSync(path, "utf8").trimEnd())).toMatchObject({ seq: 1, event: "next", prev: "" });
  for (const { fd } of [writable, readable]) closeSync(fd);
});
