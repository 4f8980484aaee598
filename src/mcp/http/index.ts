/**
 * The HTTP transport: both eras of the protocol on one endpoint, with access control before any body is read. It hides
 * tokens, sessions, streams and other instances from the handlers. It bounds what each client can hold, and a server that
 * stops answers the calls in progress first.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { isInitializeRequest, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { lazily } from "../../language/once-for.js";
import { keepToLoopback, listen } from "../../system/listen.js";
import type { Log } from "../../telemetry/log.js";
import { createNoiseLog, readMessage } from "../message.js";
import type { Subscriptions } from "../subscriptions.js";
import {
  createHolderLookup,
  hostRejectionOf,
  rejectionOf,
  rejectRequest,
  serverHosts,
  type TokenHolder,
  urlHost,
} from "./access.js";
import { authenticate, type EndpointAccess, endWithToken } from "./authenticate.js";
import { type BodyReader, createBodyReader } from "./bodies.js";
import {
  boundConnections,
  type HttpBounds,
  openingSession,
  type Party,
  partyOf,
  partyTallies,
  usualBounds,
} from "./bounds.js";
import { asWebRequest, Disconnection, writeResponse } from "./bridge.js";
import type { Desk, DeskOptions } from "./desk/index.js";
import type { MenuLookup } from "./menus.js";
import { claimsModernEra, createModernEndpoint, isListening, type MessageHead } from "./modern.js";
import { isMetadataPath, serveMetadata } from "./oauth/metadata.js";
import { scopeRejection } from "./oauth/needed-scope.js";
import type { SignIn } from "./oauth/sign-in.js";
import { createReadyPage, type ReadyCheck } from "./readiness.js";
import { createRequestsInProgress, type RequestsInProgress, rejectWhileStopping } from "./requests.js";
import { type BuildForMenu, createSessions, type Peers, type RequestContext } from "./sessions.js";
import { type DenialCheck, noDenials } from "./token-denials.js";

interface HttpOptions {
  /** Creates a server for a request of the 2026 era, or for a session of a 2025-era client. */
  readonly build: BuildForMenu;
  /** Resolves the paths under `/mcp` to menus; without it, only the server's own menu is served, at `/mcp`. */
  readonly menuAt?: MenuLookup;
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Host names of this server, for hosts and origins, in addition to loopback. */
  readonly allowedHosts: readonly string[];
  /** The clients with a token. Without any, every client is anonymous and the server only listens on loopback. */
  readonly clients?: readonly TokenHolder[];
  /** The identity providers whose tokens are accepted as well. */
  readonly signIn?: SignIn;
  /** Whether a token is denied; without it, nothing can deny one. */
  readonly isDenied?: DenialCheck;
  /** Whether clients with a token may make changes; those without one can only read. */
  readonly allowsWrites?: boolean;
  /** The approvals desk, at `/plans` and below, if there is one. */
  readonly desk?: DeskOptions;
  readonly bounds?: HttpBounds;
  /** The instances that share the state of this one, if there can be several. */
  readonly instances?: () => Promise<Peers | undefined>;
  /** The subscriptions of clients; without it there are none. */
  readonly subscriptions?: Subscriptions;
  /** What the server depends on, for `/readyz`. */
  readonly readyChecks?: readonly ReadyCheck[];
  /** How long a stopping server waits for the calls in progress. */
  readonly drainMs?: number;
  /** Called with the status of each response. */
  readonly onResponse?: (status: number) => void;
}

/** What clients hold of a server at a time. */
export interface HttpCounts {
  readonly sessions: number;
  /** The streams on which they only listen. */
  readonly streams: number;
  readonly connections: number;
}

const usualDrainMs = 10_000;

const pathOf = ({ url = "" }: { readonly url?: string | undefined }): string => url.split("?")[0] ?? "";

/** The number of responses that a body asks for: notifications and a client's own responses need none. */
const callsIn = (body: MessageHead | readonly MessageHead[] | null): number =>
  (Array.isArray(body) ? body : [body]).filter((one) => one?.method !== undefined && one.id !== undefined).length;

/** A request after the check of its token and path: its owner and its menu. */
interface AdmittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly party: Party;
  readonly context: RequestContext;
}

/**
 * Lets requests that waited for the same answer go on one after another: if they all began to read their bodies at once,
 * these would count as unfinished together.
 */
function createQueue(): <T>(waited: Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve();
  return async (waited) => {
    const value = await waited;
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    await last;
    return value;
  };
}

/** Who is let in. */
const accessOf = ({ clients = [], allowsWrites = false, signIn, isDenied }: HttpOptions): EndpointAccess => ({
  holder: createHolderLookup(clients),
  isOpen: clients.length === 0 && signIn === undefined,
  allowsWrites,
  signIn,
  isDenied: isDenied ?? noDenials,
});

/** Creates what decides whether a request may begin: its scope, a server that stops, and the share of its client. */
function createAdmission(
  access: EndpointAccess,
  bounds: HttpBounds,
  requests: RequestsInProgress,
  sessions: Pick<ReturnType<typeof createSessions>, "idOf">,
) {
  const { calls, streams } = partyTallies(bounds);

  /** Reserves a request's share until its response closes; false if the request was refused, or its client has left. */
  const reserveShare = (
    tally: typeof calls,
    { response, party, context }: AdmittedRequest,
    amount: number,
  ): boolean => {
    // It closes only once: a share that is taken later would never be given back.
    if (response.closed) return false;
    const share = tally.take(party, amount);
    if (typeof share !== "function") {
      rejectRequest(response, share);
      return false;
    }
    response.once("close", share);
    if (tally === streams) {
      requests.markListening(response);
      endWithToken(response, context.auth, access);
    }
    return true;
  };

  /** Refuses what would begin while the server stops; false if it does not. */
  const isTooLate = ({ request, response, context }: AdmittedRequest): boolean => {
    if (requests.isStopping()) rejectWhileStopping(response, sessions.idOf(request, context) !== undefined);
    return requests.isStopping();
  };

  /** Whether a message may be handled; it was refused otherwise. */
  const mayBegin = (admitted: AdmittedRequest, body: MessageHead | null): boolean => {
    const { request, response, party, context } = admitted;
    const lacking = access.signIn && scopeRejection(access.signIn, request, context, body);
    if (lacking) {
      rejectRequest(response, lacking);
      return false;
    }
    const count = callsIn(body);
    // Answers to questions and cancellations belong to calls in progress.
    if (count === 0) return true;
    if (isTooLate(admitted)) return false;
    // The method is compared before the SDK's own check, which would otherwise be among the expensive parts of a call.
    const opensSession = body?.method === "initialize" && isInitializeRequest(body);
    const holder = opensSession ? { ...admitted, party: openingSession(party) } : admitted;
    return reserveShare(isListening(body) ? streams : calls, holder, count);
  };

  return {
    mayBegin,
    /** Whether a client may open a stream on which it only listens; it was refused otherwise. */
    mayListen: (admitted: AdmittedRequest): boolean => !isTooLate(admitted) && reserveShare(streams, admitted, 1),
  };
}

/** Creates the handler of `/mcp` and the paths of menus. */
function createEndpoint(
  options: HttpOptions,
  {
    bounds,
    bodies,
    requests,
  }: {
    readonly bounds: HttpBounds;
    readonly bodies: BodyReader;
    readonly requests: RequestsInProgress;
  },
) {
  const access = accessOf(options);
  const modern = createModernEndpoint(options);
  const sessions = createSessions(options, bounds);
  const { mayListen, mayBegin } = createAdmission(access, bounds, requests, sessions);
  const inTurn = createQueue();
  const noise = createNoiseLog(options.log);

  /** Handles GET, which opens the stream of a session, and DELETE, which ends a session. */
  const serveSession = async (admitted: AdmittedRequest): Promise<void> => {
    const { request, response, context } = admitted;
    if (request.headers["mcp-session-id"] === undefined)
      return rejectRequest(response, {
        status: 405,
        message: "Method not allowed: send messages by POST.",
        headers: { allow: "POST" },
      });
    if (request.method === "GET" && !mayListen(admitted)) return;
    return sessions.handle(request, response, context, undefined);
  };

  /** Handles a message in its era. */
  const answer = async (admitted: AdmittedRequest, text: string, body: MessageHead | null): Promise<void> => {
    if (!mayBegin(admitted, body)) return;
    const { request, response, context } = admitted;
    const web = asWebRequest(request, new Disconnection(response));
    if (!claimsModernEra(body) && (await isLegacyRequest(web, body)))
      return sessions.handle(request, response, context, { text, body });
    const { auth, menu } = context;
    await writeResponse(await modern.answer(web, { auth, menu, body }), response);
  };

  /** Reads a message and answers it. */
  const serveMessage = async (admitted: AdmittedRequest): Promise<void> => {
    const { request, response, party } = admitted;
    const { headers } = request;
    if (!isJsonContentType(headers["content-type"] ?? null) || headers["content-encoding"] !== undefined)
      return rejectRequest(response, {
        status: 415,
        message: "Send messages as application/json, without an encoding.",
      });
    const text = await bodies.read(request, response, party.sender);
    if (typeof text !== "string") return text && rejectRequest(response, text);
    const read = readMessage(text);
    noise(text, "message" in read ? read : undefined);
    if ("message" in read) return rejectRequest(response, { status: read.isTooLarge ? 413 : 400, ...read });
    return answer(admitted, text, read.value);
  };

  return {
    serve: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const authenticated = authenticate(request, access);
      const auth = authenticated instanceof Promise ? await inTurn(authenticated) : authenticated;
      if ("status" in auth) return rejectRequest(response, auth);
      const path = pathOf(request);
      const menu = options.menuAt?.(path) ?? (path === "/mcp" ? undefined : "Not found: MCP is served at /mcp.");
      if (typeof menu === "string") return rejectRequest(response, { status: 404, message: menu });
      const party = partyOf(auth, request, sessions.idOf(request, { auth, menu }));
      const admitted: AdmittedRequest = { request, response, party, context: { auth, menu, client: party.client } };
      return request.method === "POST" ? serveMessage(admitted) : serveSession(admitted);
    },
    async endListening(): Promise<void> {
      sessions.endListening();
      await modern.endListening();
    },
    sessions: sessions.count,
    close: () => Promise.all([modern.close(), sessions.close()]),
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const serveHealth = (_: IncomingMessage, response: ServerResponse): void =>
  void response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}');

const serveNothing = (_: IncomingMessage, response: ServerResponse): void =>
  rejectRequest(response, { status: 404, message: "Not found: MCP is served at /mcp." });

/**
 * Serves MCP at `/mcp` and at the paths of its menus, whether the process runs at `/healthz`, and whether it should be sent
 * requests at `/readyz`.
 * @throws Failure `bad_configuration` if it would listen beyond loopback without a token, or cannot listen at all.
 */
export async function serveHttp(
  options: HttpOptions,
): Promise<{ readonly url: string; readonly counts: () => Promise<HttpCounts>; close(): Promise<void> }> {
  const { host, log, clients = [], signIn, menuAt, bounds = usualBounds } = options;
  if (clients.length === 0 && signIn === undefined)
    keepToLoopback(host, "the server", {
      why: "Anyone who can reach it could read the account.",
      next: "Set --token-file or --oauth-issuer, and --allowed-hosts with the name that clients use.",
    });
  const bodies = createBodyReader(bounds);
  const requests = createRequestsInProgress();
  const endpoint = createEndpoint(options, { bounds, bodies, requests });
  const readyPage = createReadyPage(options.readyChecks ?? [], requests.isStopping);
  let desk: Desk | undefined;
  const openDesk = lazily(async () => {
    if (options.desk) desk = await (await import("./desk/index.js")).createDesk(options.desk, bodies);
    return desk;
  });
  const serveDesk: Handler = async (request, response) => {
    const opened = (await openDesk())?.serve ?? serveNothing;
    return opened(request, response, pathOf(request).slice("/plans".length));
  };
  const probes: Readonly<Record<string, Handler>> = { "/healthz": serveHealth, "/readyz": readyPage };
  let acceptedHosts: ReadonlySet<string> = new Set();

  /** What serves a path; returns synchronously, so that a request that is not quite HTTP is answered before it is rejected. */
  const handlerAt = (path: string): Handler => {
    if (signIn && isMetadataPath(path)) return (request, response) => serveMetadata(signIn, menuAt, request, response);
    if (path === "/mcp" || path.startsWith("/mcp/")) return endpoint.serve;
    if (path === "/plans" || path.startsWith("/plans/")) return serveDesk;
    return probes[path] ?? serveNothing;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request);
    // Metadata is public, and a client in a browser reads it from the page that it is on.
    const isPublic = isMetadataPath(path);
    const rejection = (isPublic ? hostRejectionOf : rejectionOf)(request, acceptedHosts, options.allowedHosts);
    if (rejection) return rejectRequest(response, rejection);
    await handlerAt(path)(request, response);
  };

  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      requests.begin(response);
      const { onResponse } = options;
      if (onResponse) response.once("finish", () => onResponse(response.statusCode));
      serve(request, response).catch(() => {
        // The client disconnected before its message was complete, which is not an error.
        if (request.destroyed && !request.complete) return;
        log("edgewise: a request failed with an internal error", "error");
        rejectRequest(response, { status: 500, message: "Internal server error.", code: -32_603 });
      });
    },
  );
  boundConnections(server, bounds.connections);
  const port = await listen(server, host, options.port, "The server");
  acceptedHosts = serverHosts(host, port);
  return {
    url: `http://${urlHost(host)}:${port}/mcp`,
    counts: async () => ({
      sessions: endpoint.sessions(),
      streams: requests.listening(),
      connections: await promisify(server.getConnections.bind(server))(),
    }),
    close: async () => {
      // The server keeps listening, so that the answers to the questions of calls in progress arrive, and probes learn that
      // it is stopping.
      requests.stop();
      desk?.close();
      await endpoint.endListening();
      await requests.idle(options.drainMs ?? usualDrainMs);
      const closed = new Promise((resolve) => server.close(resolve));
      await endpoint.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
