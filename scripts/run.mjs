/** Runs a TypeScript script of the project: bundles it to the cache folder and imports it, so that Node 20 suffices. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error("usage: node scripts/run.mjs SCRIPT.ts [ARGUMENT…]");
const outfile = resolve(".cache", "scripts", `${script.replaceAll(/[\\/.]/g, "-")}-${process.pid}.mjs`);
mkdirSync(resolve(".cache", "scripts"), { recursive: true });
await build({
  entryPoints: [script],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
});
process.argv.splice(1, process.argv.length - 1, outfile, ...rest);
await import(pathToFileURL(outfile).href);
