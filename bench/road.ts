/**
 * Prints the files of ours that a guarded call enters once it is confirmed, from the server's door to the emulator: those of
 * which a function runs, as the profiler counts them.
 */
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { readConfig } from "../src/config.js";
import { createEngine } from "../src/engine/index.js";
import { serverFactory } from "../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../src/mcp/tool.js";
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";

async function connectedClient(): Promise<Client> {
  const config = readConfig(["--emulator", "--state-dir", "memory"], {});
  const [services, workflows] = await Promise.all([allServices("documents"), allWorkflows()]);
  const catalogue = catalogueOf(services, workflows);
  const readings = await readingsOf(services, workflows);
  const engine = createEngine(config, catalogue, () => undefined);
  const surface = { catalogue, readings, version: "0.0.0", isEmulated: true, isReadOnly: false, engine: () => engine };
  const client = new Client({ name: "bench", version: "1.0.0" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(surface)().connect(theirs);
  await client.connect(ours);
  return client;
}

/** Where each source begins in the bundle that runs this: the bundler writes its path before it. */
function sourcesIn(bundle: string): readonly { readonly from: number; readonly path: string }[] {
  return [...bundle.matchAll(/^\s*\/\/ (\S+\.ts)$/gm)].map(({ index, 1: path = "" }) => ({ from: index, path }));
}

/** The sources of which a function runs during some work, in the order of the bundle. */
async function filesEntered(work: () => Promise<unknown>): Promise<readonly string[]> {
  const address = import.meta.url;
  const sources = sourcesIn(readFileSync(fileURLToPath(address), "utf8"));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const functions = result.find(({ url }) => url === address)?.functions ?? [];
  const ran = functions.flatMap(({ ranges: [range] }) => (range && range.count > 0 ? [range.startOffset] : []));
  const paths = ran.map((at) => sources.findLast(({ from }) => from <= at)?.path ?? "");
  return [...new Set(paths)].filter((path) => path.startsWith("src/"));
}

const client = await connectedClient();
const call = async (confirm?: string) =>
  client.callTool({
    name: "purge_submit",
    arguments: {
      queueName: "default",
      body: { objects: ["https://www.example.com/spring"] },
      ...(confirm === undefined ? {} : { confirm }),
    },
  });
const previewed = async () => ((await call()).structuredContent as { readonly confirm: string }).confirm;

// Once before, because what is computed once for an operation is no part of the way of each call.
await call(await previewed());
const confirm = await previewed();
const files = await filesEntered(async () => {
  const { isError = false, structuredContent } = await call(confirm);
  if (isError) throw new Error(`unexpected answer: ${JSON.stringify(structuredContent)}`);
});
await client.close();
console.log(files.join("\n"));
