/** To whom what a request holds is counted: clients without a token are told apart by address, session and connection. */
import type { IncomingMessage } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { type HttpBounds, type Share, Tally } from "./http-bounds.js";
import type { Rejection } from "./http-guard.js";
import { anonymous } from "./owner.js";

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
