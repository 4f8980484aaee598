/** Access control of the HTTP endpoint: Host, Origin and bearer token, checked before any body is read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { loopbackNames } from "../../system/listen.js";
import { anonymous, writeScope } from "../owner.js";

/** Why a request is rejected. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request with why it is rejected, in the form of the protocol. */
export function refuse(response: ServerResponse, { status, message, headers }: Rejection, code = -32_000): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

/** A host as an address writes it: an IPv6 address in brackets. */
export const inAddress = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The Host headers that name a server by itself: what it is bound to and this machine's own names, with its port. */
export function ownHosts(boundTo: string, port: number): ReadonlySet<string> {
  const names = [...loopbackNames, inAddress(boundTo).toLowerCase()];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/;

/** Whether a Host header names what the configuration allows: a name with a port, or a name at whatever port a proxy has. */
function isAllowed(host: string, allowedHosts: readonly string[]): boolean {
  const [, name = ""] = hostPattern.exec(host) ?? [];
  return allowedHosts.some((allowed) => [host, name].includes(allowed.toLowerCase()));
}

function isOwnOrigin(header: string, own: ReadonlySet<string>, allowedHosts: readonly string[]): boolean {
  const url = URL.canParse(header) ? new URL(header) : undefined;
  // An origin is scheme, host and port and nothing else; `null` and anything that only looks like one is foreign.
  if (!url || url.origin !== header || !/^https?:$/.test(url.protocol)) return false;
  // Other ports of this machine are other origins, and https is only ever served by a proxy in front.
  return (url.protocol === "http:" && own.has(url.host)) || isAllowed(url.host, allowedHosts);
}

function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  return count;
}

/**
 * Checks a request's Host and Origin; undefined accepts it.
 * @param own The server's own names.
 * @param allowedHosts Host names and origins' host names, besides its own, that are this server's.
 */
export function rejectionOf(
  request: IncomingMessage,
  own: ReadonlySet<string>,
  allowedHosts: readonly string[],
): Rejection | undefined {
  const { host, origin } = request.headers;
  // Node keeps the first of two Host headers; a proxy in front may have used the other.
  if (host === undefined || countOf(request, "host") !== 1)
    return { status: 400, message: "The Host header is missing or repeated." };
  const named = host.toLowerCase();
  if (!own.has(named) && !isAllowed(named, allowedHosts))
    return { status: 403, message: "This server does not answer to that host name; --allowed-hosts adds one." };
  if (origin !== undefined && !isOwnOrigin(origin, own, allowedHosts))
    return { status: 403, message: "That origin is not allowed to call this server." };
  return undefined;
}

/** Who may call the endpoint, and which of them may make changes. */
export interface Access {
  /** The name of a token's holder; undefined for a token that nobody holds. */
  readonly holder: (token: string) => string | undefined;
  /** Whether a request may come without a token. */
  readonly isOpen: boolean;
  /** Whether requests with a token may make changes. */
  readonly allowsWrites: boolean;
}

/**
 * Who makes a request and what it may do, as the SDK hands it on to the handlers; or why it is rejected. A header can
 * take the right to make changes away, and none can give it.
 */
export function authenticate(request: IncomingMessage, { holder, isOpen, allowsWrites }: Access): AuthInfo | Rejection {
  const { authorization, "x-edgewise-read-only": tightened } = request.headers;
  // The token itself goes no further than here.
  if (authorization === undefined && isOpen) return { token: "", clientId: anonymous, scopes: [] };
  const [, given = ""] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "") ?? [];
  const name = countOf(request, "authorization") === 1 ? holder(given) : undefined;
  if (name === undefined)
    return {
      status: 401,
      message: isOpen
        ? "That token is not known to this server: --token-file names the tokens. Without one, a client here can read."
        : "Send a token of the server's --token-file as a bearer token.",
      headers: { "www-authenticate": 'Bearer realm="edgewise"' },
    };
  const canWrite = allowsWrites && (tightened === undefined || tightened === "false");
  return { token: "", clientId: name, scopes: canWrite ? [writeScope] : [] };
}
