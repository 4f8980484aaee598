/**
 * Builds `dist/`: the program, cut so that each command and each service loads only what it needs, the catalogue, the
 * code that V8 compiles for it, and the licenses of the libraries in it.
 */
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { build, type Metafile, transform } from "esbuild";
import { fontFiles } from "../src/charts/png.js";
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
import { lightResponses, withoutAnswerValidator, zodOfItsOwn } from "./plugins.js";
import { searchIndex } from "./search-index.js";

const program = "dist/program";

/** The names that a piece exports and sets again after it has declared them. */
function reassignedExports(text: string): string[] {
  const exported = /^export \{([^}]*)\};/m.exec(text)?.[1] ?? "";
  const names = exported.split(",").map((name) => name.trim().split(" as ")[0] ?? "");
  return names.filter((name) => {
    const written = name.replaceAll("$", String.raw`\$`);
    const sets = new RegExp(String.raw`(?<![\w$.])${written}\s*(?:=(?![=>])|\+\+|--|[-+*/|&?%^]{1,3}=(?!=))`, "g");
    const isFunction = new RegExp(String.raw`(?:function\*?|class)\s+${written}(?![\w$])`).test(text);
    return name !== "" && (text.match(sets) ?? []).length > (isFunction ? 0 : 1);
  });
}

/**
 * A piece that takes what it imports of other pieces into constants. As CommonJS it would otherwise ask a getter for each
 * name at each use, which was a seventh of the processor's time of a call over HTTP. Pieces never import one another in a
 * circle: what one imports is needed by all that need it, and by others, too.
 * @throws Error for a piece whose exports change, because a constant would not.
 */
function withConstantImports(text: string, path: string): string {
  const reassigned = reassignedExports(text);
  if (reassigned.length > 0) throw new Error(`${path} exports what it sets again: ${reassigned.join(", ")}`);
  return text.replaceAll(
    /^import \{([^}]*)\} from ("\.\/[^"]+");$/gm,
    (_, names: string, from: string) => `const {${names.replaceAll(" as ", ": ")}} = require(${from});`,
  );
}

/**
 * Bundles and splits as ES modules, then turns each piece into a CommonJS one, because only those take V8's cache.
 * @returns What is in the bundle.
 */
async function buildProgram(): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    entryPoints: ["src/server.ts"],
    outdir: program,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
    // It has a native package for each platform, which npm installs beside the program, or not at all.
    external: ["@resvg/resvg-js"],
    // Its other form hides what it imports in a function, where no bundler finds it.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    plugins: [withoutAnswerValidator, lightResponses, zodOfItsOwn],
  });
  for (const { path, text } of outputFiles) {
    const banner = text.includes("import.meta.url")
      ? 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;'
      : "";
    const { code } = await transform(withConstantImports(text, path), {
      format: "cjs",
      platform: "node",
      target: "node20",
      minify: true,
      banner,
      define: { "import.meta.url": "importMetaUrl" },
      supported: { "dynamic-import": false },
    });
    writeFileSync(join(program, basename(path)), code);
  }
  return metafile;
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

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "build", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = { name: "purge_queue_get", arguments: { queueName: "default" } };
const firstMessages = [
  [
    { id: 1, method: "tools/list", params: { _meta: meta } },
    { id: 2, method: "tools/call", params: { ...call, _meta: meta } },
  ],
  [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "1.0.0" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list", params: {} },
    { id: 3, method: "tools/call", params: call },
  ],
];

// An empty temporary directory hides the code that this user's other processes have cached, so that builds are reproducible.
const scratch = mkdtempSync(join(tmpdir(), "edgewise-build-"));
const env = { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch };

/** Runs the program as a client of one era would, and leaves the code that V8 compiled in `dist/code-cache`. */
async function recordCodeCache(messages: readonly object[]): Promise<void> {
  const child = spawn(process.execPath, ["scripts/run.mjs", "scripts/record-code-cache.ts"], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const last = messages.length - 1;
  let answered = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    answered += text;
    if (answered.includes(`"id":${(messages[last] as { id: number }).id}`)) child.stdin.end();
  });
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the program exited with ${code} while its code cache was recorded`);
}

/** The result of the first `tools/list`, as the finished server returns it through the SDK. */
async function firstList(): Promise<string> {
  const child = spawn(process.execPath, ["dist/server.js", "--emulator"], { env, stdio: ["pipe", "pipe", "ignore"] });
  // After another request, the list comes from the SDK and not from the file that is being written.
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "prompts/list", params: { _meta: meta } })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } })}\n`);
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id: number; result: unknown };
    if (id !== 1) continue;
    child.stdin.end();
    return JSON.stringify(result);
  }
  throw new Error("the server did not list its tools");
}

rmSync("dist", { recursive: true, force: true });
mkdirSync(program, { recursive: true });
const inProgram = await buildProgram();
const fontLibrary = copyFonts();
for (const path of guideFiles()) cpSync(join("src/tools", path), join(program, path));
for (const name of Object.keys(assets)) copyFileSync(join("src/mcp/http/desk", name), join(program, name));
await build({
  entryPoints: ["src/loader.cts"],
  outfile: "dist/server.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  minify: true,
  banner: { js: "#!/usr/bin/env node" },
});
const { metafile: inWorker } = await build({
  entryPoints: ["src/query/worker.ts"],
  outfile: join(program, "query-worker.js"),
  bundle: true,
  metafile: true,
  external: ["@duckdb/node-api"],
  platform: "node",
  format: "cjs",
  target: "node20",
  minify: true,
});
writeFileSync("dist/THIRD_PARTY_NOTICES.txt", noticesOf([inProgram, inWorker], [fontLibrary]));
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
writeFileSync(join(program, firstListFile), await firstList());
for (const messages of firstMessages) await recordCodeCache(messages);
rmSync(scratch, { recursive: true, force: true });
