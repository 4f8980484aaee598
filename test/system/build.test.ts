/** What the build leaves in `dist/`: a program that starts from V8's kept code where it fits, and from source where not. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import { file, folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { modernly } from "../lab/raw-http.js";
import { bareEnvironment } from "../lab/session.js";

/** A copy of the built program that a test may damage. */
function copyOfProgram(): string {
  const directory = folder();
  cpSync("dist", directory, { recursive: true });
  return directory;
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .sort();
const cachesIn = (directory: string): string[] => filesIn(directory).filter((path) => path.endsWith(".cache"));
/** The directory that a user's processes share, inside the system's directory for temporary files. */
const userCache = (temporary: string): string => join(temporary, `edgewise-${process.getuid?.() ?? "cache"}`);

const list = modernly("tools/list").body;
const call = modernly("tools/call", { name: "purge_queue_get", arguments: { queueName: "default" } }).body;

// Runs the program as `node dist/server.js` does, and says on leaving which modules ran from kept code.
const reporting = `
  const loader = require(process.argv[1]);
  process.argv.splice(1, 1, "edgewise");
  loader.load("server.js");
  process.once("exit", () => {
    const modules = [...loader.modules].map(([name, { script }]) => [name, script.cachedDataRejected === false]);
    process.stderr.write("\\nmodules " + JSON.stringify(Object.fromEntries(modules)));
  });
`;

interface Answered {
  readonly child: ChildProcess;
  readonly stderr: () => string;
}

/** Starts the program and has it list its tools and call one; fails when it leaves before it has answered. */
async function answers(args: readonly string[], temporary: string, messages = [list, call]): Promise<Answered> {
  const env = bareEnvironment({ TMPDIR: temporary, TEMP: temporary, TMP: temporary });
  const child = spawn(process.execPath, [...args, "--emulator"], { env, stdio: ["pipe", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const message of messages) {
    child.stdin.write(`${message}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`the program left without an answer (${child.signalCode}): ${stderr}`);
    const answer: unknown = JSON.parse(value);
    expect(answer).toHaveProperty(message === list ? "result.tools" : "result.content");
    expect(answer).not.toHaveProperty("result.isError");
  }
  return { child, stderr: () => stderr };
}

/** Has the program answer and leave; the modules that it ran, by whether they came from kept code. */
async function run(directory: string, temporary: string, before = "", messages?: string[]) {
  const words = ["-e", before + reporting, resolve(directory, "server.js")];
  const { child, stderr } = await answers(words, temporary, messages);
  const closed = new Promise((done) => child.once("close", done));
  child.stdin?.end();
  await closed;
  const [text, modules = "{}"] = stderr().split("\nmodules ");
  const all = Object.entries(JSON.parse(modules) as Record<string, boolean>);
  const named = (isWanted: boolean) => all.filter(([, isKept]) => isKept === isWanted).map(([name]) => name);
  return { all: all.map(([name]) => name), kept: named(true), compiled: named(false), stderr: text ?? "" };
}

/** The modules that make schemas of ours; the protocol's library needs zod for its own as soon as the input ends. */
const withSchemas = (modules: readonly string[]): string[] =>
  modules.filter((name) => {
    const text = readFileSync(join("dist", "program", name), "utf8");
    return text.includes('require("./schemas-') && !/io\.modelcontextprotocol\/|\bZodISODate\b/.test(text);
  });

it("no piece loads the entry, which would run the command line again", () => {
  const pieces = filesIn("dist/program").filter((path) => path.endsWith(".js"));
  expect(pieces.length).toBeGreaterThan(100);
  expect(pieces.filter((path) => readFileSync(path, "utf8").includes("./server.js"))).toEqual([]);
});

it("loads no schemas of ours to list its tools, but to call one", async () => {
  const { all } = await run("dist", folder(), "", [list]);
  expect(all.length).toBeGreaterThan(20);
  expect(withSchemas(all)).toEqual([]);
});

describe("the code that V8 keeps", () => {
  it("kept V8 code serves the first messages' modules without writes", async () => {
    const temporary = folder();
    const { all, kept, compiled } = await run("dist", temporary);
    expect(kept.length).toBeGreaterThan(30);
    expect(compiled).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(withSchemas(all)).not.toEqual([]);
  });

  // V8 checks a cache's length and version and then believes it: what is damaged can end the process.
  const flipped = (position: number) => (path: string) => {
    const bytes = readFileSync(path);
    const at = Math.round(position * (bytes.length - 1));
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x15, at);
    writeFileSync(path, bytes);
  };
  const damages = [
    ...[0, 0.001, 0.13, 0.5, 0.87, 1].map(flipped),
    (path: string) => truncateSync(path, statSync(path).size / 2),
    (path: string) => truncateSync(path, statSync(path).size - 1),
    (path: string) => truncateSync(path, 3),
    (path: string) => truncateSync(path),
    (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
  ];
  const damaged = (paths: readonly string[], round: number): void => {
    for (const [at, path] of paths.entries()) damages[(at + round) % damages.length]?.(path);
  };
  const swapped = (paths: readonly string[]): void => {
    const contents = paths.map((path) => readFileSync(path));
    for (const [at, path] of paths.entries()) writeFileSync(path, contents[(at + 1) % contents.length] ?? "");
  };

  // Each module is checked by itself, so that every damage is to some of them in one program, and to others in the next.
  it.each<[string, (paths: readonly string[]) => void]>([
    ["a byte is another, or bytes are missing", (paths) => damaged(paths, 0)],
    ["other bytes are, or are missing", (paths) => damaged(paths, 1)],
    ["it is another module's", swapped],
  ])("kept V8 code is not used when %s", async (_, damage) => {
    const directory = copyOfProgram();
    damage(cachesIn(directory));
    const { all, kept } = await run(directory, folder());
    expect(all.length).toBeGreaterThan(2 * damages.length);
    expect(kept).toEqual([]);
  });

  it("is not used for a source that was edited, even at equal length", async () => {
    const directory = copyOfProgram();
    const [before, after] = ["nothing real is changed", "NOTHING real is changed"];
    const edited = filesIn(directory).filter(
      (path) => path.endsWith(".js") && readFileSync(path, "utf8").includes(before),
    );
    for (const path of edited) writeFileSync(path, readFileSync(path, "utf8").replace(before, after));
    const { all, compiled, stderr } = await run(directory, folder());
    expect(stderr).toContain(after);
    const ran = edited.map((path) => basename(path)).filter((name) => all.includes(name));
    expect(compiled.sort()).toEqual(ran);
  });

  it("is not used by another Node, even one that finds it under its own name", async () => {
    const directory = copyOfProgram();
    const caches = join(directory, "code-cache");
    const [runtime = ""] = readdirSync(caches);
    expect(runtime).toContain(process.version);
    renameSync(join(caches, runtime), join(caches, runtime.replace(process.version, "v20.99.0")));
    const asAnother = 'Object.defineProperty(process, "version", { value: "v20.99.0" });';
    for (const before of ["", asAnother]) expect((await run(directory, folder(), before)).kept).toEqual([]);
  });

  it("names no path of the machine that built it", () => {
    expect(filesIn("dist").filter((path) => readFileSync(path).includes(resolve(".")))).toEqual([]);
  });
});

describe("a program whose code was kept for another Node", () => {
  const program = copyOfProgram();
  rmSync(join(program, "code-cache"), { recursive: true });
  const before = filesIn(program);
  /** A directory for temporary files in which a run that left in time has kept its code. */
  const filled = folder();
  beforeAll(() => run(program, filled));

  it("keeps its compiled code privately, also when it leaves early", async () => {
    expect(filesIn(program)).toEqual(before);
    if (process.getuid) expect(statSync(userCache(filled)).mode & 0o777).toBe(0o700);
    expect((await run(program, filled)).compiled).toEqual([]);
  });

  it("keeps its compiled code before it is killed", async () => {
    const temporary = folder();
    const { child } = await answers([join(program, "server.js")], temporary);
    await expect.poll(() => cachesIn(temporary).length).toBe(cachesIn(filled).length);
    child.kill("SIGKILL");
    expect((await run(program, temporary)).compiled).toEqual([]);
  });

  it("under another Node, damaged compiled code is detected and repaired", async () => {
    const temporary = folder();
    cpSync(filled, temporary, { recursive: true });
    for (const path of cachesIn(temporary)) truncateSync(path, statSync(path).size / 2);
    expect((await run(program, temporary)).kept).toEqual([]);
    expect((await run(program, temporary)).compiled).toEqual([]);
  });

  it.each<[string, (path: string) => void]>([
    ["open to others", (path) => cpSync(userCache(filled), path, { recursive: true })],
    ["a link", (path) => symlinkSync(userCache(filled), path)],
    ["a file", (path) => writeFileSync(path, "")],
  ])("runs from source when the place to keep it is %s", needs.posix, async (what, occupy) => {
    const temporary = folder();
    occupy(userCache(temporary));
    if (what === "open to others") chmodSync(userCache(temporary), 0o777);
    expect((await run(program, temporary)).kept).toEqual([]);
  });

  it("runs from source when there is no place to keep it", async () => {
    expect((await run(program, file(""))).kept).toEqual([]);
  });
});
