/** Directories are made with those above them, and where a file system lets none be made the attempt ends. */
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { makeDirectory } from "../../src/system/file-access.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { keptMode } from "../lab/users.js";

const fresh = (): string => folder();
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const codeOf = (make: () => void): string => {
  try {
    make();
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
  return "made";
};

it("a directory is created with its parents, in the requested mode", () => {
  const root = fresh();
  makeDirectory(join(root, "a", "b", "c"), 0o700);
  expect(["a", "a/b", "a/b/c"].map((path) => modeOf(join(root, path)))).toEqual(Array(3).fill(keptMode(0o700)));
  makeDirectory(join(root, "a", "b"), 0o755);
  expect(modeOf(join(root, "a", "b"))).toBe(keptMode(0o700));
  makeDirectory("/");
});

it("a relative path is below the working directory", () => {
  const root = fresh();
  makeDirectory(join(relative(process.cwd(), root), "x", "y"));
  expect(statSync(join(root, "x", "y")).isDirectory()).toBe(true);
});

it("a directory may be behind a link, never behind a file or a dead link", needs.modes, () => {
  const root = fresh();
  writeFileSync(join(root, "file"), "");
  makeDirectory(join(root, "real"));
  symlinkSync(join(root, "real"), join(root, "link"));
  symlinkSync(join(root, "none"), join(root, "dangling"));
  makeDirectory(join(root, "link", "in"));
  expect(readdirSync(join(root, "real"))).toEqual(["in"]);
  const refused = ["file", "file/in", "dangling", "dangling/in"].map((path) =>
    codeOf(() => makeDirectory(join(root, path))),
  );
  expect(refused).toEqual(["EEXIST", "ENOTDIR", "EEXIST", "EEXIST"]);
});

it("no source has Node create parent directories", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.c?ts$/.test(path));
  const asking = files.filter((path) =>
    /\bmkdir(?:Sync)?\([^;]*\brecursive\b/.test(readFileSync(join("src", path), "utf8")),
  );
  expect(asking).toEqual([]);
});
