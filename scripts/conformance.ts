/**
 * Runs the official conformance suite against the product's HTTP stack, on a newer Node that it installs itself, because
 * the suite does not run on Node 20. Prints every scenario; fails when a required one fails.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const packages = { node: "24.21.0", "@modelcontextprotocol/conformance": "0.2.0-alpha.12" };
const revisions = ["2026-07-28", "2025-11-25"];
const folder = resolve(".cache", "conformance");
const modules = join(folder, "node_modules");
const newerNode = join(modules, "node", "bin", "node");
const suite = join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js");

function install(): void {
  if (existsSync(newerNode) && existsSync(suite)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  // The newer Node comes in an install script of its package, which some npm configurations skip. What the suite asks of
  // Node is met by that newer one, not by the one that npm runs on: `.npmrc` would refuse it.
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts=false", "--engine-strict=false"], {
    cwd: folder,
    stdio: "inherit",
  });
  if (!existsSync(newerNode))
    execFileSync("npm", ["rebuild", "node", "--ignore-scripts=false"], { cwd: folder, stdio: "inherit" });
}

/** Runs one revision's required scenarios; true when all of them pass. */
function run(url: string, revision: string): Promise<boolean> {
  const child = spawn(newerNode, [suite, "server", "--url", url, "--requirements", revision], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let isSummary = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    isSummary ||= line.includes("=== SUMMARY ===");
    if (isSummary) console.log(`${revision}  ${line}`);
  });
  return new Promise((done) => child.once("exit", (code) => done(code === 0)));
}

install();
const server = spawn(process.execPath, ["scripts/run.mjs", "test/system/conformance/server.ts"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const [url] = await Promise.race([
  new Promise<[string]>((done) => createInterface({ input: server.stdout }).once("line", (line) => done([line]))),
  new Promise<never>((_, fail) => server.once("exit", (code) => fail(new Error(`the server exited with ${code}`)))),
]);
const failed: string[] = [];
for (const revision of revisions) if (!(await run(url, revision))) failed.push(revision);
server.kill();
console.log(
  failed.length === 0
    ? "conformance: no required scenario failed"
    : `conformance: required scenarios failed for ${failed.join(" and ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
