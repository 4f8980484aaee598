/** The baseline of HTTP throughput without an upstream: the SDK's own low-level server with one tool and one answer to it. */
import { Server } from "@modelcontextprotocol/server";
import { serve } from "./sdk-serve.mjs";

const answer = JSON.parse(process.argv[2]);
const tool = { name: "ask", description: "Answers.", inputSchema: { type: "object" } };

serve(() => {
  const server = new Server({ name: "floor", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [tool] }));
  server.setRequestHandler("tools/call", async () => answer);
  return server;
});
