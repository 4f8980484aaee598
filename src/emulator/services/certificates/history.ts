/** The history of an enrollment, which follows from its changes: the validation of its names, its certificates, its changes. */
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { pastValidations } from "./challenges.js";
import { isChallenged } from "./life.js";
import { type Certificate, type CertificateChange, csrOf, type Enrollment, keyAlgorithmsOf } from "./store.js";

/** The validations of each name, the oldest first. */
export function validationHistory(world: World, { changes }: Enrollment) {
  const all = changes.filter(isChallenged).flatMap((change) => pastValidations(world, change));
  const domains = [...new Set(all.map(({ domain }) => domain))];
  return {
    results: domains.map((domain) => ({ domain, domainHistory: all.filter((one) => one.domain === domain) })),
  };
}

/** The definition has words of its own for where a certificate can be deployed. */
const geographies: Readonly<Record<string, string>> = {
  core: "standard-worldwide",
  "china+core": "worldwide",
  "russia+core": "worldwide-russia",
};

const shown = ({ names: _, expiresAtMs, ...one }: Certificate) => ({ ...one, expiry: instant(expiresAtMs) });

/** The certificates that changes brought, the newest first. */
export function certificateHistory({ changes, staging, production, slot }: Enrollment) {
  const brought = changes.filter(({ certificates }) => certificates.length > 0).reverse();
  return {
    certificates: brought.map(({ details, certificates }) => {
      const [isActive, isOnStaging] = [production, staging].map((one) => one?.certificates === certificates);
      const [primaryCertificate = null, ...multiStackedCertificates] = certificates.map(shown);
      return {
        type: details.certificateType,
        deploymentStatus: isActive ? "active" : "inactive",
        stagingStatus: isOnStaging ? "active" : "inactive",
        geography: geographies[details.network.geography] ?? "standard-worldwide",
        ra: details.ra,
        slots: isActive || isOnStaging ? [slot] : [],
        primaryCertificate,
        multiStackedCertificates,
      };
    }),
  };
}

/** What a change did; the definition has no action for the removal of a certificate. */
function actionOf({ kind, needsCertificate }: CertificateChange): readonly [action: string, actionDescription: string] {
  if (!needsCertificate) return ["update-network-configuration", "Update Network Configuration"];
  if (kind === "new-certificate") return ["new-certificate", "Create New Certificate"];
  return kind === "modify-san" ? ["modify-san", "Modify SANs"] : ["renew", "Renew Certificate"];
}

/** What a change asked an authority to sign, and what it signed. */
function requestsOf({ details, certificates, needsCertificate }: CertificateChange) {
  const has = certificates.length > 0;
  const keyAlgorithms = has ? certificates.map(({ keyAlgorithm }) => keyAlgorithm) : keyAlgorithmsOf(details);
  const requests = keyAlgorithms.map((keyAlgorithm, at) => {
    const { certificate = null, trustChain = null } = certificates[at] ?? {};
    return { csr: csrOf(details, keyAlgorithm), keyAlgorithm, certificate, trustChain };
  });
  return needsCertificate ? requests : [];
}

/** The changes, the newest first. */
export const changeHistory = ({ changes }: Enrollment) => ({
  changes: changes
    .filter(({ kind }) => kind !== "remove-certificate")
    .map((change) => {
      const [action, actionDescription] = actionOf(change);
      const [primaryCertificate = null, ...multiStackedCertificates] = requestsOf(change);
      return {
        action,
        actionDescription,
        status: change.end ?? "incomplete",
        ra: change.details.ra,
        createdBy: userInUse,
        createdOn: instant(change.begunMs),
        lastUpdated: instant(change.cancelledMs ?? change.sinceMs),
        businessCaseId: null,
        primaryCertificate,
        primaryCertificateOrderDetails: null,
        multiStackedCertificates,
      };
    })
    .reverse(),
});
