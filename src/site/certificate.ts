/** Which hostnames the certificates on a network name, and what the deployment of a certificate changes of that. */
import { Failure } from "../language/failure.js";
import {
  type CertificateCover,
  type CertificateScope,
  type Forecast,
  type Forecasted,
  isUnknown,
  type PendingChange,
} from "../language/forecast.js";
import { isRecord, listAt, memberAt } from "../language/member.js";
import { countOf } from "../language/value-text.js";
import { withoutFalse } from "../language/words.js";
import { z } from "../language/z.js";
import { expiryOn, namesOf, pendingChangesOf } from "../tools/certificates/names.js";
import { deployedContent } from "../tools/certificates/replacement.js";
import { accountHostnames } from "./active-hostnames.js";
import { namedBy, namingOf } from "./names.js";
import { type Reach, reachFacts, reachOf } from "./reach.js";
import { bodyAs, listIn, orUnknown, type SiteReads } from "./reads.js";

/** A hostname of a property's version, which has a status of its certificate where the API deploys one by itself. */
interface VersionHostname {
  readonly cnameFrom: string;
  readonly certProvisioningType?: string | undefined;
  readonly [member: string]: unknown;
}
type Network = CertificateScope["network"];

/** More certificates than this are not read for a forecast. */
const maxEnrollments = 4;
/** The version of enrollments that says what kinds of changes are under way. */
const version = "v11";

interface EnrolledNames {
  readonly id: number;
  readonly names: readonly string[];
  /** Whether the changes that have begun leave the names as they are. */
  readonly isStable: boolean;
}

const enrolledIn = (enrollment: unknown): EnrolledNames => ({
  id: Number(memberAt(enrollment, "id")),
  names: namesOf(enrollment),
  isStable: pendingChangesOf(enrollment).every(({ kind }) => kind === "renewal"),
});
const enrollmentsIn = (body: unknown): readonly EnrolledNames[] => listIn(body, "enrollments").map(enrolledIn);

/** A certificate on a network: its names, unless they are unknown, and its end. */
interface CertificateOnNetwork {
  readonly names?: readonly string[] | undefined;
  readonly endsMs?: number;
}

/** The certificates of an enrollment on both networks: without names if none is deployed there. */
function certificatesIn(body: unknown): Readonly<Record<Network, CertificateOnNetwork>> {
  const deployments = bodyAs(z.looseObject({}), body);
  const certificateOn = (network: Network): CertificateOnNetwork => {
    const deployment = memberAt(deployments, network);
    if (!isRecord(deployment)) return { names: [] };
    const names = listAt(deployment, "networkConfiguration.dnsNames").map(String);
    const endsMs = Date.parse(expiryOn(network, deployments) ?? "");
    return {
      names: names.length > 0 ? names : deployedContent(deployment)?.names,
      ...(Number.isNaN(endsMs) ? {} : { endsMs }),
    };
  };
  return { production: certificateOn("production"), staging: certificateOn("staging") };
}

/**
 * The certificate of an enrollment on a network. Where neither its settings there nor its text have the names, they are
 * those that are enrolled, unless a change of these is under way.
 */
async function certificateOf(
  reads: SiteReads,
  network: Network,
  enrolled: EnrolledNames,
): Promise<CertificateOnNetwork> {
  const args = { enrollmentId: enrolled.id };
  const on = await reads.recall("cert_deployments_list", args, certificatesIn).catch((error: unknown) => {
    // An enrollment of which nothing was deployed yet has no deployments.
    if (error instanceof Failure && error.code === "not_found") return certificatesIn({});
    throw error;
  });
  const { names = enrolled.isStable ? enrolled.names : undefined, ...certificate } = on[network];
  return { ...certificate, names };
}

/** Whether the API deploys the certificate of a hostname by itself. */
const isDefault = ({ certProvisioningType }: VersionHostname): boolean => certProvisioningType === "DEFAULT";

/** What is known of a hostname's certificate. One that the API deploys by itself may come with the activation. */
function findingOf(
  hostname: VersionHostname,
  network: Network,
  isCertified: (hostname: string) => boolean,
  isComplete: boolean,
) {
  const isByDefault = isDefault(hostname);
  const isCovered = isByDefault
    ? memberAt(hostname, ["certStatus", network, 0, "status"]) === "DEPLOYED"
    : isCertified(hostname.cnameFrom);
  if (isCovered) return "covered";
  return isComplete && !isByDefault ? "uncovered" : "unclear";
}

/**
 * Which hostnames the certificates of a contract on a network name.
 * @param contractId The contract, with or without the prefix of the property service; all of the account if it is unknown.
 * @throws Failure
 */
export async function certificateCover(
  reads: SiteReads,
  hostnames: readonly VersionHostname[],
  network: Network,
  contractId: unknown,
): Promise<CertificateCover> {
  const of = typeof contractId === "string" ? { contractId: contractId.replace(/^ctr_/, "") } : {};
  const isNaming = namingOf(hostnames.map(({ cnameFrom }) => cnameFrom));
  const isForSome = (names: readonly string[]) => names.some(isNaming);
  const enrollments = await reads.recall("cert_enrollments_list", { ...of, version }, enrollmentsIn);
  const named = enrollments.filter(({ names }) => isForSome(names));
  // What is on the network can have other names than are enrolled now.
  const candidates = [...named, ...enrollments.filter((one) => !named.includes(one) && !one.isStable)];
  const certificates = await Promise.all(
    candidates.slice(0, maxEnrollments).map((one) => certificateOf(reads, network, one)),
  );
  const unread = candidates.length - certificates.length;
  const isShown = certificates.every(({ names }) => names !== undefined);
  const isCertified = namedBy(certificates.flatMap(({ names = [] }) => names));
  const findings = hostnames.map((one) => findingOf(one, network, isCertified, isShown && unread === 0));
  const found = (finding: string) => hostnames.filter((_, at) => findings[at] === finding);
  const ends = certificates.flatMap(({ names = [], endsMs = [] }) => (isForSome(names) ? endsMs : []));
  const unclear = found("unclear");
  const reasons = withoutFalse(
    (!isShown || unclear.some(isDefault)) && "the API does not show theirs",
    unread > 0 &&
      !unclear.every(isDefault) &&
      `${countOf(unread, "more certificate was", "more certificates were")} not read`,
  );
  return {
    ...of,
    covered: found("covered").length,
    uncovered: found("uncovered").map(({ cnameFrom }) => cnameFrom),
    ...(unclear.length > 0 && { unclear: { count: unclear.length, unknown: reasons.join(", and ") } }),
    ...(ends.length > 0 && { endsMs: Math.min(...ends) }),
  };
}

/** The other changes of an enrollment that have begun. */
const pendingBeside = (enrollment: unknown, { changeId }: CertificateScope): readonly PendingChange[] =>
  pendingChangesOf(enrollment)
    .filter(({ id }) => id !== changeId)
    .map(({ id, kind = "a change" }) => ({ what: `${kind} (${id})`, status: "pending" }));

/** The hostnames that are active under names, those first that have a certificate with the names before and not with those after. */
async function hostnamesUnder(
  reads: SiteReads,
  network: Network,
  before: readonly string[],
  after: readonly string[],
): Promise<Reach> {
  const { names, unread } = await accountHostnames(reads, network, namedBy([...before, ...after]));
  const isKept = namedBy(after);
  const lost = names.filter((name) => !isKept(name));
  return reachOf([...lost, ...names], unread > 0 ? { unread } : {});
}

/** What a deployment does to the names of a certificate, and to the hostnames that are active under them. */
export async function forecastCertificate(scope: CertificateScope, reads: SiteReads): Promise<Forecast> {
  const { network, endsMs } = scope;
  const enrollmentId = Number(scope.enrollmentId);
  const enrollment = await orUnknown(
    "certificate enrollment",
    reads.read("cert_enrollment_get", { enrollmentId, version }),
  );
  if (isUnknown(enrollment)) return { hostnames: enrollment, certificates: enrollment, pending: enrollment };
  const { names: after = namesOf(enrollment) } = scope;
  const pending = pendingBeside(enrollment, scope);
  const certificate = await orUnknown(
    "deployed certificate",
    certificateOf(reads, network, { ...enrolledIn(enrollment), id: enrollmentId }),
  );
  const before: Forecasted<readonly string[]> = isUnknown(certificate)
    ? certificate
    : (certificate.names ?? { unknown: "the names of the present certificate cannot be read" });
  if (isUnknown(before)) return { hostnames: before, certificates: before, pending };
  const reach = await orUnknown("list of active hostnames", hostnamesUnder(reads, network, before, after));
  // Where the active hostnames are unknown, the names of the certificates stand for them.
  const all = isUnknown(reach) ? [...new Set([...before, ...after])] : reach.all;
  const [wasCovered, isCovered] = [namedBy(before), namedBy(after)];
  const covered = all.filter(isCovered);
  const certificates: CertificateCover = {
    covered: covered.length,
    added: covered.filter((name) => !wasCovered(name)).length,
    uncovered: all.filter((name) => !isCovered(name)),
    ...(endsMs !== undefined && { endsMs }),
  };
  return { ...(await reachFacts(reads, network, reach)), certificates, pending };
}
