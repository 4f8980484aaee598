/** The baseline of a rule tree: the SDK's own low-level server, which reads a tree or changes one value in it and writes it. */
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Pool } from "undici";

const upstream = new Pool(process.argv[2]);
const path = process.argv[3];
const named = (name) => ({ name, description: "Asks the upstream.", inputSchema: { type: "object" } });
const read = async () => (await upstream.request({ method: "GET", path })).body.json();
const write = async () => {
  const { rules } = await read();
  rules.comments = "changed";
  const headers = { "content-type": "application/json" };
  const { body } = await upstream.request({ method: "PUT", path, headers, body: JSON.stringify({ rules }) });
  return body.json();
};
const build = () => {
  const server = new Server({ name: "floor", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [named("read"), named("write")] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { etag } = await (params.name === "read" ? read() : write());
    return { content: [{ type: "text", text: etag }], structuredContent: { etag } };
  });
  return server;
};
serveStdio(build);
