/** The account that calls act on, to which plans and results are bound, and the profile of a call. */
import { didYouMean } from "../text/nearest.js";
import type { Arguments } from "./conduct.js";
import { Failure, problemInWords, quoteValue } from "./failure.js";

export interface Account {
  /** The name of the profile, if there are several. */
  readonly profile?: string;
  /** The section of the credentials file, or the emulator's. */
  readonly section: string;
  readonly host: string;
  /** The host of the credential, if calls go to a different one: behind a gateway only this distinguishes accounts. */
  readonly credentialHost?: string;
  readonly switchKey?: string;
  readonly isEmulated: boolean;
}

/** The account's name and id in the vendor's console. */
export interface AccountName {
  readonly id: string;
  readonly name: string;
}

/** A call whose response has the name of the account that the credentials act on. */
export interface AccountReading {
  readonly tool: string;
  readonly args: Arguments;
  /** The name and the id; undefined if this response does not have them. */
  readonly read: (body: unknown) => AccountName | undefined;
}

/** A call whose response has other accounts on which the credentials can act, each with its switch key as its id. */
export interface AccountsReading {
  readonly tool: string;
  /** @param name A part of the name or the key; all accounts if it is absent. */
  readonly args: (name?: string) => Arguments;
  readonly read: (body: unknown) => readonly AccountName[];
}

/** The owner of something stored: neither another client finds it, nor the same client acting on another account. */
export interface AccountOwner {
  readonly owner: string;
  /** The account as a key, its profile included. */
  readonly account: string;
}

/**
 * The account as a key, equal only for the same account in the same profile. Stored plans contain it, so the emulator keeps
 * the host that they have.
 */
export const accountKey = ({ section, host, credentialHost, switchKey = "", isEmulated, profile }: Account): string =>
  JSON.stringify([
    section,
    isEmulated ? "emulator: nothing real is read or changed" : host,
    switchKey,
    isEmulated,
    ...(profile === undefined ? [] : [profile]),
    ...(credentialHost === undefined ? [] : [{ credentialHost }]),
  ]);

/** The key under which something is stored for an owner's calls on an account. */
export const accountOwner = (owner: string, account: Account): AccountOwner => ({
  owner,
  account: accountKey(account),
});

/**
 * The account in words for the user.
 * @param known Its name and id, if the API reports them.
 */
export function accountText({ profile, section, host, switchKey, isEmulated }: Account, known?: AccountName): string {
  const place = isEmulated ? "the emulator" : `${host}, section ${section}`;
  const named = known === undefined ? place : `${known.name} (${known.id}) at ${place}`;
  const switched = switchKey === undefined ? named : `${named}, switch key ${switchKey}`;
  return profile === undefined ? switched : `profile ${profile}: ${switched}`;
}

/** The argument of calls, and the query parameter of URLs, that names a profile if there are several. */
export const profileArgument = "profile";

/** The arguments for which a profile can have defaults. */
export const namedDefaults = ["contractId", "groupId"] as const;

/** At least two profiles, and the default, which is used if a call names none. */
export interface ProfileNames {
  readonly names: readonly string[];
  readonly usual?: string | undefined;
  /** Those that only certain callers may use; absent if there are none. */
  readonly limited?: readonly string[];
}

/** The form of a profile's name: short, and a single word in a URL, a list, and a file of sections. */
export const profileName = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * The profile of a call.
 * @param known Undefined if there is only one profile, which has no name.
 * @param input The call's argument; undefined if it has none.
 * @param what The tool or method to call again, for the failure.
 * @returns The name, undefined if there is only one profile; or the failure of a call that names no existing profile.
 */
export function profileOf(known: ProfileNames | undefined, input: unknown, what: string): string | undefined | Failure {
  const { names = [], usual } = known ?? {};
  const named = input ?? usual;
  if (known === undefined && input === undefined) return undefined;
  if (typeof named === "string" && names.includes(named)) return named;
  const takes = known === undefined ? "nothing: there is only one profile" : `one of ${names.join(", ")}`;
  const guess = typeof input === "string" ? didYouMean(input, names) : "";
  return new Failure(
    "invalid_input",
    input === undefined
      ? `${what} takes ${profileArgument}: ${takes}.`
      : `${problemInWords({ field: profileArgument, given: quoteValue(input), takes })}${guess}.`,
    {
      why: "Nothing was sent.",
      next:
        known === undefined
          ? `Leave ${profileArgument} out.`
          : "Name the profile that the user means, and ask them if that is not clear.",
      fields: [{ field: profileArgument, ...(input === undefined ? {} : { given: quoteValue(input) }), takes }],
    },
  );
}
