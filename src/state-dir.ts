/** Where a process keeps plans and audit lines, or that it keeps nothing on disk. */
import type { Config } from "./config.js";

/** The directory for state, or the word `memory`. */
export const stateDirOf = ({ values, defaultStateDir }: Config): string => values["state-dir"] ?? defaultStateDir;
