/** The information by which an input is decided: requests to sign, challenges, warnings, what is about to be deployed. */
import { createHash } from "node:crypto";
import type { World } from "../../world.js";
import { challenges, oldChallenges } from "./challenges.js";
import { deploymentAs, networkAs, versionNumber } from "./forms.js";
import { findings, overlapping } from "./life.js";
import { type Change, csrOf, type Enrollment, keyAlgorithmsOf, namesOf } from "./store.js";

/** The state that an acknowledgement is about, by the hash that names it. */
export const hashOf = ({ details }: Enrollment, { certificates, schedule, id }: Change): string =>
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

function changeManagement(enrollment: Enrollment, change: Change, number: number) {
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
  change: Change,
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
      const csrs = keyAlgorithmsOf(details).map((keyAlgorithm) => ({
        csr: csrOf(details, keyAlgorithm),
        keyAlgorithm,
      }));
      return number === 1 ? { csr: csrOf(details, "RSA") } : { csrs };
    }
    case "post-verification-warnings":
      return { warnings: findings(enrollment, change).join("\n") };
    default: {
      const names = overlapping({ world, enrollment }).join(", ");
      return { warnings: `Names that another certificate has, too: ${names}.` };
    }
  }
}
