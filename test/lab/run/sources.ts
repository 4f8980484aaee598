/**
 * Lets the tests of a run import the sources as Node does, compiled once: that a worker has each module transformed by
 * the test runner, and reads each import through a getter, costs a fifth of the processor time of all tests.
 */
import { rmSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "vitest/config";
import type { TestProject } from "vitest/node";
import { onceInRun } from "./once.js";

const sources = resolve("src") + sep;
// Runs beside each other do not replace each other's modules.
const compiled = resolve(".cache", "modules", String(process.pid)) + sep;

const compile = (): Promise<unknown> =>
  build({
    // Data, guides and prompts, and the files that the approvals desk serves, are found next to the modules that read them.
    entryPoints: ["src/**/*.ts", "src/**/*.json", "src/**/*.md", "src/mcp/http/desk/desk.*"],
    loader: { ".css": "copy", ".js": "copy", ".json": "copy", ".md": "copy", ".svg": "copy" },
    outdir: compiled,
    outbase: "src",
    platform: "node",
    format: "esm",
    // The oldest that runs here; it imports JSON.
    target: "node20.19",
    sourcemap: "linked",
    logLevel: "warning",
  });

/** Compiles the sources before the tests, and removes what was compiled after them; one who watches sees each change. */
export default async function setup({ vitest }: TestProject): Promise<(() => void) | undefined> {
  if (vitest.config.watch) return undefined;
  await onceInRun(vitest, "sources", compile);
  return () => rmSync(compiled, { recursive: true, force: true });
}

/** Resolves what a test imports of the sources to the compiled module, which the test runner leaves to Node. */
export function compiledSources(): Plugin {
  let isCompiled = true;
  return {
    name: "compiled-sources",
    enforce: "pre",
    // Node loads them itself.
    config: () => ({ test: { server: { deps: { external: [/[\\/]\.cache[\\/]modules[\\/]/] } } } }),
    configureVitest({ vitest }) {
      isCompiled = !vitest.config.watch;
    },
    resolveId(id, importer) {
      if (!isCompiled || importer === undefined || !id.startsWith(".")) return undefined;
      const file = resolve(dirname(importer), id);
      return file.startsWith(sources) ? join(compiled, file.slice(sources.length)) : undefined;
    },
  };
}
