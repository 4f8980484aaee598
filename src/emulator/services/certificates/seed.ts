/** The enrollments that the account has from the start: one in use, and one for each thing that a change can wait for. */
import { dayMs } from "../../../language/durations.js";
import type { World } from "../../world.js";
import { mainContractId } from "../account.js";
import { owner } from "../people.js";
import { begun, type Change, type Details, type Enrollment, type Network, signed } from "./store.js";

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
  const at = (id: number, details: Details, change: Change): Enrollment => ({
    id,
    contractId: mainContractId,
    slot: 12_000 + id,
    details,
    changes: [change],
  });
  const shop = usualDetails("www.shop.example", ["shop.example"], false);
  const api = usualDetails("api.shop.example", [], true);
  const images = usualDetails("images.shop.example", [], true);
  const example = usualDetails("www.example.com", ["static.example.com"], false);
  const yesterday = startedAtMs - dayMs;
  const shopCertificates = { certificates: signed(shop, startedAtMs - 165 * dayMs), network: usualNetwork };
  const renewed = signed(images, yesterday);
  return [
    {
      ...at(10_001, shop, { ...begun(20_001, "new-certificate", startedAtMs - 165 * dayMs), end: "completed" }),
      staging: shopCertificates,
      production: shopCertificates,
    },
    at(10_002, api, { ...begun(20_002, "new-certificate", yesterday), step: steps.upload }),
    {
      ...at(10_003, images, {
        ...begun(20_003, "renewal", yesterday),
        step: steps.acknowledge,
        certificates: renewed,
      }),
      staging: { certificates: renewed, network: usualNetwork },
      production: { certificates: signed(images, startedAtMs - 290 * dayMs), network: usualNetwork },
    },
    at(10_004, example, { ...begun(20_004, "new-certificate", yesterday), step: steps.validate }),
  ];
}
