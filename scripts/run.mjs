/** Runs a TypeScript script of the project: bundles it to the cache folder and imports it, so that Node 20 suffices. */
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Sources read files beside themselves, so each keeps its address in the bundle. */
const ownAddresses = {
  name: "own-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href);
      return { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address), loader: "ts" };
    });
  },
};

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
  plugins: [ownAddresses],
});
process.argv.splice(1, process.argv.length - 1, outfile, ...rest);
await import(pathToFileURL(outfile).href);
