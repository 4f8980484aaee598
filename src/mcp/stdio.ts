/** The stdio transport: only JSON-RPC on stdout, until stdin ends, with the client's subscriptions. */
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Surface } from "../engine/surface.js";
import { memberAt } from "../language/member.js";
import type { Log } from "../telemetry/log.js";
import { createLineSplitter, createNoiseLog, type MessageProblem, readMessage } from "./message.js";
import { serverFactory } from "./server.js";
import {
  type ConnectionSubscriptions,
  createConnectionSubscriptions,
  createSubscriptions,
  type Subscriptions,
  subscribeToAll,
} from "./subscriptions.js";

const acknowledged = "notifications/subscriptions/acknowledged";

type Acknowledgement = {
  readonly _meta: Readonly<Record<string, unknown>>;
  readonly notifications: { readonly resourceSubscriptions?: readonly string[] };
};

/** A parsed value as a message, or the error if it is not one. */
function messageIn(value: object): JSONRPCMessage | MessageProblem {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    const id = memberAt(value, ["id"]);
    return {
      id: typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null,
      code: INVALID_REQUEST,
      message: "This is no request, notification or response of JSON-RPC 2.0.",
    };
  }
}

/** Whether a value is meant as a response, to which no error is sent even if it is invalid. */
const isAnswer = (value: object): boolean => !("method" in value) && ("result" in value || "error" in value);

/**
 * A transport over this process's standard streams that tracks its client's subscriptions. The SDK answers
 * `subscriptions/listen` without involving the server, so they are read from the outgoing acknowledgement.
 */
class ListeningStdio extends StdioServerTransport {
  readonly #streams = new Map<unknown, ConnectionSubscriptions>();

  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly noise: ReturnType<typeof createNoiseLog>,
  ) {
    super();
    // The SDK parses each line whole and skips lines that are not JSON, so lines are checked before they reach it.
    this._ondata = createLineSplitter(
      (line) => this.#read(line),
      (problem) => this.#refuse("", problem),
    );
  }

  #read(line: string): void {
    const read = readMessage(line);
    const parsed = "message" in read ? read : messageIn(read.value);
    if (!("message" in parsed)) {
      this.noise(line);
      this.onmessage?.(parsed);
    } else if ("value" in read && isAnswer(read.value)) this.noise(line, parsed);
    else this.#refuse(line, parsed);
  }

  #refuse(line: string, problem: MessageProblem): void {
    this.noise(line, problem);
    const { id, code, message } = problem;
    void super.send({ jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage).catch(() => undefined);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if ("method" in message && message.method === acknowledged) this.#listen(message.params as Acknowledgement);
  }

  override async close(): Promise<void> {
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
    await super.close();
  }

  /** Detects that a client stops listening; called with every incoming message. */
  observe(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    this.#streams.get(id)?.close();
    this.#streams.delete(id);
  }

  #listen({ _meta, notifications: { resourceSubscriptions = [] } }: Acknowledgement): void {
    if (resourceSubscriptions.length === 0) return;
    const id = _meta[SUBSCRIPTION_ID_META_KEY];
    const notify = (uri: string): void => {
      const params = { uri, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
      void super.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params }).catch(() => undefined);
    };
    const stream = createConnectionSubscriptions(this.subscriptions, { owner: "local" }, undefined, notify);
    this.#streams.set(id, stream);
    void subscribeToAll(stream, resourceSubscriptions);
  }
}

/**
 * Serves one client over this process's stdin and stdout, in either era of the protocol.
 * @param release Called when the client has disconnected.
 */
export function serveOverStdio(surface: Surface, log: Log, release: () => Promise<void>): void {
  const subscriptions = createSubscriptions(surface);
  const transport = new ListeningStdio(subscriptions, createNoiseLog(log));
  const handle = serveStdio(serverFactory(surface, undefined, subscriptions), {
    transport,
    onerror: () => log("edgewise: a message could not be processed", "warn"),
  });
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    transport.observe(message);
    receive?.(message);
  };
  const close = async (): Promise<void> => {
    await handle.close();
    await release();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => void close().finally(() => process.exit(0)));
  process.once("beforeExit", () => void close());
}
