/** The requests that a stopping server waits for, the streams that it ends, and the refusal of what would begin. */
import type { ServerResponse } from "node:http";
import { createWorkInProgress } from "../requests-in-progress.js";
import { rejectRequest } from "./access.js";

/** When a client whose stream ends should listen again, by then on another instance. */
const listenAgainMs = 1_000;

export interface RequestsInProgress {
  /** Waits for a request until its response closes, unless it arrived after the server began to stop. */
  begin(response: ServerResponse): void;
  /** Does not wait for a response on which its client only listens. */
  markListening(response: ServerResponse): void;
  /** How many clients only listen. */
  readonly listening: () => number;
  readonly isStopping: () => boolean;
  /** Begins nothing from now on, and sends clients that only listen the time after which to listen again. */
  stop(): void;
  /** Waits until there are none in progress, but no longer than this. */
  idle(mostMs: number): Promise<void>;
}

export function createRequestsInProgress(): RequestsInProgress {
  const inProgress = createWorkInProgress();
  const endOf = new WeakMap<ServerResponse, () => void>();
  const listening = new Set<ServerResponse>();
  let isStopping = false;
  return {
    begin(response) {
      if (isStopping) return;
      const end = inProgress.begin();
      endOf.set(response, end);
      response.once("close", end);
    },
    markListening(response) {
      endOf.get(response)?.();
      listening.add(response);
      response.once("close", () => listening.delete(response));
    },
    listening: () => listening.size,
    isStopping: () => isStopping,
    stop() {
      isStopping = true;
      for (const response of listening)
        if (response.headersSent && !response.writableEnded) response.write(`retry: ${listenAgainMs}\n\n`);
    },
    idle: inProgress.idle,
  };
}

/**
 * Refuses what would begin on a server that is stopping. Nothing of it was begun, so its client can send it again at once,
 * to another instance. A session ends with its instance, and its client has to open one elsewhere.
 */
export function rejectWhileStopping(response: ServerResponse, isInSession: boolean): void {
  // A proxy uses another connection for the next request.
  response.setHeader("connection", "close");
  if (isInSession)
    rejectRequest(response, {
      status: 404,
      message: "This server is stopping, and the session ends with it. Initialize again.",
      code: -32_001,
    });
  else rejectRequest(response, { status: 503, message: "The server is stopping.", headers: { "retry-after": "1" } });
}
