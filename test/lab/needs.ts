/** What some tests need of the machine: they are skipped without it, and the end of a run says so by its name. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAccessKnown } from "../../src/system/file-access.js";
import { canMount, canStartPostgres, hasPostgres } from "../state/postgres-server.js";

declare module "vitest" {
  interface TaskMeta {
    /** What the test needs, as the end of a run names it. */
    readonly needs?: string;
  }
}

/**
 * The options of a test or a group of tests that needs something: `it("…", needs.root, …)`.
 * @param name As the end of a run names what is missing.
 */
export const need = (isThere: boolean, name: string) => ({ skip: !isThere, meta: { needs: name } });

const isWindows = process.platform === "win32";

/** The browser of the tests. */
export const chromium = "/usr/bin/chromium";

/** What tests need of the machine; a need that takes a process to determine is only determined when it is used. */
export const needs = {
  modes: need(isAccessKnown(process.platform), "files with modes"),
  posix: need(!isWindows, "another system than Windows"),
  linux: need(process.platform === "linux", "Linux"),
  root: need(process.getuid?.() === 0, "the rights of root"),
  proc: need(existsSync("/proc/self/fd"), "/proc"),
  postgres: need(hasPostgres, "PostgreSQL"),
  postgresServer: need(canStartPostgres, "PostgreSQL, installed"),
  chromium: need(existsSync(chromium), "Chromium"),
  get mount() {
    return need(canMount(), "the right to mount");
  },
  shell: (name: string) => need(!isWindows && spawnSync(name, ["--version"]).status === 0, `the shell ${name}`),
  outside: need,
};
