/** The table of what the emulator's account has when its world begins, for its page. */
import {
  account,
  contracts,
  cpCodes,
  groups,
  hosts,
  incidentCpCode,
  liveHosts,
  refusedCpCode,
  servedZones,
} from "../src/emulator/services/account.js";
import { streams } from "../src/emulator/services/streams.js";

const listed = (texts: readonly string[]): string => texts.join(", ");
const named = (id: string | number, name: string): string => `\`${id}\` (${name})`;

/** Its rows, each with what to name in a call. */
export function worldTable(): string {
  const rows: readonly (readonly [what: string, there: string])[] = [
    ["Account", `${account.name}, \`${account.id}\``],
    ["Contracts", listed(contracts.map(({ id, isExpired }) => (isExpired ? `${named(id, "expired")}` : `\`${id}\``)))],
    ["Groups", `${listed(groups.map(({ id, name }) => named(id, name)))}, and groups below them`],
    ["CP codes", listed(cpCodes.map(({ id, name }) => named(id, name)))],
    ["Hosts", listed([...hosts, ...liveHosts].map(({ name, cpCode }) => `\`${name}\` (${cpCode})`))],
    ["Zones", listed(servedZones.map(({ name }) => `\`${name}\``))],
    ["Live streams", listed(streams.map(({ id, name }) => named(id, name)))],
    [
      "What is wrong",
      `Yesterday afternoon (UTC) errors of \`${incidentCpCode}\` rose; the origin of \`${refusedCpCode}\` refuses connections now.`,
    ],
  ];
  return ["| | |", "|---|---|", ...rows.map(([what, there]) => `| ${what} | ${there} |`)].join("\n");
}
