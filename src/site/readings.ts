/** The readings that what is known of a hostname is made of; each keeps only what is shown. */
import { Failure } from "../language/failure.js";
import { listAt, memberAt, numberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { Enrollment } from "../tools/certificates/enrollment.js";
import type { RecordSet } from "../tools/dns/set-notation.js";
import {
  Activations,
  CpCodes,
  EdgeHostnames,
  Hostnames,
  Properties,
  RuleTree,
  Versions,
} from "../tools/properties/shapes.js";
import type { SiteReading } from "./known.js";
import { isNamed } from "./names.js";
import { listIn, otherForm, type SiteRead } from "./reads.js";
import { factsOfRules, type RuleFacts } from "./rule-facts.js";

/** A property, and where it is. */
export interface PropertyPlace {
  readonly propertyId: string;
  readonly contractId: string;
  readonly groupId: string;
}

export type SiteNetwork = "production" | "staging";
export const siteNetworks: readonly SiteNetwork[] = ["production", "staging"];

/** A hostname as a network serves it. */
export interface ServedHostname {
  readonly edgeHostname: string;
  readonly edgeHostnameId?: string | undefined;
  /** DEFAULT for a certificate that comes with the property, and belongs to no enrollment. */
  readonly certificateType?: string | undefined;
}

/** A property that has a hostname, and the networks on which it is known to be active. */
export interface HostnameOwner extends PropertyPlace, Partial<Record<SiteNetwork, ServedHostname>> {
  readonly propertyName: string;
}

export interface HostnameZone {
  /** Null if no zone of the account has the name. */
  readonly zone: string | null;
  readonly sets: readonly RecordSet[];
}

/** The shares of requests that fail now, in percent. */
interface ErrorRates {
  readonly edgeHits: number;
  readonly edgeFailurePercentage: number;
  readonly originHits: number;
  readonly originFailurePercentage: number;
}

/** What the generations of the APIs read by different operations. */
export interface SiteGeneration {
  /** The properties that have a hostname, those on production first. */
  readonly owners: (hostname: string) => SiteReading<readonly HostnameOwner[]>;
  readonly zone: (hostname: string) => SiteReading<HostnameZone>;
  readonly errors: (hostname: string) => SiteReading<ErrorRates>;
  /** The includes of a group by their ids; undefined where no operation reads them. */
  readonly includes: ((place: PropertyPlace) => SiteReading<Readonly<Record<string, IncludeFacts>>>) | undefined;
  /** The shared policies that a property uses, with where; undefined where there are none. */
  readonly sharedPolicies: ((propertyName: string) => SiteReading<NetworkNames>) | undefined;
}

interface IncludeFacts {
  readonly name: string;
  readonly production: number | null;
  readonly staging: number | null;
}

/** Names by network. */
export type NetworkNames = Readonly<Record<SiteNetwork, readonly string[]>>;

/** The body of a response in the shape that a reading needs. @throws Failure `bad_reply` */
export async function readShape<S extends z.ZodType>(
  read: SiteRead,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  shape: S,
): Promise<z.output<S>> {
  const body = await read(tool, args);
  const { success, data } = shape.safeParse(body);
  if (success) return data;
  throw new Failure("bad_reply", `The response of ${tool} has another form than documented.`, {
    next: "Call the tool directly to see its whole response.",
    upstream: body,
  });
}

/** The value of a reading that may find nothing; null for a 404. */
export const unlessMissing = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof Failure && error.code === "not_found") return null;
    throw error;
  });

const placeOf = ({ propertyId, contractId, groupId }: PropertyPlace) => ({ propertyId, contractId, groupId });
const ofProperty = ({ propertyId }: PropertyPlace) => ({ apis: ["papi"], of: { propertyId } });

export interface PropertyState {
  readonly name: string;
  readonly latest: number;
  readonly production: number | null;
  readonly staging: number | null;
}

export const propertyState = (place: PropertyPlace): SiteReading<PropertyState> => ({
  key: `property ${place.propertyId}`,
  ...ofProperty(place),
  async load(read) {
    const { properties } = await readShape(read, "property_get", placeOf(place), Properties);
    const [property] = properties.items;
    if (property === undefined)
      throw new Failure("not_found", "The property was not found.", { next: "Search again." });
    const { propertyName: name, latestVersion: latest, productionVersion, stagingVersion } = property;
    return { name, latest, production: productionVersion ?? null, staging: stagingVersion ?? null };
  },
});

/** Who wrote a version last, when, and the note. */
interface VersionEdit {
  readonly version: number;
  readonly by: string;
  readonly at: string;
  readonly note?: string | undefined;
}

const newestEdits = 50;

/** The last edit of each of the newest versions of a property, the newest version first. */
export const versionEdits = (place: PropertyPlace): SiteReading<readonly VersionEdit[]> => ({
  key: `versions ${place.propertyId}`,
  ...ofProperty(place),
  async load(read) {
    const { versions } = await readShape(read, "property_versions_list", placeOf(place), Versions);
    const all = versions.items.map(({ propertyVersion, updatedByUser, updatedDate, note }) => {
      return { version: propertyVersion, by: updatedByUser, at: updatedDate, ...(note ? { note } : {}) };
    });
    return all.toSorted((a, b) => b.version - a.version).slice(0, newestEdits);
  },
});

/** A version on its way to a network, or off it. */
export interface SiteActivation {
  readonly version: number;
  readonly type: string;
  readonly network: string;
  readonly status: string;
  readonly at: string;
}

interface PropertyActivations {
  readonly newest: SiteActivation | null;
  /** When the version that is active on a network was brought there. */
  readonly since: Partial<Record<SiteNetwork, string>>;
}

/** Whether an activation is under way, so that what was read of the property is about to be wrong. */
export const isUnderWay = ({ status }: SiteActivation): boolean => /^(NEW|ZONE_\d|PENDING\w*)$/.test(status);

/** The newest activation of a property, and when the active ones were submitted. */
export const propertyActivations = (place: PropertyPlace): SiteReading<PropertyActivations> => ({
  key: `activations ${place.propertyId}`,
  ...ofProperty(place),
  async load(read) {
    const { activations } = await readShape(read, "property_activations_list", placeOf(place), Activations);
    const all = activations.items
      .map(({ submitDate: at, propertyVersion: version, network, activationType: type, status }) => {
        return { version, type, network, status, at };
      })
      .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
    const since = siteNetworks.flatMap((network) => {
      const isOn = (one: SiteActivation) =>
        one.network === network.toUpperCase() && one.type === "ACTIVATE" && one.status === "ACTIVE";
      const activation = all.find(isOn);
      return activation ? [[network, activation.at] as const] : [];
    });
    return { newest: all[0] ?? null, since: Object.fromEntries(since) };
  },
});

/** How the hostnames of a version serve one. */
export const servedByVersion = (
  hostname: string,
  { propertyId, contractId, groupId }: PropertyPlace,
  propertyVersion: number,
): SiteReading<ServedHostname | null> => ({
  key: `hostname ${hostname} ${propertyId} ${propertyVersion}`,
  apis: ["papi"],
  of: { propertyId },
  async load(read) {
    const args = { propertyId, contractId, groupId, propertyVersion };
    const { hostnames } = await readShape(read, "property_hostnames_list", args, Hostnames);
    const fitting = hostnames.items.filter(({ cnameFrom }) => isNamed(hostname, [cnameFrom]));
    const entry = fitting.find(({ cnameFrom }) => cnameFrom.toLowerCase() === hostname) ?? fitting[0];
    if (entry === undefined) return null;
    const { cnameTo, edgeHostnameId, certProvisioningType } = entry;
    return { edgeHostname: cnameTo ?? edgeHostnameId ?? "", edgeHostnameId, certificateType: certProvisioningType };
  },
});

/** What the rules of a version say. */
export const versionRules = (place: PropertyPlace, version: number): SiteReading<RuleFacts> => ({
  key: `rules ${place.propertyId} ${version}`,
  ...ofProperty(place),
  async load(read) {
    const args = { ...placeOf(place), propertyVersion: version, validateRules: false };
    return factsOfRules((await readShape(read, "property_rule_tree_get", args, RuleTree)).rules);
  },
});

export const cpCodeName = (id: string, { contractId, groupId }: PropertyPlace): SiteReading<string | null> => ({
  key: `cp code ${id}`,
  apis: ["papi", "cprg"],
  async load(read) {
    const args = { cpcodeId: `cpc_${id}`, contractId, groupId };
    return (await readShape(read, "property_cpcode_get", args, CpCodes)).cpcodes.items[0]?.cpcodeName ?? null;
  },
});

export interface EdgeHostnameFacts {
  readonly secure: boolean | null;
  readonly status: string | null;
}

export const edgeHostnameFacts = (
  edgeHostnameId: string,
  { contractId, groupId }: PropertyPlace,
): SiteReading<EdgeHostnameFacts> => ({
  key: `edge hostname ${edgeHostnameId}`,
  apis: ["papi", "hapi"],
  async load(read) {
    const args = { edgeHostnameId, contractId, groupId };
    const [edge] = (await readShape(read, "property_edge_hostname_get", args, EdgeHostnames)).edgeHostnames.items;
    return { secure: edge?.secure ?? null, status: edge?.status ?? null };
  },
});

/** A certificate enrollment in a list. */
interface ListedEnrollment {
  readonly id: number;
  readonly cn: string;
  readonly names: readonly string[];
  readonly slots: Readonly<Record<SiteNetwork, readonly number[]>>;
  readonly isPending: boolean;
}

/** The number at the end of an enrollment's location, where it has no id. */
const numberAtEnd = (location: string | null | undefined): number => Number(location?.split("/").at(-1));

export const enrollmentsOf = (contractId: string): SiteReading<readonly ListedEnrollment[]> => ({
  key: `enrollments ${contractId}`,
  apis: ["cps"],
  async load(read) {
    const body = await readShape(
      read,
      "cert_enrollments_list",
      // The first version that has the slots.
      { contractId, version: "v11" },
      z.looseObject({ enrollments: z.array(Enrollment) }),
    );
    return body.enrollments.map(({ id, location, csr, productionSlots, stagingSlots, pendingChanges = [] }) => ({
      id: Number(id ?? numberAtEnd(location)),
      cn: csr.cn,
      names: csr.sans ?? [],
      slots: { production: productionSlots ?? [], staging: stagingSlots ?? [] },
      isPending: pendingChanges.length > 0,
    }));
  },
});

export const contractIds: SiteReading<readonly string[]> = {
  key: "contracts",
  apis: ["contract-api"],
  load: (read) => readShape(read, "contract_ids_list", { depth: "ALL" }, z.array(z.string())),
};

const DeployedUntil = z.looseObject({ expiry: z.string() });
const Deployment = z
  .looseObject({
    primaryCertificate: DeployedUntil.nullish(),
    multiStackedCertificates: z.array(DeployedUntil).nullish(),
  })
  .nullish();
const Deployments = z.looseObject({ production: Deployment, staging: Deployment });

/** When the certificates of an enrollment end, by network; null where none is deployed. */
export const certificateEnds = (enrollmentId: number): SiteReading<Readonly<Record<SiteNetwork, string | null>>> => ({
  key: `deployments ${enrollmentId}`,
  apis: ["cps"],
  of: { enrollmentId: String(enrollmentId) },
  async load(read) {
    // Nothing is deployed where there is none.
    const body = await unlessMissing(readShape(read, "cert_deployments_list", { enrollmentId }, Deployments));
    const endOn = (network: SiteNetwork) => {
      const deployed = body?.[network];
      if (!deployed) return null;
      const { primaryCertificate, multiStackedCertificates } = deployed;
      const ends = [primaryCertificate, ...(multiStackedCertificates ?? [])].flatMap((one) => one?.expiry ?? []);
      // Clients get one of several: the first that ends is what has to be known.
      const [first] = ends.toSorted((a, b) => Date.parse(a) - Date.parse(b));
      if (first === undefined) throw otherForm();
      return first;
    };
    return { production: endOn("production"), staging: endOn("staging") };
  },
});

const NetworkUses = z
  .looseObject({ referencedPolicies: z.array(z.union([z.string(), z.number()])).nullish() })
  .nullish();
const PolicyUses = z.record(z.string(), z.looseObject({ production: NetworkUses, staging: NetworkUses }));
/** The policies that properties refer to, by the property's name and the network; properties without any are left out. */
export const policyUses: SiteReading<Readonly<Record<string, NetworkNames>>> = {
  key: "policies",
  apis: ["cloudlets", "papi"],
  async load(read) {
    const body = await readShape(read, "edgelogic_properties_list", {}, PolicyUses);
    const namesIn = (uses: z.output<typeof NetworkUses>) => (uses?.referencedPolicies ?? []).map(String);
    return Object.fromEntries(
      Object.entries(body).flatMap(([name, property]) => {
        const uses = { production: namesIn(property.production), staging: namesIn(property.staging) };
        return uses.production.length + uses.staging.length === 0 ? [] : [[name, uses]];
      }),
    );
  },
};

/** How a security configuration covers a hostname. */
export interface SecurityCoverage {
  readonly status: string;
  readonly configurationId: number | null;
  readonly configuration: string | null;
  readonly version: number | null;
  readonly policies: readonly string[];
}

export const coverageTool = "waf_hostname_coverage_get";
/** The security of a hostname; null if the list of all hostnames lacks it. */
export const securityCoverage = (hostname: string): SiteReading<SecurityCoverage | null> => ({
  key: `coverage ${hostname}`,
  apis: ["appsec"],
  async load(read) {
    const all = listIn(await read(coverageTool, {}), "hostnameCoverage");
    const row = all.find((one) => String(memberAt(one, "hostname")).toLowerCase() === hostname);
    if (row === undefined) return null;
    const status = memberAt(row, "status");
    if (typeof status !== "string") throw otherForm();
    const version = Number(memberAt(row, "configuration.version") ?? Number.NaN);
    return {
      status,
      configurationId: numberAt(row, "configuration.id") ?? null,
      configuration: (memberAt(row, "configuration.name") as string | undefined) ?? null,
      version: Number.isNaN(version) ? null : version,
      policies: listAt(row, "policyNames").map(String),
    };
  },
});

/** The network lists of security policies, by what is done with their addresses. */
export type ListUse = Readonly<Record<"allows" | "blocks", readonly string[]>>;

const mostPolicies = 2;

/** The network lists that the policies of a hostname allow or block addresses by. */
export const securityLists = (hostname: string, coverage: SecurityCoverage): SiteReading<ListUse> => ({
  key: `security lists ${hostname}`,
  apis: ["appsec"],
  async load(read) {
    const at = { configId: coverage.configurationId, versionNumber: coverage.version };
    const all = listAt(await read("waf_version_security_policies_list", at), "policies");
    const own = all.filter((one) => coverage.policies.includes(String(memberAt(one, "policyName"))));
    if (own.length === 0 || own.length > mostPolicies)
      throw new Failure("not_found", `${own.length} security policies have the names of this hostname's.`, {
        next: "waf_version_security_policies_list lists them.",
      });
    const uses = await Promise.all(
      own.map((one) => read("waf_security_policy_ip_geo_firewall_get", { ...at, policyId: memberAt(one, "policyId") })),
    );
    const listed = (kind: string) => [
      ...new Set(
        uses.flatMap((use) =>
          ["ipControls", "geoControls", "asnControls"].flatMap((control) =>
            listAt(use, [control, `${kind}IPNetworkLists`, "networkList"]).map(String),
          ),
        ),
      ),
    ];
    return { allows: listed("allowed"), blocks: listed("blocked") };
  },
});
