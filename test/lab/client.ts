/** A client of a server that runs in this process. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import type { Surface } from "../../src/engine/surface.js";
import { serverFactory } from "../../src/mcp/server.js";

/** Connects a client that cannot ask; what is not a part of the surface is passed on to the server. */
export async function clientOf(
  surface: Surface,
  maxPending?: number,
  menu?: Parameters<ReturnType<typeof serverFactory>>[1],
) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(surface, maxPending)(undefined, menu).connect(theirs);
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(ours);
  return { client, transport: ours };
}

/** A surface of which nothing is called. */
export const surfaceOf = (more: Partial<Surface>): Surface => ({
  catalogue: new Map(),
  readings: { resources: [], prompts: [], introductions: [] },
  version: "1",
  isEmulated: true,
  isReadOnly: false,
  engine: () => Promise.reject(new Error("Nothing is called here.")),
  ...more,
});
