/** Builds `dist/`: the bundle, cut so that each command and each service loads only what it needs, and the catalogue. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { catalogueOf, catalogueText } from "../src/mcp/tool.js";
import { allServices } from "../src/tools/index.js";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
await build({
  entryPoints: ["src/server.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  // Libraries in CommonJS call require, which an ES module does not have.
  banner: {
    js: 'import{createRequire as edgewiseRequire}from"node:module";const require=edgewiseRequire(import.meta.url);',
  },
});
writeFileSync("dist/catalogue.json", catalogueText(catalogueOf(await allServices())));
chmodSync("dist/server.js", 0o755);
