/** What is checked of the machine: the directory for state, the optional engines, and who has access to files where modes do not tell. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pngOf } from "../../charts/png.js";
import { type Config, isEmulated, stateDirOf } from "../../config.js";
import { queryWorker } from "../../engine/index.js";
import { directoryStorage } from "../../guard/plans/directory.js";
import { Failure } from "../../language/failure.js";
import { createQueries } from "../../query/index.js";
import { isAccessKnown } from "../../system/file-access.js";
import { type Finding, fail, notSet, ok, warning } from "./finding.js";

/** The settings that name a file whose other users matter. */
const reliedOn = ["config", "policy", "token-file", "approver-token-file"] as const;

/**
 * The files whose access control lists a person has to look at, because Edgewise does not read those.
 * @returns nothing where modes say who has access, and where no file is configured.
 */
export function permissions(config: Config, platform: NodeJS.Platform = process.platform): readonly Finding[] {
  if (isAccessKnown(platform)) return [];
  const { values, defaultEdgercPath } = config;
  const credentials = isEmulated(config) ? [] : [values.edgerc ?? defaultEdgercPath];
  const files = [...credentials, ...reliedOn.flatMap((name) => values[name] ?? [])];
  if (files.length === 0) return [];
  return [
    warning(
      "Access",
      `Who else can read or change ${files.join(", ")} was not checked: Edgewise does not read the access control lists of Windows.`,
      "Run icacls on each; only your user, SYSTEM and Administrators should be listed.",
    ),
  ];
}

const subject = "State";

/** The nearest directory above a path that is there. */
function nearestAbove(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestAbove(above);
}

/** Whether a file can be made in a directory: it is tried, because modes do not tell it on every file system. */
function isWritable(dir: string): boolean {
  const file = join(dir, `.doctor-${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}

/** Whether a directory can be made in one that is there: it is tried, and nothing of it stays. */
function mayBeMadeIn(dir: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(dir, ".edgewise-doctor-")));
    return true;
  } catch {
    return false;
  }
}

const elsewhere = "Correct its owner and its mode, or name another directory with --state-dir.";

/** The directory for plans and audit lines; nothing is left in it, and it is not made. */
export async function stateDirectory(config: Config): Promise<readonly Finding[]> {
  const dir = stateDirOf(config);
  if (dir === "memory")
    return [
      notSet(
        subject,
        "Memory: plans end with the process, and audit lines go to stderr.",
        "For plans and a record that last, name a directory with --state-dir.",
      ),
    ];
  if (!existsSync(dir)) {
    const above = nearestAbove(dir);
    return mayBeMadeIn(above)
      ? [notSet(subject, `${dir} is not there yet; the first call creates it.`)]
      : [fail(subject, `${dir} is not there and cannot be created in ${above}.`, elsewhere)];
  }
  // Refuses what others can write to, as each call that needs a plan would.
  await directoryStorage(dir).entries();
  return [
    isWritable(dir) ? ok(subject, `${dir} is writable.`) : fail(subject, `${dir} cannot be written to.`, elsewhere),
  ];
}

const install = "Where npm has it for this platform: npm install";

/** Whether SQL runs: in the engine's own process, as a query would. */
async function sql(): Promise<Finding> {
  const queries = createQueries({ worker: queryWorker });
  try {
    await queries.run("doctor", { sql: "SELECT 1", sources: [], timeZone: "UTC", maxRows: 1 });
    return ok("SQL", "result_query can run: DuckDB is installed.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return notSet(
      "SQL",
      "DuckDB is not installed: result_query is refused; result_view and the view of other tools do without it.",
      `${install} @duckdb/node-api.`,
    );
  } finally {
    queries.close();
  }
}

const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** Whether pictures can be drawn: one of a pixel is. */
const pictures = async (load: Parameters<typeof pngOf>[1]): Promise<Finding> =>
  (await pngOf(dot, load)) === undefined
    ? notSet(
        "Charts",
        "resvg is not installed: charts come as SVG and in words, without a PNG.",
        `${install} @resvg/resvg-js.`,
      )
    : ok("Charts", "Charts can be drawn as PNG: resvg is installed.");

/**
 * The optional engines; what is lost without them is said.
 * @param load Loads the one that draws.
 */
export const engines = async (load?: Parameters<typeof pngOf>[1]): Promise<readonly Finding[]> =>
  Promise.all([sql(), pictures(load)]);
