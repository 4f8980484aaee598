/** The baseline of HTTP throughput. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { build } from "./sdk-floor.mjs";

const handler = toNodeHandler(createMcpHandler(build));
const server = createServer((request, response) => void handler(request, response));
server.listen(0, "127.0.0.1", () => console.error(`listening at http://127.0.0.1:${server.address().port}/mcp`));
