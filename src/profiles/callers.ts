/** Who may use a profile, and with which credential. */
import { Failure } from "../language/failure.js";
import type { Principal } from "../policy/principal.js";
import { matchPrincipal } from "../policy/who.js";
import type { CredentialFrom, Profile } from "./file.js";

/** A profile with the credential that a call uses. */
export interface UsedProfile extends Profile {
  readonly credential: CredentialFrom;
}

/** Who makes a call. Without a token's name it is the local user, who can read the file of profiles. */
export interface ProfileCaller {
  readonly principal?: Principal | undefined;
  readonly tokenName?: string | undefined;
}

const refusalOfCaller = ({ name }: Profile, what: string): Failure =>
  new Failure("not_allowed", `The profile ${name} is not for this caller.`, {
    why: `${what} Nothing was sent.`,
    next: "Use another profile if the user means that one, or ask the operator, who decides in the configuration.",
  });

/**
 * A profile as a caller uses it: with the credential of its subject if there is one, or else its own.
 * @throws Failure `not_allowed` if it is limited to others, or has no credential for the caller.
 */
export function profileFor(profile: Profile, { principal, tokenName }: ProfileCaller): UsedProfile {
  const { only, credentials = [] } = profile;
  if (only !== undefined && tokenName !== undefined && matchPrincipal(only, principal) === undefined)
    throw refusalOfCaller(profile, "It is limited to certain callers.");
  const subjectCredential = credentials.find(
    ({ subject, issuer }) =>
      principal !== undefined && subject === principal.subject && (issuer === undefined || issuer === principal.issuer),
  );
  const credential = subjectCredential?.credential ?? profile.credential;
  if (credential === undefined) throw refusalOfCaller(profile, "It has a credential for certain callers only.");
  return { ...profile, credential };
}

/** A profile with each of its credentials. */
export const withEachCredential = (profile: Profile): readonly UsedProfile[] =>
  [profile.credential, ...(profile.credentials ?? []).map(({ credential }) => credential)].flatMap((credential) =>
    credential === undefined ? [] : [{ ...profile, credential }],
  );
