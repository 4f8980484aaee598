/** The steps of CONTRIBUTING, carried out in a copy of the project: two operations are added by the blocks as they stand there. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { needsEngines } from "../lab/engines.js";
import { folder } from "../lab/files.js";

const copy = realpathSync(folder());
afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface Edit {
  readonly file: string;
  /** The line that it comes after; at the end of the file where there is none. */
  readonly after: string | undefined;
  readonly lines: string;
}

/** What each step says to write: a file, a place in it, and what comes there. */
const section = /^## Add an operation\n.*?(?=^###? )/ms.exec(readFileSync("CONTRIBUTING.md", "utf8"))?.[0] ?? "";
const steps = section
  .split(/^\d\. /m)
  .slice(1)
  .map((step) =>
    [...step.matchAll(/In `([^`]+)`, (?:after the line `([^`]+)`|at its end):\n\n {3}```\w+\n(.*?)\n {3}```/gs)].map(
      ([, file = "", after, lines = ""]): Edit => ({ file, after, lines: lines.replaceAll(/^ {3}/gm, "") }),
    ),
  );

/** Writes what a step says to write. */
function carryOut(edits: readonly Edit[]): void {
  for (const { file, after, lines } of edits) {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    if (after === undefined) {
      writeFileSync(path, `${text.trimEnd()}\n${lines}\n`);
      continue;
    }
    const found = text.split("\n").filter((line) => line.trim() === after);
    expect(found, `lines of ${file} that are "${after}"`).toHaveLength(1);
    const [line = ""] = found;
    const indent = `${/^ */.exec(line)?.[0]}${after.endsWith("{") ? "  " : ""}`;
    writeFileSync(
      path,
      text.replace(`${line}\n`, () => `${line}\n${lines.replaceAll(/^(?=.)/gm, indent)}\n`),
    );
  }
}

const [declare = [], behave = [], ask = []] = steps;
const touched = [...new Set([...declare, ...behave].map(({ file }) => file))].filter((file) => file.startsWith("src/"));

/** The tests whose tables and counts name every operation, and the laws that more than its declaration can break. */
const laws = [
  ...["laws", "reach", "unknown-ids", "words", "docs/tables"].map((name) => `test/catalogue/${name}.test.ts`),
  ...["operations", "tiers"].map((name) => `test/oracles/${name}.test.ts`),
];

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

const generate = () =>
  execFileSync(process.execPath, ["scripts/run.mjs", "scripts/generate.ts"], { cwd: copy, stdio: "pipe" });

/** Runs tests in the copy: what they print, and how they end. */
function vitest(names: readonly string[]): { readonly printed: string; readonly status: number | null } {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  // One worker, which loads the declarations once. The operations are the documents'; what is declared for today stays as it is.
  const command = ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=1", "--project=documents"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...command, ...names], {
    cwd: copy,
    env: { ...Object.fromEntries(own), NO_COLOR: "1" },
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  return { printed: stdout + stderr, status };
}

it("fit on one screen", () => {
  expect(section.trimEnd().split("\n").length).toBeLessThanOrEqual(70);
  expect(steps.map((edits) => edits.length)).toEqual([1, 2, 2]);
  expect(touched).toEqual(["src/tools/contracts/index.ts", "src/emulator/services/contracts/index.ts"]);
});

it("compile only when the operation is declared and behaves", () => {
  carryOut(declare);
  expect(complaints()).toEqual(["src/emulator/services/contracts/index.ts"]);
  carryOut(behave);
  expect(complaints()).toEqual([]);
});

// The pages have the answers of queries and charts, too.
it("have the tests ask for what is missing, by its name", needsEngines, () => {
  generate();
  const { printed, status } = vitest(["test/oracles/operations.test.ts", "test/catalogue/words.test.ts"]);
  expect(status).toBe(1);
  for (const missing of [
    '+   "GET /contract-api/v1/contracts/{contractId}/note A contracts read",',
    '+   "DELETE /contract-api/v1/contracts/{contractId}/note A contracts destructive",',
    '-   "contracts: contract_note_get",',
    '-   "contracts: contract_note_delete",',
  ])
    expect(printed).toContain(missing);
  carryOut(ask);
});

it("have the tools listed, called on the emulator and shown on their page", needsEngines, () => {
  generate();
  const listed = readFileSync(join(copy, "test/catalogue/tools.tsv"), "utf8").matchAll(
    /^documents\t(contract_note_\w+)\t([^\t]+)/gm,
  );
  expect([...listed].map(([, name, hints]) => [name, hints])).toEqual([
    ["contract_note_get", "idempotent openWorld readOnly"],
    ["contract_note_delete", "destructive idempotent openWorld"],
  ]);
  const page = readFileSync(join(copy, "docs/reference/contracts.md"), "utf8");
  const [, read = "", deletion = ""] = page.split(/^## contract_note_\w+$/m);
  expect(read).toContain("> What did we note about this contract?");
  expect(read).toContain("note: Renewed in May.");
  expect(deletion).toMatch(/Approval is required\. Nothing was changed\.\nDELETE .*note of the contract/);
  expect(deletion).toMatch(/Not shown here: \d+ lines? of the present state/);
  const others = readdirSync("docs/reference").filter((name) => name !== "contracts.md");
  const pageIn = (root: string, name: string) => readFileSync(join(root, "docs/reference", name), "utf8");
  expect(others.filter((name) => pageIn(copy, name) !== pageIn(".", name))).toEqual([]);
});

// A page that is not made anew is not the page of what there is.
it("keep every law and every count", needsEngines, () => {
  const { printed, status } = vitest(laws);
  expect(printed.slice(-5_000)).toContain(`Test Files  ${laws.length} passed (${laws.length})`);
  expect(status).toBe(0);
});
