/** The baseline of a call: the SDK's own low-level server with one tool that asks the upstream and passes its answer on. */
import { Server } from "@modelcontextprotocol/server";
import { Pool } from "undici";

const upstream = new Pool(process.argv[2]);
const tool = { name: "ask", description: "Asks the upstream.", inputSchema: { type: "object" } };

export const build = () => {
  const server = new Server({ name: "floor", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [tool] }));
  server.setRequestHandler("tools/call", async () => {
    const { statusCode, body } = await upstream.request({ method: "GET", path: "/ccu/v2/queues/default" });
    const answer = { status: statusCode, data: await body.json() };
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  });
  return server;
};
