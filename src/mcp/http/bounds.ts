/** Limits of what one client, and all clients together, can use of the endpoint at a time. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { minuteMs } from "../../time/durations.js";
import { maxMessageBytes } from "../message.js";
import { anonymous } from "../owner.js";
import type { Rejection } from "./access.js";

/** A limit for one client and one for all clients together. */
interface Share {
  readonly client: number;
  readonly all: number;
}

export interface HttpBounds {
  /** Messages whose bodies are still arriving. */
  readonly readings: Share;
  /** Bytes of bodies, until the end of the response; the first 64 KiB of each body are free. */
  readonly bytes: Share;
  /** Calls in progress. */
  readonly calls: Share;
  /** Streams on which clients only listen. */
  readonly streams: Share;
  readonly sessions: Share;
  readonly connections: number;
  readonly maxBodyBytes: number;
  /** The time in which a body has to arrive. */
  readonly bodyMs: number;
  /** The time after which an idle session ends. */
  readonly sessionMs: number;
  /** The same for a session that was never used. */
  readonly unusedSessionMs: number;
}

const mebibyte = 1024 * 1024;

export const usualBounds: HttpBounds = {
  readings: { client: 32, all: 256 },
  bytes: { client: 16 * mebibyte, all: 64 * mebibyte },
  calls: { client: 64, all: 256 },
  streams: { client: 64, all: 512 },
  sessions: { client: 64, all: 1_000 },
  connections: 1_000,
  maxBodyBytes: maxMessageBytes,
  bodyMs: 15_000,
  sessionMs: 30 * minuteMs,
  unusedSessionMs: minuteMs,
};

/** The error for a client that has used up its share. */
const tooMuch = (what: string): Rejection => ({
  status: 429,
  message: `This client has too many ${what} open; wait for one to end, then try again.`,
  headers: { "retry-after": "1" },
});

/** The error for a client that asks for more than its share at once. */
const tooMuchAtOnce = (what: string, share: number): Rejection => ({
  status: 429,
  message: `A client can have ${share} ${what} open at a time; ask for fewer at once.`,
});

/** The error when all clients together have reached the limit. */
const tooBusy = (what: string): Rejection => ({
  status: 503,
  message: `This server has too many ${what} open; try again later.`,
  headers: { "retry-after": "5" },
});

/** The most that all clients together hold, as a multiple of the total: above it, even one that holds nothing is refused. */
const ceiling = 2;

/** Counts the use of one resource by clients. */
export class ShareTally {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly share: Share,
    private readonly what: string,
  ) {}

  heldBy = (client: string): number => this.held.get(client) ?? 0;

  /**
   * Why a client cannot have this much more. A client without any can have its share although the total is reached, so that
   * a few others cannot lock it out; the ceiling bounds what many clients together take that way.
   */
  refusal(client: string, more: number): Rejection | undefined {
    const clientUse = this.heldBy(client);
    if (more > this.share.client) return tooMuchAtOnce(this.what, this.share.client);
    if (clientUse > 0 && clientUse + more > this.share.client) return tooMuch(this.what);
    const most = clientUse === 0 ? ceiling * this.share.all : this.share.all;
    return this.total + more > most ? tooBusy(this.what) : undefined;
  }

  add(client: string, more: number): void {
    const clientUse = this.heldBy(client) + more;
    this.total += more;
    if (clientUse === 0) this.held.delete(client);
    else this.held.set(client, clientUse);
  }

  /** Reserves this much for a client until the returned function is called; or returns why it cannot. */
  take(client: string, amount: number): Rejection | (() => void) {
    const refusal = this.refusal(client, amount);
    if (refusal) return refusal;
    this.add(client, amount);
    return () => this.add(client, -amount);
  }

  /** The client with the largest use. */
  biggest(): string | undefined {
    let most: [string, number] | undefined;
    for (const entry of this.held) if (most === undefined || entry[1] > most[1]) most = entry;
    return most?.[0];
  }
}

/** The parties to which a request is counted; clients without a token are identified by address, session and connection. */
export interface Party {
  /** The owner of its sessions: a token's holder, or an address. */
  readonly client: string;
  /** The owner of its messages and, if it has a token or a session, of its calls and streams. */
  readonly sender: string;
  /** The connection of a client without a token and a session. */
  readonly connection: string | undefined;
}

/** @param session The session that the request belongs to, if it has one. */
export function partyOf({ clientId }: AuthInfo, { socket }: IncomingMessage, session: string | undefined): Party {
  if (clientId !== anonymous) return { client: clientId, sender: clientId, connection: undefined };
  // Names of tokens have no spaces.
  const client = `${anonymous} at ${socket.remoteAddress}`;
  return session === undefined
    ? { client, sender: client, connection: `${client}, port ${socket.remotePort}` }
    : { client, sender: `${client}, session ${session}`, connection: undefined };
}

/**
 * The party of a message that opens a session. Sessions have a separate limit and make room, so that a client that uses up
 * the connections' share does not prevent others from opening one.
 */
export const openingSession = ({ client, sender, connection }: Party): Party => ({
  client,
  sender: connection ?? sender,
  connection: undefined,
});

/** Counts the use of one resource by parties. */
class PartyTally {
  readonly #all: ShareTally;
  readonly #unknown: ShareTally;

  constructor(share: Share, what: string) {
    this.#all = new ShareTally(share, what);
    // Connections are cheap to open, so all connections of one address share half of the total. The other half remains
    // for its sessions and for other addresses.
    this.#unknown = new ShareTally({ client: Math.ceil(share.all / 2), all: share.all }, `${what} without a session`);
  }

  /** Reserves this much for a party until the returned function is called; or returns why it cannot. */
  take({ client, sender, connection }: Party, amount: number): Rejection | (() => void) {
    if (connection === undefined) return this.#all.take(sender, amount);
    const shared = this.#unknown.take(client, amount);
    if (typeof shared !== "function") return shared;
    const share = this.#all.take(connection, amount);
    if (typeof share !== "function") {
      shared();
      return share;
    }
    return () => {
      share();
      shared();
    };
  }
}

/** Creates the counters of an endpoint's calls and streams. */
export const partyTallies = ({ calls, streams }: Pick<HttpBounds, "calls" | "streams">) => ({
  calls: new PartyTally(calls, "calls"),
  streams: new PartyTally(streams, "streams"),
});

/**
 * Limits the connections of a server: beyond the limit, the oldest one that never carried a request is closed, and without
 * such a one the one that has been idle longest. Refusing new ones instead would let a thousand silent connections lock
 * everyone out.
 * @param max The connections that can be open at a time.
 */
export function boundConnections(server: Server, max: number): void {
  // Requests in progress on each connection; the connections that never had one, oldest first; and those that have none
  // now, longest idle first.
  const requests = new Map<Socket, number>();
  const unused = new Set<Socket>();
  const idle = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    socket.once("close", () => {
      requests.delete(socket);
      unused.delete(socket);
      idle.delete(socket);
    });
    if (requests.size > max) {
      const [oldestUnused] = unused;
      const [longestIdle] = idle;
      // If all others are in use, the new one is closed.
      (oldestUnused ?? longestIdle ?? socket).destroy();
    }
    unused.add(socket);
  });
  server.on("request", ({ socket }, response) => {
    unused.delete(socket);
    idle.delete(socket);
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (requests.get(socket) ?? 1) - 1;
      if (!requests.has(socket)) return;
      requests.set(socket, left);
      if (left === 0) idle.add(socket);
    });
  });
}
