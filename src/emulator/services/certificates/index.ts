/** The certificate service: enrollments whose changes move on by the world's clock and wait for their input. */
import { X509Certificate } from "node:crypto";
import { dayMs } from "../../../time/durations.js";
import { informationKinds } from "../../../tools/certificates/change.js";
import { certificates as declared } from "../../../tools/certificates/index.js";
import type { Call } from "../../behaviour.js";
import { accepted, notFound, ok, orNotFound, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import {
  changeOf,
  checkContract,
  checkSchedule,
  enroll,
  enrollmentOf,
  errorFormat,
  removeEnrollment,
  updateEnrollment,
} from "./enroll.js";
import { deploymentAs, detailsOf, enrollmentAs, hashOf, informationFor, versionNumber } from "./forms.js";
import { certificateHistory, changeHistory, validationHistory } from "./history.js";
import { currentEnrollments, endStep, stepOf } from "./life.js";
import {
  type Certificate,
  type CertificateChange,
  cancelChange,
  changePath,
  type DeployedCertificates,
  type Enrollment,
  enrollmentPath,
  namesOf,
} from "./store.js";

type Operations = (typeof declared)["operations"];
type Input = Call<Operations["cert_change_input_submit"]>["body"];

const enrollmentAnswer = (enrollment: Enrollment, changes: readonly CertificateChange[]) => ({
  enrollment: enrollmentPath(enrollment.id),
  changes: changes.map((change) => changePath(enrollment, change)),
});
/** The answer to a write, which may have taken effect at once. */
const writeAnswer = (enrollment: Enrollment, change: CertificateChange | undefined) =>
  change ? accepted(enrollmentAnswer(enrollment, [change])) : ok(enrollmentAnswer(enrollment, []));
const changeAnswer = (enrollment: Enrollment, change: CertificateChange) =>
  ok({ change: changePath(enrollment, change) });

function certificateChangeAt(world: World, { enrollmentId, changeId }: { enrollmentId: number; changeId: number }) {
  const enrollment = enrollmentOf(world, enrollmentId);
  return { enrollment, change: changeOf(enrollment, changeId) };
}
function checkPending({ id, end }: CertificateChange): void {
  if (end !== undefined) throw new RequestRefusal(409, "Change ended", `The change ${id} is ${end}`);
}

/** The words of the public facts for the type of an input, which differ from the link's (public facts B, 1.2). */
const inputTypes: Readonly<Record<keyof typeof informationKinds, string>> = {
  "change-management-ack": "change-management",
  "free-ca-challenges-completed": "free-ca-challenges",
  "post-verification-warnings-ack": "post-verification-warnings-acknowledgement",
  "pre-verification-warnings-ack": "pre-verification-warnings-acknowledgement",
  "third-party-cert-and-trust-chain": "third-party-certificate",
};

function status({ enrollment, change }: ReturnType<typeof certificateChangeAt>) {
  const step = stepOf(change);
  const kind = step?.awaits;
  const path = `${changePath(enrollment, change)}/input`;
  const state = change.error ? "error" : (change.end ?? (kind === undefined ? "running" : "awaiting-input"));
  const endings = { completed: "complete", cancelled: "cancelled" } as const;
  return {
    statusInfo: {
      state,
      status: step?.status ?? (change.end ? endings[change.end] : "check-for-cert-error"),
      description: step?.description ?? `The change is ${state}.`,
      deploymentSchedule: change.schedule,
      error: change.error ?? null,
    },
    allowedInput:
      kind === undefined
        ? []
        : [
            {
              type: inputTypes[kind],
              // The service looks for the challenges by itself, too.
              requiredToProceed: kind !== "free-ca-challenges-completed",
              info: `${path}/info/${informationKinds[kind]}`,
              update: `${path}/update/${kind}`,
            },
          ],
  };
}

const form = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

type Sent = Pick<Certificate, "certificate" | "keyAlgorithm"> & { readonly trustChain?: string | null | undefined };
/** A certificate that was uploaded, with what can be read of it; one that no parser takes covers what is enrolled. */
function uploadedCertificate(world: World, enrollment: Enrollment, upload: Sent): Certificate {
  const { certificate, keyAlgorithm, trustChain = null } = upload;
  if (!form.test(certificate) || (trustChain !== null && !form.test(trustChain)))
    throw new RequestRefusal(400, "Invalid certificate", "The certificate or its trust chain is not in PEM form");
  const parts = { certificate, trustChain, keyAlgorithm };
  try {
    const read = new X509Certificate(certificate);
    const names = [...(read.subjectAltName ?? "").matchAll(/DNS:([^,\s]+)/g)].map(([, name = ""]) => name);
    return { ...parts, expiresAtMs: Date.parse(read.validTo), names };
  } catch {
    return { ...parts, expiresAtMs: world.now() + 365 * dayMs, names: namesOf(enrollment.details) };
  }
}

/** Takes the input that a change waits for. */
function takeInput(world: World, enrollment: Enrollment, change: CertificateChange, kind: string, input: Input): void {
  if (stepOf(change)?.awaits !== kind)
    throw new RequestRefusal(409, "Not awaited", `The change ${change.id} does not wait for ${kind} now`);
  if ("acknowledgement" in input) {
    if (kind === "change-management-ack" && (!("hash" in input) || input.hash !== hashOf(enrollment, change)))
      throw new RequestRefusal(400, "Invalid hash", "The hash is not that of the state to be acknowledged");
    // What a denial does is not public; a change that is not wanted ends here.
    if (input.acknowledgement === "deny") cancelChange(world, enrollment, change);
    // A report that challenges are met only makes the service look at the zones, as every read of the change does.
    else if (kind !== "free-ca-challenges-completed") endStep({ change }, world.now());
    return;
  }
  const all =
    "certificatesAndTrustChains" in input ? input.certificatesAndTrustChains : [{ ...input, keyAlgorithm: "RSA" }];
  change.certificates = all.map((one) => uploadedCertificate(world, enrollment, one));
  endStep({ change }, world.now());
}

type DeploymentCall = Call<Operations["cert_staging_deployment_get"]>;

/** The deployment on a network, in the version that a call asks for. */
function deploymentOn(world: World, network: "staging" | "production", { path, chosen }: DeploymentCall) {
  const deployment = orNotFound(enrollmentOf(world, path.enrollmentId)[network], `Nothing is deployed on ${network}`);
  return ok(deploymentAs(deployment, versionNumber(chosen?.["version"], 7)));
}

export const certificates = emulateService(declared, errorFormat, {
  cert_enrollments_list: ({ query, chosen }, world) => {
    if (query.contractId !== undefined) checkContract(query.contractId);
    const found = currentEnrollments(world).all.filter(
      ({ contractId }) => query.contractId === undefined || contractId === query.contractId,
    );
    const version = versionNumber(chosen?.["version"], 4);
    return ok({ enrollments: found.map((one) => enrollmentAs(one, version)) });
  },
  cert_enrollment_create: ({ query, body }, world) => {
    const stray = ["location", "pendingChanges"].find((name) => Object.hasOwn(body, name));
    if (stray !== undefined) throw new RequestRefusal(400, "Bad request", `A new enrollment has no ${stray}`);
    const enrollment = enroll(world, query.contractId, detailsOf(body), query);
    return accepted(enrollmentAnswer(enrollment, enrollment.changes));
  },
  cert_enrollment_get: ({ path, chosen }, world) =>
    ok(enrollmentAs(enrollmentOf(world, path.enrollmentId), versionNumber(chosen?.["version"], 4))),
  cert_enrollment_update: ({ path, query, body }, world) => {
    const enrollment = enrollmentOf(world, path.enrollmentId);
    return writeAnswer(enrollment, updateEnrollment(world, enrollment, detailsOf(body), query));
  },
  cert_enrollment_delete: ({ path, query }, world) => {
    const enrollment = enrollmentOf(world, path.enrollmentId);
    return writeAnswer(enrollment, removeEnrollment(world, enrollment, query));
  },

  cert_change_get: ({ path }, world) => ok(status(certificateChangeAt(world, path))),
  cert_change_cancel: ({ path }, world) => {
    const { enrollment, change } = certificateChangeAt(world, path);
    checkPending(change);
    cancelChange(world, enrollment, change);
    return changeAnswer(enrollment, change);
  },
  cert_change_input_get: ({ path, chosen }, world) => {
    const { enrollment, change } = certificateChangeAt(world, path);
    const awaited = stepOf(change)?.awaits;
    const kind = path.allowedInputTypeParam;
    if (awaited === undefined || informationKinds[awaited] !== kind)
      throw notFound(`The change ${change.id} does not wait for this input now`);
    return ok(informationFor(world, enrollment, change, kind, chosen?.["version"]));
  },
  cert_change_input_submit: ({ path, body }, world) => {
    const { enrollment, change } = certificateChangeAt(world, path);
    takeInput(world, enrollment, change, path.allowedInputTypeParam, body);
    return changeAnswer(enrollment, change);
  },
  cert_change_schedule_get: ({ path }, world) => ok({ ...certificateChangeAt(world, path).change.schedule }),
  cert_change_schedule_update: ({ path, body }, world) => {
    const { enrollment, change } = certificateChangeAt(world, path);
    checkPending(change);
    const schedule = { ...body, notBefore: body.notBefore ?? null, notAfter: body.notAfter ?? null };
    checkSchedule(schedule);
    change.schedule = schedule;
    return changeAnswer(enrollment, change);
  },

  cert_deployments_list: ({ path, chosen }, world) => {
    const { staging, production } = enrollmentOf(world, path.enrollmentId);
    if (!staging && !production) throw notFound("Nothing is deployed");
    const shown = (one: DeployedCertificates | undefined) =>
      one === undefined ? null : deploymentAs(one, versionNumber(chosen?.["version"], 7));
    return ok({ production: shown(production), staging: shown(staging) });
  },
  cert_staging_deployment_get: (call, world) => deploymentOn(world, "staging", call),
  cert_production_deployment_get: (call, world) => deploymentOn(world, "production", call),

  cert_validation_history_get: ({ path }, world) =>
    ok(validationHistory(world, enrollmentOf(world, path.enrollmentId))),
  cert_certificate_history_get: ({ path }, world) => ok(certificateHistory(enrollmentOf(world, path.enrollmentId))),
  cert_change_history_get: ({ path }, world) => ok(changeHistory(enrollmentOf(world, path.enrollmentId))),
});
