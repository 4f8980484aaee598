/** What the build leaves in `dist/`: a program that starts from V8's kept code where it fits, and from source where not. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
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
import { afterAll, describe, expect, it } from "vitest";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { bareEnvironment } from "../lab/session.js";

const scratch = folder();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const freshDirectory = (): string => mkdtempSync(join(scratch, "d-"));

/** A copy of the built program that a test may damage. */
function copyOfProgram(): string {
  const directory = freshDirectory();
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

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const list = { method: "tools/list", params: { _meta: meta } };
const call = {
  method: "tools/call",
  params: { name: "purge_queue_get", arguments: { queueName: "default" }, _meta: meta },
};

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
async function answers(
  args: readonly string[],
  temporary: string,
  messages: readonly object[] = [list, call],
): Promise<Answered> {
  const env = bareEnvironment({ TMPDIR: temporary, TEMP: temporary, TMP: temporary });
  const child = spawn(process.execPath, [...args, "--emulator"], { env, stdio: ["pipe", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const [id, message] of messages.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`the program left without an answer (${child.signalCode}): ${stderr}`);
    const answer: unknown = JSON.parse(value);
    expect(answer).toMatchObject({
      id,
      result: id === 0 ? { tools: expect.any(Array) } : { content: expect.any(Array) },
    });
    expect(answer).not.toHaveProperty("result.isError");
  }
  return { child, stderr: () => stderr };
}

/** Has the program answer and leave; the modules that it ran, each with whether it came from kept code. */
async function run(
  directory: string,
  temporary: string,
  before = "",
  messages?: readonly object[],
): Promise<{ modules: Record<string, boolean>; stderr: string }> {
  const { child, stderr } = await answers(
    ["-e", before + reporting, resolve(directory, "server.js")],
    temporary,
    messages,
  );
  const closed = new Promise((done) => child.once("close", done));
  child.stdin?.end();
  await closed;
  const [text, modules = "{}"] = stderr().split("\nmodules ");
  return { modules: JSON.parse(modules) as Record<string, boolean>, stderr: text ?? "" };
}
const keptOf = (modules: Record<string, boolean>): string[] => Object.keys(modules).filter((name) => modules[name]);
const compiledOf = (modules: Record<string, boolean>): string[] =>
  Object.keys(modules).filter((name) => !modules[name]);

/** The modules that have our zod in them; the protocol's library has its own, which it needs as soon as the input ends. */
const withZod = (modules: Record<string, boolean>): string[] =>
  Object.keys(modules).filter((name) => {
    const text = readFileSync(join("dist", "program", name), "utf8");
    return /\bZodError\b/.test(text) && !text.includes("io.modelcontextprotocol/");
  });

it("loads no schemas of ours to list its tools, but to call one", async () => {
  const { modules } = await run("dist", freshDirectory(), "", [list]);
  expect(Object.keys(modules).length).toBeGreaterThan(20);
  expect(withZod(modules)).toEqual([]);
  expect(withZod((await run("dist", freshDirectory())).modules)).not.toEqual([]);
});

describe("the code that V8 keeps", () => {
  it("kept V8 code serves the first messages' modules without writes", async () => {
    const temporary = freshDirectory();
    const { modules } = await run("dist", temporary);
    expect(keptOf(modules).length).toBeGreaterThan(30);
    expect(compiledOf(modules)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
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

  // Each module is checked by itself, so that every damage is to some of them in one program, and to others in the next.
  it.each([0, 1])("is not used when a byte is another, or bytes are missing (%i)", async (round) => {
    const directory = copyOfProgram();
    const paths = cachesIn(directory);
    for (const [index, path] of paths.entries()) damages[(index + round) % damages.length]?.(path);
    const { modules } = await run(directory, freshDirectory());
    expect(Object.keys(modules).length).toBeGreaterThan(2 * damages.length);
    expect(keptOf(modules)).toEqual([]);
  });

  it("is not used for another module", async () => {
    const directory = copyOfProgram();
    const paths = cachesIn(directory);
    const contents = paths.map((path) => readFileSync(path));
    for (const [index, path] of paths.entries())
      writeFileSync(path, contents[(index + 1) % contents.length] ?? Buffer.alloc(0));
    const { modules } = await run(directory, freshDirectory());
    expect(keptOf(modules)).toEqual([]);
  });

  it("is not used for a source that was edited, even at equal length", async () => {
    const directory = copyOfProgram();
    const [before, after] = ["nothing real is changed", "NOTHING real is changed"];
    const edited = filesIn(directory).filter(
      (path) => path.endsWith(".js") && readFileSync(path, "utf8").includes(before),
    );
    for (const path of edited) writeFileSync(path, readFileSync(path, "utf8").replace(before, after));
    const { modules, stderr } = await run(directory, freshDirectory());
    expect(stderr).toContain(after);
    const ran = edited.map((path) => basename(path)).filter((name) => name in modules);
    expect(compiledOf(modules).sort()).toEqual(ran);
  });

  it("is not used by another Node, even one that finds it under its own name", async () => {
    const directory = copyOfProgram();
    const caches = join(directory, "code-cache");
    const [runtime = ""] = readdirSync(caches);
    expect(runtime).toContain(process.version);
    renameSync(join(caches, runtime), join(caches, runtime.replace(process.version, "v20.99.0")));
    const asAnother = 'Object.defineProperty(process, "version", { value: "v20.99.0" });';
    for (const before of ["", asAnother])
      expect(keptOf((await run(directory, freshDirectory(), before)).modules)).toEqual([]);
  });

  it("names no path of the machine that built it", () => {
    const found = filesIn("dist").filter((path) => readFileSync(path).includes(resolve(".")));
    expect(found).toEqual([]);
  });
});

describe("a program whose code was kept for another Node", () => {
  const program = copyOfProgram();
  rmSync(join(program, "code-cache"), { recursive: true });
  const before = filesIn(program);

  it("under another Node, compiled code is kept privately despite a kill", async () => {
    const count = Object.keys((await run(program, freshDirectory())).modules).length;
    const temporary = freshDirectory();
    const { child } = await answers([join(program, "server.js")], temporary);
    await expect.poll(() => cachesIn(temporary).length).toBe(count);
    child.kill("SIGKILL");
    expect(filesIn(program)).toEqual(before);
    if (process.getuid) expect(statSync(userCache(temporary)).mode & 0o777).toBe(0o700);

    const { modules } = await run(program, temporary);
    expect(compiledOf(modules)).toEqual([]);
  });

  it("keeps it when it leaves before that, too", async () => {
    const temporary = freshDirectory();
    await run(program, temporary);
    const { modules } = await run(program, temporary);
    expect(compiledOf(modules)).toEqual([]);
  });

  it("under another Node, damaged compiled code is detected and repaired", async () => {
    const temporary = freshDirectory();
    await run(program, temporary);
    for (const path of cachesIn(temporary)) truncateSync(path, statSync(path).size / 2);
    expect(keptOf((await run(program, temporary)).modules)).toEqual([]);
    expect(compiledOf((await run(program, temporary)).modules)).toEqual([]);
  });

  it.each([
    ["open to others", (path: string) => chmodSync(mkdirSync(path, { recursive: true }) ?? path, 0o777)],
    ["a link", (path: string) => symlinkSync(freshDirectory(), path)],
    ["a file", (path: string) => writeFileSync(path, "")],
  ])("runs from source when the place to keep it is %s", needs.posix, async (_, occupy) => {
    const temporary = freshDirectory();
    occupy(userCache(temporary));
    await run(program, temporary);
    const { modules } = await run(program, temporary);
    expect(keptOf(modules)).toEqual([]);
  });

  it("runs from source when there is no place to keep it", async () => {
    const occupied = join(freshDirectory(), "file");
    writeFileSync(occupied, "");
    const { modules } = await run(program, occupied);
    expect(keptOf(modules)).toEqual([]);
  });
});

describe("what the build changes in libraries", () => {
  it("leaves one of zod's locales in the program", () => {
    const texts = readdirSync("dist/program").filter((name) => name.endsWith(".js"));
    const program = texts.map((name) => readFileSync(join("dist/program", name), "utf8")).join("\n");
    expect(program).toContain("Invalid input: expected ");
    expect(program).not.toMatch(/Ungültige Eingabe|Entrada inválida|Entrée invalide/);
  });

  it("answers over HTTP in one piece", async () => {
    const env = bareEnvironment({ TMPDIR: freshDirectory() });
    const child = spawn(process.execPath, ["dist/server.js", "http", "--port", "0", "--emulator"], { env });
    try {
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      await expect.poll(() => stderr).toMatch(/at http:\S+/);
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": call.params.name,
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...call });
      const answer = await fetch(/at (http:\S+)/.exec(stderr)?.[1] ?? "", { method: "POST", headers, body });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
      expect(JSON.parse(text)).toMatchObject({ id: 1, result: { content: expect.any(Array) } });
    } finally {
      child.kill("SIGKILL");
    }
  });
});
