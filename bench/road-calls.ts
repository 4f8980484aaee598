/** The calls that are traced, made as the protocol's handler makes them; it is bundled with the instrumented program. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { readConfig } from "../src/config.js";
import { createEngine } from "../src/engine/index.js";
import { handlers } from "../src/mcp/server.js";
import type { Surface } from "../src/mcp/surface.js";
import { catalogueOf, readingsOf } from "../src/mcp/tool.js";
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";
import { type Trace, traced } from "./road-trace.js";

const credentials = `[default]
host = bench.luna.akamaiapis.net
client_token = akab-client-token-of-the-bench
client_secret = c2VjcmV0LW9mLXRoZS1iZW5jaC1jMlZqY21WMA==
access_token = akab-access-token-of-the-bench
`;
const purge = { queueName: "default", body: { objects: ["https://www.shop.example/a.css"] } };
const report = {
  reportName: "some-report",
  version: 1,
  start: "2020-01-01T00:00:00Z",
  end: "2026-01-01T00:00:00Z",
  allObjectIds: true,
};

/** Makes each call twice, so that nothing is loaded any more by the second, and traces that one. */
export async function tracedCalls(): Promise<
  Readonly<Record<"plain read" | "preview" | "confirm" | "large report", Trace>>
> {
  const directory = mkdtempSync(join(tmpdir(), "edgewise-road-"));
  const edgerc = join(directory, "edgerc");
  writeFileSync(edgerc, credentials, { mode: 0o600 });
  const config = readConfig(["--edgerc", edgerc, "--state-dir", join(directory, "state")], {});
  const [services, workflows] = await Promise.all([allServices(), allWorkflows()]);
  const catalogue = catalogueOf(services, workflows);
  const engine = await createEngine(config, catalogue, (line) => void process.stderr.write(`${line}\n`));
  const surface: Surface = {
    catalogue,
    readings: await readingsOf(services, workflows),
    version: "0.0.0",
    isEmulated: false,
    isReadOnly: false,
    engine: async () => engine,
  };
  const serve = handlers(surface)["tools/call"];
  // As much of a request of a client that cannot be asked as the handler looks at.
  const context = {
    mcpReq: {
      id: 1,
      method: "tools/call",
      envelope: { "io.modelcontextprotocol/clientCapabilities": {} },
      requestState: () => undefined,
      signal: new AbortController().signal,
    },
  } as unknown as ServerContext;
  const server = { getClientVersion: () => undefined } as unknown as Server;
  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const request = { method: "tools/call", params: { name, arguments: args } } as const;
    const { answer, trace } = await traced(() => serve(request, context, server));
    const { isError, structuredContent } = answer as { isError?: boolean; structuredContent?: Record<string, unknown> };
    if (isError || !structuredContent) throw new Error(`unexpected answer: ${JSON.stringify(answer).slice(0, 1_000)}`);
    return { structuredContent, trace };
  };
  const round = async () => {
    const read = await call("purge_queue_get", { queueName: "default" });
    const preview = await call("purge_submit", purge);
    const confirm = await call("purge_submit", { ...purge, confirm: preview.structuredContent["confirm"] });
    const large = await call("report_data_get", report);
    return {
      "plain read": read.trace,
      preview: preview.trace,
      confirm: confirm.trace,
      "large report": large.trace,
    };
  };
  try {
    await round();
    return await round();
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true });
  }
}
