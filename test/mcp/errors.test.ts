/** What a client learns of an error: the words that were written for it, and of any other error not one. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, expect, it } from "vitest";
import type { ToolEntry } from "../../src/engine/catalogue.js";
import { serverFactory } from "../../src/mcp/server.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { servicesOfProject } from "../lab/project.js";

const services = await servicesOfProject();
const secret = "akab-secret at /home/someone/.edgerc";
const thrown = Object.assign(new Error(secret), { code: 7, data: { secret } });
const raise = (): never => {
  throw thrown;
};

/** A catalogue that knows one tool, and fails whoever asks about another or about all of them. */
class Broken extends Map<string, ToolEntry> {
  override readonly get = (name: string) => (name === "known" ? ({ service: "x" } as ToolEntry) : raise());
  override readonly keys = raise;
}

const client = new Client({ name: "test", version: "1" });
afterEach(() => client.close());

async function connect(catalogue: Map<string, ToolEntry>): Promise<Client> {
  const engine = () => Promise.reject(thrown);
  const surface = {
    catalogue,
    readings: await readingsOf(services),
    version: "1",
    isEmulated: true,
    isReadOnly: false,
    engine,
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(surface)().connect(theirs);
  await client.connect(ours);
  return client;
}

const template = { type: "ref/resource", uri: "operation://{tool}" } as const;

it.each([
  ["tools/call", () => client.callTool({ name: "known" })],
  ["tools/call, of a tool that is looked for", () => client.callTool({ name: "unknown" })],
  ["resources/read", () => client.readResource({ uri: "operation://unknown" })],
  ["completion/complete", () => client.complete({ ref: template, argument: { name: "tool", value: "d" } })],
])("keeps the words of a runtime's error in %s to itself", async (_, ask) => {
  await connect(new Broken());
  const error = await ask().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: -32_603, message: expect.stringMatching(/^Internal server error\./) });
  expect(error).toMatchObject({ data: undefined });
  expect(JSON.stringify([error, String(error)])).not.toContain(secret);
});

it.each([
  ["tools/call", () => client.callTool({ name: "unknown" }), /There is no tool "unknown"/],
  ["prompts/get", () => client.getPrompt({ name: "unknown" }), /There is no prompt "unknown"; there is .*purge_safely/],
  ["resources/read", () => client.readResource({ uri: "operation://unknown" }), /Resource not found/],
])("passes the words on that were written for the client in %s", async (_, ask, message) => {
  await connect(new Map());
  await expect(ask()).rejects.toMatchObject({ code: -32_602, message: expect.stringMatching(message) });
});
