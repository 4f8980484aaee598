/** The MCP servers of the OpenAI Agents SDK; tools are called as an agent calls them. */
import { getAllMcpTools, MCPServerStdio, MCPServerStreamableHttp, RunContext } from "@openai/agents";
import { contents, noMethod, noSource } from "./answers.mjs";

export async function open(target) {
  const server =
    target.kind === "stdio"
      ? new MCPServerStdio({ command: target.command, args: target.args, env: target.env })
      : new MCPServerStreamableHttp({
          url: target.url,
          requestInit: { headers: { authorization: `Bearer ${target.token}` } },
        });
  await server.connect();
  const tools = await getAllMcpTools({ mcpServers: [server], errorFunction: null });
  const name = server.constructor.name;
  return {
    list: async () => tools.map((tool) => tool.name),
    call: async (wanted, args) => {
      const tool = tools.find((one) => one.name === wanted);
      const answer = await tool.invoke(new RunContext(), JSON.stringify(args));
      return { shown: typeof answer === "string" ? answer : JSON.stringify(answer), isError: false };
    },
    read: async (uri) => contents(await server.readResource(uri)),
    prompt: noMethod(server, name, /prompt/i, "It passes tools and resources on, and no prompts."),
    complete: noMethod(server, name, /complet/i, "It has no call for completions."),
    ask: noSource(
      import.meta.resolve("@openai/agents-core"),
      "@openai/agents-core",
      /elicit/i,
      "It has no way for a server to ask its user.",
    ),
    close: () => server.close(),
  };
}
