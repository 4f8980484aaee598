/** To which client a subscription belongs over HTTP, and when it ends: with the stream, the session, the subscription or the server. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { serverFactory } from "../../src/mcp/server.js";
import { createConnectionSubscriptions, type Subscriptions, subscribeToAll } from "../../src/mcp/subscriptions.js";
import { surfaceOf } from "../lab/client.js";
import { runs } from "../lab/depth.js";
import { as, clientsOf, startHttp } from "../lab/raw-http.js";
import { eventually } from "../lab/time.js";

/** Accepts every subscription except to `none` and `full`, and notifies when the test does. */
function recorder() {
  const followed: { owner: string; uri: string; tell: () => void; isOver: boolean }[] = [];
  const follows: Subscriptions = {
    async subscribe({ owner }, _, uri, tell) {
      if (uri === "live://none") return undefined;
      if (uri === "live://full") throw new Failure("rate_limited", "Too much is followed.", { next: "End some." });
      const one = { owner, uri, tell, isOver: false };
      followed.push(one);
      return () => {
        one.isOver = true;
      };
    },
  };
  const open = () => followed.filter(({ isOver }) => !isOver).map(({ owner, uri }) => `${owner} ${uri}`);
  return { followed, follows, open };
}

async function start() {
  const recorded = recorder();
  const { follows } = recorded;
  const build = serverFactory(surfaceOf({}), undefined, follows);
  const { url, close } = await startHttp({ build, subscriptions: follows, clients: clientsOf("one", "two") });
  return {
    ...recorded,
    close,
    async connected(name: string, isModern: boolean) {
      const pinned = isModern ? { versionNegotiation: { mode: { pin: "2026-07-28" as const } } } : {};
      const client = new Client({ name: "test", version: "1" }, { capabilities: {}, ...pinned });
      const heard: string[] = [];
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
      const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: as(name) } });
      await client.connect(transport);
      onTestFinished(() => client.close());
      return { client, heard, transport };
    },
  };
}

describe("a stream of the 2026 era", () => {
  it("notifies only of what its client subscribes to, until it closes", async () => {
    const { connected, followed, open } = await start();
    const [one, two] = [await connected("one", true), await connected("two", true)];
    await one.client.listen({ resourceSubscriptions: ["live://x?a=1"] });
    const stream = await two.client.listen({ resourceSubscriptions: ["live://x?a=1"] });
    const other = await two.client.listen({ resourceSubscriptions: ["live://x?a=1", "live://y?a=1"] });
    await eventually(() =>
      expect(followed.map(({ owner }) => owner)).toEqual(["one", "two", "two", "two"].map((name) => `client:${name}`)),
    );
    for (const { tell } of followed.slice(2)) tell();
    await eventually(() => expect(two.heard).toEqual(["live://x?a=1", "live://y?a=1"]));
    expect(one.heard).toEqual([]);
    followed[0]?.tell();
    await eventually(() => expect(one.heard).toEqual(["live://x?a=1"]));
    await stream.close();
    await eventually(() => expect(followed.map(({ isOver }) => isOver)).toEqual([false, true, false, false]));
    await other.close();
    await eventually(() => expect(open()).toEqual(["client:one live://x?a=1"]));
  });

  it("notifies once of a URI that has no subscription", async () => {
    const { connected, open } = await start();
    const { client, heard } = await connected("one", true);
    await client.listen({ resourceSubscriptions: ["live://none", "live://full", "live://x?a=1"] });
    await eventually(() => expect([...heard].sort()).toEqual(["live://full", "live://none"]));
    expect(open()).toEqual(["client:one live://x?a=1"]);
  });
});

it("a stream subscribes to the first of many URIs, and to none once closed", async () => {
  const { followed, follows, open } = recorder();
  const told: string[] = [];
  const stream = createConnectionSubscriptions(follows, { owner: "me" }, undefined, (uri) => told.push(uri));
  const many = Array.from({ length: 10_000 }, (_, at) => `live://x?a=${at}`);
  await subscribeToAll(stream, ["live://none", ...many]);
  expect(followed).toHaveLength(63);
  expect(told).toEqual(["live://none"]);
  stream.close();
  followed[0]?.tell();
  await subscribeToAll(stream, ["live://none"]);
  expect(told).toEqual(["live://none"]);
  expect(open()).toEqual([]);
});

it("a session's subscription is its own, until it unsubscribes or ends", async () => {
  const { connected, followed, open } = await start();
  const [one, same] = [await connected("one", false), await connected("one", false)];
  const uri = "live://x?a=1";
  for (const { client } of [one, same, same]) await client.subscribeResource({ uri });
  expect(open()).toEqual([`client:one ${uri}`, `client:one ${uri}`]);
  followed[0]?.tell();
  await eventually(() => expect(one.heard).toEqual([uri]));
  expect(same.heard).toEqual([]);
  for (let times = 0; times < 2; times += 1) await one.client.unsubscribeResource({ uri });
  expect(open()).toEqual([`client:one ${uri}`]);
  await same.transport.terminateSession();
  await eventually(() => expect(open()).toEqual([]));
});

it("a session cannot subscribe to what never changes, or beyond the limit", async () => {
  const { connected } = await start();
  const { client } = await connected("one", false);
  await expect(client.subscribeResource({ uri: "live://none" })).rejects.toThrow(/not found/i);
  await expect(client.subscribeResource({ uri: "live://full" })).rejects.toThrow(/Too much is followed\. End some\./);
  await client.subscribeResource({ uri: "live://x?a=1" });
});

it("all subscriptions end when the server is closed", async () => {
  const { connected, open, close } = await start();
  const [modern, legacy] = [await connected("one", true), await connected("two", false)];
  await modern.client.listen({ resourceSubscriptions: ["live://x?a=1"] });
  await legacy.client.subscribeResource({ uri: "live://y?a=1" });
  await eventually(() => expect(open()).toHaveLength(2));
  await close();
  expect(open()).toEqual([]);
});

it("a URI has one subscription, in whatever order answers arrive", async () => {
  const acts = fc.constantFrom("follow", "follow", "unfollow", "succeed", "succeed", "fail", "find nothing");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat(3)), { maxLength: 20 }), async (given) => {
      const beginning: { resolve(stop?: () => void): void; reject(error: Error): void; isOver: boolean }[] = [];
      let held = 0;
      let last: "none" | "asked" | "held" = "none";
      const slow: Subscriptions = {
        subscribe: () => new Promise((resolve, reject) => void beginning.push({ resolve, reject, isOver: false })),
      };
      const begin = (one: (typeof beginning)[number]) => {
        held += 1;
        one.resolve(() => {
          held -= 1;
        });
      };
      const stream = createConnectionSubscriptions(slow, { owner: "me" }, undefined, () => undefined);
      const settled = () => new Promise((resolve) => setImmediate(resolve));
      for (const [act, at] of given) {
        const waiting = beginning.filter(({ isOver }) => !isOver);
        const one = waiting[at % waiting.length];
        if (act === "follow") {
          void stream.subscribe("live://x?a=1").catch(() => undefined);
          last = "asked";
        } else if (act === "unfollow") {
          stream.unsubscribe("live://x?a=1");
          last = "none";
        } else if (one) {
          one.isOver = true;
          if (act === "succeed") begin(one);
          else if (act === "fail") one.reject(new Error("down"));
          else one.resolve(undefined);
          if (one === beginning.at(-1) && last === "asked") last = act === "succeed" ? "held" : "none";
        }
        await settled();
        expect(held).toBe(last === "held" ? 1 : 0);
      }
      stream.close();
      for (const one of beginning.filter(({ isOver }) => !isOver)) begin(one);
      await settled();
      expect(held).toBe(0);
    }),
    { numRuns: runs(50), examples: [[["follow", "follow", "fail", "unfollow", "succeed"].map((act) => [act, 0])]] },
  );
});
