/** For whom a test sends requests: one owner, who hears nothing. */
import { deadlineIn } from "../../src/language/durations.js";
import type { Sending } from "../../src/wire/index.js";

/** @param others What differs from the usual. */
export const sendingWithin = (totalMs: number, others: Partial<Sending> = {}, signal?: AbortSignal): Sending => ({
  owner: "someone",
  deadline: deadlineIn(totalMs, signal),
  onWait: () => undefined,
  onRequest: async () => undefined,
  ...others,
});
