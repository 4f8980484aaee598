/** The 2026 era over HTTP: each message has its own response, and each listening stream its own events. */
import {
  type AuthInfo,
  createMcpHandler,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { Menu } from "../../engine/menu.js";
import type { Log } from "../../telemetry/log.js";
import { subscriberWith } from "../owner.js";
import { createConnectionSubscriptions, type Subscriptions, subscribeToAll } from "../subscriptions.js";
import type { MenuLookup } from "./menus.js";
import type { BuildForMenu } from "./sessions.js";

/** The parts of a message that are read before its validation. */
export type MessageHead = {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly _meta?: unknown };
};

/** Whether a message declares the 2026 era itself, which saves the SDK's own check. */
export function claimsModernEra(body: MessageHead | null): boolean {
  const meta = body?.params?._meta as Readonly<Record<string, unknown>> | undefined;
  return typeof meta?.[PROTOCOL_VERSION_META_KEY] === "string";
}

/** Whether a message opens a stream on which its client only listens. */
export const isListening = (body: MessageHead | null): boolean => body?.method === "subscriptions/listen";

/** The URIs to which a message subscribes. */
function addressesIn(body: MessageHead | null): readonly string[] {
  const params = body?.params as { readonly notifications?: { readonly resourceSubscriptions?: unknown } } | undefined;
  const addresses = params?.notifications?.resourceSubscriptions;
  return Array.isArray(addresses) ? addresses.filter((one) => typeof one === "string") : [];
}

/** The owner and the menu of a message. */
interface ReceivedMessage {
  readonly auth: AuthInfo;
  readonly menu: Menu | undefined;
  readonly body: MessageHead | null;
}

/** Creates the streams of an endpoint; `build` creates the server with a client's menu. */
function createStreams(build: McpServerFactory, subscriptions: Subscriptions, onerror: () => void) {
  const open = new Set<{ close(): Promise<void> }>();
  return {
    /** Opens a listening stream, or refuses it; a client only gets its own notifications. */
    open(request: Request, { auth, menu, body }: ReceivedMessage): Promise<Response> {
      const bus: ServerEventBus = {
        publish: () => undefined,
        subscribe: (listener) => {
          const notify = (uri: string): void => listener({ kind: "resource_updated", uri });
          const stream = createConnectionSubscriptions(subscriptions, subscriberWith(auth), menu, notify);
          open.add(handler);
          void subscribeToAll(stream, addressesIn(body));
          return () => {
            open.delete(handler);
            stream.close();
          };
        },
      };
      const handler = createMcpHandler(build, { legacy: "reject", onerror, bus });
      return handler.fetch(request, { parsedBody: body, authInfo: auth });
    },
    close: async () => {
      await Promise.all([...open].map((handler) => handler.close()));
    },
  };
}

/**
 * Creates the handler of this era's messages.
 * @param options.subscriptions The subscriptions of clients; without it there are none.
 */
export function createModernEndpoint({
  build,
  menuAt,
  subscriptions,
  log,
}: {
  readonly build: BuildForMenu;
  readonly menuAt?: MenuLookup;
  readonly subscriptions?: Subscriptions;
  readonly log: Log;
}) {
  const onerror = () => log("edgewise: a message could not be processed", "warn");
  // The SDK creates the server of a request, which finds its menu by what was recorded on arrival.
  const menuOfRequest = new WeakMap<Request, Menu>();
  const buildModern: McpServerFactory = (context) => {
    const menu = context.requestInfo && menuOfRequest.get(context.requestInfo);
    if (!menu && menuAt) throw new Error("A request lost its menu on the way.");
    return build(context, menu);
  };
  const handler = createMcpHandler(buildModern, { legacy: "reject", onerror });
  const streams = subscriptions && createStreams(buildModern, subscriptions, onerror);
  return {
    answer(request: Request, received: ReceivedMessage) {
      const { auth, menu, body } = received;
      if (menu) menuOfRequest.set(request, menu);
      return streams && isListening(body)
        ? streams.open(request, received)
        : handler.fetch(request, { parsedBody: body, authInfo: auth });
    },
    /** Ends the streams on which clients only listen. */
    endListening: async () => streams?.close(),
    close: () => handler.close(),
  };
}
