/** The plans of all processes that share the directory for state, as the operator at a terminal sees them. */
import { Failure } from "../api/failure.js";
import type { Config } from "../config.js";
import { createPlans, type OperatorPlans } from "../guard/index.js";
import { directoryStorage } from "../guard/plans/directory.js";
import { stateDirOf } from "../state-dir.js";
import { log } from "./command.js";

/**
 * Opens the plans on disk; the directory is made by the process that keeps the first one.
 * @throws Failure `bad_configuration` when plans are kept in memory, where another process cannot see them.
 */
export function keptPlans(config: Config): OperatorPlans {
  const directory = stateDirOf(config);
  if (directory === "memory")
    throw new Failure("bad_configuration", "Plans are kept in the memory of the process that made them.", {
      why: "--state-dir is memory, so no other process can see them.",
      next: "Start the server and this command with the same directory as --state-dir, or without the flag.",
    });
  return createPlans({ ttlMs: config.values["plan-seconds"] * 1_000, storage: directoryStorage(directory), log });
}

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** How long ago something was, in its largest unit: `3 min`. */
export function age(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));
  const [size, unit] = units.find(([one]) => seconds >= one) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}
