/** Whose a request is: plans and kept results belong to the holder of the token that it came with. */
import type { ServerContext } from "@modelcontextprotocol/server";

/** The owner of a request; without a token, all callers share one. */
export const ownerOf = (ctx: ServerContext): string => ctx.http?.authInfo?.clientId ?? "local";
