/** Serves the emulator on a port for other programs; in addition to the API it has four controls, which are not signed. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { keepToLoopback, listen } from "../system/listen.js";
import type { Emulator } from "./index.js";
import { type ControlledWorld, rateLimitOf } from "./world.js";

const maxBodyBytes = 4 * 1024 * 1024;
// Beyond this, years soon have more than four digits, and then dates are no longer valid.
const latestMs = Date.UTC(9000, 0);

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

const json = (response: ServerResponse, status: number, value: unknown, headers = {}): unknown =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

/** Why a request may not use the controls. */
interface ControlRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A web page can post anywhere, but never without an Origin header; the controls are for programs only. */
const fromWebPage: ControlRefusal = { status: 403, message: "The controls are not available to web pages" };

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

/** The controls: `reset`, `seed` with `{"seed": n}`, `advance` with `{"seconds": n}`, and `limit` with `{"requestsPerMinute": n}`. */
function control(world: ControlledWorld, name: string, body: Uint8Array, response: ServerResponse): unknown {
  let input: unknown;
  try {
    input = body.length === 0 ? {} : JSON.parse(new TextDecoder().decode(body));
  } catch {
    return json(response, 400, { detail: "The body is not JSON" });
  }
  const { seed, seconds, requestsPerMinute } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (name === "reset") world.reset();
  else if (name === "seed" && typeof seed === "number" && Number.isSafeInteger(seed)) world.reset(seed);
  else if (
    name === "advance" &&
    typeof seconds === "number" &&
    seconds >= 0 &&
    world.now() + seconds * 1000 <= latestMs
  )
    world.advance(Math.round(seconds * 1000));
  else if (
    name === "limit" &&
    typeof requestsPerMinute === "number" &&
    Number.isSafeInteger(requestsPerMinute) &&
    requestsPerMinute > 0
  )
    rateLimitOf(world).requestsPerMinute = requestsPerMinute;
  else
    return json(response, 400, {
      detail:
        'Controls are reset, seed with {"seed": n}, advance with {"seconds": n}, and limit with {"requestsPerMinute": n}',
    });
  return json(response, 200, { seed: world.seed, now: new Date(world.now()).toISOString() });
}

interface Serving {
  readonly host: string;
  readonly port: number;
  readonly emulator: Emulator;
  /** Who may not use the controls. Without it no one is refused, and the server only listens on loopback. */
  readonly refusalOf?: (request: IncomingMessage) => ControlRefusal | undefined;
}

/** Answers one request: a control, or a call of the API. */
async function answer(
  { host, emulator, refusalOf }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  const body = await bodyOf(request);
  if (body === undefined) return json(response, 413, { detail: "The body is too large" });
  const address = `http://${request.headers.host ?? host}${request.url ?? "/"}`;
  if (!URL.canParse(address)) return json(response, 400, { detail: "Host and path do not form a URL" });
  const url = new URL(address);
  const [, name] = /^\/_emulator\/(\w+)$/.exec(url.pathname) ?? [];
  if (name !== undefined) {
    const refusal = request.headers.origin === undefined ? refusalOf?.(request) : fromWebPage;
    if (refusal) return json(response, refusal.status, { detail: refusal.message }, refusal.headers);
    if (request.method === "POST") return control(emulator.world, name, body, response);
  }
  const { method = "GET" } = request;
  const answered = await emulator.handle({
    method,
    url,
    schemes: ["https", "http"],
    headers: headersOf(request),
    body,
  });
  response.writeHead(answered.status, answered.headers);
  for await (const chunk of answered.body) response.write(chunk);
  return response.end();
}

/**
 * Serves an emulator over plain HTTP.
 * @throws Failure `bad_configuration` when it would listen beyond loopback without a token, or cannot listen at all.
 */
export async function serveEmulator(serving: Serving): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { host, port, refusalOf } = serving;
  if (!refusalOf)
    keepToLoopback(host, "the emulator", {
      why: "Anyone who can reach it could reset it: its credentials are public, and its controls are not signed.",
      next: "Set --token-file: the controls then take one of its tokens. The API itself stays open to all who reach it.",
    });
  const server = createServer((request, response) => {
    answer(serving, request, response).catch(() => response.destroy());
  });
  const actual = await listen(server, host, port, "The emulator");
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
