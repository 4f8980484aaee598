/** Whose account calls act on: one value that plans and results are bound to, and the profile of a call. */
import type { Arguments } from "./conduct.js";
import { Failure, inWords, shown } from "./failure.js";
import { didYouMean } from "./nearest.js";

export interface Account {
  /** The name of the profile, where there are several. */
  readonly profile?: string;
  /** The section of the credentials file, or that it is the emulator's. */
  readonly section: string;
  readonly host: string;
  /** The host of the credential, where calls go to another one: behind a gateway it alone tells the accounts apart. */
  readonly credentialHost?: string;
  readonly switchKey?: string;
  readonly isEmulated: boolean;
}

/** The account by the name and the id that its people know. */
export interface AccountName {
  readonly id: string;
  readonly name: string;
}

/** How an answer of a service tells the account that the credentials act on. */
export interface AccountReading {
  readonly tool: string;
  readonly args: Arguments;
  /** The name and the id; undefined where this answer does not have them. */
  readonly read: (body: unknown) => AccountName | undefined;
}

/** Whose something is that is kept: neither another client finds it, nor the same one when it acts on another account. */
export interface Whose {
  readonly owner: string;
  /** The account as a key, its profile included. */
  readonly account: string;
}

/** The account as a key: equal for the same account in the same profile alone. */
export const accountKey = ({ section, host, credentialHost, switchKey = "", isEmulated, profile }: Account): string =>
  JSON.stringify([
    section,
    host,
    switchKey,
    isEmulated,
    ...(profile === undefined ? [] : [profile]),
    ...(credentialHost === undefined ? [] : [{ credentialHost }]),
  ]);

/** What is kept for an owner's calls on an account. */
export const whoseOf = (owner: string, account: Account): Whose => ({ owner, account: accountKey(account) });

/**
 * The account as the user knows it.
 * @param known What the API tells of it, where it does.
 */
export function accountText({ profile, section, host, switchKey, isEmulated }: Account, known?: AccountName): string {
  const place = isEmulated ? "the emulator" : `${host}, section ${section}`;
  const named = known === undefined ? place : `${known.name} (${known.id}) at ${place}`;
  const switched = switchKey === undefined ? named : `${named}, switch key ${switchKey}`;
  return profile === undefined ? switched : `profile ${profile}: ${switched}`;
}

/** The argument of every call, and the query parameter of every address, that names a profile where there are several. */
export const profileArgument = "profile";

/** The arguments that a profile can fill in. */
export const namedDefaults = ["contractId", "groupId"] as const;

/** At least two profiles, and the one that is used where a call names none. */
export interface ProfileNames {
  readonly names: readonly string[];
  readonly usual?: string | undefined;
}

/** What the name of a profile can be: short, and one word in an address, in a list, and in a file of sections. */
export const profileName = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * The profile of a call.
 * @param known Undefined where there is one alone, which has no name.
 * @param given What the call says; undefined where it says nothing.
 * @param what What is to be called again, in the failure.
 * @returns The name, undefined where there is one profile alone; or the failure of a call that names none that there is.
 */
export function profileOf(known: ProfileNames | undefined, given: unknown, what: string): string | undefined | Failure {
  const { names = [], usual } = known ?? {};
  const named = given ?? usual;
  if (known === undefined && given === undefined) return undefined;
  if (typeof named === "string" && names.includes(named)) return named;
  const takes = known === undefined ? "nothing: there is one profile alone" : `one of ${names.join(", ")}`;
  const guess = typeof given === "string" ? didYouMean(given, names) : "";
  return new Failure(
    "invalid_input",
    given === undefined
      ? `${what} takes ${profileArgument}: ${takes}.`
      : `${inWords({ field: profileArgument, given: shown(given), takes })}${guess}.`,
    {
      why: "Nothing was sent.",
      next:
        known === undefined
          ? `Leave ${profileArgument} out.`
          : "Name the profile that the user means; ask them where they have not said which.",
      fields: [{ field: profileArgument, ...(given === undefined ? {} : { given: shown(given) }), takes }],
    },
  );
}
