/** Which visitors threat protection keeps from a host: those behind a site whose deployed policy stops its name. */
import { endOf } from "../../primitives/job.js";
import type { World } from "../../world.js";
import { visitorIp } from "../account.js";
import { responseOf } from "./catalog.js";
import {
  accountConfiguration,
  type EmergencyListState,
  type ThreatConfiguration,
  type ThreatList,
  type ThreatPolicy,
} from "./store.js";

/** The objects that are live at an instant, if there are any, and the lists by their ids. */
const liveAt = ({ deployments, listDeployments }: ThreatConfiguration, atMs: number) => ({
  objects: deployments.all.findLast((one) => endOf(one) <= atMs)?.objects,
  list: (id: number) => listDeployments.all.findLast((one) => one.listId === id && endOf(one) <= atMs)?.list,
});
type Live = ReturnType<typeof liveAt>;

/** Whether an entry matches a host: by its name, a parent domain, or `*.` and a parent domain. */
const covers = (entry: string, host: string): boolean => {
  const name = entry.toLowerCase().replace(/^\*\./, "");
  return host === name || host.endsWith(`.${name}`);
};
const isOn = (list: EmergencyListState | undefined, host: string): boolean =>
  (list?.items ?? []).some(({ type, value }) => type === "LIST_TYPE_DOMAIN" && covers(value, host));

/** The confidence with which a list contains a host; its name takes precedence over parent domains. */
function confidenceIn({ items }: ThreatList, host: string): number | undefined {
  const labels = host.split(".");
  const names = labels.flatMap((_, at) => {
    const name = labels.slice(at).join(".");
    return [name, `*.${name}`];
  });
  return names.map((name) => items.get(name)).find((one) => one?.type === "LIST_TYPE_DOMAIN")?.confidenceLevelId;
}

/** Whether a policy stops a host: by a response that does, or by sending its visitors to a honeypot. */
const stops = ({ securitySettings }: ThreatPolicy, live: Live, host: string): boolean =>
  securitySettings.some(({ listId, confirmedResponseId, suspectedResponseId }) => {
    const list = live.list(listId);
    const confidence = list && confidenceIn(list, host);
    if (confidence === undefined) return false;
    const response = confidence === 2 ? confirmedResponseId : suspectedResponseId;
    return responseOf(response)?.stops ?? live.objects?.honeypots.has(response) ?? false;
  });

const numberOf = (address: string): number =>
  address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
/** Whether an address is in a block, or is the one that is written alone; only of the fourth version. */
export function isWithin(address: string, block: string): boolean {
  const [base = "", bits = "32"] = block.split("/");
  const size = 2 ** (32 - Number(bits));
  return Math.floor(numberOf(address) / size) === Math.floor(numberOf(base) / size);
}

/** The addresses of the account's visitors, each as likely as any other. */
const visitors = 190;
export const visitorAddresses = Array.from({ length: visitors }, (_, at) => visitorIp((at + 0.5) / visitors));

function shareKept(configuration: ThreatConfiguration, host: string, atMs: number): number {
  const live = liveAt(configuration, atMs);
  const { objects } = live;
  if (objects === undefined || isOn(objects.emergency.get("whitelist"), host)) return 0;
  const isDenied = isOn(objects.emergency.get("blacklist"), host);
  const blocks = objects.sites.all
    .filter(({ policyId }) => {
      const policy = objects.policies.get(policyId);
      return isDenied || (policy !== undefined && stops(policy, live, host));
    })
    .flatMap(({ exitPoints }) => exitPoints.filter(({ addrType }) => addrType === "ADDR_TYPE_IPV4"));
  return visitorAddresses.filter((one) => blocks.some(({ ipAddr }) => isWithin(one, ipAddr))).length / visitors;
}

/** When what is live changed, in no order. */
const changeInstants = ({ deployments, listDeployments }: ThreatConfiguration): readonly number[] =>
  [...deployments.all, ...listDeployments.all].map(endOf);

/** Whether the same is live in all of a period. */
export const isSteady = (world: World, fromMs: number, toMs: number): boolean =>
  changeInstants(accountConfiguration(world)).every((at) => at <= fromMs || at >= toMs);

/** The share of all visitors that is kept from a host at an instant, by what has been deployed until then. */
export function shareKeptFrom(world: World, host: string, atMs: number): number {
  const configuration = accountConfiguration(world);
  const known = world.state("threat protection shares", () => new Map<string, number>());
  const all = changeInstants(configuration);
  // The number of deployments shows which are live by then, since an earlier deployment is never added.
  const key = `${host} ${all.filter((at) => at <= atMs).length} of ${all.length}`;
  const share = known.get(key) ?? shareKept(configuration, host, atMs);
  known.set(key, share);
  return share;
}
