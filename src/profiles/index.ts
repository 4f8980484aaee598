/** The profiles of a process, from a file, from the names of sections, or both. */
import { namedDefaults, type ProfileNames, profileName } from "../language/account.js";
import { Failure, shown } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import type { Profile, ProfileFile } from "./file.js";

export type { CredentialFrom, Profile } from "./file.js";

/** What the settings say of profiles. */
interface ProfileSettings {
  /** The path of a file of profiles. */
  readonly config?: string | undefined;
  /** Names, separated by commas. */
  readonly profiles?: string | undefined;
  /** The profile of calls that name none. */
  readonly profile?: string | undefined;
  /** These are of one profile alone. */
  readonly section?: string | undefined;
  readonly "account-switch-key"?: string | undefined;
}

export interface ConfiguredProfiles {
  /** At least one. */
  readonly profiles: readonly Profile[];
  /** The names to choose from; undefined where there is one profile alone. */
  readonly names: ProfileNames | undefined;
  /** What every one of them fills in, so that no call has to name it. */
  readonly fillsIn: readonly string[];
}

const refuse = (what: string, next: string): never => {
  throw new Failure("bad_configuration", what, { next });
};

/** The profiles that a list names: of the file where it has them, and sections of the credentials file where not. */
function listed(text: string, { profiles }: ProfileFile): Profile[] {
  const names = text.split(",").map((name) => name.trim());
  const [twice] = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) refuse(`--profiles names ${shown(twice)} twice.`, "Name each profile once.");
  return names.map((name) => {
    if (!profileName.test(name))
      refuse(
        `--profiles: ${shown(name)} is no name of a profile.`,
        "Write the names of sections, with commas between them: letters, digits, _, . and -.",
      );
    return profiles.find((one) => one.name === name) ?? { name, credential: { kind: "section", section: name } };
  });
}

/**
 * The profiles that are configured; undefined where no setting is about profiles.
 * @throws Failure `bad_configuration` for a file that cannot be used, and for a name that there is not.
 */
export async function configuredProfiles(settings: ProfileSettings): Promise<ConfiguredProfiles | undefined> {
  const { config, profiles: text, profile } = settings;
  if (config === undefined && text === undefined) {
    if (profile !== undefined)
      refuse(
        "--profile chooses one of several profiles, and none is configured.",
        "Name them with --profiles or in a file with --config; one section alone is chosen with --section.",
      );
    return undefined;
  }
  for (const name of ["section", "account-switch-key"] as const)
    if (settings[name] !== undefined)
      refuse(
        `--${name} cannot be set beside profiles.`,
        `Leave it out: each profile has its own, which the file of --config sets.`,
      );
  const file: ProfileFile =
    config === undefined ? { usual: undefined, profiles: [] } : (await import("./file.js")).readProfiles(config);
  const profiles = text === undefined ? file.profiles : listed(text, file);
  const names = profiles.map(({ name }) => name);
  if (profile !== undefined && !names.includes(profile))
    refuse(
      `--profile: there is no profile ${shown(profile)}${didYouMean(profile, names)}.`,
      `Name one of ${names.join(", ")}.`,
    );
  const fillsIn = namedDefaults.filter((named) => profiles.every((one) => one[named] !== undefined));
  const usual = profile ?? (file.usual !== undefined && names.includes(file.usual) ? file.usual : undefined);
  return { profiles, names: names.length > 1 ? { names, usual } : undefined, fillsIn };
}
