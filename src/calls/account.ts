/** Looks up the name of the account that calls act on, once a profile, so that a preview names what its reader knows. */
import type { AccountName, AccountReading } from "../language/account.js";
import { deadlineIn } from "../language/durations.js";
import type { Invoke } from "./context.js";
import { createInvoke, type Made } from "./invoke.js";

/** A preview waits no longer than this for a name. */
const timeoutMs = 3_000;

/** What the API tells of the account, by the first reading that is answered; undefined where none is. */
export async function readAccountName(
  readings: readonly AccountReading[],
  invoke: Invoke,
): Promise<AccountName | undefined> {
  for (const { tool, args, read } of readings) {
    const reply = await invoke(tool, args).catch(() => undefined);
    const known = reply && read(reply.body);
    if (known) return known;
  }
  return undefined;
}

/**
 * Makes the look-up of a profile: the first call reads, on whose record the reading is, and all others get what it found.
 * It never fails: where the API does not tell, the section and the host have to do.
 * @param load Loads how services tell the account, in the order in which they are asked.
 */
export function createAccountLookup(
  load: () => Promise<readonly AccountReading[]>,
): (made: Omit<Made, "deadline">) => Promise<AccountName | undefined> {
  let known: Promise<AccountName | undefined> | undefined;
  const read = async (made: Omit<Made, "deadline">) =>
    readAccountName(await load(), createInvoke({ ...made, deadline: deadlineIn(timeoutMs) })("account"));
  return (made) => {
    known ??= read(made);
    return known;
  };
}
