/**
 * Mutation testing: `npm run mutation` tries a sample of the mutants of six folders, `npm run mutation -- --whole` all of
 * them, which takes hours. A line is in the sample by a hash of its text, so that it stays there when it moves.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const folders = ["guard", "policy", "secrets", "audit", "wire", "rows"];
/** One line in so many; the sample of two cores has to end within twenty minutes. */
const oneIn = 120;

const { values } = parseArgs({
  options: { whole: { type: "boolean" }, seed: { type: "string", default: "edgewise" } },
});

/** The lines of a file that are in the sample, as the ranges that Stryker takes; a mutant over several lines is in none. */
function sampledLines(file: string): string[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, at) => {
    const hash = createHash("sha256").update(`${values.seed} ${line.trim()}`).digest().readUInt32BE(0);
    const isCode = /\w/.test(line) && !/^\s*(?:\/?\*|\/\/|import |export type )/.test(line);
    return isCode && hash % oneIn === 0 ? [`${file}:${at + 1}-${at + 1}`] : [];
  });
}

const files = folders.flatMap((folder) =>
  readdirSync(`src/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => `src/${folder}/${path.replaceAll("\\", "/")}`),
);
const mutate = values.whole ? files : files.flatMap(sampledLines);
const run = spawnSync(process.execPath, ["node_modules/.bin/stryker", "run", "--mutate", mutate.join(",")], {
  stdio: "inherit",
});
if (run.error) throw run.error;

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}
const report = JSON.parse(readFileSync("reports/mutation.json", "utf8")) as Report;
const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
const isClean = git("status", "--porcelain") === "";
console.log(
  `\n${values.whole ? "All mutants" : `Sample "${values.seed}"`} of ${git("rev-parse", "HEAD")}${isClean ? "" : ", changed"}`,
);
const caught = new Set(["Killed", "Timeout"]);
const missed = new Set(["Survived", "NoCoverage"]);
const statuses = (folder: string) =>
  Object.entries(report.files).flatMap(([file, { mutants }]) =>
    folder === "all" || file.startsWith(`src/${folder}/`) ? mutants.map(({ status }) => status) : [],
  );
for (const folder of [...folders, "all"]) {
  const [killed, valid] = [caught, new Set([...caught, ...missed])].map(
    (wanted) => statuses(folder).filter((status) => wanted.has(status)).length,
  ) as [number, number];
  console.log(
    `${folder.padEnd(8)} ${killed} of ${valid} killed, ${((100 * killed) / Math.max(1, valid)).toFixed(1)} %`,
  );
}
process.exitCode = run.status ?? 1;
