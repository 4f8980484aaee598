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
  /** The requests since the last script. */
  readonly received: readonly Received[];
  /** Resolves when a request's connection was closed before it was answered. */
  readonly abandoned: Promise<void>;
  /** Starts over with another script: what was received is forgotten, and what was not answered is broken off. */
  script(answer: Answer): void;
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
  let script = answer;
  let received: Received[] = [];
  let abandon = (): void => undefined;
  const nextAbandoned = () =>
    new Promise<void>((resolve) => {
      abandon = resolve;
    });
  let abandoned = nextAbandoned();
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
      script(response, one, received.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get received() {
      return received;
    },
    get abandoned() {
      return abandoned;
    },
    script: (next) => {
      script = next;
      received = [];
      server.closeAllConnections();
      abandoned = nextAbandoned();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
