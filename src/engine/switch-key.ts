/** Finds the switch key of the account that a profile names, among those to which its credential can switch. */
import type { Calls } from "../calls/index.js";
import type { AccountName } from "../language/account.js";
import { Failure, quoteValue } from "../language/failure.js";
import { listInWords, plainOrQuoted } from "../language/words.js";
import { accountsReading } from "../tools/index.js";

/** Accounts with their switch keys in words, limited to the first ones. */
export const accountsInWords = (accounts: readonly AccountName[]): string =>
  listInWords(accounts, ({ id, name }) => `${plainOrQuoted(name)} (${plainOrQuoted(id)})`);

/**
 * The accounts to which a credential can switch, each with its switch key as its id.
 * @param name A part of the name or of the key; all accounts if it is absent.
 * @throws Failure of the call.
 */
export async function accountsNamed(calls: Calls, name?: string): Promise<readonly AccountName[]> {
  const { tool, args, read } = await accountsReading();
  const part = name?.toLowerCase() ?? "";
  return read((await calls.invoke(tool, args(name))).body).filter((one) =>
    [one.name, one.id].some((text) => text.toLowerCase().includes(part)),
  );
}

/**
 * The switch key of the one account with a name, or whose name has it as a part.
 * @param calls Calls that act on the credential's own account.
 * @throws Failure `bad_configuration` if there is none, or more than one.
 */
export async function switchKeyOf(calls: Calls, profile: string, name: string): Promise<string> {
  const accounts = await accountsNamed(calls, name);
  const whole = accounts.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  const [only, ...others] = whole.length > 0 ? whole : accounts;
  if (only !== undefined && others.length === 0) return only.id;
  const all = only === undefined ? await accountsNamed(calls) : accounts;
  const fault = only ? "and several have this in their names" : "to which its credential cannot switch";
  throw new Failure("bad_configuration", `The profile ${profile} names the account ${quoteValue(name)}, ${fault}.`, {
    why: `${only ? "These have it" : "It can switch to"}: ${accountsInWords(all) || "no account"}.`,
    next: "Write the whole name of one of them, or its key as accountSwitchKey.",
  });
}
