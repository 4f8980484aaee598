/** The recipe of docs/access.md for a sign-in on this machine, carried out as it stands there, but on other ports. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, expect, it } from "vitest";
import { folder } from "../../lab/files.js";
import { bareEnvironment, startProcess } from "../../lab/session.js";
import { eventually } from "../../lab/time.js";
import { connectAs } from "./served.js";

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => void child.kill("SIGKILL")));
const [, section = ""] = readFileSync("docs/access.md", "utf8").split("### Try it on this machine\n");
const blocks = [...section.matchAll(/```\w*\n(.*?)```/gs)].map(([, text = ""]) => text);
const [program = "", commands = "", output = ""] = blocks;

it("the page's sign-in on this machine leads to a call", async () => {
  const port = await new Promise<number>((free) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const { port: found } = listener.address() as AddressInfo;
      listener.close(() => free(found));
    });
  });
  const issuer = `http://127.0.0.1:${port}`;
  const directory = folder();
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"));
  writeFileSync(join(directory, "provider.mjs"), program.replaceAll("3000", String(port)));
  const [node = "", edgewise = ""] = commands.trim().split("\n");
  children.push(spawn(process.execPath, node.split(" ").slice(1), { cwd: directory, stdio: "ignore" }));
  await eventually(async () => expect((await fetch(`${issuer}/.well-known/openid-configuration`)).ok).toBe(true));
  const words = edgewise.replaceAll("http://127.0.0.1:3000", issuer).split(" ").slice(1);
  const env = bareEnvironment({ EDGEWISE_PORT: "0", EDGEWISE_STATE_DIR: folder() });
  const { child, match, stderr } = await startProcess(words, env, /serving MCP at (\S+)/);
  children.push(child);
  const shown = output.trim().replace("http://127.0.0.1:3940/mcp", match).replace("http://127.0.0.1:3000", issuer);
  await eventually(() => expect(stderr()).toContain(shown));
  const { call, wallet, close } = await connectAs(new URL(match), "2026");
  expect((await call("purge_queue_get", { queueName: "default" })).text).toContain("queueLength");
  expect(decodeJwt(wallet.kept?.access_token ?? "")).toMatchObject({ iss: issuer, sub: "ann", aud: match });
  await close();
});
