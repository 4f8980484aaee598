/** The enrollments of the account, from its first ones on: what is enrolled and deployed, and the changes under way. */
import { createHash } from "node:crypto";
import { dayMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import usual from "./usual.json" with { type: "json" };

/** The settings of a network, in the newest form. */
export interface NetworkSettings
  extends Omit<typeof usual.network, "disallowedTlsVersions" | "dnsNames" | "clientMutualAuthentication"> {
  readonly disallowedTlsVersions: readonly string[];
  readonly dnsNames: readonly string[];
  readonly clientMutualAuthentication: Readonly<Record<string, unknown>> | null;
  /** Members that were written but are not declared. */
  readonly others?: Readonly<Record<string, unknown>>;
}
type Texts = Readonly<Record<string, string | null | undefined>>;

/** What is enrolled. */
export interface EnrollmentDetails extends Omit<typeof usual.domainValidated, "signatureAlgorithm" | "thirdParty"> {
  readonly signatureAlgorithm: string | null;
  readonly thirdParty: { readonly excludeSans: boolean } | null;
  readonly csr: Texts & { readonly cn: string };
  readonly sans: readonly string[];
  readonly org: Texts;
  readonly adminContact: Texts;
  readonly techContact: Texts;
  readonly network: NetworkSettings;
  /** Members that were written but are not declared. */
  readonly others?: Readonly<Record<string, unknown>>;
}

export interface Certificate {
  readonly certificate: string;
  readonly trustChain: string | null;
  readonly keyAlgorithm: string;
  readonly expiresAtMs: number;
  readonly names: readonly string[];
}
export interface DeployedCertificates {
  readonly certificates: readonly Certificate[];
  readonly network: NetworkSettings;
}

export type CertificateChangeKind =
  | "new-certificate"
  | "modify-certificate"
  | "modify-san"
  | "renewal"
  | "remove-certificate";
/** A change under way, at one of the steps of its kind. */
export interface CertificateChange {
  readonly id: number;
  readonly kind: CertificateChangeKind;
  /** Whether it needs a signed certificate, or changes the settings of the one that is deployed. */
  readonly needsCertificate: boolean;
  /** Whether it goes to production without staging. */
  readonly bypassesStaging: boolean;
  /** What it enrolls. */
  readonly details: EnrollmentDetails;
  /** What was enrolled before, which a cancelled change brings back. */
  readonly before: EnrollmentDetails | undefined;
  readonly begunMs: number;
  step: number;
  /** When its step began. */
  sinceMs: number;
  schedule: { readonly notBefore: string | null; readonly notAfter: string | null };
  certificates: readonly Certificate[];
  /** When control of the names was asked for, and when it was proved. */
  validation?: { readonly requestedMs: number; readonly validatedMs: number };
  end?: "completed" | "cancelled";
  cancelledMs?: number;
  error?: { readonly code: string; readonly description: string; readonly timestamp: string };
}
export interface Enrollment {
  readonly id: number;
  readonly contractId: string;
  readonly slot: number;
  details: EnrollmentDetails;
  readonly changes: CertificateChange[];
  staging?: DeployedCertificates;
  production?: DeployedCertificates;
}

/** An enrollment with the slot that it gets. */
export const enrollmentFor = (id: number, contractId: string, details: EnrollmentDetails): Enrollment => {
  return { id, contractId, slot: 12_000 + id, details, changes: [] };
};
/** Every name of a certificate, the common one first. */
export const namesOf = ({ csr, sans }: EnrollmentDetails): readonly string[] => [...new Set([csr.cn, ...sans])];
export const enrollmentPath = (id: number): string => `/cps/v2/enrollments/${id}`;
export const changePath = ({ id }: Enrollment, change: CertificateChange): string =>
  `${enrollmentPath(id)}/changes/${change.id}`;
export const pendingChangesOf = ({ changes }: Enrollment): readonly CertificateChange[] =>
  changes.filter(({ end }) => end === undefined);

/** Text in the PEM form, the same for the same words. It is no certificate that a parser would take. */
function pem(label: string, ...words: readonly (string | number)[]): string {
  const block = (number: number) =>
    createHash("sha384")
      .update([...words, number].join("\n"))
      .digest("base64");
  const lines = Array.from({ length: 6 }, (_, number) => (number === 0 ? `MIID${block(0).slice(4)}` : block(number)));
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----`;
}

/** Certificates that an authority signs at an instant for what is enrolled, one for each kind of key. */
export const signCertificates = (
  details: EnrollmentDetails,
  atMs: number,
  keyAlgorithms: readonly string[] = ["RSA"],
): readonly Certificate[] =>
  keyAlgorithms.map((keyAlgorithm) => ({
    certificate: pem("CERTIFICATE", ...namesOf(details), atMs, keyAlgorithm),
    trustChain: pem("CERTIFICATE", "Emulated Issuing CA", keyAlgorithm),
    keyAlgorithm,
    expiresAtMs: atMs + 365 * dayMs,
    names: namesOf(details),
  }));

/** The kinds of keys that what is enrolled gets certificates for. */
export const keyAlgorithmsOf = ({ enableMultiStackedCertificates: isDual }: EnrollmentDetails): readonly string[] =>
  isDual ? ["RSA", "ECDSA"] : ["RSA"];

/** The request that an authority signs for what is enrolled. */
export const csrOf = (details: EnrollmentDetails, keyAlgorithm: string): string =>
  pem("CERTIFICATE REQUEST", ...namesOf(details), keyAlgorithm);

/** A change that begins at an instant. */
export const newChange = (
  id: number,
  kind: CertificateChangeKind,
  details: EnrollmentDetails,
  sinceMs: number,
  more: Partial<Pick<CertificateChange, "needsCertificate" | "bypassesStaging" | "before" | "schedule">> = {},
): CertificateChange => ({
  id,
  kind,
  details,
  needsCertificate: kind !== "remove-certificate",
  bypassesStaging: false,
  before: undefined,
  begunMs: sinceMs,
  step: 0,
  sinceMs,
  schedule: { notBefore: null, notAfter: null },
  certificates: [],
  ...more,
});

/** Begins a change of an enrollment. */
export function beginChange(
  world: World,
  enrollment: Enrollment,
  kind: CertificateChangeKind,
  sinceMs: number,
  more: Parameters<typeof newChange>[4] = {},
): CertificateChange {
  const change = newChange(world.next("certificate change", 20_100), kind, enrollment.details, sinceMs, more);
  enrollment.changes.push(change);
  return change;
}

/** Ends a change without its effect: what was enrolled before is enrolled again. */
export function cancelChange(world: World, enrollment: Enrollment, change: CertificateChange): void {
  change.end = "cancelled";
  change.cancelledMs = world.now();
  if (change.before) enrollment.details = change.before;
}

/** The settings that a request leaves out. */
export const usualNetwork: NetworkSettings = usual.network;

/** An enrollment for names of the account, with everything that a request has to say. */
export const usualDetails = (cn: string, sans: readonly string[], isThirdParty: boolean): EnrollmentDetails => ({
  ...(isThirdParty ? usual.thirdParty : usual.domainValidated),
  csr: { cn, ...usual.subject },
  sans,
  org: usual.org,
  adminContact: usual.contact,
  techContact: usual.contact,
  network: usualNetwork,
});
