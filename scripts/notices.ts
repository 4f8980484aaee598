/** The licenses of the libraries whose code is in a bundle, as one text that goes with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** What a library says of itself. */
interface Library {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

// The directory of a library ends after the name that follows the last node_modules, with its scope where it has one.
const libraryDirectory = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/;
const isLegalText = /^(licen[cs]e|notice|copying|copyright)/i;

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

/** The directories of the libraries of which a bundle has at least one byte. */
function librariesIn(metafiles: readonly Metafile[]): ReadonlySet<string> {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  return new Set(
    inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (libraryDirectory.exec(path) ?? []) : [])),
  );
}

/** The legal texts in a library's directory, among them those of what it has taken from others itself. */
function textsIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => isLegalText.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? textsIn(path) : [readFileSync(path, "utf8").trim()];
    });
}

/** The legal texts of a library, or the usual text of the license that it names, under its author's name. */
function textsOf(directory: string, { name, license = "", author }: Library): readonly string[] {
  const texts = textsIn(directory);
  if (texts.length > 0) return texts;
  const holder = typeof author === "string" ? author : author?.name;
  const usual = usualTexts[license];
  if (usual === undefined || holder === undefined)
    throw new Error(`${name} is bundled and has no license text; do not bundle it, or add the text of ${license}`);
  return [`Copyright (c) ${holder}`, usual];
}

/**
 * The notices of all libraries in some bundles: name, version, license, and the texts that come with them.
 * @param metafiles What esbuild reports of each bundle; its paths are relative to the working directory.
 * @param copied Directories of libraries of which the build copies files.
 * @throws Error for a library without a license text, which could not be shipped.
 */
export function noticesOf(metafiles: readonly Metafile[], copied: readonly string[] = []): string {
  const parts = [...librariesIn(metafiles), ...copied].map((directory) => {
    const manifest = join(directory, "package.json");
    if (!existsSync(manifest)) throw new Error(`${directory} is bundled and is no package`);
    const library = JSON.parse(readFileSync(manifest, "utf8")) as Library;
    const texts = textsOf(directory, library);
    const title = `${library.name} ${library.version}`;
    return [title, [`License: ${library.license ?? "as follows"}`, ...texts].join("\n\n")] as const;
  });
  const rule = "-".repeat(78);
  return [
    "Edgewise contains code and files of the following libraries.",
    // One library can be there twice, in a directory of its own and in that of another one.
    ...[...new Map(parts)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `${rule}\n${title}\n${text}`),
    "",
  ].join("\n\n");
}
