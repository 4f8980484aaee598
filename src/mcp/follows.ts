/** What a client follows: the addresses that it subscribed to, in either era, looked at with the process's own engine. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { refusalOf } from "../calls/offer.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { type Menu, ownMenu } from "./menu.js";
import { ownerOf } from "./owner.js";
import { splitAddress } from "./profiles.js";
import { librariesOf, type Surface } from "./surface.js";

export interface Follows {
  /**
   * Follows the resource at an address for an owner.
   * @param menu What the client is offered; the server's own menu where it is left out.
   * @param tell Called when the resource should be read again; it throws nothing.
   * @returns the function that ends it; undefined when there is nothing at the address that moves.
   * @throws Failure `rate_limited` when too much is followed already; `not_allowed` where the operation that shows it is
   * left out; `invalid_input` for a profile that there is not.
   */
  follow(owner: string, menu: Menu | undefined, uri: string, tell: () => void): Promise<(() => void) | undefined>;
}

/** Makes what the clients of a process follow; nothing is loaded before the first of them does. */
export function createFollows(surface: Surface): Follows {
  const own = lazily(async () => ownMenu(surface));
  const loaded = lazily(async () => {
    const { createFollowing, liveAt } = await import("../resources/live.js");
    return { following: createFollowing(), liveAt };
  });
  return {
    async follow(owner, menu, uri, tell) {
      const { following, liveAt } = await loaded();
      const offered = menu ?? (await own());
      const { address, profile } = splitAddress(uri, offered.choice.profiles);
      const live = await liveAt(address, surface.catalogue);
      if (!live) return undefined;
      // Who follows the same thing shares the looks, so what one client is not offered is refused before it joins them.
      const refusal = refusalOf(offered, live.tool);
      if (refusal) throw refusal;
      const { api } = librariesOf(surface, offered)(profile);
      return following.follow(
        owner,
        JSON.stringify([profile ?? "", live.key]),
        async (signal) => {
          const { invoke } = await api({ owner, signal, offer: offered }, "subscription");
          const answer = await invoke(live.tool, live.args);
          return {
            state: live.state(answer),
            isOver: live.isOver(answer),
            pauseSeconds: live.pauseSeconds(answer),
          };
        },
        tell,
      );
    },
  };
}

/** What one connection follows, by address. */
export interface Followed {
  /** @returns false when there is nothing at the address that moves. */
  follow(uri: string): Promise<boolean>;
  unfollow(uri: string): void;
  /** Tells the client to read an address again, as long as it listens. */
  tell(uri: string): void;
  /** Ends all of it, and what is only about to begin. */
  close(): void;
}

/** Keeps what a connection or a stream follows, so that it ends with it. */
export function followedBy(
  follows: Follows,
  owner: string,
  menu: Menu | undefined,
  tell: (uri: string) => void,
): Followed {
  const stops = new Map<string, () => void>();
  let isClosed = false;
  const tellOpen = (uri: string): void => {
    if (!isClosed) tell(uri);
  };
  return {
    async follow(uri) {
      // What was followed under the address may be over by now, so that asking again begins anew.
      stops.get(uri)?.();
      // Until the new one is there, ending it is remembered.
      let isWanted = true;
      stops.set(uri, () => {
        isWanted = false;
      });
      const stop = await follows
        .follow(owner, menu, uri, () => tellOpen(uri))
        .catch((error: unknown) => {
          stops.delete(uri);
          throw error;
        });
      if (!isWanted || isClosed) stop?.();
      else if (stop) stops.set(uri, stop);
      else stops.delete(uri);
      return stop !== undefined;
    },
    unfollow(uri) {
      stops.get(uri)?.();
      stops.delete(uri);
    },
    tell: tellOpen,
    close() {
      isClosed = true;
      for (const stop of stops.values()) stop();
      stops.clear();
    },
  };
}

// More than any owner can follow; a message has room for a hundred thousand.
const maxAddresses = 64;

/**
 * Follows the first addresses of those that were acknowledged already. Of one that cannot be followed the client is told
 * once: reading it says why.
 */
export async function followAll(stream: Followed, uris: readonly string[]): Promise<void> {
  for (const uri of [...new Set(uris)].slice(0, maxAddresses))
    if (!(await stream.follow(uri).catch(() => false))) stream.tell(uri);
}

const followed = new WeakMap<Server, Followed>();

/** What the client of a connection follows; it ends with the connection. */
function followedOn(server: Server, follows: Follows, menu: Menu, ctx: ServerContext): Followed {
  const known = followed.get(server);
  if (known) return known;
  // A client that has no stream open to be told on hears nothing, and reads when it likes.
  const tell = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
  const own = followedBy(follows, ownerOf(ctx), menu, tell);
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    own.close();
  };
  followed.set(server, own);
  return own;
}

/**
 * Begins a subscription.
 * @throws ResourceNotFoundError when nothing at the address moves; ProtocolError when too much is followed already.
 */
export async function subscribe(
  follows: Follows,
  server: Server,
  menu: Menu,
  uri: string,
  ctx: ServerContext,
): Promise<void> {
  const isThere = await followedOn(server, follows, menu, ctx)
    .follow(uri)
    .catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.message} ${error.detail.next}`);
    });
  if (!isThere) throw new ResourceNotFoundError(uri);
}

/** Ends a subscription; one that there is not is ended, too. */
export const unsubscribe = (server: Server, uri: string): void => followed.get(server)?.unfollow(uri);
