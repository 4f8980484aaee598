/** The definitions in the box as a process offers them, on the emulator. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { inject } from "vitest";
import { boxFiles } from "../../scripts/box.js";
import { readConfig } from "../../src/config.js";
import type { Shape } from "../../src/definitions/definition.js";
import { type ImportOptions, importDefinitions } from "../../src/definitions/import.js";
import type { ImportedTool, OperationLibrary } from "../../src/definitions/library.js";
import { sampleValue } from "../../src/definitions/sample.js";
import { definitionFiles, writeFolder } from "../../src/definitions/store.js";
import { withImported } from "../../src/engine/catalogue.js";
import { openImported } from "../../src/engine/imported.js";
import { createEngine } from "../../src/engine/index.js";
import { menuOf } from "../../src/engine/menu.js";
import { lazily } from "../../src/language/once-for.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { isDeep } from "../lab/depth.js";
import { folder } from "../lab/files.js";
import { sampled } from "../lab/mechanisms.js";

/** The files of the box: the first worker of a run that needs them makes them for all. */
export const boxed = lazily(async (): ReturnType<typeof boxFiles> => {
  const kept = join(inject("folder"), "box.json");
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8"));
  const files = await boxFiles();
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(files));
  renameSync(`${kept}.${process.pid}`, kept);
  return files;
});
const declared = lazily(async () => catalogueOf(await allServices("documents"), await allWorkflows()));

/**
 * An engine that offers the imported operations of the box.
 * @param files Files in the directory of the imports, such as overrides.
 * @param flags Further flags of the command line.
 */
export async function importing(files: Readonly<Record<string, string>> = {}, flags: readonly string[] = []) {
  const dir = folder();
  writeFolder(dir, { ...(await boxed()), ...files });
  const secrets = folder();
  const usual = flags.includes("--upstream") ? [] : ["--emulator", "--imported", "on"];
  const dirs = ["--imports-dir", dir, "--state-dir", "memory", "--secret-dir", secrets];
  const config = readConfig([...usual, ...dirs, ...flags], {});
  const opened = openImported(config);
  if (opened === undefined) throw new Error("no imports are offered");
  const catalogue = withImported(await declared(), opened.library);
  const lines: string[] = [];
  const engine = await createEngine(config, catalogue, (line) => lines.push(line));
  const menu = menuOf(catalogue, { surface: "all", hasImported: true });
  return { engine, catalogue, library: opened.library, lines, menu, dir, secrets };
}

/** What reaches an API over the network, request by request, which it answers with an empty object. */
export async function receiving() {
  const requests: { readonly line: string; readonly headers: readonly string[] }[] = [];
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: Object.keys(request.headers) });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { requests, flags: ["--upstream", `http://127.0.0.1:${port}`], close: () => server.close() };
}

const nothingElse: ImportOptions = { given: {}, isTool: () => false, isService: () => false, withDescriptions: false };

/** The files of a directory of imports, and what was found on the way, for the paths of an API at `/toys/v1`. */
export function toysImported(paths: object, base = "/toys/v1") {
  const servers = [{ url: `https://{hostname}${base}` }];
  const whole = { openapi: "3.0.0", info: { version: "1" }, servers, paths };
  const { definitions, findings } = importDefinitions([folderOf({ "toys.json": whole })], nothingElse);
  return { definitions, findings, files: definitionFiles(definitions, new Map(), {}) };
}

/** A folder of definitions, by the paths of its files. */
export function folderOf(files: Readonly<Record<string, unknown>>): string {
  const dir = folder();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dir, name), typeof content === "string" ? content : JSON.stringify(content));
  return dir;
}

const sampling = { noise: () => 0.4, nowMs: Date.UTC(2026, 4, 1), known: {} };

/** Arguments that fit the definition: all that are required, and the body. */
export function argumentsFor(tool: ImportedTool): Record<string, unknown> {
  const { properties, required = [] } = tool.schema();
  const names = Object.keys(properties).filter((name) => required.includes(name) || name === "body");
  return Object.fromEntries(
    names.map((name) => {
      const value = sampleValue(properties[name] as Shape, sampling, [name]);
      return [name, typeof value === "string" ? value.replaceAll(" ", "-") : (value ?? {})];
    }),
  );
}

/** All imported tools. */
export const toolsOf = (library: OperationLibrary): readonly ImportedTool[] =>
  library.summaries().flatMap(({ operations }) => Object.keys(operations).flatMap((name) => library.find(name) ?? []));

/** What decides whether a call leaves: how it was made a tool, and each read by a method that could do more. */
function mechanismsIn({ name, route, effect, declaredBy, facts }: ImportedTool): readonly string[] {
  const { compiled } = facts();
  const [method] = route.split(" ");
  return [
    `${method} ${effect}`,
    ...Object.keys(compiled).map((member) => `${effect} ${member}`),
    ...Object.values(compiled.returns).map((media) => `${effect} answers ${media?.type}`),
    `${effect} sends ${compiled.body?.type}`,
    `${effect} ${declaredBy === undefined ? "alone" : "declared, too"}`,
    ...(effect === "read" && method === "POST" ? [name] : []),
  ];
}

/** The names of one imported tool of each kind, which are the same for all who offer the box. */
const namesOfEachKind = lazily((library: OperationLibrary) =>
  sampled(toolsOf(library), mechanismsIn).map(({ name }) => name),
);

/** Imported tools of each kind; in depth, all. */
export const ofEachKind = (library: OperationLibrary): readonly ImportedTool[] =>
  isDeep ? toolsOf(library) : namesOfEachKind(library).flatMap((name) => library.find(name) ?? []);
