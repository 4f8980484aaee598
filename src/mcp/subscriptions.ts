/** Resource subscriptions of clients, in either era, which are polled with the process's own engine. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { refusalOfTool } from "../calls/offer.js";
import { type Menu, serverMenu } from "../engine/menu.js";
import { librariesOf, type Surface } from "../engine/surface.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { type Subscriber, subscriberOf } from "./owner.js";
import { splitAddress } from "./profile-address.js";

export interface Subscriptions {
  /**
   * Subscribes a client to a resource.
   * @param menu The client's menu; the server's own by default.
   * @param notify Called when the resource has been updated; never throws.
   * @returns the function that ends the subscription; undefined if the resource does not exist or never changes.
   * @throws Failure `rate_limited` if there are too many subscriptions, `not_allowed` if the menu leaves out the operation
   * that reads it, `invalid_input` for an unknown profile.
   */
  subscribe(
    subscriber: Subscriber,
    menu: Menu | undefined,
    uri: string,
    notify: () => void,
  ): Promise<(() => void) | undefined>;
}

/** Creates the subscriptions of a process; nothing is loaded before the first one. */
export function createSubscriptions(surface: Surface): Subscriptions {
  const defaultMenu = lazily(async () => serverMenu(surface));
  const liveResources = lazily(async () => {
    const { createLivePolling, liveAt } = await import("../resources/live.js");
    const opened = lazily(async () => createLivePolling((await surface.engine()).state.instances?.count));
    return { opened, liveAt };
  });
  return {
    async subscribe(subscriber, menu, uri, notify) {
      const { opened, liveAt } = await liveResources();
      const clientMenu = menu ?? (await defaultMenu());
      const { address, profile } = splitAddress(uri, clientMenu.choice.profiles);
      const live = await liveAt(address, surface.catalogue);
      if (!live) return undefined;
      // Subscribers of the same resource share one poll, so a client's menu is checked before it joins.
      const refusal = refusalOfTool(clientMenu, live.tool);
      if (refusal) throw refusal;
      const { api } = librariesOf(surface, clientMenu)(profile);
      return (await opened()).subscribe(
        subscriber.owner,
        JSON.stringify([profile ?? "", live.key, subscriber.principal]),
        async (signal) => {
          const { invoke } = await api({ ...subscriber, signal, offer: clientMenu }, "subscription");
          const answer = await invoke(live.tool, live.args);
          return {
            state: live.state(answer),
            isOver: live.isOver(answer),
            pauseSeconds: live.pauseSeconds(answer),
          };
        },
        notify,
      );
    },
  };
}

/** The subscriptions of one connection, by URI. */
export interface ConnectionSubscriptions {
  /** @returns false if the resource does not exist or never changes. */
  subscribe(uri: string): Promise<boolean>;
  unsubscribe(uri: string): void;
  /** Notifies the client of an updated resource, as long as it listens. */
  notify(uri: string): void;
  /** Ends all subscriptions, pending ones included. */
  close(): void;
}

/** Keeps the subscriptions of a connection or stream, so that they end with it. */
export function createConnectionSubscriptions(
  all: Subscriptions,
  subscriber: Subscriber,
  menu: Menu | undefined,
  notify: (uri: string) => void,
): ConnectionSubscriptions {
  const stops = new Map<string, () => void>();
  let isClosed = false;
  const notifyIfOpen = (uri: string): void => {
    if (!isClosed) notify(uri);
  };
  return {
    async subscribe(uri) {
      // The earlier subscription may have ended, so a repeated one starts again.
      stops.get(uri)?.();
      // An unsubscription that arrives before the new one is ready is remembered.
      let isWanted = true;
      stops.set(uri, () => {
        isWanted = false;
      });
      const stop = await all
        .subscribe(subscriber, menu, uri, () => notifyIfOpen(uri))
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
    unsubscribe(uri) {
      stops.get(uri)?.();
      stops.delete(uri);
    },
    notify: notifyIfOpen,
    close() {
      isClosed = true;
      for (const stop of stops.values()) stop();
      stops.clear();
    },
  };
}

// Above the limit of an owner; a message could name a hundred thousand.
const maxAddresses = 64;

/**
 * Subscribes to the first of the acknowledged URIs. If that fails for one, the client is notified once: reading it returns
 * the reason.
 */
export async function subscribeToAll(stream: ConnectionSubscriptions, uris: readonly string[]): Promise<void> {
  for (const uri of [...new Set(uris)].slice(0, maxAddresses))
    if (!(await stream.subscribe(uri).catch(() => false))) stream.notify(uri);
}

const subscriptionsOfServers = new WeakMap<Server, ConnectionSubscriptions>();

/** The subscriptions of a connection, which end with it. */
function subscriptionsOn(server: Server, all: Subscriptions, menu: Menu, ctx: ServerContext): ConnectionSubscriptions {
  const known = subscriptionsOfServers.get(server);
  if (known) return known;
  // A client without an open stream misses the notification and can still read.
  const notify = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
  const subscriptions = createConnectionSubscriptions(all, subscriberOf(ctx), menu, notify);
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    subscriptions.close();
  };
  subscriptionsOfServers.set(server, subscriptions);
  return subscriptions;
}

/**
 * Starts a subscription.
 * @throws ResourceNotFoundError if the resource does not exist or never changes; ProtocolError if there are too many
 * subscriptions.
 */
export async function subscribe(
  all: Subscriptions,
  server: Server,
  menu: Menu,
  uri: string,
  ctx: ServerContext,
): Promise<void> {
  const isThere = await subscriptionsOn(server, all, menu, ctx)
    .subscribe(uri)
    .catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.message} ${error.detail.next}`);
    });
  if (!isThere) throw new ResourceNotFoundError(uri);
}

/** Ends a subscription, if it exists. */
export const unsubscribe = (server: Server, uri: string): void => subscriptionsOfServers.get(server)?.unsubscribe(uri);
