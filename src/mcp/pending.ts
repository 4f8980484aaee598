/** Bounds the requests of one connection that are not answered yet, because a pipe takes any number of them. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Failure } from "../api/failure.js";
import type { Surface } from "./surface.js";

/**
 * Makes the function through which requests are handled. One beyond the bound is answered at once: a tool call with a
 * failure, anything else with the protocol's error. Over HTTP, the transport has bounds of its own.
 */
export function createPending(surface: Surface, max: number) {
  let pending = 0;
  return async <T>(request: { readonly method: string }, handle: () => Promise<T>): Promise<T> => {
    if (pending >= max) {
      const failure = new Failure("rate_limited", `${max} requests of this client have not been answered yet.`, {
        why: "The server takes no more of them at a time. This one was not started, and nothing was sent.",
        next: "Wait for an answer to one of them, then call again.",
        retryAfterSeconds: 1,
      });
      if (request.method !== "tools/call")
        throw new ProtocolError(ProtocolErrorCode.InternalError, `${failure.message} ${failure.detail.next}`);
      const { resultOf } = await import("./result.js");
      return resultOf({ kind: "failure", failure }, (await surface.engine()).presentation) as T;
    }
    pending += 1;
    try {
      return await handle();
    } finally {
      pending -= 1;
    }
  };
}
