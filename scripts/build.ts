/**
 * Builds `dist/`: the program, cut so that each command and each service loads only what it needs, the catalogue, the
 * code that V8 compiles for it, and the licenses of the libraries in it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build, type OutputOptions } from "rolldown";
import { fontFiles } from "../src/answers/charts/png.js";
import { completionFiles } from "../src/commands/completion.js";
import { firstListFile } from "../src/commands/stdio.js";
import { writeFolder } from "../src/definitions/store.js";
import { generatedFile } from "../src/engine/catalogue.js";
import { assets } from "../src/mcp/http/desk/frame.js";
import { catalogueOf, catalogueText, readingsOf } from "../src/mcp/tool.js";
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";
import { boxFiles } from "./box.js";
import { guideFiles } from "./guides.js";
import { noticesOf } from "./notices.js";
import { searchIndex } from "./search-index.js";

const program = "dist/program";

/**
 * Bundles an entry with the libraries that it uses, in pieces that are loaded when they are needed.
 * @returns The files of which the bundle has at least one byte.
 */
async function bundle(entry: string, output: OutputOptions): Promise<readonly string[]> {
  const { output: pieces } = await build({
    input: entry,
    platform: "node",
    // They have native parts; npm installs them beside the program, or not at all.
    external: ["@duckdb/node-api", "@resvg/resvg-js"],
    resolve: {
      alias: {
        // Its other form hides what it imports in a function, where no bundler finds it.
        "jsonc-parser": "jsonc-parser/lib/esm/main.js",
        "@modelcontextprotocol/server/_shims": resolve("scripts/sdk-platform.ts"),
        "@modelcontextprotocol/client/_shims": resolve("scripts/sdk-platform.ts"),
      },
    },
    transform: { target: "node20.19" },
    // CommonJS, because Node 20 takes V8's cache for nothing else; code from it cannot load a package by import().
    output: { format: "cjs", minify: true, dynamicImportInCjs: false, ...output },
  });
  const modules = pieces.flatMap((piece) => (piece.type === "chunk" ? Object.entries(piece.modules) : []));
  return modules.flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? [path] : []));
}

/**
 * Copies the fonts of the pictures, because the engine that draws them reads files, with the license that they need.
 * @returns The directory of the library that they are from.
 */
function copyFonts(): string {
  const fonts = join(program, "fonts");
  const require = createRequire(import.meta.url);
  const library = dirname(require.resolve("@expo-google-fonts/inter/package.json"));
  mkdirSync(fonts);
  for (const file of [...fontFiles, "LICENSE_FONT"]) copyFileSync(join(library, file), join(fonts, basename(file)));
  return library;
}

const clientInfo = { name: "build", version: "1.0.0" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = { name: "purge_queue_get", arguments: { queueName: "default" } };
/** What a client of each era sends first. */
const firstMessages = [
  [
    { id: 1, method: "tools/list", params: { _meta: meta } },
    { id: 2, method: "tools/call", params: { ...call, _meta: meta } },
  ],
  [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list", params: {} },
    { id: 3, method: "tools/call", params: call },
  ],
];

// An empty temporary directory hides the code that this user's other processes have cached, so that builds are reproducible.
const scratch = mkdtempSync(join(tmpdir(), "edgewise-build-"));
const env = { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch };

/**
 * Runs the finished program for a client that sends some messages, and leaves the code that V8 compiled in `dist/code-cache`.
 * @returns The result for the last message.
 */
async function lastResult(messages: readonly Readonly<Record<string, unknown>>[]): Promise<unknown> {
  const words = ["scripts/record-code-cache.cjs", "--emulator"];
  const child = spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "ignore"] });
  const exited = once(child, "exit");
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let result: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { id: number; result: unknown };
    if (answer.id !== messages.at(-1)?.id) continue;
    result = answer.result;
    child.stdin.end();
  }
  const [code] = await exited;
  if (code !== 0 || result === undefined) throw new Error(`the program exited with ${code} and did not answer`);
  return result;
}

rmSync("dist", { recursive: true, force: true });
mkdirSync(program, { recursive: true });
const pieces: OutputOptions = {
  dir: program,
  // All that the entry needs, in a piece beside it: another piece that took something from the entry would run it again.
  codeSplitting: {
    groups: [{ name: "shared", tags: ["$initial"], test: (path) => path !== resolve("src/server.ts") }],
  },
};
const inProgram = await bundle("src/server.ts", pieces);
const fontLibrary = copyFonts();
for (const path of guideFiles()) cpSync(join("src/tools", path), join(program, path));
for (const name of Object.values(completionFiles)) copyFileSync(join("src/commands", name), join(program, name));
for (const name of Object.keys(assets)) copyFileSync(join("src/mcp/http/desk", name), join(program, name));
await bundle("src/loader.cts", { file: "dist/server.js", banner: "#!/usr/bin/env node" });
const inWorker = await bundle("src/rows/sql/worker.ts", { file: join(program, "query-worker.js") });
writeFileSync("dist/THIRD_PARTY_NOTICES.txt", noticesOf([...inProgram, ...inWorker], [fontLibrary]));
writeFileSync("dist/package.json", '{"type":"commonjs"}\n');
const services = await allServices();
for (const apis of ["documents", "today"] as const) {
  const write = (name: Parameters<typeof generatedFile>[0], text: string) =>
    writeFileSync(join(program, generatedFile(name, apis)), text);
  const workflows = await allWorkflows(apis);
  write("catalogue", catalogueText(catalogueOf(services, workflows, apis)));
  write("search", await searchIndex(apis));
  write("readings", JSON.stringify(await readingsOf(services, workflows, apis)));
}
writeFolder(join(program, "definitions"), await boxFiles(), true);
chmodSync("dist/server.js", 0o755);
// After another request, the list comes from the SDK and not from the file that is being written.
const list = await lastResult([
  { id: 0, method: "prompts/list", params: { _meta: meta } },
  { id: 1, method: "tools/list", params: { _meta: meta } },
]);
writeFileSync(join(program, firstListFile), JSON.stringify(list));
for (const messages of firstMessages) await lastResult(messages);
rmSync(scratch, { recursive: true, force: true });
