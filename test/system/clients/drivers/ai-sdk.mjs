/** The MCP client of the AI SDK; its tools are called as the SDK calls them for a model. */
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { contents, messages, shown, template } from "./answers.mjs";

export async function open(target, ask) {
  const client = await createMCPClient({
    transport:
      target.kind === "stdio"
        ? new Experimental_StdioMCPTransport({ ...target, stderr: "ignore" })
        : { type: "http", url: target.url, headers: { authorization: `Bearer ${target.token}` } },
    ...(ask ? { capabilities: { elicitation: {} } } : {}),
  });
  if (ask) client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => ask(params.requestedSchema));
  const tools = await client.tools();
  return {
    list: async () => Object.keys(tools),
    call: async (name, args) => shown(await tools[name].execute(args, { toolCallId: "1", messages: [] })),
    read: async (uri) => contents(await client.readResource({ uri })),
    prompt: async (name, args) => messages(await client.experimental_getPrompt({ name, arguments: args })),
    complete: async (...given) => (await client.complete(template(...given))).completion.values,
    close: () => client.close(),
  };
}
