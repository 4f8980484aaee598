/** Sessions of 2025-era clients, which need them for elicitation over HTTP. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { type AuthInfo, isInitializeRequest, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Menu } from "../../engine/menu.js";
import type { BuildServer } from "../server.js";
import { type Rejection, rejectRequest } from "./access.js";
import { type HttpBounds, ShareTally } from "./bounds.js";
import { forward, forwardedHeader } from "./forward.js";

/** Creates the server of a connection or request, with the menu of its path. */
export type BuildForMenu = (...args: Parameters<BuildServer>) => ReturnType<McpServerFactory>;

/** The instances of this server. */
export interface Peers {
  /** The id of this one. */
  readonly ownId: () => string;
  /** The instance with an id; undefined if it is gone. */
  find(id: string): Promise<{ readonly address: string } | undefined>;
}

interface Session {
  /** The principal that opened it. */
  readonly owner: string;
  /** The client to whose share of the sessions it counts. */
  readonly client: string;
  /** The menu of the path at which it was opened. */
  readonly menu: string | undefined;
  readonly transport: NodeStreamableHTTPServerTransport;
  timer: NodeJS.Timeout;
  /** Whether a message followed the first one. */
  isUsed: boolean;
  /** Requests in progress, without the listening stream. */
  busy: number;
}

/** The owner of a request and the menu of its path; undefined for the server's own menu. */
export interface RequestContext {
  readonly auth: AuthInfo;
  readonly menu: Menu | undefined;
  /** The client to whose share a new session counts. */
  readonly client: string;
}

/** A message: its text and its value. */
interface MessageBody {
  readonly text: string;
  readonly body: unknown;
}

interface Sessions {
  /** The id of a request's session; undefined if there is none, or if it belongs to another client or path. */
  idOf(request: IncomingMessage, context: Pick<RequestContext, "auth" | "menu">): string | undefined;
  /** Handles a request of the 2025 era; nothing is sent with GET and DELETE. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    message: MessageBody | undefined,
  ): Promise<void>;
  /** Ends the listening streams of sessions; their requests continue. */
  endListening(): void;
  readonly count: () => number;
  close(): Promise<void>;
}

/** The sessions of an endpoint by id, least recently used first. */
class OpenSessions extends Map<string, Session> {
  /** The session of a client to drop first: one that was never used, or else the longest idle. */
  leastMissed(client: string | undefined): Session | undefined {
    const idle = [...this.values()].filter((session) => session.client === client && session.busy === 0);
    return idle.find(({ isUsed }) => !isUsed) ?? idle[0];
  }

  /** Records the use of a session: it moves to the end of the order, and its timeout restarts. */
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

/** The answer while the instances cannot look one another up. */
const unknownInstance: Rejection = {
  status: 503,
  message: "The instance of this session cannot be found at the moment; try again.",
  headers: { "retry-after": "2" },
};

/** The other instance that has the session of a request; undefined for one that was forwarded already. */
async function sessionInstance(
  { headers }: IncomingMessage,
  instances: () => Promise<Peers | undefined>,
): Promise<{ readonly address: string } | undefined> {
  const id = headers["mcp-session-id"];
  const [instance, rest] = typeof id === "string" ? id.split(".", 2) : [];
  if (instance === undefined || rest === undefined || headers[forwardedHeader] !== undefined) return undefined;
  const peers = await instances();
  return instance === peers?.ownId() ? undefined : peers?.find(instance);
}

/** Has the instance that has the session of a request answer it. */
async function isServedElsewhere(
  request: IncomingMessage,
  response: ServerResponse,
  text: string | undefined,
  instances: () => Promise<Peers | undefined>,
): Promise<boolean> {
  const instance = await sessionInstance(request, instances).catch(() => "unknown" as const);
  if (instance === undefined) return false;
  if (instance === "unknown") rejectRequest(response, unknownInstance);
  else await forward(request, response, instance.address, text);
  return true;
}

/** Creates the sessions of an endpoint; `build` creates the server of each. */
export function createSessions(
  {
    build,
    instances = async () => undefined,
  }: { readonly build: BuildForMenu; readonly instances?: () => Promise<Peers | undefined> },
  bounds: Pick<HttpBounds, "sessions" | "sessionMs" | "unusedSessionMs">,
): Sessions {
  const sessions = new OpenSessions();
  const tally = new ShareTally(bounds.sessions, "sessions");

  /**
   * Makes room for a session of a client. It is counted at once, so that a hundred that are opened at the same time do not
   * all find the same room.
   * @returns the function that stops counting it, or why there is no room.
   */
  const reserveSession = async (client: string): Promise<Rejection | (() => void)> => {
    for (;;) {
      const share = tally.take(client, 1);
      if (typeof share === "function") return share;
      const ended = sessions.leastMissed(share.status === 429 ? client : tally.biggest());
      if (!ended) return share;
      await ended.transport.close();
    }
  };

  const open = async (
    request: IncomingMessage,
    response: ServerResponse,
    { auth, menu, client }: RequestContext,
    body: unknown,
  ): Promise<void> => {
    const uncount = await reserveSession(client);
    if (typeof uncount !== "function") return rejectRequest(response, uncount);
    let isCounted = true;
    let peers: Peers | undefined;
    const transport = new NodeStreamableHTTPServerTransport({
      // Other instances find this one by the id.
      sessionIdGenerator: () => (peers ? `${peers.ownId()}.${randomUUID()}` : randomUUID()),
      onsessioninitialized: (id) => {
        const timer = setTimeout(() => void transport.close(), bounds.unusedSessionMs).unref();
        sessions.set(id, { owner: auth.clientId, client, menu: menu?.key, transport, timer, isUsed: false, busy: 0 });
      },
    });
    const forget = (): void => {
      if (isCounted) uncount();
      isCounted = false;
      const id = transport.sessionId;
      if (id === undefined) return;
      clearTimeout(sessions.get(id)?.timer);
      sessions.delete(id);
    };
    transport.onclose = forget;
    // Whatever fails from here on, a session that was not opened does not count.
    try {
      peers = await instances();
      const server = await build({ authInfo: auth }, menu);
      await server.connect(transport);
      await transport.handleRequest(Object.assign(request, { auth }), response, body);
    } finally {
      // Cleans up after a first message that opened no session.
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
    async handle(request, response, context, message) {
      const body = message?.body;
      const id = idOf(request, context);
      const session = id === undefined ? undefined : sessions.get(id);
      if (id !== undefined && session) {
        sessions.use(id, session, bounds.sessionMs);
        if (request.method === "POST") {
          session.busy += 1;
          response.once("close", () => {
            session.busy -= 1;
          });
        }
        return session.transport.handleRequest(Object.assign(request, { auth: context.auth }), response, body);
      }
      // A session of another client or path is treated like one that does not exist.
      const sessionId = request.headers["mcp-session-id"];
      if (await isServedElsewhere(request, response, message?.text, instances)) return;
      if (sessionId !== undefined)
        return rejectRequest(response, {
          status: 404,
          message: "There is no such session. Initialize again.",
          code: -32_001,
        });
      if (!isInitializeRequest(body))
        return rejectRequest(response, { status: 400, message: "A session id is required. Initialize first." });
      return open(request, response, context, body);
    },
    endListening() {
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
    },
    count: () => sessions.size,
    close: async () => {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}
