/** Sign-in as a person has it: from the address alone to a call, through expiry, new keys, step-up and denial. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Client, UnauthorizedError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder } from "../../lab/files.js";
import { bareEnvironment } from "../../lab/session.js";
import { eventually } from "../../lab/time.js";
import { typed } from "../typed.js";
import { type Authority, startAuthority } from "./authority.js";
import { signIn } from "./browser.js";
import { connectAs, type Era, type Served, serveFor } from "./served.js";

const require = createRequire(import.meta.url);
const all = ["edgewise:read", "edgewise:write", "edgewise:destructive"];
const eras: readonly Era[] = ["2025", "2026"];
const purge = { queueName: "default", body: { objects: ["https://www.example.com/a.jpg"] } };

let authority: Authority;
let served: Served;
beforeAll(async () => {
  authority = await startAuthority({
    ann: { groups: ["cdn", "ops"], mayHave: all },
    bob: { groups: ["cdn"], mayHave: ["edgewise:read"] },
    cleo: { groups: [], mayHave: all },
  });
  served = await serveFor(authority);
});
afterAll(async () => {
  await served?.stop();
  await authority?.close();
});

/** Connects a client of a person. */
async function connect(person: string, era: Era, tokenSeconds = 3_600) {
  authority.person = person;
  authority.tokenSeconds = tokenSeconds;
  return connectAs(served.url, era);
}

const edgewise = async (words: string) => (await typed([...words.split(" "), "--state-dir", served.stateDir])).stdout;

describe.each(eras)("a client of %s", (era) => {
  it("a client finds the provider by address, registers, signs in, calls", async () => {
    const { call, wallet, client, close } = await connect("ann", era);
    expect(wallet.asked).toEqual(["edgewise:read offline_access"]);
    expect((await call("purge_queue_get", { queueName: "default" })).text).toContain("queueLength");
    expect(client.getInstructions()).toContain("The scopes of this client's token do not allow every tool");
    await close();
    expect(wallet.asked).toHaveLength(1);
  });

  it("a client's session outlives its token without another sign-in", async () => {
    const { call, wallet, sessionId, close } = await connect("ann", era, 2);
    const [session, first] = [sessionId(), wallet.kept];
    await eventually(() => expect(wallet.expiresAtMs()).toBeLessThan(Date.now()));
    expect((await call("purge_queue_get", { queueName: "default" })).text).toContain("queueLength");
    expect(wallet.kept?.access_token).not.toBe(first?.access_token);
    expect(wallet.asked).toHaveLength(1);
    expect([sessionId(), session === undefined]).toEqual([session, era === "2026"]);
    await close();
  });

  it("a client lists tools beyond its scopes, and signs in to call one", async () => {
    const { call, wallet, client, close } = await connect("ann", era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("purge_submit");
    const { text } = await call("purge_submit", purge);
    expect(text).toMatch(/plan_[\w-]{22}/);
    expect(wallet.asked).toHaveLength(2);
    expect(new Set(wallet.asked[1]?.split(" "))).toEqual(
      new Set(["edgewise:read", "edgewise:destructive", "offline_access"]),
    );
    const [confirm] = /plan_[\w-]{22}/.exec(text) ?? [];
    expect((await call("purge_submit", { ...purge, confirm })).isError).toBeUndefined();
    await close();
  });

  it("a client refused a scope signs in once per attempt, then fails", async () => {
    const { call, wallet, client, close } = await connect("bob", era);
    await expect(call("purge_submit", purge)).rejects.toThrow(UnauthorizedError);
    // The first time, for its attempt after the sign-in, and not again.
    expect(wallet.asked).toHaveLength(3);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("purge_submit");
    expect((await call("purge_queue_get", { queueName: "default" })).text).toContain("queueLength");
    await close();
  });

  it("a denied client is shut out within a second, and back when allowed", async () => {
    const { call, close } = await connect("cleo", era);
    const read = () => call("purge_queue_get", { queueName: "default" });
    expect((await read()).isError).toBeUndefined();
    expect(await edgewise("tokens deny --subject cleo")).toContain("refused within a second");
    expect(await edgewise("tokens list")).toContain("cleo");
    await eventually(() => expect(read()).rejects.toThrow("401"));
    expect(await edgewise("tokens allow --subject cleo")).toContain("accepted again");
    await eventually(async () => expect((await read()).isError).toBeUndefined());
    await close();
  });
});

/** Connects through mcp-remote; the person signs in as soon as it says where. */
async function connectThrough(home: string): Promise<{ readonly client: Client; readonly signIns: () => number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [require.resolve("mcp-remote/dist/proxy.js"), served.url.href],
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

it("mcp-remote signs in once, and not again when it is started anew", async () => {
  authority.person = "bob";
  authority.tokenSeconds = 3_600;
  const home = folder();
  for (const expected of [1, 0]) {
    const { client, signIns } = await connectThrough(home);
    const read = { name: "purge_queue_get", arguments: { queueName: "default" } };
    expect(JSON.stringify(await client.callTool(read))).toContain("queueLength");
    expect(signIns()).toBe(expected);
    await client.close();
  }
});

it("has on record who has denied whose tokens, and whose calls were made", async () => {
  let lines = await edgewise("audit show --json");
  expect(lines).toContain("purge_submit");
  expect(await edgewise("audit verify")).toContain("unbroken");
  for (const file of readdirSync(join(served.stateDir, "audit")))
    lines += readFileSync(join(served.stateDir, "audit", file), "utf8");
  expect(lines).toContain('"event":"tokens_denied"');
  expect(lines).toContain('"tokens":"subject cleo"');
});
