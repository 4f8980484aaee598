/** The progress of a call as its client may see it: its value rises with each message (MCP, "Progress"). */
import type { Progress } from "./context.js";

/** So small that a message about waiting changes no count. */
const step = 1e-6;

/** The progress of a call that no one follows. */
export const noProgress: Progress = async () => undefined;

export interface CallProgress {
  readonly progress: Progress;
  /** Reports that the call waits, which is no step of it; absent if no one follows it. */
  readonly waiting?: (message: string) => void;
}

/** The progress of one call, with messages about waiting in between. */
export function callProgress(report: Progress): CallProgress {
  if (report === noProgress) return { progress: noProgress };
  let reached: number | undefined;
  let whole: number | undefined;
  const progress: Progress = (done, message, total) => {
    reached = reached === undefined ? done : Math.max(done, reached + step);
    whole = total;
    return report(reached, message, total);
  };
  return { progress, waiting: (message) => void progress(reached ?? 0, message, whole) };
}
