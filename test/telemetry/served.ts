/** A server in this process whose tools end as they are told to, with its telemetry and a client of either transport. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Caller, Outcome } from "../../src/calls/index.js";
import type { ToolEntry } from "../../src/engine/catalogue.js";
import type { Log } from "../../src/language/log.js";
import { serverFactory } from "../../src/mcp/server.js";
import type { Surface } from "../../src/mcp/surface.js";
import { createTelemetry } from "../../src/telemetry/index.js";
import { readExposition } from "./exposition.js";

/** How a call ends. */
export type Ends = (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<Outcome>;

const entry = (name: string, more: Partial<ToolEntry> = {}): ToolEntry => ({
  service: "things",
  effect: "read",
  tool: {
    name,
    title: name,
    description: name,
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  ...more,
});

const catalogue = new Map([
  ["thing_get", entry("thing_get")],
  ["thing_delete", entry("thing_delete", { effect: "destructive" })],
  ["secret_service_thing_get", entry("secret_service_thing_get", { imported: {} as never, service: "secret-service" })],
]);

export const done: Outcome = { kind: "workflow", result: { done: true } };

interface Entry {
  readonly message: string;
  readonly level: string;
  readonly [field: string]: unknown;
}

export async function startServed(ends: Ends, { maxPending = 256 } = {}) {
  const lines: Entry[] = [];
  const log: Log = (message, level = "info", fields = {}) => void lines.push({ message, level, ...fields });
  const telemetry = createTelemetry("1.2.3", { hasMeters: true, log });
  const presentation = { upstream: "here", secrets: [], maxTokens: 8_000, isTextOnly: false };
  const engine = {
    presentation,
    within: async () => ({
      presentation,
      calls: { call: (_: string, args: Record<string, unknown>, caller: Caller) => ends(args, caller) },
      results: { keep: async () => undefined },
    }),
  };
  const surface = {
    catalogue,
    readings: { resources: [], prompts: [{ name: "thing_guide", service: "things" }], introductions: [] },
    version: "1.2.3",
    isEmulated: true,
    isReadOnly: false,
    telemetry,
    engine: async () => engine,
  } as unknown as Surface;
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(surface, maxPending)().connect(theirs);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(ours);
  return {
    client,
    lines,
    surface,
    /** Sends a message as it is. */
    send: (message: object) => ours.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage),
    families: async () => readExposition((await telemetry.meters?.text()) ?? ""),
    close: () => client.close(),
  };
}
