/**
 * The profiles of a process, from a file, from names of sections, or both. The room hides where a credential comes
 * from: variables, a section, a command, or one for each caller. No error repeats a secret.
 */
import { namedDefaults, type ProfileNames, profileName } from "../language/account.js";
import { Failure, quoteValue } from "../language/failure.js";
import { didYouMean } from "../text/nearest.js";
import type { Profile, ProfileFile } from "./file.js";

export { type ProfileCaller, profileFor, type UsedProfile, withEachCredential } from "./callers.js";
export type { CredentialFrom, Profile } from "./file.js";

/** The settings about profiles. */
interface ProfileSettings {
  /** The path of a file of profiles. */
  readonly config?: string | undefined;
  /** Names, separated by commas. */
  readonly profiles?: string | undefined;
  /** The profile of calls that do not name one. */
  readonly profile?: string | undefined;
  /** Settings for a single profile. */
  readonly section?: string | undefined;
  readonly "account-switch-key"?: string | undefined;
}

export interface ConfiguredProfiles {
  /** At least one. */
  readonly profiles: readonly Profile[];
  /** The names to choose from; undefined if there is only one profile. */
  readonly names: ProfileNames | undefined;
  /** The defaults that all of them have, so that no call has to name these values. */
  readonly fillsIn: readonly string[];
}

const refuse = (what: string, next: string): never => {
  throw new Failure("bad_configuration", what, { next });
};

/** The profiles that a list names: those of the file, and sections of the credentials file for other names. */
function profilesNamed(text: string, { profiles }: ProfileFile): Profile[] {
  const names = text.split(",").map((name) => name.trim());
  const [twice] = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) refuse(`--profiles names ${quoteValue(twice)} twice.`, "Name each profile once.");
  return names.map((name) => {
    if (!profileName.test(name))
      refuse(
        `--profiles: ${quoteValue(name)} is not a valid name of a profile.`,
        "Write the names of sections, with commas between them: letters, digits, _, . and -.",
      );
    return profiles.find((one) => one.name === name) ?? { name, credential: { kind: "section", section: name } };
  });
}

/** The names of profiles that only certain callers may use, if there are any. */
function limitedIn(profiles: readonly Profile[]): Pick<ProfileNames, "limited"> {
  const limited = profiles.filter(({ only }) => only !== undefined).map(({ name }) => name);
  return limited.length > 0 ? { limited } : {};
}

/**
 * The configured profiles; undefined without any setting about them.
 * @throws Failure `bad_configuration` for an invalid file, or an unknown name.
 */
export async function configuredProfiles(settings: ProfileSettings): Promise<ConfiguredProfiles | undefined> {
  const { config, profiles: text, profile } = settings;
  if (config === undefined && text === undefined) {
    if (profile !== undefined)
      refuse(
        "--profile chooses one of several profiles, but none is configured.",
        "Name them with --profiles or in a file with --config; a single section is chosen with --section.",
      );
    return undefined;
  }
  for (const name of ["section", "account-switch-key"] as const)
    if (settings[name] !== undefined)
      refuse(
        `--${name} cannot be combined with profiles.`,
        `Leave it out: each profile has its own, which the file of --config sets.`,
      );
  const file: ProfileFile =
    config === undefined ? { usual: undefined, profiles: [] } : (await import("./file.js")).readProfiles(config);
  const profiles = text === undefined ? file.profiles : profilesNamed(text, file);
  const names = profiles.map(({ name }) => name);
  if (profile !== undefined && !names.includes(profile))
    refuse(
      `--profile: there is no profile ${quoteValue(profile)}${didYouMean(profile, names)}.`,
      `Name one of ${names.join(", ")}.`,
    );
  const fillsIn = namedDefaults.filter((named) => profiles.every((one) => one[named] !== undefined));
  const usual = profile ?? (file.usual !== undefined && names.includes(file.usual) ? file.usual : undefined);
  const choice = { names, usual, ...limitedIn(profiles) };
  return { profiles, names: names.length > 1 ? choice : undefined, fillsIn };
}
