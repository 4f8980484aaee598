/** A raw HTTP client of the endpoint: its messages in both eras, and what comes back. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
export const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } });
export const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
export const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
export const callSlow = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "slow", arguments: {}, _meta: meta },
});
export const calling = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "slow" };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export function ask(
  url: URL,
  {
    method = "POST",
    headers = {},
    body = list,
    path = url.pathname,
    from,
  }: { method?: string; headers?: Record<string, string>; body?: string; path?: string; from?: string } = {},
): Promise<Answer> {
  const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        path,
        method,
        headers: { ...usual, ...headers },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    sent.once("error", reject).end(method === "GET" || method === "DELETE" ? undefined : body);
  });
}

/** Opens a session of the 2025 era, and gives the headers that belong to it. */
export async function openSession(
  url: URL,
  more: Record<string, string> = {},
  from?: string,
): Promise<Record<string, string>> {
  const own = from === undefined ? {} : { from };
  const { status, headers, text } = await ask(url, { body: initialize, headers: more, ...own });
  if (status !== 200) throw new Error(`No session was opened: ${status} ${text}`);
  return { "mcp-session-id": String(headers["mcp-session-id"]), "mcp-protocol-version": "2025-11-25" };
}

/** Opens a session's stream for what the server says unasked. */
export async function listen(
  { hostname: host, port, pathname: path }: URL,
  inSession: object,
): Promise<IncomingMessage> {
  const headers = { accept: "text/event-stream", ...inSession };
  return new Promise((resolve) => {
    httpRequest({ host, port, path, headers }, (response) => resolve(response.resume())).end();
  });
}

/** Sends the beginning of a message and never its end; `body` bytes of it arrive. */
export function sendUnfinished(url: URL, bytes: number, headers: Record<string, string> = {}): Promise<Unfinished> {
  const socket = connect(Number(url.port), url.hostname);
  const lines = Object.entries({ host: url.host, "content-type": "application/json", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  socket.on("error", () => undefined);
  return new Promise((resolve) => {
    socket.write(
      `POST ${url.pathname} HTTP/1.1\r\n${head}content-length: ${bytes + 1}\r\n\r\n${" ".repeat(bytes)}`,
      () => resolve({ socket, status: () => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] }),
    );
  });
}

export interface Unfinished {
  readonly socket: Socket;
  /** The status that it was answered with; undefined while it is waited for. */
  status(): string | undefined;
}
