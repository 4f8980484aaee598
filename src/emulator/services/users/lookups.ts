/** The values of the look-ups, and the rules for passwords with their enforcement. */
import { dayMs } from "../../../time/durations.js";
import type { lookupOperations } from "../../../tools/users/lookups.js";
import { ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { noiseText, type World } from "../../world.js";
import lookups from "./lookups.json" with { type: "json" };
import { type ProfileBody, type StoredUser, userRefusals } from "./store.js";

const { values } = lookups;
const states: Readonly<Record<string, readonly string[]>> = lookups.states;
const policy = values["password-policy"];

function checkCountry(country: string): void {
  if (!values.countries.includes(country)) throw userRefusals.validation(`There is no country ${country}`);
}

export const lookupBehaviours: BehavioursOf<typeof lookupOperations> = {
  user_lookup_values_list: ({ path }) => ok(values[path.lookup]),
  user_states_list: ({ path }) => {
    checkCountry(path.country);
    return ok([...(states[path.country] ?? [])]);
  },
};

/** Refuses a profile with a value that no look-up has. */
export function checkProfile(profile: ProfileBody): void {
  checkCountry(profile.country);
  if (profile.contactType !== undefined && !values["contact-types"].includes(profile.contactType))
    throw userRefusals.validation(`There is no contact type ${profile.contactType}`);
  for (const address of [profile.email, profile.secondaryEmail])
    if (address && !/^[^\s@:/?]+@[\w-]+(\.[\w-]+)+$/.test(address))
      throw userRefusals.validation(`${address} is no email address`);
}

export const passwordExpiry = ({ passwordSetAtMs }: StoredUser): number =>
  passwordSetAtMs + policy.rotateFrequency * dayMs;

/** Sets a password that fits the policy and is none of the last ones. */
export function setPassword(world: World, user: StoredUser, password: string): void {
  const count = (pattern: RegExp) => password.match(pattern)?.length ?? 0;
  const isRepeating = new RegExp(`(.)\\1{${policy.maxRepeating}}`).test(password);
  if (
    password.length < policy.minLength ||
    count(/\p{L}/gu) < policy.minLetters ||
    count(/\d/g) < policy.minDigits ||
    isRepeating
  )
    throw userRefusals.password("The password does not fit the password policy.");
  if (user.passwords.slice(-policy.minReuse).includes(password))
    throw userRefusals.password("Must not match a previously used password.");
  user.passwords = [...user.passwords, password];
  user.passwordSetAtMs = world.now();
  user.wrongAttempts = 0;
}

const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ";
/** Sets a password that is made up for a user, other than every one before it. */
export function resetPassword(world: World, user: StoredUser): string {
  const series = world.next("password", 1);
  const letters = noiseText(world, alphabet, 12, "password", user.id, series);
  // Nothing is repeated three times with a digit after every second letter.
  const password = letters.replace(/../g, (two, at: number) => `${two}${Math.floor(world.noise(series, at) * 10)}`);
  setPassword(world, user, password);
  return password;
}
