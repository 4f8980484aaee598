/** What is checked of the safeguards: the policy, who approves, who may connect over HTTP, and the record of calls. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { auditFiles } from "../../audit/files.js";
import { verifyDirectory } from "../../audit/verify.js";
import { type Config, stateDirOf } from "../../config.js";
import type { Catalogue } from "../../engine/catalogue.js";
import { allowsWithoutApproval, noPolicy, type Policy } from "../../policy/index.js";
import { readTokens } from "../token-file.js";
import { type Finding, fail, notSet, ok, warning } from "./finding.js";

/** The tools, which are read where a file names some of them. */
export type ToolsOnDemand = () => Catalogue;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

async function policyOf({ values }: Config, tools: ToolsOnDemand): Promise<Policy> {
  if (values.policy === undefined) return noPolicy;
  return (await import("../../policy/file.js")).loadPolicy(values.policy, tools());
}

/** The file of the policy and what is in it. */
export async function policy(config: Config, tools: ToolsOnDemand): Promise<readonly Finding[]> {
  const path = config.values.policy;
  const { rules, quotas, egress } = await policyOf(config, tools);
  if (path === undefined)
    return [notSet("Policy", "None: reads and ordinary changes are made at once, all others wait for an approval.")];
  const lists = Object.entries(egress).flatMap(([name, list]) => (list === undefined ? [] : [name]));
  const limits = lists.length === 0 ? "" : `, limits for ${lists.join(" and ")}`;
  return [ok("Policy", `${path}: ${counted(rules.length, "rule")}, ${counted(quotas.length, "quota")}${limits}.`)];
}

const approvers = {
  auto: "the user, where the client supports elicitation; otherwise the assistant, with confirm",
  confirm: "the assistant, by confirm; nobody is asked",
  human: "only a person: asked by the client, by edgewise approve at a terminal, or on the approvers' page",
  off: "nobody: the policy alone decides",
} as const;

/** Who approves what is destructive. */
export async function approval(config: Config, tools: ToolsOnDemand): Promise<readonly Finding[]> {
  const { approval: mode, "read-only": isReadOnly } = config.values;
  if (isReadOnly) return [ok("Approval", "None is needed: with --read-only every change is refused.")];
  if (mode === "off" && !allowsWithoutApproval(await policyOf(config, tools)))
    return [
      fail(
        "Approval",
        "--approval off needs a policy that allows something.",
        "Name what is allowed in a file and start with --policy FILE, or leave out --approval off.",
      ),
    ];
  return [ok("Approval", `${mode}: ${approvers[mode]}.`)];
}

const namesIn = (flag: "--token-file" | "--approver-token-file", path: string, kind: string): string =>
  readTokens(flag, path, kind)
    .map(({ name }) => name)
    .join(", ");

/** Who approves on the page over HTTP. */
export function approversOverHttp({ values }: Config): readonly Finding[] {
  const path = values["approver-token-file"];
  return [
    path === undefined
      ? notSet("Approvers", "No page for approvers over HTTP; --approver-token-file names who may use one.")
      : ok("Approvers", `On their page over HTTP: ${namesIn("--approver-token-file", path, "approver")}.`),
  ];
}

/** Who may connect over HTTP, and what they may do. */
export function clientsOverHttp({ values }: Config): readonly Finding[] {
  const path = values["token-file"];
  const writes = values["allow-writes"];
  if (path !== undefined)
    return [
      ok(
        "HTTP",
        `Clients with a token ${writes ? "make changes" : "only read"}: ${namesIn("--token-file", path, "client")}.`,
      ),
    ];
  const what = "No --token-file: edgewise http serves this machine alone, and its clients only read";
  return [
    writes
      ? warning(
          "HTTP",
          `${what}, also with --allow-writes.`,
          "Run edgewise setup http, which goes through it step by step.",
        )
      : notSet("HTTP", `${what}.`),
  ];
}

/** A record that takes seconds to read is left to the command that verifies it. */
const maxVerifiedBytes = 64 * 1024 * 1024;

/** The record of calls: that no line of it was changed or removed. */
export async function record(config: Config): Promise<readonly Finding[]> {
  const stateDir = stateDirOf(config);
  const dir = join(stateDir, "audit");
  const files = stateDir === "memory" || !existsSync(dir) ? [] : await auditFiles(dir);
  if (files.length === 0)
    return [
      notSet("Record", stateDir === "memory" ? "No audit line is kept." : `No call has been recorded in ${dir}.`),
    ];
  const bytes = files.reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
  if (bytes > maxVerifiedBytes)
    return [
      warning(
        "Record",
        `${dir} was not verified: it has ${Math.round(bytes / 1e6)} MB.`,
        "Run edgewise audit verify, with --head and the head that you keep elsewhere.",
      ),
    ];
  const { lines, faults } = await verifyDirectory(dir);
  const [first] = faults;
  const where = first && (first.line === 0 ? first.file : `${first.file}, line ${first.line}`);
  return [
    first
      ? fail("Record", `${dir} is BROKEN: ${where} ${first.what}.`, "edgewise audit verify says all of it.")
      : ok("Record", `${counted(lines, "audit line")} in ${counted(files.length, "file")} of ${dir}, unbroken.`),
  ];
}
