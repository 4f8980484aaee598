/** Looks up the name of the account that calls act on, once a profile, so that a preview names what its reader knows. */
import type { AccountName } from "../api/account.js";
import { deadlineIn } from "../api/deadline.js";
import { lazily } from "../api/lazily.js";
import type { AccountReading } from "../api/service.js";
import type { Context, Invoke } from "./context.js";
import { createInvoke } from "./invoke.js";

/** A preview waits no longer than this for a name. */
const timeoutMs = 3_000;

async function readName(readings: readonly AccountReading[], invoke: Invoke): Promise<AccountName | undefined> {
  for (const { tool, args, read } of readings) {
    const reply = await invoke(tool, args).catch(() => undefined);
    const known = reply && read(reply.body);
    if (known) return known;
  }
  return undefined;
}

/**
 * Makes the look-up of a profile: the first call reads, and all others get what it found. It never fails: where the API
 * does not tell, the section and the host have to do.
 * @param load Loads how services tell the account, in the order in which they are asked.
 */
export const createAccountLookup = (
  context: Context,
  load: () => Promise<readonly AccountReading[]>,
): (() => Promise<AccountName | undefined>) =>
  lazily(async () => readName(await load(), createInvoke(context, deadlineIn(timeoutMs))));
