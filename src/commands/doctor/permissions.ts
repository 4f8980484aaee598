/** What a check of the setup cannot tell on Windows: who else has access to the files that Edgewise relies on. */
import { isAccessKnown } from "../../api/file-access.js";
import { type Config, isEmulated } from "../../config.js";
import { type Finding, warning } from "./finding.js";

/** The settings that name a file whose other users matter. */
const reliedOn = ["config", "policy", "token-file", "approver-token-file"] as const;

/**
 * The files whose access control lists a person has to look at, because Edgewise does not read those.
 * @returns nothing where modes say who has access, and where no file is configured.
 */
export function permissions(config: Config, platform: NodeJS.Platform = process.platform): readonly Finding[] {
  if (isAccessKnown(platform)) return [];
  const { values, defaultEdgercPath } = config;
  const credentials = isEmulated(config) ? [] : [values.edgerc ?? defaultEdgercPath];
  const files = [...credentials, ...reliedOn.flatMap((name) => values[name] ?? [])];
  if (files.length === 0) return [];
  return [
    warning(
      "Access",
      `Who else can read or change ${files.join(", ")} was not checked: Edgewise does not read the access control lists of Windows.`,
      "Run icacls on each; only your user, SYSTEM and Administrators should be listed.",
    ),
  ];
}
