/** Serves a server of the SDK over HTTP as the SDK's documentation has it. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";

export const serve = (build) => {
  const handler = toNodeHandler(createMcpHandler(build));
  const server = createServer((request, response) => void handler(request, response));
  server.listen(0, "127.0.0.1", () => console.error(`listening at http://127.0.0.1:${server.address().port}/mcp`));
};
