/** The settings in help: by what they are about, and each with what it means. */
import { type SettingName, settings } from "../config.js";
import { helpLines } from "./wrapped.js";

const groups = {
  accounts: "Accounts",
  upstream: "Upstream",
  emulator: "Emulator",
  tools: "Tools",
  approval: "Approval",
  state: "State",
  http: "HTTP",
  limits: "Limits",
} as const;

const groupOf: Readonly<Record<SettingName, keyof typeof groups>> = {
  edgerc: "accounts",
  section: "accounts",
  "account-switch-key": "accounts",
  config: "accounts",
  profiles: "accounts",
  profile: "accounts",
  auth: "accounts",
  upstream: "upstream",
  vendor: "upstream",
  "vendor-words": "upstream",
  "published-routes": "upstream",
  emulator: "emulator",
  "emulator-seed": "emulator",
  "emulator-clock": "emulator",
  surface: "tools",
  services: "tools",
  tools: "tools",
  "exclude-tools": "tools",
  "read-only": "tools",
  policy: "approval",
  approval: "approval",
  "plan-seconds": "approval",
  "state-dir": "state",
  "secret-dir": "state",
  host: "http",
  port: "http",
  "token-file": "http",
  "allow-writes": "http",
  "approver-token-file": "http",
  "allowed-hosts": "http",
  "connect-timeout-ms": "limits",
  "first-byte-timeout-ms": "limits",
  "idle-timeout-ms": "limits",
  "call-timeout-ms": "limits",
  "max-response-bytes": "limits",
  "max-csv-bytes": "limits",
  "max-result-tokens": "limits",
  structured: "limits",
};

const names = Object.keys(settings) as SettingName[];
const grouped = Object.entries(groups).map(
  ([group, title]) => [title, names.filter((name) => groupOf[name] === group)] as const,
);

/** The lines of some settings, each with what it means and its default. */
export function settingLines(some: readonly SettingName[]): string[] {
  const width = Math.max(...some.map((name) => name.length));
  return some.flatMap((name) => {
    const setting = settings[name];
    const standard = "default" in setting ? ` [${setting.default}]` : "";
    return helpLines(`${setting.help}${standard}`, `  --${name.padEnd(width)}  `, " ".repeat(width + 6));
  });
}

/** The names of all settings, a line or two for what they are about. */
export const settingNames = (): string[] =>
  grouped.flatMap(([title, some]) =>
    helpLines(some.map((name) => `--${name}`).join(" "), `  ${title.padEnd(10)}`, " ".repeat(12)),
  );

/** What `edgewise help settings` prints. */
export const settingsHelp = (): string =>
  [
    "The settings. Each is a flag of every command, --name, and a variable, EDGEWISE_NAME; the flag comes first.",
    ...grouped.flatMap(([title, some]) => ["", `${title}:`, ...settingLines(some)]),
  ].join("\n");
