/** A program of the tests' own, made of the sources: for processes that need less than the server, and start sooner. */
import { join } from "node:path";
import { build } from "esbuild";
import { folder } from "../lab/files.js";

/** Bundles a file of the tests, or text with imports as seen from the checkout; gives the program's path. */
export async function bundled(program: { readonly entry: string } | { readonly text: string }): Promise<string> {
  const outfile = join(folder(), "program.mjs");
  await build({
    ...("entry" in program
      ? { entryPoints: [program.entry] }
      : { stdin: { contents: program.text, resolveDir: process.cwd(), loader: "ts" } }),
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}
