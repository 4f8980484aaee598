/** How much of the endpoint one client, and all clients together, can hold at a time, and to whom it is counted. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { minuteMs } from "../../language/durations.js";
import { anonymous } from "../owner.js";
import type { Rejection } from "./access.js";

/** A bound for one client and a bound for all of them. */
interface Share {
  readonly client: number;
  readonly all: number;
}

export interface HttpBounds {
  /** Messages whose bodies are being read. */
  readonly readings: Share;
  /** Bytes of bodies, from their reading to the end of the answer; the first 64 KiB of each body are free. */
  readonly bytes: Share;
  /** Calls that have not been answered. */
  readonly calls: Share;
  /** Streams on which clients only listen. */
  readonly streams: Share;
  readonly sessions: Share;
  readonly connections: number;
  readonly maxBodyBytes: number;
  /** The time in which a body must have arrived. */
  readonly bodyMs: number;
  /** The time after which a session that nobody uses ends. */
  readonly sessionMs: number;
  /** The same for a session that was opened and then never used. */
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
  maxBodyBytes: 4 * mebibyte,
  bodyMs: 15_000,
  sessionMs: 30 * minuteMs,
  unusedSessionMs: minuteMs,
};

/** The answer to a client that holds its whole share of something. */
const tooMuch = (what: string): Rejection => ({
  status: 429,
  message: `Too many ${what} of this client are open; wait for one to end, then try again.`,
  headers: { "retry-after": "1" },
});

/** The answer to a client that asks for more than its share at once, for which nothing has to end first. */
const tooMuchAtOnce = (what: string, share: number): Rejection => ({
  status: 429,
  message: `A client can have ${share} ${what} open at a time; ask for fewer at once.`,
});

/** The answer when all clients together hold everything. */
const tooBusy = (what: string): Rejection => ({
  status: 503,
  message: `Too many ${what} are open on this server; try again later.`,
  headers: { "retry-after": "5" },
});

/** Counts what clients hold of one thing. */
export class Tally {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly share: Share,
    private readonly what: string,
  ) {}

  of = (client: string): number => this.held.get(client) ?? 0;

  /**
   * Why a client cannot hold this much more. One that holds nothing always can have its share, so that others cannot lock
   * it out.
   */
  refusal(client: string, more: number): Rejection | undefined {
    const own = this.of(client);
    if (more > this.share.client) return tooMuchAtOnce(this.what, this.share.client);
    if (own === 0) return undefined;
    if (own + more > this.share.client) return tooMuch(this.what);
    return this.total + more > this.share.all ? tooBusy(this.what) : undefined;
  }

  add(client: string, more: number): void {
    const own = this.of(client) + more;
    this.total += more;
    if (own === 0) this.held.delete(client);
    else this.held.set(client, own);
  }

  /** Holds this much for a client until the function that comes back is called; or says why it cannot. */
  take(client: string, amount: number): Rejection | (() => void) {
    const refusal = this.refusal(client, amount);
    if (refusal) return refusal;
    this.add(client, amount);
    return () => this.add(client, -amount);
  }

  /** The client that holds most. */
  biggest(): string | undefined {
    let most: [string, number] | undefined;
    for (const entry of this.held) if (most === undefined || entry[1] > most[1]) most = entry;
    return most?.[0];
  }
}

/** To whom what a request holds is counted; clients without a token are told apart by address, session and connection. */
export interface Party {
  /** Whose its sessions are: a token's holder, or an address. */
  readonly client: string;
  /** Whose its messages are, and, where it has a token or a session, its calls and streams. */
  readonly sender: string;
  /** The connection of a client without a token and without a session, of which nothing more is known. */
  readonly connection: string | undefined;
}

/** @param session The session that the request belongs to, if it has one. */
export function partyOf({ clientId }: AuthInfo, { socket }: IncomingMessage, session: string | undefined): Party {
  if (clientId !== anonymous) return { client: clientId, sender: clientId, connection: undefined };
  // No token's name has a space in it.
  const client = `${anonymous} at ${socket.remoteAddress}`;
  return session === undefined
    ? { client, sender: client, connection: `${client}, port ${socket.remotePort}` }
    : { client, sender: `${client}, session ${session}`, connection: undefined };
}

/**
 * The party of a message that opens a session. Sessions have a bound of their own and make room, so that whoever holds
 * all that connections may have keeps nobody from opening one.
 */
export const openingSession = ({ client, sender, connection }: Party): Party => ({
  client,
  sender: connection ?? sender,
  connection: undefined,
});

/** Counts what parties hold of one thing. */
class PartyTally {
  readonly #all: Tally;
  readonly #unknown: Tally;

  constructor(share: Share, what: string) {
    this.#all = new Tally(share, what);
    // A connection is opened in no time, so those of one address have half of everything together. Its sessions and other
    // addresses keep the other half.
    this.#unknown = new Tally({ client: Math.ceil(share.all / 2), all: share.all }, `${what} without a session`);
  }

  /** Holds this much for a party until the function that comes back is called; or says why it cannot. */
  take({ client, sender, connection }: Party, amount: number): Rejection | (() => void) {
    if (connection === undefined) return this.#all.take(sender, amount);
    const shared = this.#unknown.take(client, amount);
    if (typeof shared !== "function") return shared;
    const own = this.#all.take(connection, amount);
    if (typeof own !== "function") {
      shared();
      return own;
    }
    return () => {
      own();
      shared();
    };
  }
}

/** Makes the counts of calls and of streams of an endpoint. */
export const partyTallies = ({ calls, streams }: Pick<HttpBounds, "calls" | "streams">) => ({
  calls: new PartyTally(calls, "calls"),
  streams: new PartyTally(streams, "streams"),
});

/**
 * Bounds the connections of a server: beyond the bound, the one that has been idle longest makes room. Refusing new
 * ones instead would let a thousand silent ones lock everybody out.
 * @param max The connections that may be open at a time.
 */
export function boundConnections(server: Server, max: number): void {
  // Requests in progress on each connection, and the connections without any, longest idle first.
  const requests = new Map<Socket, number>();
  const idle = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    idle.add(socket);
    socket.once("close", () => {
      requests.delete(socket);
      idle.delete(socket);
    });
    if (requests.size <= max) return;
    // When all others are in use, the longest idle is the new one itself.
    const [longest] = idle;
    longest?.destroy();
  });
  server.on("request", ({ socket }, response) => {
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
