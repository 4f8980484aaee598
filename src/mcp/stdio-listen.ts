/** Subscriptions of the 2026 era over stdio, where the SDK answers `subscriptions/listen` before the server hears of it. */
import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { type Followed, type Follows, followAll, followedBy } from "./follows.js";

const acknowledged = "notifications/subscriptions/acknowledged";

type Acknowledgement = {
  readonly _meta: Readonly<Record<string, unknown>>;
  readonly notifications: { readonly resourceSubscriptions?: readonly string[] };
};

/**
 * A transport over this process's standard streams that follows what its client listens to: it reads that from the SDK's
 * acknowledgement on its way out.
 */
export class ListeningStdio extends StdioServerTransport {
  readonly #streams = new Map<unknown, Followed>();

  constructor(private readonly follows: Follows) {
    super();
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

  /** Notes that a client listens no longer; called with every message that comes in. */
  hear(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    this.#streams.get(id)?.close();
    this.#streams.delete(id);
  }

  #listen({ _meta, notifications: { resourceSubscriptions = [] } }: Acknowledgement): void {
    if (resourceSubscriptions.length === 0) return;
    const id = _meta[SUBSCRIPTION_ID_META_KEY];
    const tell = (uri: string): void => {
      const params = { uri, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
      void super.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params }).catch(() => undefined);
    };
    const stream = followedBy(this.follows, "local", undefined, tell);
    this.#streams.set(id, stream);
    void followAll(stream, resourceSubscriptions);
  }
}
