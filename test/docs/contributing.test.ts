/** The steps of CONTRIBUTING, carried out in a copy of the project: two operations are added by the blocks as they stand there. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageEngine, sqlEngine } from "../engines.js";

const copy = realpathSync(mkdtempSync(join(tmpdir(), "edgewise-copy-")));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface Edit {
  readonly file: string;
  readonly after: string;
  readonly lines: string;
}

/** What each step says to write: a file, a line in it, and what comes after that line. */
const steps = readFileSync("CONTRIBUTING.md", "utf8")
  .split(/^\d\. /m)
  .slice(1)
  .map((step) =>
    [...step.matchAll(/In `([^`]+)`, after the line `([^`]+)`:\n\n {3}```ts\n(.*?)\n {3}```/gs)].map(
      ([, file = "", after = "", lines = ""]): Edit => ({ file, after, lines }),
    ),
  );

/** Writes what a step says to write. */
function carryOut(edits: readonly Edit[]): void {
  for (const { file, after, lines } of edits) {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    const found = text.split("\n").filter((line) => line.trim() === after);
    expect(found, `lines of ${file} that are "${after}"`).toHaveLength(1);
    writeFileSync(
      path,
      text.replace(`${found[0]}\n`, () => `${found[0]}\n${lines}\n`),
    );
  }
}

// A machine at work on other things takes several times as long as one that is not.
const patienceMs = 120_000;

const touched = [...new Set(steps.flat().map(({ file }) => file))];

/** The files in which the compiler finds something to complain of, with its first words. */
function complaints(): string[] {
  const tsc = join(copy, "node_modules/.bin/tsc");
  const { stdout, error } = spawnSync(tsc, ["--pretty", "false", "-p", "tsconfig.steps.json"], {
    cwd: copy,
    encoding: "utf8",
  });
  if (error) throw error;
  return stdout.split("\n").flatMap((line) => /^(src\/[^(]+)\(.*/.exec(line)?.[1] ?? []);
}

beforeAll(() => {
  // What is installed, built or kept aside is left out.
  const isLeftOut = (path: string) => /(^|\/)(node_modules|dist|\.[^/.][^/]*)$/.test(path);
  cpSync(".", copy, { recursive: true, filter: (path) => !isLeftOut(path) });
  symlinkSync(realpathSync("node_modules"), join(copy, "node_modules"), "junction");
  // The files that the steps write, and what those import: the rest of the project does not change.
  writeFileSync(join(copy, "tsconfig.steps.json"), JSON.stringify({ extends: "./tsconfig.json", include: touched }));
});

it(
  "compile only when the operation is declared, behaves and has its phrases",
  () => {
    expect(steps.map((edits) => edits.length)).toEqual([1, 2, 1, 0]);
    const [declare = [], behave = [], say = []] = steps;
    carryOut(declare);
    expect(complaints()).toEqual(["src/emulator/services/contracts.ts", "src/tools/said/contracts.ts"]);
    carryOut(behave);
    expect(complaints()).toEqual(["src/tools/said/contracts.ts"]);
    carryOut(say);
    expect(complaints()).toEqual([]);
  },
  patienceMs,
);

// The pages have the answers of queries and charts, too.
it.skipIf(sqlEngine === undefined || imageEngine === undefined)(
  "have the tools listed, called on the emulator and shown on their page",
  () => {
    execFileSync(process.execPath, ["scripts/run.mjs", "scripts/generate.ts"], { cwd: copy, stdio: "pipe" });
    const listed = JSON.parse(readFileSync(join(copy, "test/snapshots/tools/contracts.json"), "utf8")) as {
      readonly name: string;
      readonly annotations: { readonly destructiveHint: boolean };
    }[];
    const own = listed.filter(({ name }) => name.startsWith("contract_note_"));
    expect(own.map(({ name, annotations }) => [name, annotations.destructiveHint])).toEqual([
      ["contract_note_get", false],
      ["contract_note_delete", true],
    ]);
    const page = readFileSync(join(copy, "docs/reference/contracts.md"), "utf8");
    const [, read = "", deletion = ""] = page.split(/^## contract_note_\w+$/m);
    expect(read).toContain("> What did we note about this contract?");
    expect(read).toContain("note: Renewed in May.");
    expect(deletion).toMatch(/Approval is required\. Nothing was changed\.\nDELETE .*note of the contract/);
    expect(deletion).toContain("Now: note: ");
    const others = readdirSync("docs/reference").filter((name) => name !== "contracts.md");
    const pageIn = (root: string, name: string) => readFileSync(join(root, "docs/reference", name), "utf8");
    expect(others.filter((name) => pageIn(copy, name) !== pageIn(".", name))).toEqual([]);
  },
  patienceMs,
);
