/**
 * Checks of this machine: state, optional engines, access to files; the policy, approvals, clients, and the audit log.
 */
import { existsSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pngOf } from "../../answers/charts/png.js";
import { directorySource } from "../../audit/files.js";
import { verifyLog } from "../../audit/verify.js";
import {
  apisOf,
  areImportsOffered,
  type Config,
  checkWriters,
  instanceUrlOf,
  isEmulated,
  stateDirOf,
} from "../../config.js";
import type { Catalogue } from "../../engine/catalogue.js";
import { checkApproval, policyOf, queryWorker } from "../../engine/index.js";
import { directoryPlanStorage } from "../../guard/plans/directory.js";
import { Failure } from "../../language/failure.js";
import type { Apis } from "../../language/service.js";
import { readTokens } from "../../mcp/http/access.js";
import { createQueries } from "../../rows/sql/index.js";
import { isAccessKnown } from "../../system/file-access.js";
import { onOneLine } from "../../text/marks.js";
import { quantity } from "../../text/quantity.js";
import { type DoctorFinding, fail, notSet, pass, warning } from "./finding.js";

/** The settings that name files whose permissions matter. */
const settingsWithFiles = ["config", "policy", "token-file", "approver-token-file"] as const;

/**
 * The files whose access control lists the user has to check, because Edgewise does not read them.
 * @returns nothing if modes determine access, or if no file is configured.
 */
export function permissionFindings(
  config: Config,
  platform: NodeJS.Platform = process.platform,
): readonly DoctorFinding[] {
  if (isAccessKnown(platform)) return [];
  const { values, defaultEdgercPath } = config;
  const credentials = isEmulated(config) ? [] : [values.edgerc ?? defaultEdgercPath];
  const files = [...credentials, ...settingsWithFiles.flatMap((name) => values[name] ?? [])];
  if (files.length === 0) return [];
  return [
    warning(
      "Access",
      `The access control lists of ${files.join(", ")} were not checked: Edgewise does not read those of Windows.`,
      "Run icacls on each; only your user, SYSTEM and Administrators should be listed.",
    ),
  ];
}

const subject = "State";

/** The nearest existing directory above a path. */
function nearestAbove(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestAbove(above);
}

/**
 * Whether something can be created in a directory, found by trying, because modes are not conclusive on every file
 * system; it is removed again.
 */
function isWritable(dir: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(dir, ".edgewise-doctor-")));
    return true;
  } catch {
    return false;
  }
}

const otherDirectory = "Correct its owner and its mode, or name another directory with --state-dir.";

/** The state directory; nothing is left in it, and it is not created. */
export async function stateFinding(config: Config): Promise<DoctorFinding> {
  const dir = stateDirOf(config);
  if (dir === "memory")
    return notSet(
      subject,
      "Memory: plans end with the process, and audit lines go to stderr.",
      "For persistent plans and audit logs, name a directory with --state-dir.",
    );
  if (!existsSync(dir)) {
    const above = nearestAbove(dir);
    return isWritable(above)
      ? notSet(subject, `${dir} does not exist yet; the first call creates it.`)
      : fail(subject, `${dir} does not exist and cannot be created in ${above}.`, otherDirectory);
  }
  // Refuses a directory that others can write to, as each call that needs a plan would.
  await directoryPlanStorage(dir).entries();
  return isWritable(dir)
    ? pass(subject, `${dir} is writable.`)
    : fail(subject, `${dir} is not writable.`, otherDirectory);
}

const install = "If npm has it for this platform: npm install";

/** Whether SQL runs: in the engine's own process, like a query. */
async function sqlFinding(): Promise<DoctorFinding> {
  const queries = createQueries({ worker: queryWorker });
  try {
    await queries.run("doctor", { sql: "SELECT 1", sources: [], timeZone: "UTC", maxRows: 1 });
    return pass("SQL", "result_query can run: DuckDB is installed.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return notSet(
      "SQL",
      "DuckDB is not installed: result_query is refused; result_view and the view of other tools work without it.",
      `${install} @duckdb/node-api.`,
    );
  } finally {
    queries.close();
  }
}

const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** Whether pictures can be drawn, found by drawing a single pixel. */
const pictureFinding = async (load: Parameters<typeof pngOf>[1]): Promise<DoctorFinding> =>
  (await pngOf(dot, load)) === undefined
    ? notSet(
        "Charts",
        "resvg is not installed: charts come as SVG and in words, without a PNG.",
        `${install} @resvg/resvg-js.`,
      )
    : pass("Charts", "Charts can be drawn as PNG: resvg is installed.");

/**
 * The optional engines, and what is lost without them.
 * @param load Loads the one that draws.
 */
export const engineFindings = async (load?: Parameters<typeof pngOf>[1]): Promise<readonly DoctorFinding[]> =>
  Promise.all([sqlFinding(), pictureFinding(load)]);

/** The tools, which are only read if a file names some of them. */
export type ToolsOnDemand = (apis: Apis) => Catalogue;

export async function policyFinding(config: Config, tools: ToolsOnDemand): Promise<DoctorFinding> {
  const path = config.values.policy;
  const { rules, quotas, egress } = await policyOf(config, () => tools(apisOf(config).apis));
  if (path === undefined)
    return notSet("Policy", "None: reads and ordinary changes are made immediately, all others need an approval.");
  const lists = Object.entries(egress).flatMap(([name, list]) => (list === undefined ? [] : [name]));
  const limits = lists.length === 0 ? "" : `, limits for ${lists.join(" and ")}`;
  return pass("Policy", `${path}: ${quantity(rules.length, "rule")}, ${quantity(quotas.length, "quota")}${limits}.`);
}

/** Which APIs are offered, and how many tools of the documents today's lack. */
export function apisFinding(config: Config, tools: ToolsOnDemand): DoctorFinding {
  const { apis: which, because } = apisOf(config);
  const gone = [...tools("today").values()].filter((entry) => entry.retired !== undefined).length;
  return which === "today"
    ? pass("APIs", `Those of today, because ${because}: ${quantity(gone, "tool")} of the documents' are left out.`)
    : pass("APIs", `All of the documents', because ${because}; --apis today leaves out ${quantity(gone, "tool")}.`);
}

/** The imported operations, and the guards of theirs that are lowered. */
export async function importsFinding(config: Config): Promise<DoctorFinding> {
  if (!areImportsOffered(config))
    return notSet(
      "Imports",
      "Operations of imported definitions are not offered: --imported is off, or the emulator answers.",
    );
  const { openImported } = await import("../../engine/imported.js");
  const { library, overrides = {} } = openImported(config) ?? {};
  const apis = library?.summaries() ?? [];
  const routes = apis.flatMap(({ operations }) => Object.values(operations));
  const offered = `${quantity(routes.length, "operation")} of ${quantity(apis.length, "imported API")}`;
  const lowered = Object.keys(overrides);
  if (lowered.length === 0) return pass("Imports", `${offered}; every change of theirs needs an approval.`);
  return warning(
    "Imports",
    `${offered}; overrides.json lowers ${quantity(lowered.length, "guard")}: ${lowered.map(onOneLine).join(", ")}.`,
    "Check that each of them only reads, or can be changed back.",
  );
}

const approvers = {
  auto: "the user, where the client supports elicitation; otherwise the assistant, with confirm",
  confirm: "the assistant, with confirm; the user is not asked",
  human: "only a person: asked by the client, with edgewise approve at a terminal, or at the approvals desk",
  off: "no approvals: only the policy decides",
} as const;

/** Who approves destructive changes. */
export async function approvalFinding(config: Config, tools: ToolsOnDemand): Promise<DoctorFinding> {
  const { approval: mode, "read-only": isReadOnly } = config.values;
  if (isReadOnly) return pass("Approval", "None is needed: with --read-only every change is refused.");
  checkApproval(config, await policyOf(config, () => tools(apisOf(config).apis)));
  return pass("Approval", `${mode}: ${approvers[mode]}.`);
}

const namesIn = (flag: "--token-file" | "--approver-token-file", path: string, kind: string): string =>
  readTokens(flag, path, kind)
    .map(({ name }) => name)
    .join(", ");

/** Who approves at the desk over HTTP. */
export function approversFinding({ values }: Config): DoctorFinding {
  const [path, client] = [values["approver-token-file"], values["desk-client-id"]];
  const ways = [
    ...(client === undefined ? [] : [`those who sign in with ${values["oauth-issuer"]?.split(",")[0]}`]),
    ...(path === undefined ? [] : [namesIn("--approver-token-file", path, "approver")]),
  ];
  return ways.length === 0
    ? notSet(
        "Approvers",
        "No approvals desk over HTTP; --approver-token-file names its approvers, or --desk-client-id has them sign in.",
      )
    : pass("Approvers", `At the approvals desk over HTTP: ${ways.join("; ")}.`);
}

/** Who can connect over HTTP, and with which rights. */
export function httpFinding(config: Config): DoctorFinding {
  const { values } = config;
  const [path, issuers] = [values["token-file"], values["oauth-issuer"]];
  checkWriters(config);
  instanceUrlOf(config);
  const who = [
    ...(path === undefined ? [] : [namesIn("--token-file", path, "client")]),
    ...(issuers === undefined ? [] : [`those who sign in with ${issuers.split(",").join(" or ")}`]),
  ];
  if (who.length === 0)
    return notSet("HTTP", "No --token-file: edgewise http only serves this machine, and its clients can only read.");
  const may = values["allow-writes"] ? "make changes" : "only read";
  return pass("HTTP", `Clients with a token ${may}: ${who.join("; ")}.`);
}

/** A longer audit log is left to the command that verifies it, because reading it takes seconds. */
const maxVerifiedBytes = 64 * 1024 * 1024;

/** The audit log: whether lines were changed or removed. */
export async function recordFinding(config: Config): Promise<DoctorFinding> {
  if (config.values.store !== undefined)
    return notSet("Record", "The audit lines are in the store; edgewise audit verify verifies them.");
  const stateDir = stateDirOf(config);
  const dir = join(stateDir, "audit");
  const files = stateDir === "memory" || !existsSync(dir) ? [] : await directorySource(dir).files();
  if (files.length === 0)
    return notSet(
      "Record",
      stateDir === "memory" ? "No audit line is stored." : `No call has been recorded in ${dir}.`,
    );
  const bytes = files.reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
  if (bytes > maxVerifiedBytes)
    return warning(
      "Record",
      `${dir} was not verified: it has ${Math.round(bytes / 1e6)} MB.`,
      "Run edgewise audit verify, with --head and an exported head.",
    );
  const { lines, faults } = await verifyLog(directorySource(dir));
  const [first] = faults;
  const where = first && (first.line === 0 ? first.file : `${first.file}, line ${first.line}`);
  return first
    ? fail("Record", `${dir} is BROKEN: ${where} ${first.what}.`, "edgewise audit verify reports all of it.")
    : pass("Record", `${quantity(lines, "audit line")} in ${quantity(files.length, "file")} of ${dir}, unbroken.`);
}
