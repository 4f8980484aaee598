/** Whose subscription is whose over HTTP, and when it ends: with the stream, the session, the subscription or the server. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { type Follows, followAll, followedBy } from "../../src/mcp/follows.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { serverFactory } from "../../src/mcp/server.js";
import type { Surface } from "../../src/mcp/surface.js";
import { runs } from "../lab/depth.js";
import { eventually } from "../lab/time.js";

const token = (name: string) => `a-token-of-more-than-32-characters-${name}`;
const clients = ["one", "two"].map((name) => ({ name, token: token(name) }));
const surface: Surface = {
  catalogue: new Map(),
  readings: { resources: [], prompts: [], introductions: [] },
  version: "1",
  isEmulated: true,
  isReadOnly: false,
  engine: () => Promise.reject(new Error("Nothing is called here.")),
};

interface Following {
  readonly owner: string;
  readonly uri: string;
  readonly tell: () => void;
  isOver: boolean;
}
let followed: Following[] = [];
/** Follows whatever is asked for, except `none` and `full`, and tells when the test does. */
const follows: Follows = {
  async follow({ owner }, _, uri, tell) {
    if (uri === "live://none") return undefined;
    if (uri === "live://full") throw new Failure("rate_limited", "Too much is followed.", { next: "End some." });
    const one: Following = { owner, uri, tell, isOver: false };
    followed.push(one);
    return () => {
      one.isOver = true;
    };
  },
};

let url: URL;
let close: () => Promise<void>;
let opened: Client[] = [];
beforeEach(async () => {
  followed = [];
  opened = [];
  const served = await serveHttp({
    build: serverFactory(surface, undefined, follows),
    follows,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    log: () => undefined,
    clients,
  });
  [url, close] = [new URL(served.url), served.close];
});
afterEach(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await close();
});

async function connected(name: string, isModern: boolean) {
  const pinned = isModern ? { versionNegotiation: { mode: { pin: "2026-07-28" as const } } } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities: {}, ...pinned });
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  const requestInit = { headers: { authorization: `Bearer ${token(name)}` } };
  const transport = new StreamableHTTPClientTransport(url, { requestInit });
  await client.connect(transport);
  opened.push(client);
  return { client, heard, transport };
}
const owners = () => followed.map(({ owner }) => owner);
const open = () => followed.filter(({ isOver }) => !isOver).map(({ uri }) => uri);

describe("a stream of the 2026 era", () => {
  it("a 2026 stream hears only of what its client follows", async () => {
    const [one, two] = [await connected("one", true), await connected("two", true)];
    await one.client.listen({ resourceSubscriptions: ["live://x?a=1"] });
    await two.client.listen({ resourceSubscriptions: ["live://x?a=1", "live://y?a=1"] });
    await eventually(() => expect(owners()).toEqual(["client:one", "client:two", "client:two"]));
    followed[1]?.tell();
    followed[2]?.tell();
    await eventually(() => expect(two.heard).toEqual(["live://x?a=1", "live://y?a=1"]));
    expect(one.heard).toEqual([]);
    followed[0]?.tell();
    await eventually(() => expect(one.heard).toEqual(["live://x?a=1"]));
  });

  it("ends what it follows when it is closed", async () => {
    const { client } = await connected("one", true);
    const stream = await client.listen({ resourceSubscriptions: ["live://x?a=1"] });
    const other = await client.listen({ resourceSubscriptions: ["live://x?a=1", "live://y?a=1"] });
    await eventually(() => expect(open()).toHaveLength(3));
    await stream.close();
    await eventually(() => expect(followed.map(({ isOver }) => isOver)).toEqual([true, false, false]));
    await other.close();
    await eventually(() => expect(open()).toEqual([]));
  });

  it("is told once of an address that cannot be followed", async () => {
    const { client, heard } = await connected("one", true);
    await client.listen({ resourceSubscriptions: ["live://none", "live://full", "live://x?a=1"] });
    await eventually(() => expect([...heard].sort()).toEqual(["live://full", "live://none"]));
    expect(open()).toEqual(["live://x?a=1"]);
  });
});

it("a stream follows the first addresses of many, and none once closed", async () => {
  const told: string[] = [];
  const stream = followedBy(follows, { owner: "me" }, undefined, (uri) => told.push(uri));
  const many = Array.from({ length: 10_000 }, (_, at) => `live://x?a=${at}`);
  await followAll(stream, ["live://none", ...many]);
  expect(followed).toHaveLength(63);
  expect(told).toEqual(["live://none"]);
  stream.close();
  followed[0]?.tell();
  await followAll(stream, ["live://none"]);
  expect(told).toEqual(["live://none"]);
  expect(open()).toEqual([]);
});

describe("a session of the 2025 era", () => {
  it("has the owner of its token, and alone hears of what it subscribed to", async () => {
    const [one, same] = [await connected("one", false), await connected("one", false)];
    for (const { client } of [one, same]) await client.subscribeResource({ uri: "live://x?a=1" });
    expect(owners()).toEqual(["client:one", "client:one"]);
    followed[0]?.tell();
    await eventually(() => expect(one.heard).toEqual(["live://x?a=1"]));
    expect(same.heard).toEqual([]);
  });

  it("follows an address once, until it unsubscribes", async () => {
    const { client } = await connected("one", false);
    for (let times = 0; times < 2; times += 1) await client.subscribeResource({ uri: "live://x?a=1" });
    expect(open()).toEqual(["live://x?a=1"]);
    await client.unsubscribeResource({ uri: "live://x?a=1" });
    expect(open()).toEqual([]);
    await client.unsubscribeResource({ uri: "live://x?a=1" });
  });

  it("ends what it follows when it is ended", async () => {
    const { client, transport } = await connected("one", false);
    await client.subscribeResource({ uri: "live://x?a=1" });
    await transport.terminateSession();
    await eventually(() => expect(open()).toEqual([]));
  });

  it("is refused what does not move, and what there is no room for", async () => {
    const { client } = await connected("one", false);
    await expect(client.subscribeResource({ uri: "live://none" })).rejects.toThrow(/not found/i);
    await expect(client.subscribeResource({ uri: "live://full" })).rejects.toThrow(/Too much is followed\. End some\./);
    await client.subscribeResource({ uri: "live://x?a=1" });
  });
});

it("ends everything when the server is closed", async () => {
  const [modern, legacy] = [await connected("one", true), await connected("two", false)];
  await modern.client.listen({ resourceSubscriptions: ["live://x?a=1"] });
  await legacy.client.subscribeResource({ uri: "live://y?a=1" });
  await eventually(() => expect(open()).toHaveLength(2));
  await close();
  expect(open()).toEqual([]);
});

it("ends what was only about to begin when it is no longer wanted", async () => {
  let begin = (): void => undefined;
  let ended = 0;
  const slow: Follows = {
    follow: () =>
      new Promise((resolve) => {
        begin = () =>
          resolve(() => {
            ended += 1;
          });
      }),
  };
  for (const end of ["unfollow", "close"] as const) {
    const stream = followedBy(slow, { owner: "me" }, undefined, () => undefined);
    const beginning = stream.follow("live://x?a=1");
    stream[end]("live://x?a=1");
    begin();
    await beginning;
  }
  expect(ended).toBe(2);
});

it("an address has one subscription, whatever comes late", async () => {
  const acts = fc.constantFrom("follow", "follow", "unfollow", "succeed", "succeed", "fail", "find nothing");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat(3)), { maxLength: 20 }), async (given) => {
      const beginning: { resolve(stop?: () => void): void; reject(error: Error): void; isOver: boolean }[] = [];
      let held = 0;
      let last: "none" | "asked" | "held" = "none";
      let newest: (typeof beginning)[number] | undefined;
      const slow: Follows = {
        follow: () =>
          new Promise((resolve, reject) => {
            newest = { resolve, reject, isOver: false };
            beginning.push(newest);
          }),
      };
      const stream = followedBy(slow, { owner: "me" }, undefined, () => undefined);
      const settled = () => new Promise((resolve) => setImmediate(resolve));
      for (const [act, at] of given) {
        const waiting = beginning.filter(({ isOver }) => !isOver);
        const one = waiting[at % waiting.length];
        if (act === "follow") {
          void stream.follow("live://x?a=1").catch(() => undefined);
          last = "asked";
        } else if (act === "unfollow") {
          stream.unfollow("live://x?a=1");
          last = "none";
        } else if (one) {
          one.isOver = true;
          if (act === "succeed") {
            held += 1;
            one.resolve(() => {
              held -= 1;
            });
          } else if (act === "fail") one.reject(new Error("down"));
          else one.resolve(undefined);
          if (one === newest && last === "asked") last = act === "succeed" ? "held" : "none";
        }
        await settled();
        expect(held).toBe(last === "held" ? 1 : 0);
      }
      stream.close();
      for (const one of beginning.filter(({ isOver }) => !isOver)) {
        held += 1;
        one.resolve(() => {
          held -= 1;
        });
      }
      await settled();
      expect(held).toBe(0);
    }),
    { numRuns: runs(50), examples: [[["follow", "follow", "fail", "unfollow", "succeed"].map((act) => [act, 0])]] },
  );
});
