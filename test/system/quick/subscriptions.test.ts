/** Subscriptions as clients of both eras have them: what they follow tells them when it moves, and is read as it then is. */
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, contentOf, type Kind, kinds, type Session } from "../../lab/session.js";
import { eventually } from "../../lab/time.js";
import { json, startUpstream, type Upstream } from "../upstream.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };

interface Listener extends Session {
  readonly kind: Kind;
  /** The addresses that it follows, or has. */
  readonly followed: Set<string>;
  /** The addresses of which it was told, one by one. */
  readonly heard: string[];
}

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

/** Connects a client that takes down of which addresses it is told. */
async function connected(kind: Kind): Promise<Listener> {
  const session = await connect(kind, { flags: ["--upstream", upstream.url] });
  const heard: string[] = [];
  const name = kind.startsWith("v1") ? ResourceUpdatedNotificationSchema : "notifications/resources/updated";
  const hear = ({ params }: { params: { uri: string } }) => void heard.push(params.uri);
  session.client.setNotificationHandler(name as never, hear as never);
  return { ...session, kind, followed: new Set(), heard };
}
function clientOf(kind: Kind): Promise<Listener> {
  const listener = listeners.get(kind) ?? connected(kind);
  listeners.set(kind, listener);
  return listener;
}

/** Begins to listen to an address, and returns what ends it. */
async function listen({ client, kind, followed }: Listener, uri: string): Promise<() => Promise<unknown>> {
  followed.add(uri);
  if (!kind.includes("2026")) {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
  const stream = await client.listen({ resourceSubscriptions: [uri] });
  return () => stream.close();
}
const heardOf = ({ heard }: Listener, own: string) => heard.filter((uri) => uri === own);

it.concurrent.each(kinds)("%s hears of a purge until it is done", async (kind) => {
  const own = await clientOf(kind);
  const { confirm } = await contentOf(own, "purge_submit", purge);
  const done = await contentOf(own, "purge_submit", { ...purge, confirm });
  const [uri = ""] = /live:\/\/purge_submit\?purgeId=[\w-]+/.exec(JSON.stringify(done)) ?? [];
  const end = await listen(own, uri);
  const status = async () => {
    const [content] = (await own.client.readResource({ uri })).contents;
    return JSON.parse((content as { text: string }).text).purgeStatus as string;
  };
  // The move to the end is one, whichever looks come first.
  for (let seen = 1; (await status()) !== "Done"; seen += 1)
    await eventually(() => expect(heardOf(own, uri).length).toBeGreaterThanOrEqual(seen));
  await eventually(() => expect(heardOf(own, uri)).not.toEqual([]));
  await end();
});

it.concurrent.each(kinds.filter((one) => one.startsWith("v2")))("%s is declined what does not move", async (kind) => {
  const own = await clientOf(kind);
  expect(own.client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true });
  const none = "live://purge_queue_get?queueName=default";
  if (kind.includes("2025")) await expect(listen(own, none)).rejects.toMatchObject({ code: expect.any(Number) });
  else {
    // The stream was acknowledged before anybody could look: it is told once, and reading says why.
    await listen(own, none);
    await eventually(() => expect(heardOf(own, none)).toEqual([none]));
  }
  await expect(own.client.readResource({ uri: none })).rejects.toThrow(/not found/i);
});

it("no client hears of an address that it did not follow", async () => {
  for (const { heard, followed } of await Promise.all(listeners.values()))
    expect([...followed]).toEqual(expect.arrayContaining([...heard]));
  expect(listeners.size).toBe(kinds.length);
});
