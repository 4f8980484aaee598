/** The notices of the libraries in a bundle: none without a license gets into it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { noticesOf } from "../../scripts/notices.js";
import { folder as newFolder } from "../lab/files.js";

const scratch = newFolder();

/** Makes a library in a folder of libraries; the path of its code. */
function library(folder: string, manifest: { readonly name: string }, files: Readonly<Record<string, string>> = {}) {
  const directory = join(scratch, folder, "node_modules", manifest.name);
  mkdirSync(join(directory, "licenses"), { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ version: "1.2.3", ...manifest }));
  mkdirSync(join(directory, "lib"), { recursive: true });
  for (const [name, text] of Object.entries({ "lib/index.js": "x", ...files }))
    writeFileSync(join(directory, name), text);
  return join(directory, "lib/index.js");
}

it("name each library once, with all of its legal texts", () => {
  const texts = { LICENSE: "Own text", NOTICE: "Own notice", "licenses/LICENSE-other": "Text of another" };
  const scoped = library("a", { name: "@scope/one" }, texts);
  const [first, second] = ["b", "c"].map((folder) => library(folder, { name: "two" }, { "license.md": "Text of two" }));
  const notices = noticesOf(["src/server.ts", scoped, `${first}`, `${second}`]);
  expect(notices).toMatch(
    /@scope\/one 1\.2\.3\n.*Own text\n\nOwn notice\n\nText of another.*\ntwo 1\.2\.3\n.*Text of two\n/s,
  );
  expect(notices.match(/\ntwo 1\.2\.3\n/g)).toHaveLength(1);
  expect(notices).not.toContain(scratch);
});

it("notices: a library without a text has that of its license", () => {
  const manifest = { name: "bare", license: "MIT", author: { name: "A. Nyone" } };
  expect(noticesOf([library("e", manifest)])).toMatch(
    /bare 1\.2\.3\nLicense: MIT\n\nCopyright \(c\) A\. Nyone\n\nPermission is hereby granted/,
  );
});

const takenOver = "//#region ../../node_modules/.pnpm/@scope+in@2.0.1/node_modules/@scope/in/index.js\n";

it("notices: what a library bundles is named with its version", () => {
  library("g", { name: "@scope/in" }, { LICENSE: "Text of in" });
  const path = library("g", { name: "outer" }, { LICENSE: "x", "lib/index.js": `code\n${takenOver}code` });
  expect(noticesOf([path])).toMatch(/@scope\/in 2\.0\.1\n.*Text of in.*\nouter 1\.2\.3\n/s);
});

it.each([
  ["no license", { name: "none" }],
  ["a license whose text is not known", { name: "odd", license: "Odd-1.0", author: "A. Nyone" }],
  ["no author to name in the text", { name: "nobody", license: "MIT" }],
])("fail the build for a library with %s", (_, manifest) => {
  expect(() => noticesOf([library("f", manifest)])).toThrow(`${manifest.name} is bundled and has no license text`);
});
