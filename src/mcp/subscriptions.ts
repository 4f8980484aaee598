/** Subscriptions of the 2025 era: a client names each address, and hears of it until it unsubscribes or is gone. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Failure } from "../language/failure.js";
import { type Followed, type Follows, followedBy } from "./follows.js";
import type { Menu } from "./menu.js";
import { ownerOf } from "./owner.js";

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
