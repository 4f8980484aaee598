/**
 * Starts the built program from code that V8 compiled at build time: compiling the protocol's library anew takes longer
 * than everything else before the first answer. A cache that another Node has made is refused by V8 and costs nothing.
 */
import fs = require("node:fs");
import path = require("node:path");
import vm = require("node:vm");

interface Loaded {
  readonly exports: Record<string, unknown>;
}

const programDirectory = path.join(__dirname, "program");
const loaded = new Map<string, Loaded>();
/** The scripts that were run, by module name; the build makes the cache from them. */
const scripts = new Map<string, vm.Script>();

const cachePath = (name: string): string => path.join(programDirectory, `${name}.cache`);

function cachedCode(name: string): Buffer | undefined {
  try {
    return fs.readFileSync(cachePath(name));
  } catch {
    return undefined;
  }
}

/** Runs a module of the program, once, and returns what it exports. */
function load(name: string): Record<string, unknown> {
  const known = loaded.get(name);
  if (known) return known.exports;
  const filename = path.join(programDirectory, name);
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, "utf8")}\n})`;
  const cachedData = cachedCode(name);
  const script = new vm.Script(source, { filename, ...(cachedData ? { cachedData } : {}) });
  const module: Loaded = { exports: {} };
  loaded.set(name, module);
  scripts.set(name, script);
  const requireFrom = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : require(id));
  script.runInThisContext()(module.exports, requireFrom, module, filename, programDirectory);
  return module.exports;
}

if (require.main === module) load("server.js");

export = { load, scripts, cachePath };
