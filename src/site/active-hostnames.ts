/** The hostnames that are active on a network: of some properties, or of the account. */
import { defined, memberAt, numberAt } from "../language/member.js";
import { listIn, otherForm, type SiteReads, textIn } from "./reads.js";

/** The networks as the API writes them, with the members of its answers that are about each. */
export const networkWords = {
  production: { name: "PRODUCTION", version: "productionVersion", listStatus: "productionActivationStatus" },
  staging: { name: "STAGING", version: "stagingVersion", listStatus: "stagingActivationStatus" },
} as const;
type Network = keyof typeof networkWords;

/** A property that uses an object, with the arguments that find it. */
export interface UserProperty {
  readonly propertyId: string;
  readonly contractId?: string | undefined;
  readonly groupId?: string | undefined;
}

/** Hostnames, and how many of the account were not looked at. */
export interface ActiveHostnames {
  readonly names: readonly string[];
  readonly unread: number;
}

/** More properties than this are not read one by one, but found in the account's list. */
const maxProperties = 5;
const pageSize = 1_000;
const maxPages = 5;

/** Ids of properties are given with or without their prefix. */
const withoutPrefix = (id: unknown): string => String(id).replace(/^prp_/, "");

/** The hostnames of a page, each with its property, and how many there are on all pages. */
function pageIn(body: unknown) {
  const items = listIn(body, "hostnames.items").map((item) => {
    return { name: textIn(item, "cnameFrom"), property: withoutPrefix(memberAt(item, "propertyId")) };
  });
  const total = numberAt(body, "hostnames.totalItems");
  // A whole page without the number of all may be the first of many.
  if (total === undefined && items.length >= pageSize) throw otherForm();
  return { items, total: total ?? items.length };
}

/** The first pages of the account's hostnames on a network; those after the first are read together. */
async function accountPages({ recall }: SiteReads, on: Network) {
  const args = { network: networkWords[on].name, limit: pageSize };
  const first = await recall("property_account_hostnames_list", args, pageIn);
  const count = Math.min(Math.ceil(first.total / pageSize), maxPages);
  const others = Array.from({ length: Math.max(count - 1, 0) }, (_, at) =>
    recall("property_account_hostnames_list", { ...args, offset: at + 1 }, pageIn),
  );
  const items = [first, ...(await Promise.all(others))].flatMap((page) => page.items);
  return { items, unread: Math.max(first.total - items.length, 0) };
}

/**
 * The hostnames of the account that are active on a network and are chosen.
 * @throws Failure
 */
export async function accountHostnames(
  reads: SiteReads,
  network: Network,
  isChosen: (name: string) => boolean,
): Promise<ActiveHostnames> {
  const { items, unread } = await accountPages(reads, network);
  return { names: items.map(({ name }) => name).filter(isChosen), unread };
}

/**
 * The hostnames of properties that are active on a network.
 * @throws Failure
 */
export async function hostnamesOf(
  reads: SiteReads,
  network: Network,
  properties: readonly UserProperty[],
): Promise<ActiveHostnames> {
  if (properties.length > maxProperties) {
    const used = new Set(properties.map(({ propertyId }) => withoutPrefix(propertyId)));
    const { items, unread } = await accountPages(reads, network);
    return { names: items.filter(({ property }) => used.has(property)).map(({ name }) => name), unread };
  }
  const pages = await Promise.all(
    properties.map(({ propertyId, contractId, groupId }) => {
      const args = { propertyId, contractId, groupId, network: networkWords[network].name, limit: pageSize };
      return reads.recall("property_active_hostnames_list", defined(args), pageIn);
    }),
  );
  return {
    names: pages.flatMap(({ items }) => items.map(({ name }) => name)),
    unread: pages.reduce((sum, { items, total }) => sum + total - items.length, 0),
  };
}
