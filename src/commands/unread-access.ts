/** What a check of the setup cannot tell on Windows: who else has access to the files that Edgewise relies on. */
import { isAccessKnown } from "../api/file-access.js";
import { type Config, isEmulated } from "../config.js";

/** The settings that name a file whose other users matter. */
const reliedOn = ["config", "policy", "token-file", "approver-token-file"] as const;

/**
 * The files whose access control lists a person has to look at, because Edgewise does not read those.
 * @returns undefined where modes say who has access, and where no file is configured.
 */
export function unreadAccess(
  config: Config,
  platform: NodeJS.Platform,
): { readonly what: string; readonly next: string } | undefined {
  if (isAccessKnown(platform)) return undefined;
  const { values, defaultEdgercPath } = config;
  const credentials = isEmulated(config) ? [] : [values.edgerc ?? defaultEdgercPath];
  const files = [...credentials, ...reliedOn.flatMap((name) => values[name] ?? [])];
  if (files.length === 0) return undefined;
  return {
    what: `Who else can read or change ${files.join(", ")} was not checked: Edgewise does not read the access control lists of Windows.`,
    next: "Run icacls on each; only your user, SYSTEM and Administrators should be listed.",
  };
}
