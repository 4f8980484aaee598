/** Subscriptions as clients of both eras have them: what they follow tells them when it moves, and is read as it then is. */
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { connect, type Kind, kinds, type Session } from "./session.js";

/** A test with a client and a server of its own; they wait for the API most of the time, so several run at once. */
const withClient = (name: string, kind: Kind, run: (own: Session) => Promise<void>) =>
  it.concurrent(`${kind} ${name}`, async () => {
    const own = await connect(kind, { flags: ["--emulator"] });
    try {
      await run(own);
    } finally {
      await own.close();
    }
  });

/** What a client hears of addresses, and how it begins and ends to listen in its era. */
function ears({ client }: Session, kind: Kind) {
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const hear = ({ params }: { params: { uri: string } }): void => {
    heard.push(params.uri);
    for (const go of waiting) go();
  };
  if (kind.startsWith("v1")) client.setNotificationHandler(ResourceUpdatedNotificationSchema as never, hear as never);
  else client.setNotificationHandler("notifications/resources/updated", hear as never);
  return {
    heard,
    /** Begins to listen, and returns what ends it. */
    async listen(uri: string): Promise<() => Promise<unknown>> {
      if (!kind.includes("2026")) {
        await client.subscribeResource({ uri });
        return () => client.unsubscribeResource({ uri });
      }
      const stream = await client.listen({ resourceSubscriptions: [uri] });
      return () => stream.close();
    },
    /** Resolves when so many have been heard. */
    async until(count: number): Promise<void> {
      while (heard.length < count)
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
    const { heard, listen, until } = ears(own, kind);
    const uri = await approved(own, "purge_submit", purge);
    expect(uri).toMatch(/^live:\/\/purge_submit\?purgeId=/);
    const end = await listen(uri);
    // Unknown, In-Progress, Done: two moves, of which a slow machine may see one.
    for (let seen = 1; (await read(own, uri))["purgeStatus"] !== "Done"; seen += 1) await until(seen);
    expect(new Set(heard)).toEqual(new Set([uri]));
    await end();
  });

for (const kind of kinds.filter((one) => one.startsWith("v2"))) {
  withClient("hears of an activation until it is over, by the state that its address tells", kind, async (own) => {
    const { listen, until } = ears(own, kind);
    const body = { network: "staging" };
    const uri = await approved(own, "edgelogic_policy_version_activate", { policyId: 1001, version: 2, body });
    expect(uri).toBe("live://edgelogic_policy_version_activate?policyId=1001&version=2&body.network=staging");
    await listen(uri);
    await until(1);
    const states = (await read(own, uri)) as unknown as {
      policyInfo: { version: number; status: string };
      network: string;
    }[];
    const mine = states.filter(({ network, policyInfo }) => network === "staging" && policyInfo.version === 2);
    expect(mine.map(({ policyInfo }) => policyInfo.status)).toContain("active");
  });

  withClient("hears of a change of a certificate that goes on", kind, async (own) => {
    const { listen, until } = ears(own, kind);
    const uri = "live://cert_change_get?enrollmentId=10003&changeId=20003";
    await listen(uri);
    expect(await read(own, uri)).toMatchObject({ statusInfo: { state: "awaiting-input" } });
    await approved(own, "cert_change_cancel", { enrollmentId: 10003, changeId: 20003 });
    await until(1);
    expect(await read(own, uri)).toMatchObject({ statusInfo: { state: "cancelled" } });
  });

  withClient("declares subscriptions, and takes none to what does not move", kind, async (own) => {
    expect(own.client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true });
    const { heard, listen, until } = ears(own, kind);
    const none = "live://purge_queue_get?queueName=default";
    if (kind.includes("2025")) await expect(listen(none)).rejects.toMatchObject({ code: expect.any(Number) });
    else {
      // The stream was acknowledged before anybody could look: it is told once, and reading says why.
      await listen(none);
      await until(1);
      expect(heard).toEqual([none]);
    }
    await expect(own.client.readResource({ uri: none })).rejects.toThrow(/not found/i);
  });
}
