/** The configuration that the world begins with: offices of the example company, deployed but for two changes. */
import { minuteMs } from "../../../language/durations.js";
import { portalUser } from "../account.js";
import { authored } from "../stored.js";
import type { Configuration, EmergencyItem, Honeypot, Item, Kept, List, Policy, Site } from "./records.js";

/** All of it was written on one morning, deployed at noon, and changed in two places later that day. */
const morning = Date.UTC(2025, 0, 1, 9);
const noon = Date.UTC(2025, 0, 1, 12);
const evening = Date.UTC(2025, 0, 1, 18);

const kept = (id: number, atMs: number = morning): Kept => ({
  id,
  ...authored(morning, portalUser),
  modifiedAtMs: atMs,
  stamp: atMs,
});
const office = (id: number, name: string, ipAddr: string, policyId: number, atMs?: number): Site => ({
  ...kept(id, atMs),
  ...(atMs === undefined ? {} : { createdAtMs: atMs }),
  name,
  description: `Visitors behind ${ipAddr}`,
  policyId,
  exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr }],
});
const setting = (listId: number, confirmedResponseId: number) => ({
  listId,
  confirmedResponseId,
  suspectedResponseId: 1,
  shouldNotifyConfirmed: true,
  shouldNotifySuspected: false,
});
const policy = (id: number, name: string, lists: Policy["securitySettings"]): Policy => ({
  ...kept(id),
  name,
  description: `How threats are handled for ${name.toLowerCase()}`,
  basicSettings: { dnssec: true, edns0ecs: false },
  aupSettings: [{ categoryId: 2, responseId: 4 }],
  securitySettings: [...lists],
});
const honeypot = (id: number, name: string, address: string): Honeypot => ({
  ...kept(id),
  name,
  description: "Records what infected machines send",
  ipv4Addrs: [address],
  ipv6Addrs: [],
  aliases: [],
});
const domain = (value: string, confidenceLevelId = 2): Item => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId });
const byValue = (items: readonly Item[]): ReadonlyMap<string, Item> => new Map(items.map((one) => [one.value, one]));
const emergency = (...values: readonly string[]) => ({
  items: values.map((value): EmergencyItem => ({ type: "LIST_TYPE_DOMAIN", value })),
  modifiedBy: portalUser,
  modifiedAtMs: morning,
});

const byId = <T extends Kept>(...all: readonly T[]): Map<number, T> => new Map(all.map((one) => [one.id, one]));

export function seeds(): Configuration {
  const imitations = Array.from({ length: 120 }, (_, at) => domain(`shop-login-${at + 1}.example.net`, at % 4 ? 2 : 1));
  const phishing: List = {
    ...kept(3785),
    name: "Phishing",
    description: "Sites that imitate the shop",
    securityCategoryId: 2,
    items: byValue([domain("old.example.com"), ...imitations]),
  };
  const tracking: List = {
    ...kept(4541),
    name: "Tracking",
    description: "Hosts that follow visitors",
    securityCategoryId: 4,
    items: byValue([
      domain("tracker.example.net"),
      { type: "LIST_TYPE_IP", value: "192.0.2.124", confidenceLevelId: 1 },
    ]),
  };
  const deployed = {
    sites: byId(
      office(101, "Berlin office", "198.51.100.16/28", 1030),
      office(102, "Hamburg office", "198.51.100.48/28", 1031),
      { ...office(2160, "Unidentified IPs", "0.0.0.0/0", 1031), exitPoints: [] },
    ),
    policies: byId(
      policy(1030, "Offices", [setting(1, 2), setting(2, 4), setting(3, 760), setting(3785, 4)]),
      policy(1031, "Guests", [setting(1, 2), setting(2, 2)]),
      policy(1032, "Laboratory", [setting(1, 1)]),
    ),
    honeypots: byId(honeypot(760, "Sinkhole 1", "203.0.113.200"), honeypot(761, "Sinkhole old", "203.0.113.199")),
    emergency: new Map([
      ["whitelist", emergency("partner.example.org")],
      ["blacklist", emergency("malware.example.net", "dropper.example.net")],
    ]),
  };
  const of = (list: List, id: number) => ({
    id,
    listId: list.id,
    by: portalUser,
    startedAtMs: noon,
    liveAtMs: noon + 30 * minuteMs,
    list,
  });
  return {
    id: 1100,
    sites: new Map([...deployed.sites, [103, office(103, "Munich office", "198.51.100.64/28", 1031, evening)]]),
    policies: new Map(deployed.policies),
    honeypots: new Map(deployed.honeypots),
    emergency: new Map(deployed.emergency),
    lists: new Map([
      [3785, phishing],
      [
        4541,
        {
          ...tracking,
          items: new Map([...tracking.items, ["beacon.example.net", domain("beacon.example.net")]]),
          modifiedAtMs: evening,
        },
      ],
    ]),
    deployments: [
      {
        id: 5001,
        comment: "First deployment",
        by: portalUser,
        startedAtMs: noon,
        liveAtMs: noon + 25_000,
        written: deployed,
      },
    ],
    listDeployments: [of(phishing, 7001), of(tracking, 7002)],
  };
}
