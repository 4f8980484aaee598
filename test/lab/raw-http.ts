/** A raw HTTP client of the endpoint: its messages in both eras, and what comes back. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished } from "vitest";
import { serveHttp } from "../../src/mcp/http/index.js";
import { barrier } from "./time.js";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** A message as its body has it. */
export const message = (method: string, params: object = {}, id = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

export const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
export const list = message("tools/list", { _meta: meta });
const initializing = (capabilities: object): string =>
  message("initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: { name: "raw", version: "1" },
  });
export const initialize = initializing({});

/** A request of the 2026 era, with the headers that it has to have. */
export const modernly = (
  method: string,
  params: { readonly name?: string; readonly [name: string]: unknown } = {},
  capabilities: object = {},
) => ({
  headers: { ...modern, "mcp-method": method, ...(params.name === undefined ? {} : { "mcp-name": params.name }) },
  body: message(method, {
    ...params,
    _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": capabilities },
  }),
});
export const { headers: calling, body: callSlow } = modernly("tools/call", { name: "slow", arguments: {} });
/** The same call in a session. */
export const slowCall = (id = 3): string => message("tools/call", { name: "slow", arguments: {} }, id);

/** The result of a call, over a stream or not. */
export const resultIn = <R = { readonly structuredContent: Record<string, unknown> }>(text: string): R => {
  const json = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "null");
  return (JSON.parse(json) as { result: R }).result;
};
export const contentOf = (text: string): Record<string, unknown> => resultIn(text).structuredContent;

export const token = (of: string): string => `${of}-${"q7Zk2mX9vB4tN8wR5yH3pL6sD1cF0gJa"}`;
export const clientsOf = (...names: readonly string[]) => names.map((name) => ({ name, token: token(name) }));
export const as = (name: string) => ({ authorization: `Bearer ${token(name)}` });

type Options = Parameters<typeof serveHttp>[0];

/** Serves at this machine until the test is over. */
export async function startHttp(
  options: Partial<Options> & Pick<Options, "build">,
  atEnd: () => void = () => undefined,
) {
  const served = await serveHttp({ host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined, ...options });
  onTestFinished(() => {
    atEnd();
    return served.close();
  });
  return { ...served, url: new URL(served.url) };
}

/** Serves one tool, whose calls wait until `finish` is called or the test is over. */
export async function startSlow(options: Partial<Options> = {}) {
  const { opened, open: finish } = barrier();
  const seen = { begun: 0, aborted: 0 };
  const build = () => {
    const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler("tools/list", async () => ({ tools: [] }));
    server.setRequestHandler("tools/call", async (_, { mcpReq }) => {
      mcpReq.signal.addEventListener("abort", () => {
        seen.aborted += 1;
      });
      seen.begun += 1;
      await opened;
      return { content: [{ type: "text", text: "slow answer" }] };
    });
    return server;
  };
  const served = await startHttp({ build, ...options }, finish);
  return { ...served, seen, finish, callsBegun: (count: number) => expect.poll(() => seen.begun).toBe(count) };
}

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
  capabilities: object = {},
): Promise<Record<string, string>> {
  const own = from === undefined ? {} : { from };
  const { status, headers, text } = await ask(url, { body: initializing(capabilities), headers: more, ...own });
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
