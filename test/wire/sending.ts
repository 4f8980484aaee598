/** For whom a test sends requests: one owner, who hears nothing. */
import { deadlineIn } from "../../src/time/durations.js";
import type { SendContext } from "../../src/wire/index.js";

/** @param others What differs from the usual. */
export const sendingWithin = (
  totalMs: number,
  others: Partial<SendContext> = {},
  signal?: AbortSignal,
): SendContext => ({
  owner: "someone",
  deadline: deadlineIn(totalMs, signal),
  onWait: () => undefined,
  onRequest: async () => undefined,
  ...others,
});
