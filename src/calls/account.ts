/**
 * Looks up the name of the account that calls act on, once per profile, so that previews show a name that the user
 * knows.
 */
import type { AccountName, AccountReading } from "../language/account.js";
import { lazily } from "../language/once-for.js";
import { deadlineIn } from "../time/durations.js";
import type { Invoke } from "./context.js";
import { createInvoke, type InvocationRun } from "./invoke.js";

/** The maximum time that a preview waits for the name. */
const timeoutMs = 3_000;

/** The name of the account, from the first call that returns it; undefined if none does. */
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
 * Creates the lookup of a profile: the first call reads the name, on its audit trail, and all others reuse it. It never
 * fails: without a name, previews show the section and the host.
 * @param load Loads the calls that can return the account's name, in their order.
 */
export function createAccountLookup(
  load: () => Promise<readonly AccountReading[]>,
): (run: Omit<InvocationRun, "deadline">) => Promise<AccountName | undefined> {
  return lazily(async (run) =>
    readAccountName(await load(), createInvoke({ ...run, deadline: deadlineIn(timeoutMs) })("account")),
  );
}
