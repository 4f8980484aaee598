/** The owner of a request and its rights: plans and stored results belong to an owner, and some owners can only read. */
import {
  type AuthInfo,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Reader } from "../calls/index.js";
import { ownerOfPlans } from "../guard/plan.js";
import { type Principal, scopes } from "../language/principal.js";
import type { Observation } from "../telemetry/index.js";
import type { Menu } from "./menu.js";

/** The principal of requests without a token. No token has this name. */
export const anonymous = "anonymous";

/** The principal of an authenticated request, which `authenticate` puts there. */
const principalIn = (auth: AuthInfo): Principal => auth.extra?.["principal"] as Principal;

/** The name of a request's token; undefined over stdio, where none is required. */
const tokenNameOf = ({ http }: ServerContext): string | undefined =>
  http === undefined ? undefined : (http.authInfo?.clientId ?? anonymous);

/**
 * The owner of a request. Over stdio there is only one. Over HTTP it is who has the token, in all of its sessions: some
 * clients open one for each call, and another instance may answer the next one. Without a token it is the session.
 */
export function ownerOf(ctx: ServerContext): string {
  const name = tokenNameOf(ctx);
  if (name === undefined) return "local";
  return ownerOfPlans(`client:${name}`, name === anonymous ? ctx.sessionId : undefined);
}

/** Whether a client can only read: over HTTP, anyone without the right to make changes. */
export const onlyReads = (auth: AuthInfo | undefined): boolean =>
  auth?.scopes.includes(scopes.write) !== true && auth?.scopes.includes(scopes.destructive) !== true;

/** Whether a request may only read, although the server makes changes for others. */
export const isReadOnlyFor = (ctx: ServerContext): boolean => ctx.http !== undefined && onlyReads(ctx.http.authInfo);

/** The client's name and version, from the request in the 2026 era and from initialization in the 2025 era. */
function clientOf(server: Server, ctx: ServerContext): Reader["client"] {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const { name, version } = (envelope?.[CLIENT_INFO_META_KEY] ??
    server.getClientVersion() ??
    {}) as Partial<Implementation>;
  return typeof name === "string" && typeof version === "string" ? { name, version } : undefined;
}

/** The owner of a request, and the client's menu. */
export const readerOf = (server: Server, ctx: ServerContext, menu: Menu, observation?: Observation): Reader => ({
  owner: ownerOf(ctx),
  tokenName: tokenNameOf(ctx),
  principal: ctx.http?.authInfo && principalIn(ctx.http.authInfo),
  isReadOnly: isReadOnlyFor(ctx) || menu.choice.isReadOnly === true,
  offer: menu,
  client: clientOf(server, ctx),
  session: ctx.sessionId,
  signal: ctx.mcpReq.signal,
  observation,
});
