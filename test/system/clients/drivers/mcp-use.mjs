/** The client of mcp-use. */
import { MCPClient } from "mcp-use/client";
import { contents, messages, shown, template } from "./answers.mjs";

export async function open(target, ask) {
  const client = new MCPClient(
    {
      mcpServers: {
        edgewise:
          target.kind === "stdio"
            ? { command: target.command, args: target.args, env: target.env }
            : { url: target.url, headers: { authorization: `Bearer ${target.token}` } },
      },
    },
    ask ? { onElicitation: async ({ requestedSchema }) => ask(requestedSchema) } : {},
  );
  const session = await client.createSession("edgewise");
  return {
    list: async () => (await session.listTools()).map(({ name }) => name),
    call: async (name, args) => shown(await session.callTool(name, args)),
    read: async (uri) => contents(await session.readResource(uri)),
    prompt: async (name, args) => messages(await session.getPrompt(name, args)),
    complete: async (...given) => (await session.complete(template(...given))).completion.values,
    close: () => client.close(),
  };
}
