/** Subscriptions as clients of both eras have them: what they follow tells them when it moves, and is read as it then is. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kind, kinds } from "../../lab/session.js";
import { approved, connectListener, ears, type Listener, read } from "../listener.js";
import { json, startUpstream, type Upstream } from "../upstream.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };

/** A purge of each client is done at the third look, and asks for no pause before the next one. */
let upstream: Upstream;
const looks = new Map<string, number>();
const listeners = new Map<Kind, Promise<Listener>>();
beforeAll(async () => {
  upstream = await startUpstream((response, { method, target }) => {
    if (target.includes("/queues/") && method === "GET")
      return json(response, 200, { httpStatus: 200, queueLength: 0 });
    const purgeId = method === "POST" ? `purge-${looks.size}` : (target.split("/").at(-1) ?? "");
    const count = looks.get(purgeId) ?? 0;
    looks.set(purgeId, count + 1);
    const common = { purgeId, pingAfterSeconds: 0, progressUri: `/ccu/v2/purges/${purgeId}`, supportId: "s" };
    if (method === "POST") return json(response, 201, { ...common, httpStatus: 201, estimatedSeconds: 1 });
    json(response, 200, { ...common, httpStatus: 200, purgeStatus: count < 3 ? "In-Progress" : "Done" });
  });
});
afterAll(async () => {
  await Promise.all([...listeners.values()].map(async (listener) => (await listener).close()));
  await upstream.close();
});
function clientOf(kind: Kind): Promise<Listener> {
  const listener = listeners.get(kind) ?? connectListener(kind, { flags: ["--upstream", upstream.url] });
  listeners.set(kind, listener);
  return listener;
}

it.concurrent.each(kinds)("%s hears of a purge until it is done", async (kind) => {
  const own = await clientOf(kind);
  const uri = await approved(own, "purge_submit", purge);
  expect(uri).toMatch(/^live:\/\/purge_submit\?purgeId=/);
  const { heard, listen, until } = ears(own, kind, uri);
  const end = await listen();
  // The move to the end is one, whichever looks come first.
  for (let seen = 1; (await read(own, uri))["purgeStatus"] !== "Done"; seen += 1) await until(seen);
  expect(heard()).not.toEqual([]);
  await end();
});

it.concurrent.each(kinds.filter((one) => one.startsWith("v2")))("%s is declined what does not move", async (kind) => {
  const own = await clientOf(kind);
  expect(own.client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true });
  const none = "live://purge_queue_get?queueName=default";
  const { heard, listen, until } = ears(own, kind, none);
  if (kind.includes("2025")) await expect(listen()).rejects.toMatchObject({ code: expect.any(Number) });
  else {
    // The stream was acknowledged before anybody could look: it is told once, and reading says why.
    await listen();
    await until(1);
    expect(heard()).toEqual([none]);
  }
  await expect(own.client.readResource({ uri: none })).rejects.toThrow(/not found/i);
});

it("no client hears of an address that it did not follow", async () => {
  for (const { heard, followed } of await Promise.all(listeners.values()))
    expect([...followed]).toEqual(expect.arrayContaining([...heard]));
  expect(listeners.size).toBe(kinds.length);
});
