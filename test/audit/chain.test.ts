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
