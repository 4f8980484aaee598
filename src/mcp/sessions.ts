/** Sessions of 2025-era clients, without which they do not support elicitation over HTTP. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { isInitializeRequest, type McpServer, type Server } from "@modelcontextprotocol/server";

const maxSessions = 1_000;
const idleMs = 30 * 60_000;

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly timer: NodeJS.Timeout;
}

export interface Sessions {
  /** Serves a request of the 2025 era; `body` is parsed, and absent for GET and DELETE. */
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  /** Ends the streams on which a session only listens; its requests go on. */
  endListening(): void;
  close(): Promise<void>;
}

type Refuse = (response: ServerResponse, status: number, code: number, message: string) => void;

/** Makes the sessions of an endpoint; `build` makes the server of each. */
export function createSessions(
  build: () => Server | McpServer | Promise<Server | McpServer>,
  refuse: Refuse,
): Sessions {
  const sessions = new Map<string, Session>();

  const open = async (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        const timer = setTimeout(() => void transport.close(), idleMs).unref();
        sessions.set(id, { transport, timer });
      },
    });
    transport.onclose = () => {
      const id = transport.sessionId;
      if (id === undefined) return;
      clearTimeout(sessions.get(id)?.timer);
      sessions.delete(id);
    };
    const server = await build();
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
  };

  return {
    async handle(request, response, body) {
      const id = request.headers["mcp-session-id"];
      const session = typeof id === "string" ? sessions.get(id) : undefined;
      if (session) {
        session.timer.refresh();
        return session.transport.handleRequest(request, response, body);
      }
      if (id !== undefined) return refuse(response, 404, -32_001, "There is no such session; initialize again.");
      if (!isInitializeRequest(body))
        return refuse(response, 400, -32_000, "A session id is required; initialize first.");
      if (sessions.size >= maxSessions)
        return refuse(response, 503, -32_000, "Too many sessions are open; try again later.");
      return open(request, response, body);
    },
    endListening() {
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
    },
    close: async () => {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}
