/** Sessions of 2025-era clients, without which they do not support elicitation over HTTP. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { type AuthInfo, isInitializeRequest, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Menu } from "../menu.js";
import type { BuildServer } from "../server.js";
import { type Rejection, refuse } from "./access.js";
import { type HttpBounds, Tally } from "./bounds.js";

/** Makes the server of a connection or a request, for the menu at its path. */
export type BuildForMenu = (...args: Parameters<BuildServer>) => ReturnType<McpServerFactory>;

interface Session {
  /** The principal that opened it. */
  readonly owner: string;
  /** Whose share of the sessions it is in. */
  readonly client: string;
  /** The menu of the path that it was opened at. */
  readonly menu: string | undefined;
  readonly transport: NodeStreamableHTTPServerTransport;
  timer: NodeJS.Timeout;
  /** Whether anything came after its first message. */
  isUsed: boolean;
  /** Requests in progress, apart from the stream on which it only listens. */
  busy: number;
}

/** Whose a request is, and what is served at its path; undefined for the server's own menu. */
export interface Place {
  readonly auth: AuthInfo;
  readonly menu: Menu | undefined;
  /** Whose share of the sessions one that it opens is in. */
  readonly client: string;
}

interface Sessions {
  /** The id of the session that a request belongs to; undefined for none, and for another client's or another path's. */
  idOf(request: IncomingMessage, place: Pick<Place, "auth" | "menu">): string | undefined;
  /** Serves a request of the 2025 era; `body` is parsed, and absent for GET and DELETE. */
  handle(request: IncomingMessage, response: ServerResponse, place: Place, body: unknown): Promise<void>;
  /** Ends the streams on which a session only listens; its requests go on. */
  endListening(): void;
  close(): Promise<void>;
}

/** The sessions of an endpoint by their ids, the longest unused first. */
class Opened extends Map<string, Session> {
  /** The session of a client that is the least likely to be missed: one never used, or else the longest idle. */
  leastMissed(client: string | undefined): Session | undefined {
    const idle = [...this.values()].filter((session) => session.client === client && session.busy === 0);
    return idle.find(({ isUsed }) => !isUsed) ?? idle[0];
  }

  /** Notes that a session is used: it is now the last that would end, and ends later. */
  use(id: string, session: Session, sessionMs: number): void {
    if (session.isUsed) session.timer.refresh();
    else {
      clearTimeout(session.timer);
      session.timer = setTimeout(() => void session.transport.close(), sessionMs).unref();
      session.isUsed = true;
    }
    this.delete(id);
    this.set(id, session);
  }
}

/** Makes the sessions of an endpoint; `build` makes the server of each. */
export function createSessions(
  build: BuildForMenu,
  bounds: Pick<HttpBounds, "sessions" | "sessionMs" | "unusedSessionMs">,
): Sessions {
  const sessions = new Opened();
  const tally = new Tally(bounds.sessions, "sessions");

  /** Makes room for a session of a client; or says why there is none. */
  const makeRoom = async (client: string): Promise<Rejection | undefined> => {
    for (;;) {
      const refusal = tally.refusal(client, 1);
      if (!refusal) return undefined;
      const ended = sessions.leastMissed(refusal.status === 429 ? client : tally.biggest());
      if (!ended) return refusal;
      await ended.transport.close();
    }
  };

  const open = async (
    request: IncomingMessage,
    response: ServerResponse,
    { auth, menu, client }: Place,
    body: unknown,
  ): Promise<void> => {
    const refusal = await makeRoom(client);
    if (refusal) return refuse(response, refusal);
    // It counts from here, so that a hundred that are opened at once do not all find the same room.
    tally.add(client, 1);
    let isCounted = true;
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        const timer = setTimeout(() => void transport.close(), bounds.unusedSessionMs).unref();
        sessions.set(id, { owner: auth.clientId, client, menu: menu?.key, transport, timer, isUsed: false, busy: 0 });
      },
    });
    const forget = (): void => {
      if (isCounted) tally.add(client, -1);
      isCounted = false;
      const id = transport.sessionId;
      if (id === undefined) return;
      clearTimeout(sessions.get(id)?.timer);
      sessions.delete(id);
    };
    transport.onclose = forget;
    try {
      const server = await build({ authInfo: auth }, menu);
      await server.connect(transport);
      await transport.handleRequest(Object.assign(request, { auth }), response, body);
    } finally {
      // A first message that opened no session leaves nothing behind.
      if (transport.sessionId === undefined) {
        forget();
        await transport.close();
      }
    }
  };

  const idOf: Sessions["idOf"] = (request, { auth, menu }) => {
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? sessions.get(id) : undefined;
    return session?.owner === auth.clientId && session.menu === menu?.key ? String(id) : undefined;
  };

  return {
    idOf,
    async handle(request, response, place, body) {
      const id = idOf(request, place);
      const session = id === undefined ? undefined : sessions.get(id);
      if (id !== undefined && session) {
        sessions.use(id, session, bounds.sessionMs);
        if (request.method === "POST") {
          session.busy += 1;
          response.once("close", () => {
            session.busy -= 1;
          });
        }
        return session.transport.handleRequest(Object.assign(request, { auth: place.auth }), response, body);
      }
      // A session of another client, or of another path, is answered like one that does not exist.
      if (request.headers["mcp-session-id"] !== undefined)
        return refuse(response, { status: 404, message: "There is no such session; initialize again." }, -32_001);
      if (!isInitializeRequest(body))
        return refuse(response, { status: 400, message: "A session id is required; initialize first." });
      return open(request, response, place, body);
    },
    endListening() {
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
    },
    close: async () => {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}
