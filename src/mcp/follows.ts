/** Resource subscriptions of clients, in either era, which are polled with the process's own engine. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { refusalOfTool } from "../calls/offer.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { type Menu, ownMenu } from "./menu.js";
import { type Subscriber, subscriberOf } from "./owner.js";
import { splitAddress } from "./profiles.js";
import { librariesOf, type Surface } from "./surface.js";

export interface Follows {
  /**
   * Subscribes a client to a resource.
   * @param menu The client's menu; the server's own by default.
   * @param tell Called when the resource has been updated; never throws.
   * @returns the function that ends the subscription; undefined if the resource does not exist or never changes.
   * @throws Failure `rate_limited` if there are too many subscriptions, `not_allowed` if the menu leaves out the operation
   * that reads it, `invalid_input` for an unknown profile.
   */
  follow(
    subscriber: Subscriber,
    menu: Menu | undefined,
    uri: string,
    tell: () => void,
  ): Promise<(() => void) | undefined>;
}

/** Creates the subscriptions of a process; nothing is loaded before the first one. */
export function createFollows(surface: Surface): Follows {
  const own = lazily(async () => ownMenu(surface));
  const loaded = lazily(async () => {
    const { createFollowing, liveAt } = await import("../resources/live.js");
    const opened = lazily(async () => createFollowing((await surface.engine()).state.instances?.count));
    return { opened, liveAt };
  });
  return {
    async follow(subscriber, menu, uri, tell) {
      const { opened, liveAt } = await loaded();
      const offered = menu ?? (await own());
      const { address, profile } = splitAddress(uri, offered.choice.profiles);
      const live = await liveAt(address, surface.catalogue);
      if (!live) return undefined;
      // Subscribers of the same resource share one poll, so a client's menu is checked before it joins.
      const refusal = refusalOfTool(offered, live.tool);
      if (refusal) throw refusal;
      const { api } = librariesOf(surface, offered)(profile);
      return (await opened()).follow(
        subscriber.owner,
        JSON.stringify([profile ?? "", live.key, subscriber.principal]),
        async (signal) => {
          const { invoke } = await api({ ...subscriber, signal, offer: offered }, "subscription");
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

/** The subscriptions of one connection, by URI. */
export interface Followed {
  /** @returns false if the resource does not exist or never changes. */
  follow(uri: string): Promise<boolean>;
  unfollow(uri: string): void;
  /** Notifies the client of an updated resource, as long as it listens. */
  tell(uri: string): void;
  /** Ends all subscriptions, pending ones included. */
  close(): void;
}

/** Keeps the subscriptions of a connection or stream, so that they end with it. */
export function followedBy(
  follows: Follows,
  subscriber: Subscriber,
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
      // The earlier subscription may have ended, so a repeated one starts again.
      stops.get(uri)?.();
      // An unsubscription that arrives before the new one is ready is remembered.
      let isWanted = true;
      stops.set(uri, () => {
        isWanted = false;
      });
      const stop = await follows
        .follow(subscriber, menu, uri, () => tellOpen(uri))
        .catch((error: unknown) => {
          // If it is no longer wanted, the entry is that of a later subscription.
          if (isWanted) stops.delete(uri);
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

// More than an owner's limit; a message has room for a hundred thousand.
const maxAddresses = 64;

/**
 * Subscribes to the first of the acknowledged URIs. If that fails for one, the client is notified once: reading it returns
 * the reason.
 */
export async function followAll(stream: Followed, uris: readonly string[]): Promise<void> {
  for (const uri of [...new Set(uris)].slice(0, maxAddresses))
    if (!(await stream.follow(uri).catch(() => false))) stream.tell(uri);
}

const followed = new WeakMap<Server, Followed>();

/** The subscriptions of a connection, which end with it. */
function followedOn(server: Server, follows: Follows, menu: Menu, ctx: ServerContext): Followed {
  const known = followed.get(server);
  if (known) return known;
  // A client without an open stream misses the notification and can still read.
  const tell = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
  const own = followedBy(follows, subscriberOf(ctx), menu, tell);
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    own.close();
  };
  followed.set(server, own);
  return own;
}

/**
 * Starts a subscription.
 * @throws ResourceNotFoundError if the resource does not exist or never changes; ProtocolError if there are too many
 * subscriptions.
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

/** Ends a subscription, if it exists. */
export const unsubscribe = (server: Server, uri: string): void => followed.get(server)?.unfollow(uri);
