/** Subscriptions as clients of both eras have them: what they follow tells them when it moves, and is read as it then is. */
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, expect, it } from "vitest";
import { connect, type Kind, kinds, type Session } from "../../lab/session.js";

interface Listener extends Session {
  /** The addresses that it follows, or has. */
  readonly followed: Set<string>;
  /** The addresses of which it was told, one by one. */
  readonly heard: readonly string[];
  /** What is done whenever it is told of one. */
  readonly waiting: Set<() => void>;
}

/** Connects a client that takes down of which addresses it is told. */
async function connectListener(kind: Kind): Promise<Listener> {
  const session = await connect(kind, { flags: ["--emulator"] });
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const hear = ({ params }: { params: { uri: string } }): void => {
    heard.push(params.uri);
    for (const go of waiting) go();
  };
  const { client } = session;
  if (kind.startsWith("v1")) client.setNotificationHandler(ResourceUpdatedNotificationSchema as never, hear as never);
  else client.setNotificationHandler("notifications/resources/updated", hear as never);
  return { ...session, followed: new Set(), heard, waiting };
}

// One of each kind for all tests, which follow addresses of their own.
const listeners = new Map<Kind, Promise<Listener>>();
afterAll(async () => {
  await Promise.all([...listeners.values()].map(async (listener) => (await listener).close()));
});

/**
 * A test with the client of a kind; they wait for the API most of the time, so several run at once, and several instances
 * on a busy machine need longer than other tests.
 */
const withClient = (name: string, kind: Kind, run: (own: Listener) => Promise<void>) =>
  it.concurrent(`${kind} ${name}`, async () => {
    const listener = listeners.get(kind) ?? connectListener(kind);
    listeners.set(kind, listener);
    await run(await listener);
  });

/** What a client hears of one address, and how it begins and ends to listen in its era. */
function ears({ client, followed, heard: all, waiting }: Listener, kind: Kind, own: string) {
  const heard = () => all.filter((uri) => uri === own);
  return {
    heard,
    /** Begins to listen, and returns what ends it. */
    async listen(): Promise<() => Promise<unknown>> {
      followed.add(own);
      if (!kind.includes("2026")) {
        await client.subscribeResource({ uri: own });
        return () => client.unsubscribeResource({ uri: own });
      }
      const stream = await client.listen({ resourceSubscriptions: [own] });
      return () => stream.close();
    },
    /** Resolves when so many have been heard. */
    async until(count: number): Promise<void> {
      while (heard().length < count)
        await new Promise<void>((resolve) => {
          const go = () => {
            waiting.delete(go);
            resolve();
          };
          waiting.add(go);
        });
    },
  };
}

const read = async ({ client }: Session, uri: string): Promise<Record<string, unknown>> => {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>;
};

/** Makes a call that previews first, and the same call with its approval. */
async function approved(own: Session, tool: string, args: Record<string, unknown>) {
  const preview = await own.call(tool, args);
  const confirm = preview.structuredContent["confirm"];
  expect(confirm).toBeTypeOf("string");
  const done = await own.call(tool, { ...args, confirm });
  expect(done.isError ?? false, JSON.stringify(done.content)).toBe(false);
  const text = done.content.map((part) => part.text).join("\n");
  return /live:\/\/\w+\?[\w.\-~%=&+]+/.exec(text)?.[0] ?? "";
}

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };

for (const kind of kinds)
  withClient("hears of a purge until it is done", kind, async (own) => {
    const uri = await approved(own, "purge_submit", purge);
    expect(uri).toMatch(/^live:\/\/purge_submit\?purgeId=/);
    const { heard, listen, until } = ears(own, kind, uri);
    const end = await listen();
    // Unknown, In-Progress, Done: two moves, of which a slow machine may see one.
    for (let seen = 1; (await read(own, uri))["purgeStatus"] !== "Done"; seen += 1) await until(seen);
    expect(heard()).not.toEqual([]);
    await end();
  });

for (const kind of kinds.filter((one) => one.startsWith("v2"))) {
  withClient("hears of an activation until it is over, by the state that its address tells", kind, async (own) => {
    const body = { network: "staging" };
    const uri = await approved(own, "edgelogic_policy_version_activate", { policyId: 1001, version: 2, body });
    expect(uri).toBe("live://edgelogic_policy_version_activate?policyId=1001&version=2&body.network=staging");
    const { listen, until } = ears(own, kind, uri);
    await listen();
    await until(1);
    const states = (await read(own, uri)) as unknown as {
      policyInfo: { version: number; status: string };
      network: string;
    }[];
    const mine = states.filter(({ network, policyInfo }) => network === "staging" && policyInfo.version === 2);
    expect(mine.map(({ policyInfo }) => policyInfo.status)).toContain("active");
  });

  withClient("hears of a change of a certificate that goes on", kind, async (own) => {
    const uri = "live://cert_change_get?enrollmentId=10003&changeId=20003";
    const { listen, until } = ears(own, kind, uri);
    await listen();
    expect(await read(own, uri)).toMatchObject({ statusInfo: { state: "awaiting-input" } });
    await approved(own, "cert_change_cancel", { enrollmentId: 10003, changeId: 20003 });
    await until(1);
    expect(await read(own, uri)).toMatchObject({ statusInfo: { state: "cancelled" } });
  });

  withClient("declares subscriptions, and takes none to what does not move", kind, async (own) => {
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
}

it("tells no client of an address that it did not follow", async () => {
  for (const { heard, followed } of await Promise.all(listeners.values()))
    expect([...followed]).toEqual(expect.arrayContaining([...heard]));
  expect(listeners.size).toBe(kinds.length);
});
