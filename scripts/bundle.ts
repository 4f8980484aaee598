/** Makes the MCP bundle: validates its manifest, packs it, unpacks it where no library is, and has it serve a client. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getMcpConfigForManifest, packExtension, unpackExtension, validateManifest } from "@anthropic-ai/mcpb";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import manifest from "../manifest.json" with { type: "json" };

/** Without the optional engines, which are made for each platform. */
const maxBytes = 5_000_000;

/** Starts the unpacked bundle as a client does, with a form that nobody filled in, and has it list and call. */
async function serve(directory: string): Promise<void> {
  const unpacked = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as typeof manifest;
  const config = await getMcpConfigForManifest({
    manifest: unpacked as Parameters<typeof getMcpConfigForManifest>[0]["manifest"],
    extensionPath: directory,
    systemDirs: {},
    userConfig: {},
    pathSeparator: "/",
  });
  if (!config) throw new Error("The manifest starts nothing.");
  const home = join(directory, "home");
  mkdirSync(home);
  const client = new Client({ name: "bundle", version: manifest.version });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, TMPDIR: home, ...config.env };
  const { command, args = [] } = config;
  await client.connect(new StdioClientTransport({ command, args, env, cwd: home, stderr: "inherit" }));
  const listed = { tools: (await client.listTools()).tools, prompts: (await client.listPrompts()).prompts };
  // A tool that is not listed, which the call tools reach.
  const { isError } = await client.callTool({
    name: "operation_read",
    arguments: { tool: "purge_queue_get", arguments: { queueName: "default" } },
  });
  await client.close();
  if (isError) throw new Error("The bundle cannot call a tool.");
  for (const kind of ["tools", "prompts"] as const) {
    const [found, said] = [listed, unpacked].map((one) => one[kind].map(({ name }) => name).join(", "));
    if (found !== said) throw new Error(`The bundle lists the ${kind} ${found}, and its manifest has ${said}.`);
  }
}

const [into = "."] = process.argv.slice(2);
const file = resolve(into, `${manifest.name}-${manifest.version}.mcpb`);
const isMade =
  validateManifest("manifest.json") && (await packExtension({ extensionPath: ".", outputPath: file, silent: true }));
if (!isMade) throw new Error("The bundle was not made.");
const { size } = statSync(file);
if (size > maxBytes) throw new Error(`The bundle has ${size} bytes; ${maxBytes} are allowed.`);
const elsewhere = mkdtempSync(join(tmpdir(), "edgewise-bundle-"));
try {
  if (!(await unpackExtension({ mcpbPath: file, outputDir: elsewhere, silent: true })))
    throw new Error("The bundle cannot be unpacked.");
  await serve(elsewhere);
} finally {
  rmSync(elsewhere, { recursive: true });
}
console.log(`${file}: ${(size / 1e6).toFixed(2)} MB, unpacked and tried`);
