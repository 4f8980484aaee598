/** The enrollments of the account, from its first ones on: what is enrolled and deployed, and the changes under way. */
import { createHash } from "node:crypto";
import { dayMs } from "../../../language/durations.js";
import type { World } from "../../world.js";
import { mainContractId, owner } from "../account.js";

/** The settings of a network, in the newest form. */
export interface Network {
  readonly geography: string;
  readonly secureNetwork: string;
  readonly mustHaveCiphers: string;
  readonly preferredCiphers: string;
  readonly disallowedTlsVersions: readonly string[];
  readonly sniOnly: boolean;
  readonly quicEnabled: boolean;
  readonly ocspStapling: string;
  readonly cloneDnsNames: boolean;
  readonly dnsNames: readonly string[];
  readonly clientMutualAuthentication: Readonly<Record<string, unknown>> | null;
  /** Members that were written but are not declared. */
  readonly others?: Readonly<Record<string, unknown>>;
}
type Texts = Readonly<Record<string, string | null | undefined>>;

/** What is enrolled. */
export interface Details {
  readonly certificateType: string;
  readonly validationType: string;
  readonly ra: string;
  readonly changeManagement: boolean;
  readonly certificateChainType: string;
  readonly enableMultiStackedCertificates: boolean;
  readonly signatureAlgorithm: string | null;
  readonly thirdParty: { readonly excludeSans: boolean } | null;
  readonly csr: Texts & { readonly cn: string };
  readonly sans: readonly string[];
  readonly org: Texts;
  readonly adminContact: Texts;
  readonly techContact: Texts;
  readonly network: Network;
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
export interface Deployed {
  readonly certificates: readonly Certificate[];
  readonly network: Network;
}

export type ChangeKind = "new-certificate" | "modify-certificate" | "modify-san" | "renewal" | "remove-certificate";
/** A change under way, at one of the steps of its kind. */
export interface Change {
  readonly id: number;
  readonly kind: ChangeKind;
  /** Whether it needs a signed certificate, or changes the settings of the one that is deployed. */
  readonly needsCertificate: boolean;
  /** Whether it goes to production without staging. */
  readonly bypassesStaging: boolean;
  /** What it enrolls. */
  readonly details: Details;
  /** What was enrolled before, which a cancelled change brings back. */
  readonly before: Details | undefined;
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
  details: Details;
  readonly changes: Change[];
  staging?: Deployed;
  production?: Deployed;
}

const lifetimeMs = 365 * dayMs;

/** An enrollment with the slot that it gets. */
export const enrollmentFor = (
  id: number,
  contractId: string,
  details: Details,
  changes: Change[] = [],
): Enrollment => ({ id, contractId, slot: 12_000 + id, details, changes });
/** Every name of a certificate, the common one first. */
export const namesOf = ({ csr, sans }: Details): readonly string[] => [...new Set([csr.cn, ...sans])];
export const enrollmentPath = (id: number): string => `/cps/v2/enrollments/${id}`;
export const changePath = ({ id }: Enrollment, change: Change): string => `${enrollmentPath(id)}/changes/${change.id}`;
export const pendingOf = ({ changes }: Enrollment): readonly Change[] => changes.filter(({ end }) => end === undefined);

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
export const signed = (
  details: Details,
  atMs: number,
  keyAlgorithms: readonly string[] = ["RSA"],
): readonly Certificate[] =>
  keyAlgorithms.map((keyAlgorithm) => ({
    certificate: pem("CERTIFICATE", ...namesOf(details), atMs, keyAlgorithm),
    trustChain: pem("CERTIFICATE", "Emulated Issuing CA", keyAlgorithm),
    keyAlgorithm,
    expiresAtMs: atMs + lifetimeMs,
    names: namesOf(details),
  }));

/** The kinds of keys that what is enrolled gets certificates for. */
export const keyAlgorithmsOf = ({ enableMultiStackedCertificates: isDual }: Details): readonly string[] =>
  isDual ? ["RSA", "ECDSA"] : ["RSA"];

/** The request that an authority signs for what is enrolled. */
export const csrOf = (details: Details, keyAlgorithm: string): string =>
  pem("CERTIFICATE REQUEST", ...namesOf(details), keyAlgorithm);

const nothingScheduled = { notBefore: null, notAfter: null } as const;

/** A change that begins at an instant. */
export const begun = (
  id: number,
  kind: ChangeKind,
  details: Details,
  sinceMs: number,
  more: Partial<Pick<Change, "needsCertificate" | "bypassesStaging" | "before" | "schedule">> = {},
): Change => ({
  id,
  kind,
  details,
  needsCertificate: kind !== "remove-certificate",
  bypassesStaging: false,
  before: undefined,
  begunMs: sinceMs,
  step: 0,
  sinceMs,
  schedule: nothingScheduled,
  certificates: [],
  ...more,
});

/** Begins a change of an enrollment. */
export function begin(
  world: World,
  enrollment: Enrollment,
  kind: ChangeKind,
  sinceMs: number,
  more: Parameters<typeof begun>[4] = {},
): Change {
  const change = begun(world.next("certificate change", 20_100), kind, enrollment.details, sinceMs, more);
  enrollment.changes.push(change);
  return change;
}

/** Ends a change without its effect: what was enrolled before is enrolled again. */
export function cancel(world: World, enrollment: Enrollment, change: Change): void {
  change.end = "cancelled";
  change.cancelledMs = world.now();
  if (change.before) enrollment.details = change.before;
}

/** The settings that a request leaves out. */
export const usualNetwork: Network = {
  geography: "core",
  secureNetwork: "enhanced-tls",
  mustHaveCiphers: "ak-akamai-default",
  preferredCiphers: "ak-akamai-default",
  disallowedTlsVersions: [],
  sniOnly: true,
  quicEnabled: false,
  ocspStapling: "not-set",
  cloneDnsNames: true,
  dnsNames: [],
  clientMutualAuthentication: null,
};
const { firstName, lastName, email } = owner;
const person = { firstName, lastName, phone: "+49 30 5550100", email };
const place = { addressLineOne: "Kurze Gasse 1", city: "Berlin", region: "BE", postalCode: "10115", country: "DE" };
const contact = { ...person, ...place, title: null, organizationName: "Example Shops", addressLineTwo: null };

/** An enrollment for names of the account, with everything that a request has to say. */
export const usualDetails = (cn: string, sans: readonly string[], isThirdParty: boolean): Details => ({
  certificateType: isThirdParty ? "third-party" : "san",
  validationType: isThirdParty ? "third-party" : "dv",
  ra: isThirdParty ? "third-party" : "free-ca",
  changeManagement: isThirdParty,
  certificateChainType: "default",
  enableMultiStackedCertificates: false,
  signatureAlgorithm: isThirdParty ? null : "SHA-256",
  thirdParty: isThirdParty ? { excludeSans: false } : null,
  csr: { cn, c: "DE", l: "Berlin", o: "Example Shops", ou: null, st: "BE" },
  sans,
  org: { name: "Example Shops", phone: person.phone, ...place, addressLineTwo: null },
  adminContact: contact,
  techContact: contact,
  network: usualNetwork,
});

/** The steps at which the changes of the seed stand, as `life.ts` numbers them. */
export interface SeedSteps {
  readonly upload: number;
  readonly acknowledge: number;
  readonly validate: number;
}

export function seeds({ startedAtMs }: World, steps: SeedSteps): readonly Enrollment[] {
  const at = (id: number, details: Details, ...changes: Change[]): Enrollment =>
    enrollmentFor(id, mainContractId, details, changes);
  /** A change that has ended, with the certificates that it deployed. */
  const ended = (id: number, details: Details, days: number): Change => {
    const [requestedMs, validatedMs] = [startedAtMs - (days + 1) * dayMs, startedAtMs - days * dayMs];
    return {
      ...begun(id, "new-certificate", details, requestedMs),
      sinceMs: validatedMs,
      certificates: signed(details, validatedMs),
      end: "completed",
      ...(details.validationType === "dv" ? { validation: { requestedMs, validatedMs } } : {}),
    };
  };
  const shop = usualDetails("www.shop.example", ["shop.example"], false);
  const api = usualDetails("api.shop.example", [], true);
  const images = usualDetails("images.shop.example", [], true);
  const example = usualDetails("www.example.com", ["static.example.com"], false);
  const yesterday = startedAtMs - dayMs;
  const ofShop = ended(20_001, shop, 165);
  const firstOfImages = ended(19_003, images, 290);
  const renewed = signed(images, yesterday);
  const deployed = ({ certificates }: Pick<Change, "certificates">) => ({ certificates, network: usualNetwork });
  return [
    { ...at(10_001, shop, ofShop), staging: deployed(ofShop), production: deployed(ofShop) },
    at(10_002, api, { ...begun(20_002, "new-certificate", api, yesterday), step: steps.upload }),
    {
      ...at(10_003, images, firstOfImages, {
        ...begun(20_003, "renewal", images, yesterday),
        step: steps.acknowledge,
        certificates: renewed,
      }),
      staging: deployed({ certificates: renewed }),
      production: deployed(firstOfImages),
    },
    at(10_004, example, { ...begun(20_004, "new-certificate", example, yesterday), step: steps.validate }),
  ];
}
