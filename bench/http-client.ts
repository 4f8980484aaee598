/**
 * Clients over HTTP that write prepared bytes to a socket and look for the end of each response: Node's own client needs
 * more of the processor than a server that answers it, and would be measured in its place.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { message } from "./process.js";

export interface Endpoint {
  readonly url: string;
  /** The bearer token of its clients, if it asks for one. */
  readonly token?: string;
  /** A token for each client of a load: identical reads of one that overlap are sent once. */
  readonly tokens?: readonly string[];
}

/** The bytes of a request for a message. */
export function requestOf({ url, token }: Endpoint, method: string, params: Record<string, unknown>): string {
  const { host, pathname } = new URL(url);
  const body = message(1, method, params);
  const headers = [
    `host: ${host}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    "mcp-protocol-version: 2026-07-28",
    `mcp-method: ${method}`,
    ...(method === "tools/call" ? [`mcp-name: ${params["name"]}`] : []),
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `POST ${pathname} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}

export async function openSocket({ url }: Endpoint): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  return socket;
}

/** Whether a response is complete: its length is in its header, or its last chunk is empty. */
function isComplete(response: Buffer): boolean {
  const headEnd = response.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  const [, length] = /content-length: (\d+)/i.exec(response.toString("latin1", 0, headEnd)) ?? [];
  if (length !== undefined) return response.length === headEnd + 4 + Number(length);
  return response.toString("latin1", response.length - 5) === "0\r\n\r\n";
}

export interface Client {
  /** Sends the bytes of a request, after the response to the last one. @returns the response, with its headers. */
  ask(request: string): Promise<string>;
  close(): void;
}

/** Opens a connection, which is kept for all requests. */
export async function openClient(endpoint: Endpoint): Promise<Client> {
  const socket = await openSocket(endpoint);
  let response: Buffer | undefined;
  let answered: (text: string) => void = () => undefined;
  let failed: (error: Error) => void = () => undefined;
  socket.on("data", (chunk: Buffer) => {
    response = response === undefined ? chunk : Buffer.concat([response, chunk]);
    if (!isComplete(response)) return;
    const text = response.toString();
    response = undefined;
    if (text.startsWith("HTTP/1.1 200 ") && !text.includes('"isError":true')) answered(text);
    else failed(new Error(`unexpected answer: ${text}`));
  });
  socket.on("close", () => failed(new Error("the server closed the connection")));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        if (socket.destroyed) reject(new Error("the server has closed the connection"));
        else socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}

/** A call that a load consists of. */
export interface Called {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

/**
 * Calls a tool with some clients at once until a number of calls or a time is over, each at the endpoints in turn.
 * @param isOver Called before each call with the calls that were answered and the milliseconds since all were connected.
 * @returns the calls that were answered, and the milliseconds until the last of them was.
 */
export async function load(
  endpoints: readonly Endpoint[],
  { tool, args }: Called,
  { clients, isOver }: { readonly clients: number; readonly isOver: (calls: number, ms: number) => boolean },
): Promise<{ readonly calls: number; readonly ms: number }> {
  const openAt = async ({ tokens, token: only, url }: Endpoint, of: number) => {
    const token = tokens?.[of % tokens.length] ?? only;
    const own = { url, ...(token === undefined ? {} : { token }) };
    return { client: await openClient(own), request: requestOf(own, "tools/call", { name: tool, arguments: args }) };
  };
  const opened = await Promise.all(
    Array.from({ length: clients }, (_, of) => Promise.all(endpoints.map((endpoint) => openAt(endpoint, of)))),
  );
  let calls = 0;
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  await Promise.all(
    opened.map(async (ways, first) => {
      for (let at = first; !isOver(calls, passedMs()); at += 1) {
        const way = ways[at % ways.length];
        await way?.client.ask(way.request);
        calls += 1;
      }
    }),
  );
  const ms = passedMs();
  for (const { client } of opened.flat()) client.close();
  return { calls, ms };
}
