/** Progress notifications with the caller's progress token; none without a token. */
import type { ServerContext } from "@modelcontextprotocol/server";
import { textTo } from "../answers/budget.js";
import type { Progress } from "../calls/progress.js";

// A step is called by what it is about, and that may be a name of the upstream's.
const maxMessage = 500;

/** The function that reports progress to the caller of a request. */
export function progressOf(ctx: ServerContext): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
  return async (progress, told, total) => {
    const message = textTo(told, maxMessage);
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // A caller that disconnected gets no notification; the work is stopped by its signal.
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
