/** The commands as a person types them, once for each code that they leave with. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { canaryVariables } from "../../lab/canary.js";
import { bareEnvironment } from "../../lab/session.js";
import { typed } from "../typed.js";
import { json, startUpstream } from "../upstream.js";

/** Runs the program as a process of its own, while this one can go on to be its upstream. */
async function spawned(args: readonly string[], env = {}) {
  const child = spawn(process.execPath, ["dist/server.js", ...args], { env: bareEnvironment(env) });
  const status = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, status: await status };
}

it("0: the version, in an environment that is broken", async () => {
  const { stdout, status } = await typed(["--version"], bareEnvironment({ EDGEWISE_PROT: "1" }));
  expect([stdout, status]).toEqual([`edgewise ${manifest.version}\n`, 0]);
});

it("0: a call, with the result alone on stdout", async () => {
  const { stdout, stderr, status } = await spawned(["call", "purge_queue_get", '{"queueName":"default"}']);
  expect(JSON.parse(stdout)).toMatchObject({ data: { queueLength: 0 }, upstream: expect.stringContaining("emulator") });
  expect([status, stderr]).toEqual([0, ""]);
});

it("1: a call that was sent and refused, with the failure on stdout", async () => {
  const upstream = await startUpstream((response) => json(response, 400, { title: "Invalid input", status: 400 }));
  const call = ["call", "purge_queue_get", "--queueName", "default", "--upstream", upstream.url];
  const { stdout, status } = await spawned(call, canaryVariables);
  expect(JSON.parse(stdout)).toMatchObject({ error: "rejected", status: 400 });
  expect([status, upstream.received.length]).toEqual([1, 1]);
  await upstream.close();
});

it("78: a flag that the tool does not have, with nothing done", async () => {
  const { status } = await spawned(["call", "purge_queue_get", "--queueName", "default", "--x", "1"]);
  expect(status).toBe(78);
});
