/**
 * Breaks each law over the catalogue once on purpose, in a copy of the project, and says of every one whether its test
 * noticed: `npm run probe-laws`, or `npm run probe-laws -- NAME…` for those whose file or title has one of the names. With
 * `--check` nothing is broken or run: it only says which probes no longer fit the sources.
 */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { Probe } from "./probe-laws/probe.js";
import { probes } from "./probe-laws/probes.js";

/** Files of which each has to have a probe: the contract, and whatever calls itself a law. */
function lawFiles(): string[] {
  const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.test(-d)?\.ts$/.test(path));
  const isLaw = (path: string) => /^[^\n]*\blaws?\b/i.test(readFileSync(path, "utf8"));
  return tests.filter((path) => /^test\/(contract|docs)\/|^test\/architecture/.test(path) || isLaw(path));
}

interface Ran {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** What kept the file from being run at all. */
  readonly broken?: string;
}

/** Runs a program in a copy; that it fails is what a probe is about. */
const run = (copy: string, args: readonly string[]): Promise<string> =>
  new Promise((done) => {
    const options = { cwd: copy, encoding: "utf8", maxBuffer: 1 << 28 } as const;
    execFile(process.execPath, args, options, (_, stdout, stderr) => done(stdout + stderr));
  });

interface Report {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The tests of a file in a copy whose titles match, as the test runner reports them. */
async function ranTests(copy: string, file: string, titles: string): Promise<Ran> {
  const report = resolve(copy, ".cache/report.json");
  rmSync(report, { force: true });
  const runner = ["node_modules/vitest/vitest.mjs", "run", file, "-t", titles];
  const said = await run(copy, [...runner, "--reporter=json", `--outputFile=${report}`]);
  if (!existsSync(report)) return { passed: [], failed: [], broken: said };
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const those = (status: string) => tests.flatMap((one) => (one.status === status ? [one.fullName] : []));
  const [broken] = testResults.flatMap(({ message, assertionResults }) =>
    message && assertionResults.length === 0 ? [message] : [],
  );
  return { passed: those("passed"), failed: those("failed"), ...(broken === undefined ? {} : { broken }) };
}

/** What the compiler finds in a file that says line by line what it should refuse: each comment is the title of a test. */
async function ranTypes(copy: string, file: string): Promise<Ran> {
  // What an earlier run has found out is of sources that are no longer the same.
  const compilerOptions = { incremental: false, tsBuildInfoFile: null };
  const config = { extends: "./tsconfig.json", compilerOptions, include: [file] };
  writeFileSync(join(copy, "tsconfig.law.json"), JSON.stringify(config));
  const said = await run(copy, ["node_modules/typescript/bin/tsc", "--pretty", "false", "-p", "tsconfig.law.json"]);
  const lines = readFileSync(join(copy, file), "utf8").split("\n");
  const errors = said.split("\n").filter((line) => line.includes("error TS"));
  const failed = errors.flatMap((line) => {
    const [, at, number] = /^(.+)\((\d+),/.exec(line) ?? [];
    return at === file ? [lines[Number(number) - 1] ?? ""] : [];
  });
  const passed = lines.filter((line) => line.includes("@ts-expect-error") && !failed.includes(line));
  return { passed, failed, ...(errors.length > failed.length ? { broken: errors.join("\n") } : {}) };
}

/** Runs of a law the tests that probes name. */
const ranLaw = (copy: string, law: string, probed: readonly Probe[]): Promise<Ran> =>
  law.endsWith(".test-d.ts")
    ? ranTypes(copy, law)
    : ranTests(copy, law, probed.map(({ fails }) => `(?:${fails.source})`).join("|"));

/** What a probe came to; anything but `red` is a fault of the law or of the probe. */
type Outcome = "red" | "STAYED GREEN" | "NO SUCH TEST" | "NOT RED FOR THIS" | "RED BEFORE" | "TEXT NOT FOUND ONCE";

/** Whether the text that a probe replaces stands exactly once in its file. */
const standsOnce = (whole: string, { text }: Probe): boolean => whole.split(text).length === 2;

/** Breaks what a probe breaks, runs the law and puts everything back. */
async function tried(copy: string, probe: Probe): Promise<readonly [Outcome, string]> {
  const { law, fails, file, text, becomes } = probe;
  const path = join(copy, file);
  const whole = readFileSync(path, "utf8");
  if (!standsOnce(whole, probe)) return ["TEXT NOT FOUND ONCE", `${file}: ${text}`];
  writeFileSync(
    path,
    whole.replace(text, () => becomes),
  );
  try {
    const { passed, failed, broken } = await ranLaw(copy, law, [probe]);
    if (failed.some((title) => fails.test(title))) return ["red", ""];
    if (broken !== undefined || failed.length > 0) return ["NOT RED FOR THIS", broken ?? failed.join("\n")];
    return passed.some((title) => fails.test(title)) ? ["STAYED GREEN", `${file}: ${becomes}`] : ["NO SUCH TEST", ""];
  } finally {
    writeFileSync(path, whole);
  }
}

/** Copies the project, without what is installed, built or kept aside, into a folder of the cache. */
function copyTo(copy: string): string {
  mkdirSync(copy);
  const isLeftOut = (path: string) =>
    /(^|[\\/])(node_modules|dist|reports|coverage|\.(git|cache|stryker-tmp))$/.test(path);
  for (const entry of readdirSync("."))
    if (!isLeftOut(entry)) cpSync(entry, join(copy, entry), { recursive: true, filter: (path) => !isLeftOut(path) });
  symlinkSync(realpathSync("node_modules"), join(copy, "node_modules"), "junction");
  mkdirSync(join(copy, ".cache"));
  return copy;
}

/** Tries the probes of one law, unless it is red before anything is broken: then it would seem to notice everything. */
async function* triedOf(copy: string, law: string, probed: readonly Probe[]) {
  const { failed, broken } = await ranLaw(copy, law, probed);
  const before = [...failed, ...(broken === undefined ? [] : [broken])].join("\n");
  for (const probe of probed) {
    const [outcome, why] = before === "" ? await tried(copy, probe) : (["RED BEFORE", before] as const);
    console.log(`${outcome.padEnd(20)} ${law}: ${probe.fails.source}${why && `\n  ${why.slice(0, 2_000)}`}`);
    yield outcome;
  }
}

/** Says which probes break nothing, because their law, their file or its text is not there, without running any. */
function areInPlace(chosen: readonly Probe[]): boolean {
  const astray = chosen.filter(
    (probe) =>
      !existsSync(probe.law) || !existsSync(probe.file) || !standsOnce(readFileSync(probe.file, "utf8"), probe),
  );
  for (const { law, fails, file, text } of astray)
    console.log(`TEXT NOT FOUND ONCE  ${law}: ${fails.source}\n  ${file}: ${text}`);
  console.log(`${chosen.length - astray.length} of ${chosen.length} probes fit the sources.`);
  return astray.length === 0;
}

async function main(args: readonly string[]): Promise<boolean> {
  const names = args.filter((arg) => arg !== "--check");
  const bare = lawFiles().filter((file) => !probes.some(({ law }) => law === file));
  for (const file of bare) console.log(`no probe: ${file}`);
  const chosen = probes.filter(
    ({ law, fails }) => names.length === 0 || names.some((name) => `${law} ${fails.source}`.includes(name)),
  );
  if (names.length < args.length) return areInPlace(chosen) && bare.length === 0;
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(resolve(".cache", "probe-laws-"));
  const leave = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", leave);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  const waiting = [...new Set(chosen.map(({ law }) => law))];
  let red = 0;
  const work = async (at: number) => {
    const copy = copyTo(join(folder, String(at)));
    for (let law = waiting.shift(); law !== undefined; law = waiting.shift()) {
      const probed = chosen.filter((probe) => probe.law === law);
      for await (const outcome of triedOf(copy, law, probed)) if (outcome === "red") red += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, (_, at) => work(at)));
  console.log(`${red} of ${chosen.length} laws went red.`);
  return red === chosen.length && bare.length === 0;
}

if (!(await main(process.argv.slice(2)))) process.exitCode = 1;
