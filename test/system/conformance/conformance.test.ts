/** The official conformance suite, as a test: every scenario that a revision requires passes, and none is hidden. */
import { spawnSync } from "node:child_process";
import { beforeAll, expect, it } from "vitest";

let stdout: string;
beforeAll(() => {
  const ran = spawnSync(process.execPath, ["scripts/run.mjs", "scripts/conformance.ts"], { encoding: "utf8" });
  stdout = ran.stdout;
  expect(ran.status, ran.stderr).toBe(0);
});

it.each([
  ["2026-07-28", 40],
  ["2025-11-25", 28],
])("passes what %s requires, in at least %i scenarios", (revision, atLeast) => {
  const passed = stdout.split("\n").filter((line) => line.startsWith(`${revision}  ✓`) && !line.includes("("));
  expect(passed.length, stdout).toBeGreaterThanOrEqual(atLeast);
});

it("ends without a failed required scenario", () => {
  expect(stdout).toContain("conformance: no required scenario failed");
});
