/** The client of the protocol's own SDK, version 2. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { contents, messages, shown, template } from "./answers.mjs";

export async function open(target, ask, { negotiates = false } = {}) {
  const client = new Client(
    { name: "edgewise-clients", version: "1.0.0" },
    {
      capabilities: ask ? { elicitation: { form: {} } } : {},
      ...(negotiates ? { versionNegotiation: { mode: "auto" } } : {}),
    },
  );
  if (ask) client.setRequestHandler("elicitation/create", ({ params }) => ask(params.requestedSchema));
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
