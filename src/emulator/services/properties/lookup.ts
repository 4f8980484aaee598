/** What the behaviours of the property service share: look-ups that refuse, links, and its own error format. */
import { findIn } from "../../primitives/store.js";
import { type ErrorFormat, forbidden, notFound, RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { account, contracts } from "../account.js";
import { groupsOf } from "../groups.js";
import { etagOf, type Property, products, type StoredPropertyVersion, stateOf } from "./world.js";

export interface ContractPlace {
  readonly contractId?: string | undefined;
  readonly groupId?: string | undefined;
}

export const accountId = `act_${account.id}`;

/** Adds the prefix of an id where a body leaves it out. */
export const withPrefix = (prefix: string, id: string): string => (id.startsWith(prefix) ? id : `${prefix}${id}`);

/** The types of refusals that are not this service's own. */
const types: Readonly<Record<string, string>> = { "Missing parameter": "missing-required-parameter" };

/** The service's own error format, whose types name what went wrong (public facts B, 3.4). */
export const errorFormat: ErrorFormat = ({ status, title, detail, extras: { code, members = {} } }, { url }, world) => {
  const id = code ?? types[title] ?? `http/${title.toLowerCase().replaceAll(" ", "-")}`;
  const serial = Math.floor(world.noise("problem", url.pathname, status) * 2 ** 32).toString(16);
  const [, , version] = url.pathname.split("/");
  const type = `https://problems.luna.${world.vendor}apis.net/papi/${version}/${id}`;
  // A redirect is no problem: its body is the link alone.
  if (status === 302) return { body: members, type: "application/json" };
  const problem = { type, title, instance: `${url.pathname}${url.search}#${serial}`, status, ...members };
  if (status !== 422 || version !== "v1") return { body: { ...problem, detail } };
  // Today's API has a separate form for what is no longer, or not yet, possible.
  const problemOfToday = { errors: [{ type, title, detail }], details: {}, messageId: id, params: [], result: "ERROR" };
  return { body: { ...problem, ...problemOfToday } };
};

export const propertyRefusal = (
  code: string,
  detail: string,
  status = 400,
  members: Readonly<Record<string, unknown>> = {},
) => new RequestRefusal(status, status === 400 ? "Bad Request" : "Refused", detail, { code, members });

const ownContracts = contracts.filter(({ isExpired }) => !isExpired);
export const contractItems = ownContracts.map(({ id, isChild }) => ({
  contractId: `ctr_${id}`,
  contractTypeName: isChild ? "INDIRECT_CUSTOMER" : "DIRECT_CUSTOMER",
}));
export const contractOf = (contractId: string) => ownContracts.find(({ id }) => `ctr_${id}` === contractId);

/** Refuses a contract or a group that is not the account's, and a group that does not have the contract. @returns the place. */
export function checkPlace<P extends ContractPlace>(world: World, place: P): P {
  const { contractId, groupId } = place;
  const group = groupsOf(world).find(({ id }) => `grp_${id}` === groupId);
  const isForeign = (contractId !== undefined && !contractOf(contractId)) || (groupId !== undefined && !group);
  if (isForeign) throw forbidden(`${contractId ?? ""} ${groupId ?? ""} is not yours`.trim());
  if (contractId !== undefined && group && !group.contractIds.some((id) => `ctr_${id}` === contractId))
    throw propertyRefusal(
      "problem-extracting-contract-group",
      `The group ${groupId} does not have the contract ${contractId}`,
    );
  return place;
}

export function propertyOf(
  world: World,
  { propertyId }: { readonly propertyId: string },
  place: ContractPlace,
): Property {
  checkPlace(world, place);
  const found = stateOf(world).properties.get(propertyId);
  const { contractId = found?.contractId, groupId = found?.groupId } = place;
  if (!found || contractId !== found.contractId || groupId !== found.groupId)
    throw notFound(`There is no property ${propertyId} here`);
  return found;
}

export const versionOf = (property: Property, number: number): StoredPropertyVersion =>
  findIn(property.versions, { number }, () => {
    return notFound(`${property.id} has no version ${number}`, { code: "property-version/not-found" });
  });

/** The owner of an object, as answers show it. */
export const ownerOf = ({ contractId, groupId }: { readonly contractId: string; readonly groupId: string }) => ({
  accountId,
  contractId,
  groupId,
});

/** A product of the account, whose prefix a body may leave out. */
export const productOf = (id: string) =>
  findIn(products, { id: withPrefix("prd_", id) }, () => {
    return propertyRefusal("cpcode/invalid-services", `There is no product ${id} on this contract`, 403);
  });

/** A link to a new object, in the body and as its location. */
export const linkTo = (
  path: string,
  { contractId, groupId }: { contractId: string; groupId: string },
  version: "v0" | "v1" = "v0",
): string => `/papi/${version}/${path}?contractId=${contractId}&groupId=${groupId}`;

interface VersionPath {
  readonly propertyId: string;
  readonly propertyVersion: number;
}

/** The digest of a version as a header. */
export const etagHeader = (property: Property, version: StoredPropertyVersion) => ({
  etag: `"${etagOf(property, version)}"`,
});

/** A version with its property, by the path of a request. */
export function foundVersion(
  world: World,
  path: VersionPath,
  place: ContractPlace,
): { property: Property; version: StoredPropertyVersion } {
  const property = propertyOf(world, path, place);
  return { property, version: versionOf(property, path.propertyVersion) };
}
