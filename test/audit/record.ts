/** What the tests of the audit share: directories of their own, calls to record, and the files that came of it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Audit, type Intent, newCall } from "../../src/audit/index.js";
import { folder } from "../lab/files.js";
import { auditIn } from "./opened.js";

export const freshDirectory = (): string => join(folder(), "audit");

/** A call to record; `more` replaces members of it. */
export const intent = (more: Partial<Intent> = {}): Intent => ({
  ...newCall({ queueName: "default" }),
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

/** The record of a process, on a clock that only goes forward when a line is written. */
export function record(
  dir: string | undefined,
  { maxFileBytes = 1e6, secrets = [] }: { readonly maxFileBytes?: number; readonly secrets?: readonly string[] } = {},
): Opened {
  const logged: string[] = [];
  const audit = auditIn(dir, { log: (line) => void logged.push(line), secrets, maxFileBytes });
  return { audit, logged };
}

/** Records changes one after the other, each with its outcome, whose lines are written when this resolves. */
export async function recordCalls(audit: Audit, count: number, more: Partial<Intent> = {}): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    const recorded = await audit.intent(intent({ tier: "write", ...more, ...newCall({ call }) }));
    await audit.outcome(recorded, { code: "ok", status: 200, requests: 1, ms: call });
  }
}

/** Waits until the clock has passed the name of the newest file. */
async function laterThanFiles(dir: string): Promise<void> {
  const newest = existsSync(dir) ? (filesOf(dir).at(-1) ?? "") : "";
  while (new Date().toISOString().replace(/[-:.]/g, "") <= newest.slice(0, 19)) await setTimeout(1);
}

/**
 * Records calls as a process of its own would, from its first line to its last. Names of files sort by the millisecond at
 * which a process began them, and one that rotates faster names them ahead of the clock: others begin before or after it.
 */
export async function recordProcess(dir: string, count: number, maxFileBytes?: number): Promise<void> {
  await laterThanFiles(dir);
  const { audit } = record(dir, maxFileBytes === undefined ? {} : { maxFileBytes });
  await recordCalls(audit, count);
  await audit.close();
  await laterThanFiles(dir);
}

export const filesOf = (dir: string): string[] => readdirSync(dir).sort();
export const linesOf = (dir: string, file: string): string[] =>
  readFileSync(join(dir, file), "utf8").split("\n").slice(0, -1);
export const writeLines = (dir: string, file: string, lines: readonly string[]): void =>
  writeFileSync(join(dir, file), lines.map((line) => `${line}\n`).join(""));
