/** Subscriptions of the 2026 era over HTTP: each stream has a handler with events of its own, so that no client hears of another's. */
import {
  type AuthInfo,
  createMcpHandler,
  type McpServerFactory,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { type Follows, followAll, followedBy } from "./follows.js";
import type { Menu } from "./menu.js";

interface Asked {
  readonly auth: AuthInfo;
  readonly menu: Menu | undefined;
  /** The message, parsed. */
  readonly body: unknown;
}

export interface Listening {
  /** Opens a stream on which a client listens, or refuses it. */
  open(request: Request, asked: Asked): Promise<Response>;
  /** Ends every stream. */
  close(): Promise<void>;
}

/** The addresses that a message asks to hear of. */
function addressesIn(body: unknown): readonly string[] {
  const { params } = body as {
    readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
  };
  const asked = params?.notifications?.resourceSubscriptions;
  return Array.isArray(asked) ? asked.filter((one) => typeof one === "string") : [];
}

/** Makes the streams of an endpoint; `build` makes the server that says what a client is offered. */
export function createListening(build: McpServerFactory, follows: Follows, onerror: () => void): Listening {
  const open = new Set<{ close(): Promise<void> }>();
  return {
    async open(request, { auth, menu, body }) {
      const bus: ServerEventBus = {
        publish: () => undefined,
        subscribe: (hear) => {
          const tell = (uri: string): void => hear({ kind: "resource_updated", uri });
          const stream = followedBy(follows, `client:${auth.clientId}`, menu, tell);
          open.add(handler);
          void followAll(stream, addressesIn(body));
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
