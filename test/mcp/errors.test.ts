/** What a client learns of an error: the words that were written for it, and of any other error not one. */
import type { Client } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import type { ToolEntry } from "../../src/engine/catalogue.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { clientOf, surfaceOf } from "../lab/client.js";
import { servicesOfProject } from "../lab/project.js";

const readings = await readingsOf(await servicesOfProject());
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

async function refusal(catalogue: Map<string, ToolEntry>, ask: (client: Client) => Promise<unknown>) {
  const { client } = await clientOf(surfaceOf({ catalogue, readings, engine: raise }));
  const error = await ask(client).catch((reason: unknown) => reason);
  await client.close();
  return error;
}

const template = { type: "ref/resource", uri: "operation://{tool}" } as const;

it.each([
  ["tools/call", (client: Client) => client.callTool({ name: "known" })],
  ["tools/call, of a tool that is looked for", (client: Client) => client.callTool({ name: "unknown" })],
  ["resources/read", (client: Client) => client.readResource({ uri: "operation://unknown" })],
  [
    "completion/complete",
    (client: Client) => client.complete({ ref: template, argument: { name: "tool", value: "d" } }),
  ],
])("keeps the words of a runtime's error in %s to itself", async (_, ask) => {
  const error = await refusal(new Broken(), ask);
  expect(error).toMatchObject({ code: -32_603, message: expect.stringMatching(/^Internal server error\./) });
  expect(error).toMatchObject({ data: undefined });
  expect(JSON.stringify([error, String(error)])).not.toContain(secret);
});

it.each([
  ["tools/call", (client: Client) => client.callTool({ name: "unknown" }), /There is no tool "unknown"/],
  [
    "prompts/get",
    (client: Client) => client.getPrompt({ name: "unknown" }),
    /There is no prompt "unknown"; there is .*purge_safely/,
  ],
  ["resources/read", (client: Client) => client.readResource({ uri: "operation://unknown" }), /Resource not found/],
])("passes the words on that were written for the client in %s", async (_, ask, message) => {
  const error = await refusal(new Map(), ask);
  expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(message) });
});
