/** The files of a private directory: whole or not there, made once, read only where this user alone can have written them. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { damaged, privateDirectory } from "../../src/system/private-directory.js";
import { removeDirectories, stateDirectory } from "../guard/plan-stores.js";
import { needs } from "../lab/needs.js";
import { keptMode, onWindows } from "../lab/users.js";

afterEach(() => vi.restoreAllMocks());
afterAll(removeDirectories);

const holds = { what: "The plans", need: "Guarded calls need a stored plan" };

/** A directory that has been made, with one file in it. */
async function opened() {
  const path = join(stateDirectory(), "plans");
  const files = privateDirectory(path, holds);
  await files.create("a", "one");
  return { path, files, at: (name: string) => join(path, name) };
}
const descriptors = "/proc/self/fd";

it("a private file is created once", async () => {
  const { path, files, at } = await opened();
  expect(await files.create("a", "two")).toBe(false);
  expect(await files.create("b", "two")).toBe(true);
  expect([await files.read("a"), await files.read("b"), await files.read("c")]).toEqual(["one", "two", undefined]);
  expect((await files.names()).toSorted()).toEqual(["a", "b"]);
  expect([statSync(path).mode & 0o777, statSync(at("a")).mode & 0o777]).toEqual([keptMode(0o700), keptMode(0o600)]);
  await files.remove("a");
  await files.remove("a");
  expect(await files.names()).toEqual(["b"]);
});

it("a private file does not exist if its directory does not", async () => {
  const files = privateDirectory(join(stateDirectory(), "none"), holds);
  expect([await files.names(), await files.read("a")]).toEqual([[], undefined]);
});

it("a private file that cannot be created leaves nothing behind", async () => {
  const { files } = await opened();
  const failure = files.create("n".repeat(300), "x");
  await expect(failure).rejects.toMatchObject({
    code: "not_allowed",
    detail: { why: expect.stringMatching(/^The system does not allow it\. .* nothing was sent\.$/) },
  });
  expect(await files.names()).toEqual(["a"]);
});

it("a name that no file can have is an internal error", async () => {
  const { files } = await opened();
  await expect(files.create("\0", "x")).rejects.not.toBeInstanceOf(Failure);
  await expect(files.remove("\0")).rejects.not.toBeInstanceOf(Failure);
});

it.each<[string, (path: string) => void]>([
  ["its group can write", (path) => chmodSync(path, 0o620)],
  ["others can write", (path) => chmodSync(path, 0o602)],
  ["is too large", (path) => writeFileSync(path, "x".repeat(2_097_153))],
])("a private file is damaged when it %s", needs.modes, async (_, spoil) => {
  const { files, at } = await opened();
  spoil(at("a"));
  expect(await files.read("a")).toBe(damaged);
});

it("a link, a directory or a pipe is damaged", needs.modes, async () => {
  const { files, at } = await opened();
  symlinkSync(at("a"), at("link"));
  mkdirSync(at("directory"), { mode: 0o700 });
  execFileSync("mkfifo", ["-m", "600", at("pipe")]);
  for (const name of ["link", "directory", "pipe"]) expect([name, await files.read(name)]).toEqual([name, damaged]);
});

it("a private file is read up to its bound, and when others can read it", async () => {
  const { files, at } = await opened();
  writeFileSync(at("a"), "x".repeat(2_097_152));
  chmodSync(at("a"), 0o644);
  expect(await files.read("a")).toHaveLength(2_097_152);
});

it("a private file is damaged when it is another user's", needs.root, async () => {
  const { files, at } = await opened();
  chownSync(at("a"), 12_345, 12_345);
  expect(await files.read("a")).toBe(damaged);
});

it("a private file keeps no descriptor open, whatever the outcome", needs.proc, async () => {
  const { files, at } = await opened();
  mkdirSync(at("directory"), { mode: 0o700 });
  const openNow = () => readdirSync(descriptors).length;
  const before = openNow();
  for (let count = 0; count < 30; count += 1) {
    await files.create(`f${count}`, "x");
    await files.create("a", "x");
    await files.read("a");
    await files.read("directory");
    await files.remove(`f${count}`);
  }
  expect(openNow()).toBeLessThan(before + 20);
});

const refusal = (why: string) => ({ code: "not_allowed", detail: { why: expect.stringContaining(why) } });

it("a private directory that others can write to is refused", needs.modes, async () => {
  const { path, files, at } = await opened();
  chmodSync(path, 0o770);
  await expect(files.names()).rejects.toMatchObject(
    refusal(`${JSON.stringify(path)} belongs to another user, or others can write to it.`),
  );
  chmodSync(path, 0o700);
  const inFile = privateDirectory(at("a"), holds);
  await expect(inFile.names()).rejects.toMatchObject(refusal(`${JSON.stringify(at("a"))} is a link, or not a dir`));
  await expect(privateDirectory(join(at("a"), "b", "c"), holds).names()).rejects.toMatchObject(
    refusal("A part of its path is not a directory."),
  );
  await expect(inFile.read("x")).rejects.toMatchObject({
    message: `The plans cannot be stored in ${JSON.stringify(at("a"))}.`,
    detail: { next: expect.stringContaining("--state-dir") },
  });
});

it("a private directory is refused when it is another user's", needs.root, async () => {
  const { path, files } = await opened();
  chownSync(path, 12_345, 12_345);
  await expect(files.read("a")).rejects.toMatchObject(refusal("belongs to another user"));
});

it("Windows: a private directory is used whatever its modes", async () => {
  const { path, at } = await opened();
  for (const one of [path, at("a")]) chmodSync(one, 0o777);
  const files = privateDirectory(path, holds, onWindows);
  expect(await files.read("a", { isPrivate: true })).toBe("one");
  expect(await files.create("b", "two")).toBe(true);
  await files.remove("a");
  expect(await files.names()).toEqual(["b"]);
});

it("unfinished files are removed after an hour", async () => {
  const { files, at } = await opened();
  const inTheWay = [`tmp_${"a".repeat(21)}`, `tmp_${"a".repeat(23)}`, `x_tmp_${"a".repeat(22)}`, "kept"];
  const going = [`tmp_${"aZ09_-".repeat(4).slice(0, 22)}`, "stray"];
  const fresh = `tmp_${"b".repeat(22)}`;
  const wroteS = 1_790_000_000;
  for (const name of [...inTheWay, ...going, fresh]) {
    writeFileSync(at(name), "");
    utimesSync(at(name), wroteS, name === fresh ? wroteS + 1 : wroteS);
  }
  const now = vi.spyOn(Date, "now").mockReturnValue(wroteS * 1_000 + 3_600_000);
  await files.tidy(["stray", "none"]);
  expect(await files.names()).toEqual(expect.arrayContaining(going));
  now.mockReturnValue(wroteS * 1_000 + 3_600_001);
  await files.tidy(["stray", "none"]);
  expect((await files.names()).toSorted()).toEqual([...inTheWay, fresh, "a"].toSorted());
  expect(readFileSync(at("a"), "utf8")).toBe("one");
});
