/** The HTTP transport: both eras of the protocol on one endpoint, with access control before any body is read. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { Failure } from "../api/failure.js";
import { listen } from "../api/listen.js";
import { asWebRequest, Disconnection, readText, writeWebResponse } from "./http-bridge.js";
import { type HttpPolicy, inAddress, isLoopback, ownHosts, rejectionOf } from "./http-guard.js";
import { createSessions } from "./sessions.js";

export interface HttpOptions extends HttpPolicy {
  /** Makes a server for a modern request, or for a session of a 2025-era client. */
  readonly build: McpServerFactory;
  readonly host: string;
  readonly port: number;
  readonly log: (line: string) => void;
}

const maxBodyBytes = 4 * 1024 * 1024;
const drainMs = 10_000;

function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

/** Whether a message declares the 2026 era itself, which saves the SDK's own check. */
function claimsModernEra(body: unknown): boolean {
  const params = (body as { params?: { _meta?: Record<string, unknown> } } | null)?.params;
  return typeof params?._meta?.[PROTOCOL_VERSION_META_KEY] === "string";
}

/**
 * Serves MCP at `/mcp` and a liveness answer at `/healthz`.
 * @throws Failure `bad_configuration` when it would listen beyond loopback without a token, or cannot listen at all.
 */
export async function serveHttp(options: HttpOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { build, host, log, token } = options;
  if (!isLoopback(host) && token === undefined)
    throw new Failure("bad_configuration", `Without a token the server listens on loopback only, not on ${host}.`, {
      why: "Anyone who can reach it could act on the account.",
      next: "Set --token-file, and --allowed-hosts with the name that clients use.",
    });
  const onerror = () => log("edgewise: a message could not be processed");
  const modern = createMcpHandler(build, { legacy: "reject", onerror });
  const sessions = createSessions(() => build({ era: "legacy" }), refuse);
  let own: ReadonlySet<string> = new Set();
  let isDraining = false;
  let inFlight = 0;
  let onIdle = (): void => undefined;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split("?")[0];
    const rejection = rejectionOf(request, own, path === "/healthz" ? { allowedHosts: options.allowedHosts } : options);
    if (rejection) return refuse(response, rejection.status, -32_000, rejection.message, rejection.headers);
    if (path === "/healthz")
      return void response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}');
    if (path !== "/mcp") return refuse(response, 404, -32_000, "Not found: MCP is served at /mcp.");
    if (isDraining) return refuse(response, 503, -32_000, "The server is stopping.", { "retry-after": "5" });
    if (request.method !== "POST") {
      // Only a session has a stream to open (GET) or can be ended (DELETE).
      if (request.headers["mcp-session-id"] !== undefined) return sessions.handle(request, response, undefined);
      return refuse(response, 405, -32_000, "Method not allowed: send messages by POST.", { allow: "POST" });
    }
    if (!isJsonContentType(request.headers["content-type"] ?? null))
      return refuse(response, 415, -32_000, "Send messages as application/json.");
    const text = await readText(request, maxBodyBytes);
    if (text === undefined)
      return refuse(response, 413, -32_000, `A message may have at most ${maxBodyBytes} bytes.`, {
        connection: "close",
      });
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return refuse(response, 400, -32_700, "The message is not JSON.");
    }
    const web = asWebRequest(request, new Disconnection(response));
    if (!claimsModernEra(body) && (await isLegacyRequest(web, body))) return sessions.handle(request, response, body);
    await writeWebResponse(await modern.fetch(web, { parsedBody: body }), response);
  };

  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      inFlight += 1;
      response.once("close", () => {
        inFlight -= 1;
        if (inFlight === 0) onIdle();
      });
      serve(request, response).catch(() => {
        // The client disconnected before its message was complete: not an error, and there is no one to answer.
        if (request.destroyed && !request.complete) return;
        log("edgewise: a request failed with an internal error");
        refuse(response, 500, -32_603, "Internal server error.");
      });
    },
  );
  server.maxConnections = 1_000;
  const port = await listen(server, host, options.port, "The server");
  own = ownHosts(host, port);
  return {
    url: `http://${inAddress(host)}:${port}/mcp`,
    close: async () => {
      isDraining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // No request is in flight on such a stream, so there is nothing to wait for.
      sessions.endListening();
      if (inFlight > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
          setTimeout(resolve, drainMs).unref();
        });
      }
      await Promise.all([modern.close(), sessions.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}
