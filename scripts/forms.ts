/** What a person is asked for where a client makes a form of it: the credentials and a few settings, each a variable. */
import { settings } from "../src/config.js";

interface Field {
  readonly variable: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "text" | "file" | "choice" | "flag";
  readonly isSecret?: true;
  readonly choices?: readonly string[];
  readonly default?: string;
}

/** A field of the credentials that stand in the form itself; the server takes them when all four are there. */
const credential = (name: string, title: string, isSecret?: true): Field => ({
  variable: `AKAMAI_${name}`,
  title,
  description: `${title} of the API client, instead of a file; all four values are needed`,
  kind: "text",
  ...(isSecret ? { isSecret } : {}),
});

/** The fields by the names that a bundle's manifest gives them, in the order of the form. */
export const fields: Readonly<Record<string, Field>> = {
  edgerc: {
    variable: "EDGEWISE_EDGERC",
    title: "Credentials file",
    description: `${settings.edgerc.help}; without credentials everything runs on an emulator`,
    kind: "file",
  },
  section: {
    variable: "EDGEWISE_SECTION",
    title: "Section",
    description: "Section of that file (default); leave it empty where the four values below are given instead",
    kind: "text",
  },
  host: credential("HOST", "Host"),
  client_token: credential("CLIENT_TOKEN", "Client token", true),
  client_secret: credential("CLIENT_SECRET", "Client secret", true),
  access_token: credential("ACCESS_TOKEN", "Access token", true),
  account_switch_key: {
    variable: "EDGEWISE_ACCOUNT_SWITCH_KEY",
    title: "Account switch key",
    description: settings["account-switch-key"].help,
    kind: "text",
  },
  surface: {
    variable: "EDGEWISE_SURFACE",
    title: "Surface",
    description: settings.surface.help,
    kind: "choice",
    choices: settings.surface.choices,
    default: settings.surface.default,
  },
  read_only: {
    variable: "EDGEWISE_READ_ONLY",
    title: "Read only",
    description: settings["read-only"].help,
    kind: "flag",
    default: "false",
  },
  approval: {
    variable: "EDGEWISE_APPROVAL",
    title: "Approval",
    description:
      "Who approves destructive calls: auto (the user, or the assistant by confirm), confirm (the assistant) or human (people)",
    kind: "choice",
    // Without a policy nothing is allowed under `off`, and the server would not start.
    choices: settings.approval.choices.filter((choice) => choice !== "off"),
    default: settings.approval.default,
  },
};
