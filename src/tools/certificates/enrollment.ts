/** Enrollments in requests and responses: three forms of request by version, and one loose form of all responses. */
import { chosenBy } from "../../language/define.js";
import { destination } from "../../language/destination.js";
import { openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { enrollmentVersions, entityMedium } from "./media.js";

const maybe = z.string().nullish();

// With an id a schema is written once on a page, however often it is used.
const address = members(maybe, "addressLineOne", "addressLineTwo", "city", "region", "postalCode", "country", "phone");
const organization = { name: maybe, ...address };
const Organization = openObject(organization).nullable().meta({ id: "CertificateOrganization" });
const contact = {
  ...members(maybe, "firstName", "lastName", "title", "organizationName"),
  email: destination("email", z.string()).nullish(),
  ...address,
};
const Contact = openObject(contact).nullable().meta({ id: "CertificateContact" });
const csr = {
  cn: z.string().min(1).describe("Common name"),
  ...members(maybe, "c", "l"),
  o: maybe.describe("Organization, which has to own the domain"),
  ...members(maybe, "st", "ou"),
  sans: z.array(z.string().min(1)).nullish().describe("All further names; omitted ones are removed"),
};

const Subject = openObject(csr).meta({ id: "CertificateSubject" });

const dnsNames = openObject({ cloneDnsNames: z.boolean().optional(), dnsNames: z.array(z.string().min(1)).nullish() });
const ciphers = {
  ...members(maybe, "mustHaveCiphers", "preferredCiphers"),
  disallowedTlsVersions: z.array(z.string().min(1)).nullish(),
};
const network = {
  geography: z.enum(["core", "china+core", "russia+core"]).nullable(),
  secureNetwork: z.enum(["enhanced-tls", "standard-tls"]).nullable(),
  ...ciphers,
};
const OldNetwork = openObject({
  networkType: maybe,
  secureNetwork: network.secureNetwork.optional(),
  ...ciphers,
  sni: dnsNames.nullish(),
});
const SniNetwork = openObject({ ...network, sni: dnsNames.nullish() });
const NewNetwork = openObject({
  ...network,
  ...members(z.boolean().optional(), "sniOnly", "quicEnabled"),
  ocspStapling: z.enum(["on", "off", "not-set"]).nullish(),
  dnsNameSettings: dnsNames.nullish(),
  clientMutualAuthentication: openObject({
    setId: maybe,
    authenticationOptions: openObject({
      sendCaListToClient: z.boolean().nullish(),
      ocsp: openObject({ enabled: z.boolean() }).nullish(),
    }).nullish(),
  }).nullish(),
});

const certificateTypes = ["san", "single", "wildcard", "wildcard-san", "third-party"] as const;
const certificate = {
  certificateType: z.enum(certificateTypes),
  validationType: z.enum(["dv", "ev", "ov", "third-party"]),
  ra: z.string().min(1).describe("free-ca, symantec, third-party"),
  changeManagement: z.boolean(),
  certificateChainType: maybe,
  enableMultiStackedCertificates: z.boolean().optional().describe("Applies from the next renewal"),
  signatureAlgorithm: z.enum(["SHA-1", "SHA-256"]).nullish(),
  thirdParty: openObject({ excludeSans: z.boolean() }).nullish(),
};
const contacts = { adminContact: Contact, techContact: Contact, org: Organization };
const slots = z.array(z.int().min(0)).nullish();
const eitherId = z.union([z.string(), z.int()]).nullish();

/** The read-only fields of responses, in any version. */
const readOnlyFields = z.object({
  id: eitherId,
  location: maybe,
  pendingChanges: z
    .array(z.union([z.string(), z.looseObject({ location: z.string(), changeType: z.string().optional() })]))
    .optional(),
  ...members(z.int().nullish(), "maxAllowedSanNames", "maxAllowedWildcardSanNames"),
  autoRenewalStartTime: maybe,
  ...members(slots, "assignedSlots", "stagingSlots", "productionSlots"),
});

const Old = openObject({ ...certificate, ...contacts, csr: Subject, networkConfiguration: OldNetwork });
const Sni = Old.extend({ networkConfiguration: SniNetwork });
const New = Old.extend(
  withReadOnlyMembers(
    {
      csr: openObject({ ...csr, preferredTrustChain: maybe.describe("From v10") }),
      networkConfiguration: NewNetwork,
      // In v11 an organization's id can replace its contacts.
      adminContact: Contact.optional(),
      techContact: Contact.optional(),
      org: Organization.optional(),
      orgId: eitherId,
    },
    readOnlyFields,
  ),
);
const backIn = <S extends z.ZodObject>(form: S): S =>
  form.extend(withReadOnlyMembers({}, readOnlyFields)) as unknown as S;
/** The forms of a new enrollment, for which document B gives no paths; samples of v9 have them nevertheless. */
const created = { Old, Sni, New };
/** The forms of one that replaces another, as it was read. */
const replaced = { Old: backIn(Old), Sni: backIn(Sni), New };

/** The forms by version (public facts B, 1.3). Fields of only some of a form's versions are left to the API. */
function inVersions(forms: typeof created) {
  const formOf = (version: (typeof enrollmentVersions)[number]) => {
    const number = Number(version.slice(1));
    return number < 3 ? forms.Old : number < 7 ? forms.Sni : forms.New;
  };
  return chosenBy(
    "version",
    Object.fromEntries(
      enrollmentVersions.map((version) => [version, entityMedium("enrollment", version, formOf(version))]),
    ) as Readonly<Record<string, ReturnType<typeof entityMedium<ReturnType<typeof formOf>>>>>,
  );
}

/** An enrollment to send, in the chosen version. */
export const newEnrollment = inVersions(created);
export const changedEnrollment = inVersions(replaced);

const open = { disallowedTlsVersions: z.array(z.string()).nullish(), sni: z.looseObject(dnsNames.shape).nullish() };
/** Text fields of responses, each of which can be null. */
const nullable = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject(Object.fromEntries(Object.keys(shape).map((name) => [name, maybe])) as Record<keyof S, typeof maybe>);
const Person = nullable(contact).nullish();

/** An enrollment in a response of any version. */
export const Enrollment = z.looseObject({
  ...readOnlyFields.shape,
  ...members(z.string(), "ra", "validationType", "certificateType"),
  ...members(maybe, "certificateChainType", "signatureAlgorithm"),
  changeManagement: z.boolean(),
  enableMultiStackedCertificates: z.boolean().optional(),
  orgId: eitherId,
  networkConfiguration: z.looseObject({
    ...NewNetwork.shape,
    ...open,
    ...members(maybe, "geography", "secureNetwork", "networkType", "ocspStapling"),
  }),
  csr: nullable({ c: maybe, l: maybe, o: maybe, st: maybe, ou: maybe, preferredTrustChain: maybe }).extend({
    cn: csr.cn,
    sans: csr.sans,
  }),
  org: nullable(organization).nullish(),
  adminContact: Person,
  techContact: Person,
  thirdParty: z.looseObject({ excludeSans: z.boolean().optional() }).nullish(),
});
