/** Calls whose profile is unknown: each is refused and recorded. */
import { profileArgument } from "../language/account.js";
import { Failure } from "../language/failure.js";
import { createQuotas, memoryQuotaCounters } from "../policy/index.js";
import type { CallContext } from "./context.js";
import type { Calls } from "./index.js";
import { operatorOrigin } from "./origin.js";
import { startTrail } from "./trail.js";

const noProfile = (): Failure =>
  new Failure("invalid_input", `${profileArgument} is required.`, {
    why: "This server has several profiles. Nothing was sent.",
    next: `Give ${profileArgument} the name of one.`,
  });

/** Creates calls that are all refused, each for its own reason if it has one. */
export function createRefusingCalls(shared: Pick<CallContext, "audit" | "policy">): Calls {
  const context = { ...shared, quotas: createQuotas([], memoryQuotaCounters()), writeStop: async () => undefined };
  return {
    async call(tool, args, caller) {
      const failure = caller.refusal ?? noProfile();
      await startTrail(context, tool, args, caller).recordEnd({ failure });
      return { kind: "failure", failure };
    },
    async invoke(tool, args, { purpose, ...reader } = operatorOrigin) {
      const failure = noProfile();
      await startTrail(context, tool, args, reader, { purpose }).recordEnd({ failure });
      throw failure;
    },
    close: () => undefined,
  };
}
