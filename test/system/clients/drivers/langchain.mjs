/** LangChain's MCP adapters; what they have no function for is asked of the SDK's client that `getClient` returns. */
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { messages, noSource, template } from "./answers.mjs";

export async function open(target) {
  const client = new MultiServerMCPClient({
    mcpServers: {
      edgewise:
        target.kind === "stdio"
          ? { transport: "stdio", command: target.command, args: target.args, env: target.env, stderr: "ignore" }
          : { transport: "http", url: target.url, headers: { authorization: `Bearer ${target.token}` } },
    },
  });
  const tools = await client.getTools();
  const inner = await client.getClient("edgewise");
  return {
    list: async () => tools.map(({ name }) => name),
    call: async (name, args) => {
      const answer = await tools.find((tool) => tool.name === name).invoke(args);
      return { shown: typeof answer === "string" ? answer : JSON.stringify(answer), isError: false };
    },
    read: async (uri) => (await client.readResource("edgewise", uri)).map(({ text }) => text).join("\n"),
    prompt: async (name, args) => messages(await inner.getPrompt({ name, arguments: args })),
    complete: async (...given) => (await inner.complete(template(...given))).completion.values,
    ask: noSource(
      import.meta.resolve("@langchain/mcp-adapters"),
      "@langchain/mcp-adapters",
      /elicit/i,
      "It has no way for a server to ask its user.",
    ),
    close: () => client.close(),
  };
}
