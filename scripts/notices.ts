/** The licenses of the libraries whose code is in a bundle, as one text that goes with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a library says of itself. */
interface Library {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

// The directory of a library ends after the name that follows the last node_modules, with its scope where it has one.
const libraryDirectory = /^(.*\bnode_modules\/)(?:@[^/]+\/)?[^/]+/;
const isLegalText = /^(licen[cs]e|notice|copying|copyright)[^.]*(\.(md|txt))?$/i;
// How a bundler marks code of another library in what it makes of one: the path that the code had, with its version.
const takenOver = /^\/\/#region .*\/\.pnpm\/[^/]+?@([\d.]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)/gm;

/** Libraries inside a library that neither marks nor mentions them: undici has llhttp in it as WebAssembly. */
const unmentioned: Readonly<Record<string, readonly Required<Library>[]>> = {
  undici: [{ name: "llhttp", version: "in undici", license: "MIT", author: "Fedor Indutny, 2018" }],
};

/** The text of a license for libraries that name it and leave the file out of their package. */
const usualTexts: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

/** The legal texts in a library's directory, among them those of what it has taken from others itself. */
function textsIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : textsIn(path);
      return isLegalText.test(entry.name) ? [readFileSync(path, "utf8").trim()] : [];
    });
}

/** The notice of a library: its own legal texts, or the usual text of the license that it names, under its author's name. */
function noticeOf(
  { name, version, license = "", author }: Library,
  texts: readonly string[],
): readonly [string, string] {
  const holder = typeof author === "string" ? author : author?.name;
  const usual = usualTexts[license];
  if (texts.length === 0 && (usual === undefined || holder === undefined))
    throw new Error(`${name} is bundled and has no license text; do not bundle it, or install it so that it has one`);
  const legal = texts.length > 0 ? texts : [`Copyright (c) ${holder}`, usual];
  return [`${name} ${version}`, [`License: ${license}`, ...legal].join("\n\n")];
}

const manifestOf = (directory: string): Library =>
  JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Library;

/** The notices of the libraries whose code has been taken over into a file of another one. */
function noticesWithin(path: string): (readonly [string, string])[] {
  const [, libraries = ""] = libraryDirectory.exec(path) ?? [];
  return [...readFileSync(path, "utf8").matchAll(takenOver)].map(([, version = "", name = ""]) => {
    const directory = join(libraries, name);
    // Its license is in its own package, whichever version of it is installed.
    return existsSync(directory)
      ? noticeOf({ ...manifestOf(directory), version }, textsIn(directory))
      : noticeOf({ name, version }, []);
  });
}

/**
 * The notices of all libraries in some bundles: name, version, license, and the texts that come with them.
 * @param bundled The files of which the bundles have at least one byte.
 * @param copied Directories of libraries of which the build copies files.
 * @throws Error for a library without a license text, which could not be shipped.
 */
export function noticesOf(bundled: readonly string[], copied: readonly string[] = []): string {
  const files = bundled.filter((path) => libraryDirectory.test(path));
  const directories = new Set([...files.flatMap((path) => libraryDirectory.exec(path)?.[0] ?? []), ...copied]);
  const notices = [...directories].flatMap((directory) => {
    const library = manifestOf(directory);
    const within = (unmentioned[library.name] ?? []).map((one) => noticeOf(one, []));
    return [noticeOf(library, textsIn(directory)), ...within];
  });
  const rule = "-".repeat(78);
  return [
    "Edgewise contains code and files of the following libraries.",
    // One library can be there twice, in a directory of its own and in that of another one.
    ...[...new Map([...notices, ...files.flatMap(noticesWithin)])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([title, text]) => `${rule}\n${title}\n${text}`),
    "",
  ].join("\n\n");
}
