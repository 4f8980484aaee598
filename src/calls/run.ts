/** One call of a tool while it runs: who makes it, until when, and what is recorded of it. */
import type { AccountName } from "../api/account.js";
import type { Deadline } from "../api/deadline.js";
import type { GuardedCall } from "../guard/index.js";
import type { Caller } from "./caller.js";
import type { Context, InvokeFor, Prepared } from "./context.js";
import type { Results } from "./results.js";
import type { StandingNotes } from "./standing-note.js";
import { readForPreview } from "./state.js";
import type { Trail } from "./trail.js";

export interface Run {
  readonly context: Context;
  readonly caller: Caller;
  readonly trail: Trail;
  readonly deadline: Deadline;
  /** Makes the calls that go with it: polls, and reads of what is there at that moment. */
  readonly invoke: InvokeFor;
  /** The same for what is read before anything is sent, each of it once. */
  readonly read: InvokeFor;
  readonly accountName: () => Promise<AccountName | undefined>;
  /** Adds what there is to know of the API's future. */
  readonly withStanding: StandingNotes;
  /** Keeps an answer for the caller, and names the handle; undefined when it has no room. */
  readonly keep: Results["keep"];
  /** Called with an error that is not a Failure. */
  readonly onFault: (error: unknown) => void;
}

/** Prepared calls of one operation as the guard looks at them. */
export function guardedCall(
  { context, caller, invoke, read, accountName }: Run,
  prepared: readonly [Prepared, ...Prepared[]],
): GuardedCall {
  const [{ tool, declared, composed }] = prepared;
  return {
    tool: composed?.tool ?? tool,
    operationTool: tool,
    operation: declared,
    items: prepared.map(({ checked, request }) => ({
      args: checked,
      request,
      readState: ({ isFresh }) =>
        readForPreview(context, declared, checked.values, (isFresh ? invoke : read)("state"), { isBoundOnly: isFresh }),
    })),
    composed,
    account: context.account,
    accountName,
    owner: caller.owner,
  };
}
