/** The HTTP transport: both eras of the protocol on one endpoint, with access control before any body is read. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { lazily } from "../api/lazily.js";
import { keepToLoopback, listen } from "../api/listen.js";
import type { Follows } from "./follows.js";
import type { Approval } from "./http-approval.js";
import { createBodies } from "./http-bodies.js";
import { type HttpBounds, usualBounds } from "./http-bounds.js";
import { asWebRequest, Disconnection, writeResponse } from "./http-bridge.js";
import { boundConnections } from "./http-connections.js";
import { authenticate, inAddress, ownHosts, type Rejection, rejectionOf } from "./http-guard.js";
import { createListening } from "./http-listen.js";
import { openingSession, type Party, partyOf, partyTallies } from "./http-parties.js";
import { holderOf, type TokenHolder } from "./http-tokens.js";
import type { Menu } from "./menu.js";
import type { MenuAt } from "./menus.js";
import { type BuildForMenu, createSessions } from "./sessions.js";

export interface HttpOptions {
  /** Makes a server for a modern request, or for a session of a 2025-era client. */
  readonly build: BuildForMenu;
  /** Finds what is served at the paths under `/mcp`; without it there are none, and the server's own menu is at `/mcp`. */
  readonly menuAt?: MenuAt;
  readonly host: string;
  readonly port: number;
  readonly log: (line: string) => void;
  /** Host names and origins' host names, besides loopback, that are this server's. */
  readonly allowedHosts: readonly string[];
  /** The clients that have a token. Without any, every client is anonymous and the server is for loopback only. */
  readonly clients?: readonly TokenHolder[];
  /** Whether clients with a token may make changes; clients without one only read. */
  readonly allowsWrites?: boolean;
  /** The page on which a person approves plans, at `/plans` and `/plans/{id}`; there is none without it. */
  readonly approval?: Approval;
  readonly bounds?: HttpBounds;
  /** What clients follow; without it they hear of nothing. */
  readonly follows?: Follows;
}

const drainMs = 10_000;

function refuse(response: ServerResponse, { status, message, headers }: Rejection, code = -32_000): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

type Message = { readonly method?: unknown; readonly id?: unknown; readonly params?: { readonly _meta?: unknown } };

const pathOf = ({ url = "" }: { readonly url?: string | undefined }): string => url.split("?")[0] ?? "";

/** Whether a message declares the 2026 era itself, which saves the SDK's own check. */
function claimsModernEra(body: Message | null): boolean {
  const meta = body?.params?._meta as Readonly<Record<string, unknown>> | undefined;
  return typeof meta?.[PROTOCOL_VERSION_META_KEY] === "string";
}

/** How many answers a body asks for: notifications and a client's own answers wait for none. */
const callsIn = (body: Message | readonly Message[] | null): number =>
  (Array.isArray(body) ? body : [body]).filter((one) => one?.method !== undefined && one.id !== undefined).length;

/**
 * Serves MCP at `/mcp` and at the paths of its menus, and a liveness answer at `/healthz`.
 * @throws Failure `bad_configuration` when it would listen beyond loopback without a token, or cannot listen at all.
 */
export async function serveHttp(options: HttpOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { build, host, log, clients = [], allowsWrites = false, bounds = usualBounds, approval } = options;
  if (clients.length === 0)
    keepToLoopback(host, "the server", {
      why: "Anyone who can reach it could read the account.",
      next: "Set --token-file, and --allowed-hosts with the name that clients use.",
    });
  const access = { holder: holderOf(clients), isOpen: clients.length === 0, allowsWrites };
  const onerror = () => log("edgewise: a message could not be processed");
  // A request of the 2026 era finds its menu by what was noted when it came: its server is made within the SDK.
  const menuOfRequest = new WeakMap<Request, Menu>();
  const buildModern: McpServerFactory = (context) => {
    const menu = context.requestInfo && menuOfRequest.get(context.requestInfo);
    if (!menu && options.menuAt) throw new Error("A request lost its menu on the way.");
    return build(context, menu);
  };
  const modern = createMcpHandler(buildModern, { legacy: "reject", onerror });
  const listening = options.follows && createListening(buildModern, options.follows, onerror);
  const sessions = createSessions(build, refuse, bounds);
  const bodies = createBodies(bounds);
  const { calls, streams } = partyTallies(bounds);
  const page = lazily(async () =>
    approval ? (await import("./http-approval.js")).createApprovalPage(approval, bodies) : undefined,
  );
  let own: ReadonlySet<string> = new Set();
  let isDraining = false;
  let inFlight = 0;
  let onIdle = (): void => undefined;

  const left = (): void => {
    inFlight -= 1;
    if (inFlight === 0) onIdle();
  };

  /** Counts what a request holds until its response closes; false when it was refused instead. */
  const holds = (tally: typeof calls, party: Party, amount: number, response: ServerResponse): boolean => {
    const held = tally.take(party, amount);
    if (typeof held === "function") response.once("close", held);
    else refuse(response, held);
    // Nothing is in progress on a stream that only listens, so a server that stops does not wait for it.
    if (typeof held === "function" && tally === streams) {
      response.off("close", left);
      left();
    }
    return typeof held === "function";
  };

  const serveMcp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const auth = authenticate(request, access);
    if ("status" in auth) return refuse(response, auth);
    const path = pathOf(request);
    const menu = options.menuAt?.(path) ?? (path === "/mcp" ? undefined : "Not found: MCP is served at /mcp.");
    if (typeof menu === "string") return refuse(response, { status: 404, message: menu });
    const { method, headers } = request;
    const party = partyOf(auth, request, sessions.idOf(request, { auth, menu }));
    const place = { auth, menu, client: party.client };
    if (isDraining)
      return refuse(response, { status: 503, message: "The server is stopping.", headers: { "retry-after": "5" } });
    if (method !== "POST") {
      // Only a session has a stream to open (GET) or can be ended (DELETE).
      if (headers["mcp-session-id"] === undefined)
        return refuse(response, {
          status: 405,
          message: "Method not allowed: send messages by POST.",
          headers: { allow: "POST" },
        });
      if (method === "GET" && !holds(streams, party, 1, response)) return;
      return sessions.handle(request, response, place, undefined);
    }
    if (!isJsonContentType(headers["content-type"] ?? null) || headers["content-encoding"] !== undefined)
      return refuse(response, { status: 415, message: "Send messages as application/json, without an encoding." });
    const text = await bodies.read(request, response, party.sender);
    if (typeof text !== "string") return text && refuse(response, text);
    let body: Message | null;
    try {
      body = JSON.parse(text) as Message | null;
    } catch {
      return refuse(response, { status: 400, message: "The message is not JSON." }, -32_700);
    }
    const asked = callsIn(body);
    const isStream = body?.method === "subscriptions/listen";
    const holder = isInitializeRequest(body) ? openingSession(party) : party;
    if (asked > 0 && !holds(isStream ? streams : calls, holder, asked, response)) return;
    const web = asWebRequest(request, new Disconnection(response));
    if (!claimsModernEra(body) && (await isLegacyRequest(web, body)))
      return sessions.handle(request, response, place, body);
    if (menu) menuOfRequest.set(web, menu);
    const answer =
      isStream && listening
        ? listening.open(web, { auth, menu, body })
        : modern.fetch(web, { parsedBody: body, authInfo: auth });
    await writeResponse(await answer, response);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rejection = rejectionOf(request, own, options.allowedHosts);
    if (rejection) return refuse(response, rejection);
    const path = pathOf(request);
    if (path === "/mcp" || path.startsWith("/mcp/")) return serveMcp(request, response);
    if (path === "/healthz")
      return void response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}');
    if (path === "/plans" || path.startsWith("/plans/")) {
      const served = await page();
      if (served) return served(request, response, path.slice("/plans".length));
    }
    refuse(response, { status: 404, message: "Not found: MCP is served at /mcp." });
  };

  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      inFlight += 1;
      response.once("close", left);
      serve(request, response).catch(() => {
        // The client disconnected before its message was complete: not an error, and there is no one to answer.
        if (request.destroyed && !request.complete) return;
        log("edgewise: a request failed with an internal error");
        refuse(response, { status: 500, message: "Internal server error." }, -32_603);
      });
    },
  );
  boundConnections(server, bounds.connections);
  const port = await listen(server, host, options.port, "The server");
  own = ownHosts(host, port);
  return {
    url: `http://${inAddress(host)}:${port}/mcp`,
    close: async () => {
      isDraining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      sessions.endListening();
      if (inFlight > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
          setTimeout(resolve, drainMs).unref();
        });
      }
      await Promise.all([modern.close(), listening?.close(), sessions.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}
