/** Text that a user wrote, as programs of Windows save it: in UTF-16, or in UTF-8 with a byte order mark. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, it } from "vitest";
import { argumentsInWords } from "../../src/commands/arguments.js";
import { readDefinitions } from "../../src/definitions/read.js";
import { readTokens } from "../../src/mcp/http/access.js";
import { loadPolicy } from "../../src/policy/file.js";
import { readProfiles } from "../../src/profiles/file.js";
import { readWithStatus } from "../../src/system/file-access.js";
import { folder as newFolder } from "../lab/files.js";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  "UTF-16, as PowerShell saves it": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "UTF-16 in the other order": (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  "UTF-8 with a mark": (text) => Buffer.from(`\ufeff${text}`),
};

/** What reads a user's file, with an example of it. */
const doors: readonly (readonly [what: string, text: string, read: (path: string) => unknown])[] = [
  [
    "a configuration",
    '{"profiles": {"a": {"contractId": "C-1"}}}',
    (path) => readProfiles(path).profiles.map(({ name }) => name),
  ],
  ["a policy", "version: 1\nrules: []\n", (path) => loadPolicy(path, new Map()).rules],
  [
    "a file of tokens",
    "ada Zq3v7Yt1Lp9Xw2Rk8Mn5Bc4Hd6Jf0GsQaUeVi\n",
    (path) => readTokens("--http-token-file", path, "user"),
  ],
  [
    "a definition",
    '{"openapi": "3.0.0", "info": {"title": "Ä"}, "paths": {}}',
    (path) => [...readDefinitions(path, () => {})].length,
  ],
  ["any other file", "[default]\nhost = ä\n", (path) => readWithStatus(path).text],
];

it.each(Object.entries(encodings))("each file of a user is read in %s", (_, encoded) => {
  for (const [what, text, read] of doors) {
    const [plain, marked] = [join(folder, `${what}.json`), join(folder, `${what} of Windows.json`)];
    writeFileSync(plain, text, { mode: 0o600 });
    writeFileSync(marked, encoded(text), { mode: 0o600 });
    expect([what, read(marked)]).toEqual([what, read(plain)]);
  }
});

it.each(Object.entries(encodings))("arguments are read from stdin in %s", async (_, encoded) => {
  const input = Readable.from([encoded('{"name": "ä"}')]);
  expect(await argumentsInWords(["-"], input)).toEqual({ name: "ä" });
});
