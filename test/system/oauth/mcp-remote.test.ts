import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folder } from "../../lab/files.js";
import { bareEnvironment } from "../../lab/session.js";
import { type Authority, startAuthority } from "./authority.js";
import { signIn } from "./browser.js";
import { type Served, serveFor } from "./served.js";

const require = createRequire(import.meta.url);
const program = require.resolve("mcp-remote/dist/proxy.js");

let authority: Authority;
let served: Served;
beforeAll(async () => {
  authority = await startAuthority({ ann: { groups: [], mayHave: ["edgewise:read"] } });
  served = await serveFor(authority);
});
afterAll(async () => {
  await served?.stop();
  await authority?.close();
});

/** Connects through the program; the person signs in as soon as it says where. */
async function connect(home: string): Promise<{ readonly client: Client; readonly signIns: () => number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, served.url.href],
    // Without a browser it says where to sign in.
    env: { ...bareEnvironment({ HOME: home }), MCP_REMOTE_CONFIG_DIR: home },
    stderr: "pipe",
  });
  let [said, signIns] = ["", 0];
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)\s/.exec(said) ?? [];
    if (url === undefined || signIns > 0) return;
    signIns += 1;
    signIn(new URL(url), ({ pathname }) => pathname === "/oauth/callback").then((callback) => fetch(callback));
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport, { timeout: 100_000 });
  return { client, signIns: () => signIns };
}

it("signs in once, calls, and needs no sign-in when it is started again", async () => {
  const home = folder();
  for (const expected of [1, 0]) {
    const { client, signIns } = await connect(home);
    const read = { name: "purge_queue_get", arguments: { queueName: "default" } };
    expect(JSON.stringify(await client.callTool(read))).toContain("queueLength");
    expect(signIns()).toBe(expected);
    await client.close();
  }
});
