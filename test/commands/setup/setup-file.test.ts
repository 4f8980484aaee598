/** A client's file that another program changes between its reading and its replacement is left as that program wrote it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readClientFile, replaceClientFile } from "../../../src/commands/setup/file.js";
import { folder } from "../../lab/files.js";

it.each<[string, string | undefined, (path: string) => void, readonly string[]]>([
  ["was written anew", "{}", (path) => writeFileSync(path, '{"theirs": 1}'), ["mcp.json"]],
  ["was removed", "{}", (path) => rmSync(path), []],
  ["came into being", undefined, (path) => writeFileSync(path, '{"theirs": 1}'), ["mcp.json"]],
])("one that %s meanwhile", (_, before, meanwhile, files) => {
  const directory = folder();
  const path = join(directory, "mcp.json");
  if (before !== undefined) writeFileSync(path, before);
  const file = readClientFile(path);
  meanwhile(path);
  expect(() => replaceClientFile(file, '{"ours": 1}', 0)).toThrow(/changed by another program in the meantime/);
  expect(readdirSync(directory)).toEqual(files);
  if (files.length > 0) expect(readFileSync(path, "utf8")).toBe('{"theirs": 1}');
});

it.each([
  ["linux", (path: string) => `Run chmod u+w ${path}.`],
  ["darwin", (path: string) => `Run chmod u+w ${path}.`],
  ["win32", (path: string) => `Run attrib -r "${path}".`],
] as const)("one that is read-only is left so, with what changes that on %s", (platform, next) => {
  const path = join(folder(), "mcp.json");
  writeFileSync(path, "{}", { mode: 0o400 });
  const replace = () => replaceClientFile(readClientFile(path), '{"ours": 1}', 0, platform);
  expect(replace).toThrow(expect.objectContaining({ detail: expect.objectContaining({ next: next(path) }) }));
  expect(readFileSync(path, "utf8")).toBe("{}");
});
