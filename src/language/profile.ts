/** The profiles of a process by their names, and which of them a call is made in. */
import { Failure, inWords, shown } from "./failure.js";
import { didYouMean } from "./nearest.js";

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
