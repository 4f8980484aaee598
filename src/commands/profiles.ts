/** `edgewise profiles`: lists the configured profiles and their rights, without reading any credential. */
import { apisOf, menuSettingsOf } from "../config.js";
import { loadCatalogue, type ToolEntry } from "../engine/catalogue.js";
import { menuWith } from "../engine/menu.js";
import { tiers } from "../policy/tier.js";
import { type ConfiguredProfiles, type CredentialFrom, configuredProfiles, type Profile } from "../profiles/index.js";
import { type Command, print, printJson, refuse } from "./command.js";
import { columnsOfTerminal, terminalTable } from "./terminal.js";

/**
 * The source of a credential, without its content. Arguments of a command may name a vault, so only its name is shown.
 */
function sourceOf(from: CredentialFrom): string {
  switch (from.kind) {
    case "command":
      return `command ${from.program}`;
    case "fields":
      return "values in the file";
    case "file":
      return `section ${from.section} of ${from.edgerc ?? "the .edgerc"}`;
    case "section":
      return `section ${from.section}`;
  }
}

/** The tiers of calls that a profile allows. */
const mayOf = ({ highestTier }: Profile, isReadOnly: boolean): readonly string[] =>
  isReadOnly ? ["read"] : tiers.slice(0, highestTier === undefined ? tiers.length : tiers.indexOf(highestTier) + 1);

/** The number of tools that can be called in these tiers; the tier of a guarded call depends on its arguments. */
const countIn = (entries: readonly ToolEntry[], may: readonly string[]): number =>
  entries.filter(({ effect, tool }) =>
    may.includes(effect === "read" ? "read" : tool.annotations.destructiveHint ? "guarded" : "write"),
  ).length;

function rowsOf({ profiles, names }: ConfiguredProfiles, entries: readonly ToolEntry[], isReadOnly: boolean) {
  return profiles.map((profile) => {
    const { name, credential, credentials = [], only } = profile;
    const may = mayOf(profile, isReadOnly);
    return {
      profile: name,
      isDefault: names === undefined || names.usual === name,
      credential: credential === undefined ? undefined : sourceOf(credential),
      credentialsOf: credentials.map(({ subject }) => subject).join(", ") || undefined,
      only: only === undefined ? undefined : JSON.stringify(only),
      baseUrl: profile.baseUrl,
      account: profile.account,
      accountSwitchKey: profile.accountSwitchKey,
      contractId: profile.contractId,
      groupId: profile.groupId,
      timeZone: profile.timeZone,
      may,
      tools: countIn(entries, may),
    };
  });
}

export const profilesCommand: Command = async (config, _, flags) => {
  const { values } = config;
  const configured = await configuredProfiles(values);
  if (configured === undefined)
    refuse(
      "No profiles are configured.",
      "Name them with --profiles or in a file with --config; docs/access.md describes both.",
      "Every call is made with the credentials of --section.",
    );
  const catalogue = loadCatalogue(apisOf(config).apis);
  const { tools } = menuWith(menuSettingsOf(config), catalogue);
  const rows = rowsOf(configured, [...tools.values()], values["read-only"]);
  if (flags.includes("--json")) {
    printJson(rows);
    return 0;
  }
  const tableRows = rows.map(({ profile, isDefault, may, tools, ...others }) => ({
    profile: isDefault ? `${profile} (default)` : profile,
    may: may.join(", "),
    tools,
    ...others,
  }));
  terminalTable(tableRows, columnsOfTerminal(process.stdout)).lines.forEach(print);
  return 0;
};
