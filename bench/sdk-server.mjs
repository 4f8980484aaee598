/** The baseline of HTTP throughput: the SDK's own low-level server with one tool that does nothing. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";

const tool = { name: "nothing", description: "Does nothing.", inputSchema: { type: "object" } };
const build = () => {
  const server = new Server({ name: "floor", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [tool] }));
  server.setRequestHandler("tools/call", async () => ({
    content: [{ type: "text", text: '{"status":200}' }],
    structuredContent: { status: 200 },
  }));
  return server;
};
const handler = toNodeHandler(createMcpHandler(build));
const server = createServer((request, response) => void handler(request, response));
server.listen(0, "127.0.0.1", () => console.error(`listening at http://127.0.0.1:${server.address().port}/mcp`));
