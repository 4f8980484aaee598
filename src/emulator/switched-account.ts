/** The other accounts on which the API client can act, by an account switch key: each has a separate world. */
import { withEach } from "../language/member.js";
import { forbidden } from "./reply.js";
import { account, otherAccounts } from "./services/account.js";
import { canSwitchAccounts } from "./services/api-clients/store.js";
import { createWorld, type World } from "./world.js";

/** The account on which a request acts: its world, and its names in what the services answer. */
export interface ActingAccount {
  readonly world: World;
  /** A URL with the id of the emulated account in place of this one's. */
  readonly emulatedUrl: (url: URL) => URL;
  /** A body with this account's id and name in place of those of the emulated account. */
  readonly withAccountNames: <T>(body: T) => T;
}

const withoutPunctuation = (id: string): string => id.replaceAll(/\W/g, "");

/** A text of the services with the id or the name of another account. */
function renameText(text: string, id: string, name: string): string {
  if (text === account.name) return name;
  return text.replaceAll(account.id, id).replaceAll(withoutPunctuation(account.id), withoutPunctuation(id));
}

const renameValue = (value: unknown, id: string, name: string): unknown => {
  if (typeof value === "string") return renameText(value, id, name);
  if (typeof value !== "object" || value === null) return value;
  return withEach(value, (member) => renameValue(member, id, name));
};

/**
 * The account to which a key switches.
 * @throws RequestRefusal 403 for a key that is not one of the API client's.
 */
export function switchAccount(world: World, key: string): ActingAccount {
  const at = otherAccounts.findIndex(({ accountSwitchKey }) => accountSwitchKey === key);
  const other = otherAccounts[at];
  if (other === undefined || !canSwitchAccounts(world))
    throw forbidden("The account switch key is not one of this API client's");
  const [id = ""] = key.split(":");
  return {
    world: world.state(`account ${id}`, () => createWorld({ seed: world.seed + 1_000 * (at + 1), beside: world })),
    emulatedUrl: (url) => new URL(url.href.replaceAll(id, account.id)),
    withAccountNames: <T>(body: T) => renameValue(body, id, other.accountName) as T,
  };
}
