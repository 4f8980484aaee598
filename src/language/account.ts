/** Whose account calls act on: one value that plans and kept results are bound to. */
import type { Arguments } from "./conduct.js";

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
