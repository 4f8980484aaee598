/** Clients that listen to resources, in either era. */
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect, type Kind, type Session, type Start } from "../lab/session.js";

export interface Listener extends Session {
  /** The addresses that it follows, or has. */
  readonly followed: Set<string>;
  /** The addresses of which it was told, one by one. */
  readonly heard: readonly string[];
  /** What is done whenever it is told of one. */
  readonly waiting: Set<() => void>;
}

/** Connects a client that takes down of which addresses it is told. */
export async function connectListener(kind: Kind, start: Start): Promise<Listener> {
  const session = await connect(kind, start);
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

/** What a client hears of one address, and how it begins and ends to listen in its era. */
export function ears({ client, followed, heard: all, waiting }: Listener, kind: Kind, own: string) {
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

/** What a resource in JSON is. */
export const read = async ({ client }: Session, uri: string): Promise<Record<string, unknown>> => {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>;
};

/** Makes a call that previews first, and the same call with its approval; gives the address that it names. */
export async function approved(own: Session, tool: string, args: Record<string, unknown>) {
  const preview = await own.call(tool, args);
  const confirm = preview.structuredContent["confirm"];
  const done = await own.call(tool, { ...args, confirm });
  if (done.isError) throw new Error(JSON.stringify(done.content));
  const text = done.content.map((part) => part.text).join("\n");
  return /live:\/\/\w+\?[\w.\-~%=&+]+/.exec(text)?.[0] ?? "";
}
