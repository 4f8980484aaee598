/** The MCP client of Mastra that npm installs on Node 20; its libraries are those of this folder. */
import { MCPClient } from "@mastra/mcp";
import { contents, messages, noMethod, shown } from "../drivers/answers.mjs";

const prefix = "edgewise_";

export async function open(target, ask) {
  const client = new MCPClient({
    id: `${process.pid}`,
    servers: {
      edgewise:
        target.kind === "stdio"
          ? { command: target.command, args: target.args, env: target.env }
          : { url: new URL(target.url), requestInit: { headers: { authorization: `Bearer ${target.token}` } } },
    },
  });
  if (ask) await client.elicitation.onRequest("edgewise", ({ requestedSchema }) => ask(requestedSchema));
  const tools = await client.getTools();
  return {
    list: async () => Object.keys(tools).map((name) => name.replace(prefix, "")),
    call: async (name, args) => {
      const answer = await tools[prefix + name].execute({ context: args }, {});
      return answer?.content ? shown(answer) : { shown: JSON.stringify(answer), isError: false };
    },
    read: async (uri) => contents(await client.resources.read("edgewise", uri)),
    prompt: async (name, args) => messages(await client.prompts.get({ serverName: "edgewise", name, args })),
    complete: noMethod(client, "MCPClient", /complet/i, "It has no call for completions."),
    close: () => client.disconnect(),
  };
}
