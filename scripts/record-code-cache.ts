/** Runs the built program and keeps the code that V8 compiled on the way; the build feeds it what a client first sends. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Script } from "node:vm";

interface Loader {
  load(name: string): unknown;
  readonly scripts: ReadonlyMap<string, Script>;
  cachePath(name: string): string;
}

const loader = createRequire(import.meta.url)(resolve("dist/server.js")) as Loader;
process.argv.splice(2, process.argv.length, "--emulator");
loader.load("server.js");
process.once("exit", () => {
  for (const [name, script] of loader.scripts) writeFileSync(loader.cachePath(name), script.createCachedData());
});
