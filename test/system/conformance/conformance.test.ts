/** The official conformance suite, as a test: every scenario that a revision requires passes, and none is hidden. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const { status, stdout } = spawnSync(process.execPath, ["scripts/run.mjs", "scripts/conformance.ts"], {
  encoding: "utf8",
  timeout: 600_000,
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
  expect(status).toBe(0);
});
