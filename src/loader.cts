/**
 * Starts the built program from code that V8 has compiled before, at build time or in an earlier run: compiling the
 * protocol's library anew takes longer than everything else before the first answer.
 */
import fs = require("node:fs");
import path = require("node:path");
import vm = require("node:vm");
import zlib = require("node:zlib");
import fileAccess = require("./system/file-access.js");

interface Module {
  readonly exports: Record<string, unknown>;
  readonly source: string;
  readonly script: vm.Script;
  readonly isShipped: boolean;
}

const programDirectory = path.join(__dirname, "program");
/** What compiled code depends on beside its source; V8 itself looks at its own version and flags alone. */
const runtime = `${process.version}-${process.versions.v8}-${process.platform}-${process.arch}`;
const shippedDirectory = path.join(__dirname, "code-cache", runtime);
/** The modules that have run, by name. */
const modules = new Map<string, Module>();

/** V8 trusts what it is given and can crash on it, so code is bound to its source, to this Node and to its own bytes. */
const checksumOf = (source: string, code: Buffer): number => zlib.crc32(code, zlib.crc32(source, zlib.crc32(runtime)));
const checksumBytes = 4;

/** The code that a directory has for a module, if it was compiled from this source by this Node and is undamaged. */
function readCode(directory: string, name: string, source: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(path.join(directory, `${name}.cache`));
    const code = bytes.subarray(0, -checksumBytes);
    return bytes.readUInt32BE(code.length) === checksumOf(source, code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a module's compiled code, with all functions that have run by now, so that readers see all of it or nothing. */
function writeCode(directory: string, name: string, { script, source }: Module): void {
  const code = script.createCachedData();
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(checksumOf(source, code));
  const file = path.join(directory, `${name}.cache`);
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, Buffer.concat([code, checksum]));
  fs.renameSync(unfinished, file);
}

/** Makes a directory unless it is there. Not with those above it, which Node tries without end below /proc. */
function makeDirectory(directory: string, mode?: number): void {
  try {
    fs.mkdirSync(directory, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

let knownUserDirectory: string | null | undefined;

/**
 * Where this user's processes keep what the build did not compile for this Node; null where others could write, because
 * code from there is run. The checksum is no defence against them: anyone can compute it.
 */
function userDirectory(): string | null {
  if (knownUserDirectory !== undefined) return knownUserDirectory;
  const { tmpdir } = require("node:os") as typeof import("node:os");
  const user = fileAccess.processUser();
  // On Windows, the directory for temporary files is the user's own.
  const own = path.join(tmpdir(), `edgewise-${user.uid ?? "cache"}`);
  const directory = path.join(own, runtime);
  knownUserDirectory = null;
  try {
    makeDirectory(own, 0o700);
    const found = fs.lstatSync(own);
    const access = fileAccess.fileAccessOf(found, user);
    const isPrivate = access === undefined || (access.owner === "self" && !access.canUse);
    if (!found.isDirectory() || !isPrivate) return null;
    makeDirectory(directory);
    knownUserDirectory = directory;
  } catch {
    // A directory that is not writable only costs the time to compile.
  }
  return knownUserDirectory;
}

/** A process can be killed as soon as it has answered, so what it compiled is written while it runs. */
const quietMs = 250;
let writing: NodeJS.Timeout | undefined;

/** Writes what the build has not compiled, once no module has been compiled for a while, or on exit. */
function writeCodeLater(): void {
  if (writing) {
    writing.refresh();
    return;
  }
  const write = (): void => {
    clearTimeout(writing);
    writing = undefined;
    process.off("exit", write);
    const directory = userDirectory();
    if (directory === null) return;
    try {
      for (const [name, module] of modules) if (!module.isShipped) writeCode(directory, name, module);
    } catch {
      // As above: the next run compiles again.
    }
  };
  writing = setTimeout(write, quietMs).unref();
  process.once("exit", write);
}

/** A module's script from code that is kept, or else compiled from its source. */
function scriptOf(name: string, source: string): { script: vm.Script; isShipped: boolean } {
  // V8 stores this name in the code and shows it in stack traces; a relative one is true on every machine.
  const filename = `program/${name}`;
  for (const isShipped of [true, false]) {
    const directory = isShipped ? shippedDirectory : userDirectory();
    const cachedData = directory === null ? undefined : readCode(directory, name, source);
    const script = cachedData && new vm.Script(source, { filename, cachedData });
    // V8 refuses code that was compiled under other flags of its own.
    if (script && !script.cachedDataRejected) return { script, isShipped };
  }
  writeCodeLater();
  return { script: new vm.Script(source, { filename }), isShipped: false };
}

/** Runs a module of the program, once, and returns what it exports. */
function load(name: string): Record<string, unknown> {
  const known = modules.get(name);
  if (known) return known.exports;
  const file = path.join(programDirectory, name);
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, "utf8")}\n})`;
  const module: Module = { exports: {}, source, ...scriptOf(name, source) };
  modules.set(name, module);
  const requireFrom = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : require(id));
  module.script.runInThisContext()(module.exports, requireFrom, module, file, programDirectory);
  return module.exports;
}

/** The oldest Node that has all that the program uses, as `engines` in package.json says. */
const oldest = [20, 19] as const;

function start(): void {
  const [major = 0, minor = 0] = process.version.slice(1).split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
    load("server.js");
    return;
  }
  process.stderr.write(
    `edgewise: This is Node ${process.version.slice(1)}, and Edgewise needs ${oldest.join(".")} or newer.\n`,
  );
  process.stderr.write("Install a newer Node, or start Edgewise with the path of one.\n");
  process.exitCode = 78;
}

if (require.main === module) start();

export = { load, modules, shippedDirectory, writeCode };
