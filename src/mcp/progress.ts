/** Progress as the protocol has it: notifications under the token that the caller gave, or silence. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../calls/progress.js";

/** The way to tell a request's caller how far it is. */
export function progressOf(ctx: ServerContext): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
  return async (progress, message, total) => {
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // A caller that has gone is told nothing; the work notices by its signal.
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
