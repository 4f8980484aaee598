/** That an old Node is refused with one sentence by what a person runs in a clone, before it meets what it cannot load. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

/** A clone in which nothing is installed, so that whatever is loaded before the check fails in its own words. */
function bareClone(): string {
  const clone = mkdtempSync(join(tmpdir(), "edgewise-clone-"));
  mkdirSync(join(clone, "scripts"));
  for (const file of ["package.json", "scripts/run.mjs", "scripts/node-version.mjs"]) cpSync(file, join(clone, file));
  return clone;
}

const onNode = (version: string, script: string) => {
  const clone = bareClone();
  writeFileSync(join(clone, "old.cjs"), `Object.defineProperty(process, "version", { value: "${version}" });\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require=./old.cjs", script, "scripts/build.ts"], {
    cwd: clone,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

const needed = manifest.engines.node.replace(">=", "");

it.each(["v18.20.8", "v20.18.3", "v20.9.0", "v9.11.2"])("refuses Node %s, and says which is needed", (version) => {
  for (const script of ["scripts/run.mjs", "scripts/node-version.mjs"])
    expect(onNode(version, script)).toEqual({
      status: 1,
      stdout: "",
      stderr: `This is Node ${version.slice(1)}, and Edgewise needs ${needed} or newer.\nInstall a newer Node, or put the directory of one first in PATH.\n`,
    });
});

it.each([`v${needed}.0`, "v20.20.2", "v22.0.0", "v100.1.0"])("takes Node %s", (version) => {
  expect(onNode(version, "scripts/node-version.mjs")).toEqual({ status: 0, stdout: "", stderr: "" });
  // Past the check, the clone lacks what it would have to build with.
  expect(onNode(version, "scripts/run.mjs").stderr).toContain("'esbuild'");
});

it("is asked first by each script of npm that a newcomer runs", () => {
  const { scripts } = manifest;
  for (const name of ["test", "check"]) expect(scripts[`pre${name}`]).toBe("node scripts/node-version.mjs");
  expect(scripts["build"]).toMatch(/^node scripts\/run\.mjs /);
  expect(scripts["demo"]).toMatch(/^npm run --silent build && /);
});
