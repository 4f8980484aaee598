/** Runs the built program and saves the code that V8 compiled; the build sends it the first messages of a client. */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

/** What `src/loader.cts` exports. */
interface Loader {
  load(name: string): unknown;
  readonly modules: ReadonlyMap<string, object>;
  readonly shippedDirectory: string;
  writeCode(directory: string, name: string, module: object): void;
}

const { load, modules, shippedDirectory, writeCode } = createRequire(import.meta.url)(
  resolve("dist/server.js"),
) as Loader;
process.argv.splice(2, process.argv.length, "--emulator");
load("server.js");
process.once("exit", () => {
  mkdirSync(shippedDirectory, { recursive: true });
  for (const [name, module] of modules) writeCode(shippedDirectory, name, module);
});
