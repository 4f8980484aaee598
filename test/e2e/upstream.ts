/** A loopback upstream whose answers a test scripts, and which keeps every request that reached it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly atMs: number;
}

export interface Upstream {
  readonly url: string;
  readonly received: Received[];
  /** Resolves when a request's connection was closed before it was answered. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: Received, count: number) => void;

export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

/** Starts the upstream; `answer` gets each request with how many came before it. */
export async function startUpstream(answer: Answer): Promise<Upstream> {
  const received: Received[] = [];
  let abandon = (): void => undefined;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.once("close", () => {
      if (!response.writableFinished) abandon();
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one: Received = {
        method: request.method ?? "",
        target: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        atMs: performance.now(),
      };
      received.push(one);
      answer(response, one, received.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    abandoned,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
