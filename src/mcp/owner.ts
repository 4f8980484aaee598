/** Whose a request is, and what they may do: plans and kept results belong to an owner, and some owners only read. */
import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import { ownerOfPlans } from "../guard/owner.js";

/** The principal of requests that came without a token. No token has this name. */
export const anonymous = "anonymous";

/** The scope of a request that may make changes. */
export const writeScope = "write";

/** The name of the token that came with a request; undefined over stdio, where none is asked for. */
export const tokenNameOf = ({ http }: ServerContext): string | undefined =>
  http === undefined ? undefined : (http.authInfo?.clientId ?? anonymous);

/**
 * The owner of a request. Over stdio there is one. Over HTTP it is the principal of the token, and in the 2025 era also
 * the session, so that two sessions under one token share nothing.
 */
export function ownerOf(ctx: ServerContext): string {
  const name = tokenNameOf(ctx);
  return name === undefined ? "local" : ownerOfPlans(`client:${name}`, ctx.sessionId);
}

/** Whether a client only reads: over HTTP, everyone who was not given the right to make changes. */
export const onlyReads = (auth: AuthInfo | undefined): boolean => auth?.scopes.includes(writeScope) !== true;

/** Whether a request may only read, although the server may make changes for others. */
export const isReadOnlyFor = (ctx: ServerContext): boolean => ctx.http !== undefined && onlyReads(ctx.http.authInfo);
