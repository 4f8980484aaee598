/** The owner of a request and its rights: plans and stored results belong to an owner, and some owners can only read. */
import {
  type AuthInfo,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ReadOrigin } from "../calls/index.js";
import type { Menu } from "../engine/menu.js";
import { ownerOfPlans } from "../guard/plan.js";
import { type Principal, scopes } from "../policy/principal.js";
import type { RequestObservation } from "../telemetry/index.js";

/** The principal of requests without a token. No token has this name. */
export const anonymous = "anonymous";

/** What is known of an authenticated request. */
export interface Authentication {
  /** The owner of plans, results and sessions: different for each principal, and each OAuth client of one. */
  readonly name: string;
  readonly principal: Principal;
  /** Whether it can only read, whatever its scopes are. */
  readonly isReadOnly: boolean;
  /** When its token expires, in milliseconds; absent for a token of the file. */
  readonly expiresAtMs?: number | undefined;
  /** The `jti` of its token, if it has one. */
  readonly tokenId?: string | undefined;
}

/** The same in the form that the SDK passes to the handlers. The token itself is not passed on. */
export const authInfoOf = (authentication: Authentication): AuthInfo => ({
  token: "",
  clientId: authentication.name,
  scopes: [...authentication.principal.scopes],
  extra: { authenticated: authentication },
});

/** The authentication from which `authInfoOf` made this. */
export const authenticationIn = ({ extra }: AuthInfo): Authentication => extra?.["authenticated"] as Authentication;

/** The name of a request's token; undefined over stdio, where none is required. */
const tokenNameOf = ({ http }: ServerContext): string | undefined =>
  http === undefined ? undefined : (http.authInfo?.clientId ?? anonymous);

/** Who subscribes: the owner, and with which credential and rights the subscription reads. */
export type Subscriber = Pick<ReadOrigin, "owner" | "principal" | "tokenName">;

/** The subscriber of a request whose token was checked. */
export const subscriberWith = (auth: AuthInfo): Subscriber => ({
  owner: `client:${auth.clientId}`,
  principal: authenticationIn(auth).principal,
  tokenName: auth.clientId,
});

/**
 * The owner of a request. Over stdio there is only one. Over HTTP it is who has the token, in all of its sessions: some
 * clients open one for each call, and another instance may answer the next one. Without a token it is the session.
 */
export function requestOwner(ctx: ServerContext): string {
  const name = tokenNameOf(ctx);
  if (name === undefined) return "local";
  return ownerOfPlans(`client:${name}`, name === anonymous ? ctx.sessionId : undefined);
}

/** Whether a client can only read: over HTTP, anyone without the right to make changes. */
export const isReadOnlyClient = (auth: AuthInfo | undefined): boolean =>
  auth === undefined || authenticationIn(auth).isReadOnly;

/** Whether the scopes of a client's token do not allow all that is listed for it. */
export function lacksScopes(auth: AuthInfo): boolean {
  const { principal, isReadOnly } = authenticationIn(auth);
  const all = isReadOnly ? [scopes.read] : [scopes.read, scopes.write, scopes.destructive];
  return all.some((scope) => !principal.scopes.includes(scope));
}

/** Whether a request may only read, although the server makes changes for others. */
export const isReadOnlyFor = (ctx: ServerContext): boolean =>
  ctx.http !== undefined && isReadOnlyClient(ctx.http.authInfo);

/** The client's name and version, from the request in the 2026 era and from initialization in the 2025 era. */
function clientOf(server: Server, ctx: ServerContext): ReadOrigin["client"] {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const { name, version } = (envelope?.[CLIENT_INFO_META_KEY] ??
    server.getClientVersion() ??
    {}) as Partial<Implementation>;
  return typeof name === "string" && typeof version === "string" ? { name, version } : undefined;
}

/** The subscriber of a request. */
export const subscriberOf = (ctx: ServerContext): Subscriber => ({
  owner: requestOwner(ctx),
  tokenName: tokenNameOf(ctx),
  principal: ctx.http?.authInfo && authenticationIn(ctx.http.authInfo).principal,
});

/** The owner of a request, and the client's menu. */
export const readOriginOf = (
  server: Server,
  ctx: ServerContext,
  menu: Menu,
  observation?: RequestObservation,
): ReadOrigin => ({
  ...subscriberOf(ctx),
  isReadOnly: isReadOnlyFor(ctx) || menu.choice.isReadOnly === true,
  offer: menu,
  client: clientOf(server, ctx),
  session: ctx.sessionId,
  signal: ctx.mcpReq.signal,
  observation,
});
