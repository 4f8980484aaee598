/**
 * Enrollments, deployments and the information by which an input is decided, in the versions of their media types (public
 * facts B, 1.3).
 */
import { createHash } from "node:crypto";
import { certificates as declared } from "../../../tools/certificates/index.js";
import type { Call } from "../../behaviour.js";
import { undeclaredMembers } from "../../others.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { challenges, oldChallenges } from "./challenges.js";
import { overlappingNames, uploadWarnings } from "./life.js";
import {
  type CertificateChange,
  changePath,
  csrOf,
  type DeployedCertificates,
  type Enrollment,
  type EnrollmentDetails,
  enrollmentPath,
  keyAlgorithmsOf,
  type NetworkSettings,
  namesOf,
  pendingChangesOf,
  usualNetwork,
} from "./store.js";

type Sent = Call<(typeof declared)["operations"]["cert_enrollment_create"]>["body"];

/** The number in a version such as `v11`. */
export const versionNumber = (version: string | undefined, byDefault: number): number =>
  version === undefined ? byDefault : Number(version.slice(1));

/** The other settings that are written; if there are none, the enrollment is unchanged. */
function othersOf(sent: object, at: readonly string[] = []) {
  const others = undeclaredMembers(declared.operations.cert_enrollment_create, sent, at);
  return Object.keys(others).length === 0 ? {} : { others };
}

/** The settings that a request has under the same names. */
const settings =
  "geography secureNetwork mustHaveCiphers preferredCiphers disallowedTlsVersions sniOnly quicEnabled ocspStapling " +
  "clientMutualAuthentication";

/** The named members that have a value; null counts as left out. */
const settingsIn = (sent: object, names: string): Partial<NetworkSettings> =>
  Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => names.split(" ").includes(name) && (value ?? null) !== null),
  );

function networkOf(configuration: Sent["networkConfiguration"]): NetworkSettings {
  const names =
    "sni" in configuration
      ? configuration.sni
      : "dnsNameSettings" in configuration
        ? configuration.dnsNameSettings
        : undefined;
  return {
    ...usualNetwork,
    sniOnly: names !== undefined && names !== null,
    ...settingsIn(configuration, settings),
    ...settingsIn(names ?? {}, "cloneDnsNames dnsNames"),
    ...othersOf(configuration, ["networkConfiguration"]),
  };
}

/** What a request enrolls. */
export function detailsOf(input: Sent): EnrollmentDetails {
  const { sans, ...csr } = input.csr;
  return {
    certificateType: input.certificateType,
    validationType: input.validationType,
    ra: input.ra,
    changeManagement: input.changeManagement,
    certificateChainType: input.certificateChainType ?? "default",
    enableMultiStackedCertificates: input.enableMultiStackedCertificates ?? false,
    signatureAlgorithm: input.signatureAlgorithm ?? null,
    thirdParty: input.thirdParty ?? null,
    csr,
    sans: sans ?? [],
    org: input.org ?? {},
    adminContact: input.adminContact ?? {},
    techContact: input.techContact ?? {},
    network: networkOf(input.networkConfiguration),
    ...othersOf(input),
  };
}

/** The owners of a network's settings, each of which writes them in separate versions. */
type Holder = "enrollment" | "deployment" | "pending";
/** The version from which the settings are written as separate members instead of `sni`. */
const flatSince = { enrollment: 7, deployment: 6, pending: 4 } as const;

/** The type of a network as a version has it; a change names none any more, and nothing in its place. */
function typeAs({ geography, secureNetwork }: NetworkSettings, number: number, holder: Holder) {
  if (holder === "pending") return { networkType: null };
  if (number >= 3) return { geography, secureNetwork };
  return {
    networkType: "standard-worldwide",
    ...(holder === "enrollment" && number === 2 ? { secureNetwork } : {}),
  };
}

/** What a version has of the names that a network serves. */
function namesAs(network: NetworkSettings, number: number, holder: Holder) {
  const { cloneDnsNames, dnsNames, sniOnly, quicEnabled, ocspStapling } = network;
  const names = sniOnly ? { cloneDnsNames, dnsNames: [...dnsNames] } : null;
  if (number < flatSince[holder]) return { sni: names };
  const flat = { sniOnly, quicEnabled, ocspStapling };
  return holder === "deployment" ? { ...flat, dnsNames: [...dnsNames] } : { ...flat, dnsNameSettings: names };
}

/** The settings of a network as a version has them: what its definition does not have is left out. */
function networkAs(network: NetworkSettings, number: number, holder: Holder) {
  const { mustHaveCiphers, preferredCiphers, disallowedTlsVersions, clientMutualAuthentication } = network;
  return {
    ...(holder === "enrollment" ? network.others : {}),
    mustHaveCiphers,
    preferredCiphers,
    ...typeAs(network, number, holder),
    ...(number === 1 ? {} : { disallowedTlsVersions: [...disallowedTlsVersions] }),
    ...namesAs(network, number, holder),
    ...(holder === "enrollment" && number >= 9 ? { clientMutualAuthentication } : {}),
  };
}

const person = ({ firstName, lastName, phone, email }: EnrollmentDetails["org"]) => ({
  firstName,
  lastName,
  phone,
  email,
});

function slotsOf({ slot, staging, production }: Enrollment) {
  const used = (deployed: DeployedCertificates | undefined) => (deployed === undefined ? [] : [slot]);
  return { assignedSlots: used(staging ?? production), stagingSlots: used(staging), productionSlots: used(production) };
}

/** An enrollment as a version has it. */
export function enrollmentAs(enrollment: Enrollment, number: number) {
  const { id, details } = enrollment;
  const { csr, sans, network, enableMultiStackedCertificates, certificateChainType, others, ...rest } = details;
  // The types that are defined have none for a removal.
  const pending = pendingChangesOf(enrollment).map((change) => ({
    location: changePath(enrollment, change),
    ...(change.kind === "remove-certificate" ? {} : { changeType: change.kind }),
  }));
  return {
    ...others,
    ...rest,
    ...(number < 3 ? { adminContact: person(rest.adminContact), techContact: person(rest.techContact) } : {}),
    csr: { ...csr, sans: [...sans] },
    networkConfiguration: networkAs(network, number, "enrollment"),
    location: enrollmentPath(id),
    pendingChanges: number < 10 ? pending.map(({ location }) => location) : pending,
    ...(number < 4 ? {} : { certificateChainType, enableMultiStackedCertificates }),
    ...(number < 7 ? {} : { maxAllowedSanNames: 100, maxAllowedWildcardSanNames: 100 }),
    ...(number < 9 ? {} : { autoRenewalStartTime: null }),
    ...(number < 11 ? {} : { id: String(id), orgId: null, ...slotsOf(enrollment) }),
  };
}

/** What is deployed on a network, as a version has it: one certificate before version 6, stacked ones since. */
export function deploymentAs({ certificates, network }: DeployedCertificates, number: number) {
  const shown = certificates.map(({ certificate, trustChain, keyAlgorithm, expiresAtMs }) => ({
    certificate,
    trustChain,
    signatureAlgorithm: "SHA-256",
    expiry: instant(expiresAtMs),
    ...(number < 7 ? {} : { keyAlgorithm }),
  }));
  const [primary, ...stacked] = shown;
  const networkConfiguration = networkAs(network, number, "deployment");
  if (number < 6) {
    const { certificate = "", trustChain = null, signatureAlgorithm = null } = primary ?? {};
    return { certificate, trustChain, signatureAlgorithm, networkConfiguration };
  }
  return {
    primaryCertificate: primary ?? null,
    multiStackedCertificates: stacked,
    ocspStapled: false,
    ocspUris: [],
    networkConfiguration,
  };
}

/** The state that an acknowledgement is about, by the hash that names it. */
export const hashOf = ({ details }: Enrollment, { certificates, schedule, id }: CertificateChange): string =>
  createHash("sha1")
    .update(JSON.stringify([id, certificates, details, schedule]))
    .digest("hex");

/** The names that production serves and the new certificate lacks. */
const removed = ({ details, production }: Enrollment): readonly string[] => {
  const names = namesOf(details);
  return [...new Set(production?.certificates.flatMap((one) => one.names) ?? [])].filter(
    (name) => !names.includes(name),
  );
};

function changeManagement(enrollment: Enrollment, change: CertificateChange, number: number) {
  const { details, production } = enrollment;
  const certificates = change.needsCertificate ? change.certificates : (production?.certificates ?? []);
  const pending = certificates.map(({ certificate, keyAlgorithm }) => ({
    certificateType: details.certificateType,
    fullCertificate: certificate,
    signatureAlgorithm: "SHA-256",
    ...(number < 4 ? {} : { ocspStapled: false, ocspUris: null }),
    ...(number < 5 ? {} : { keyAlgorithm }),
  }));
  const message = (name: string) => `The name ${name} is no longer in the certificate, and production still serves it.`;
  return {
    acknowledgementDeadline: null,
    validationResultHash: hashOf(enrollment, change),
    pendingState: {
      ...(number < 5 ? { pendingCertificate: pending[0] ?? null } : { pendingCertificates: pending }),
      pendingNetworkConfiguration: networkAs(details.network, number, "pending"),
    },
    validationResult: {
      errors: null,
      warnings: removed(enrollment).map((name) => ({ message: message(name), messageCode: "no-code" })),
    },
  };
}

/** The information of a kind, in the version that was asked for. */
export function informationFor(
  world: World,
  enrollment: Enrollment,
  change: CertificateChange,
  kind: string,
  version: string | undefined,
) {
  const number = versionNumber(version?.replace("deployment.", ""), kind === "change-management-info" ? 5 : 2);
  switch (kind) {
    case "change-management-info":
      return version?.startsWith("deployment.") && enrollment.staging
        ? deploymentAs(enrollment.staging, number)
        : changeManagement(enrollment, change, number);
    case "free-ca-challenges":
      return number === 1 ? oldChallenges(world, change) : challenges(world, change);
    case "third-party-csr": {
      const { details } = enrollment;
      const csrs = keyAlgorithmsOf(details).map((algorithm) => {
        return { csr: csrOf(details, algorithm), keyAlgorithm: algorithm };
      });
      return number === 1 ? { csr: csrOf(details, "RSA") } : { csrs };
    }
    case "post-verification-warnings":
      return { warnings: uploadWarnings(enrollment, change).join("\n") };
    default: {
      const names = overlappingNames({ world, enrollment }).join(", ");
      return { warnings: `Names that another certificate has, too: ${names}.` };
    }
  }
}
