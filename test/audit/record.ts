/** What the tests of the audit share: directories of their own, calls to record, and the files that came of it. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Audit, type CallIntent, newAuditedCall } from "../../src/audit/index.js";
import { folder } from "../lab/files.js";
import { auditIn } from "./opened.js";

export const freshDirectory = (): string => join(folder(), "audit");

/** A call to record; `more` replaces members of it. */
export const intent = (more: Partial<CallIntent> = {}): CallIntent => ({
  ...newAuditedCall({ queueName: "default" }),
  who: "local",
  client: { name: "test", version: "1.0.0" },
  account: "the emulator",
  tool: "purge_queue_get",
  tier: "read",
  ...more,
});

interface Opened {
  readonly audit: Audit;
  /** What was logged to stderr. */
  readonly logged: string[];
}

/** When the newest file of a directory was begun, by its name; nothing where there is none. */
function newestMs(dir: string): number {
  const isThere = existsSync(dir) && statSync(dir).isDirectory();
  const newest = isThere ? (filesOf(dir).at(-1) ?? "") : "";
  return Date.parse(newest.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, "$1-$2-$3T$4:$5:$6.$7Z")) || 0;
}

/**
 * The audit log of a process. Files sort by the millisecond at which they were begun, and a process that continues in
 * other files faster than that names them ahead of the clock. So the clock of each process begins after all files that
 * are there.
 */
export function record(
  dir: string | undefined,
  { maxFileBytes = 1e6, secrets = [] }: { readonly maxFileBytes?: number; readonly secrets?: readonly string[] } = {},
): Opened {
  const logged: string[] = [];
  const begunMs = dir === undefined ? 0 : newestMs(dir) + 1;
  const now = () => Math.max(Date.now(), begunMs);
  const audit = auditIn(dir, { log: (line) => void logged.push(line), secrets, maxFileBytes, now });
  return { audit, logged };
}

/** Records changes one after the other, each with its outcome, whose lines are written when this resolves. */
export async function recordCalls(audit: Audit, count: number, more: Partial<CallIntent> = {}): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    const recorded = await audit.intent(intent({ tier: "write", ...more, ...newAuditedCall({ call }) }));
    await audit.outcome(recorded, { code: "ok", status: 200, requests: 1, ms: call });
  }
}

/** Records calls as a process of its own would, from its first line to its last. */
export async function recordProcess(dir: string, count: number, maxFileBytes?: number): Promise<void> {
  const { audit } = record(dir, maxFileBytes === undefined ? {} : { maxFileBytes });
  await recordCalls(audit, count);
  await audit.close();
}

export const filesOf = (dir: string): string[] => readdirSync(dir).sort();
export const linesOf = (dir: string, file: string): string[] =>
  readFileSync(join(dir, file), "utf8").split("\n").slice(0, -1);
export const writeLines = (dir: string, file: string, lines: readonly string[]): void =>
  writeFileSync(join(dir, file), lines.map((line) => `${line}\n`).join(""));
