/** The readings of a hostname by the APIs of today. */
import { Failure } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { setsIn } from "../tools/dns/set-notation.js";
import {
  answeringName,
  byNameOrWildcard,
  errorsBy,
  FoundByHostname,
  isAtOrBelow,
  ownersIn,
  urlOf,
  zoneAbove,
} from "./generation.js";
import {
  type HostnameOwner,
  type NetworkNames,
  readShape,
  type ServedHostname,
  type SiteGeneration,
  type SiteNetwork,
  siteNetworks,
  unlessMissing,
} from "./readings.js";
import { listIn, type SiteRead } from "./reads.js";

const maybe = z.string().optional();
/** An active hostname in a list, on one network or on both. */
const Active = z.looseObject({
  cnameFrom: z.string(),
  ...{ propertyId: z.string(), propertyName: z.string(), contractId: z.string(), groupId: z.string() },
  ...{ productionCnameTo: maybe, productionEdgeHostnameId: maybe, productionCertType: maybe },
  ...{ stagingCnameTo: maybe, stagingEdgeHostnameId: maybe, stagingCertType: maybe },
});
type Active = z.output<typeof Active>;
export const ActiveHostnames = z.looseObject({
  hostnames: z.looseObject({ items: z.array(Active), totalItems: z.int().optional() }),
});

function servedOn(hostname: Active, network: SiteNetwork): ServedHostname | undefined {
  const { [`${network}CnameTo` as const]: to, [`${network}EdgeHostnameId` as const]: edgeHostnameId } = hostname;
  const name = to ?? edgeHostnameId;
  const certificateType = hostname[`${network}CertType`];
  return name === undefined ? undefined : { edgeHostname: name, edgeHostnameId, certificateType };
}

/** The owners of a name among active hostnames, those on production first. */
function activeOwners(items: readonly Active[], name: string): readonly HostnameOwner[] {
  const owners = new Map<string, HostnameOwner>();
  for (const item of items.filter(({ cnameFrom }) => cnameFrom.toLowerCase() === name)) {
    const { propertyId, propertyName, contractId, groupId } = item;
    const on = siteNetworks.flatMap((network) => {
      const served = servedOn(item, network);
      return served ? [[network, served] as const] : [];
    });
    const place = { propertyId, propertyName, contractId, groupId };
    owners.set(propertyId, { ...place, ...owners.get(propertyId), ...Object.fromEntries(on) });
  }
  return [...owners.values()].toSorted(
    (a, b) => Number(b.production !== undefined) - Number(a.production !== undefined),
  );
}

// A wildcard in the filter also finds what it stands for, and the name itself is the first of these.
const enough = 20;

async function ownersToday(read: SiteRead, hostname: string): Promise<readonly HostnameOwner[]> {
  const active = async (name: string) => {
    const args = { hostname: name, sort: "hostname:a", limit: enough };
    return activeOwners(
      (await readShape(read, "property_account_hostnames_list", args, ActiveHostnames)).hostnames.items,
      name,
    );
  };
  const inAnyVersion = async (name: string) =>
    ownersIn(await readShape(read, "property_version_find", { body: { hostname: name } }, FoundByHostname));
  const owners = await byNameOrWildcard(hostname, active);
  return owners.length > 0 ? owners : byNameOrWildcard(hostname, inAnyVersion);
}

const Include = z.looseObject({
  includeId: z.string(),
  includeName: z.string(),
  ...{ productionVersion: z.int().nullish(), stagingVersion: z.int().nullish() },
});
const Includes = z.looseObject({ includes: z.looseObject({ items: z.array(Include) }) });

const RecordSets = z.looseObject({
  recordsets: z.array(z.looseObject({ name: z.string(), type: z.string(), rdata: z.array(z.string()) })),
});

const [mostShared, wholeList] = [5, { size: 1_000 }];

/** The shared policies of a property, which only the list of each policy's properties shows. */
async function sharedPoliciesOf(read: SiteRead, propertyName: string): Promise<NetworkNames> {
  const all = listIn(await read("sharedpolicies_list", wholeList), "content");
  if (all.length > mostShared)
    throw new Failure(
      "too_large",
      `Which of ${all.length} shared policies the property uses takes a request for each.`,
      {
        next: "sharedpolicy_properties_list lists the properties of one.",
      },
    );
  const uses = await Promise.all(
    all.map(async (policy) => {
      const policyId = memberAt(policy, "id");
      const users = listIn(await read("sharedpolicy_properties_list", { policyId, ...wholeList }), "content");
      return {
        name: String(memberAt(policy, "name")),
        users: users.filter((one) => memberAt(one, "name") === propertyName),
      };
    }),
  );
  const namesOn = (network: SiteNetwork) =>
    uses
      .filter(({ users }) => users.some((one) => memberAt(one, "network") === network.toUpperCase()))
      .map(({ name }) => name);
  return { production: namesOn("production"), staging: namesOn("staging") };
}

export const todaysGeneration: SiteGeneration = {
  owners: (hostname) => ({ key: `owners ${hostname}`, apis: ["papi"], load: (read) => ownersToday(read, hostname) }),
  zone: (hostname) => ({
    key: `zone ${hostname}`,
    apis: ["config-dns"],
    async load(read) {
      const above = await zoneAbove(hostname, (zone) => unlessMissing(read("dns_zone_config_get", { zone })));
      if (above === undefined) return { zone: null, sets: [] };
      const { zone } = above;
      const found = async (search: string) =>
        setsIn(await readShape(read, "dns_recordsets_list", { zone, search, showAll: true }, RecordSets), "recordsets");
      const own = await found(hostname);
      const name = await answeringName(hostname, zone, async (at) =>
        (at === hostname ? own : await found(at)).some((one) => isAtOrBelow(one.name, at)),
      );
      const sets = name === hostname ? own : await found(name);
      return { zone, sets: sets.filter((one) => one.name === name) };
    },
  }),
  errors: (hostname) => errorsBy(hostname, "edgediag_statistic_get", { body: { url: urlOf(hostname) } }, "result"),
  includes: ({ contractId, groupId }) => ({
    key: `includes ${contractId} ${groupId}`,
    apis: ["papi"],
    async load(read) {
      const { includes } = await readShape(read, "includes_list", { contractId, groupId }, Includes);
      return Object.fromEntries(
        includes.items.map(({ includeId, includeName, productionVersion, stagingVersion }) => [
          includeId,
          { name: includeName, production: productionVersion ?? null, staging: stagingVersion ?? null },
        ]),
      );
    },
  }),
  sharedPolicies: (propertyName) => ({
    key: `shared policies ${propertyName}`,
    apis: ["cloudlets", "papi"],
    load: (read) => sharedPoliciesOf(read, propertyName),
  }),
};
