/** The client of the protocol's own SDK, version 1, which most of the others are built on. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { contents, messages, shown, template } from "./answers.mjs";

export async function open(target, ask) {
  const client = new Client(
    { name: "edgewise-clients", version: "1.0.0" },
    { capabilities: ask ? { elicitation: {} } : {} },
  );
  if (ask) client.setRequestHandler(ElicitRequestSchema, ({ params }) => ask(params.requestedSchema));
  await client.connect(
    target.kind === "stdio"
      ? new StdioClientTransport({ ...target, stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(target.url), {
          requestInit: { headers: { authorization: `Bearer ${target.token}` } },
        }),
  );
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => shown(await client.callTool({ name, arguments: args })),
    read: async (uri) => contents(await client.readResource({ uri })),
    prompt: async (name, args) => messages(await client.getPrompt({ name, arguments: args })),
    complete: async (...given) => (await client.complete(template(...given))).completion.values,
    close: () => client.close(),
  };
}
