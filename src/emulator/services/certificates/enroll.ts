/** Enrolling: a new enrollment, a changed one and a removed one, each with the change that it starts. */
import type { certificates } from "../../../tools/certificates/index.js";
import type { Call } from "../../behaviour.js";
import { findIn } from "../../primitives/store.js";
import { forbidden, problemDetails, RequestRefusal } from "../../reply.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { contracts } from "../account.js";
import { currentEnrollments, renewalAtMs } from "./life.js";
import {
  beginChange,
  type CertificateChange,
  cancelChange,
  type Enrollment,
  type EnrollmentDetails,
  enrollmentFor,
  pendingChangesOf,
} from "./store.js";

export const errorFormat = problemDetails("/cps/v2/error-types");

/** The arguments of a call in addition to the enrollment, such as the dates between which a change may be deployed. */
type Options = Call<(typeof certificates)["operations"]["cert_enrollment_update"]>["query"];

const scheduleOf = (dates: Options): CertificateChange["schedule"] => ({
  notBefore: dates["deploy-not-before"] ?? null,
  notAfter: dates["deploy-not-after"] ?? null,
});

/** Refuses dates in disorder. */
export function checkSchedule({ notBefore, notAfter }: CertificateChange["schedule"]): void {
  if (notBefore !== null && notAfter !== null && utcOf(notAfter) < utcOf(notBefore))
    throw new RequestRefusal(400, "Invalid schedule", "notAfter is before notBefore");
}

export const enrollmentOf = (world: World, id: number): Enrollment => currentEnrollments(world).find(id);
export const changeOf = (enrollment: Enrollment, id: number): CertificateChange =>
  findIn(enrollment.changes, { id }, `The enrollment ${enrollment.id} has no change ${id}`);

function checkValidation({ validationType, ra }: EnrollmentDetails): void {
  if ((validationType === "third-party") !== (ra === "third-party"))
    throw new RequestRefusal(400, "Invalid enrollment", "ra and validationType are third-party together or not at all");
  if ((validationType === "dv") !== (ra === "free-ca"))
    throw new RequestRefusal(400, "Invalid enrollment", "The registration authority does not validate in this way");
}

/** Refuses a contract that is not a current one of the account. */
export function checkContract(contractId: string): void {
  if (!contracts.some(({ id, isExpired }) => id === contractId && !isExpired))
    throw forbidden(`The contract ${contractId} is not one of this client's`);
}

/** Enrolls for a new certificate under a contract of the account. */
export function enroll(world: World, contractId: string, details: EnrollmentDetails, dates: Options): Enrollment {
  const store = currentEnrollments(world);
  checkContract(contractId);
  checkValidation(details);
  checkSchedule(scheduleOf(dates));
  const duplicate = store.all.find((one) => one.details.csr.cn === details.csr.cn);
  if (duplicate)
    throw new RequestRefusal(
      400,
      "Duplicate common name",
      `The enrollment ${duplicate.id} has this common name already`,
    );
  const id = world.next("certificate enrollment", 10_100);
  const enrollment = enrollmentFor(id, contractId, details);
  store.add(enrollment);
  beginChange(world, enrollment, "new-certificate", world.now(), { schedule: scheduleOf(dates) });
  return enrollment;
}

function clearPending(world: World, enrollment: Enrollment, isAllowed: boolean | undefined): void {
  const pending = pendingChangesOf(enrollment);
  if (pending.length > 0 && isAllowed !== true)
    throw new RequestRefusal(409, "Pending changes", `The enrollment ${enrollment.id} has pending changes`);
  for (const change of [...pending].reverse()) cancelChange(world, enrollment, change);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The change that new details need; undefined when they take effect at once. */
function changeNeededFor(
  before: EnrollmentDetails,
  after: EnrollmentDetails,
): Pick<CertificateChange, "kind" | "needsCertificate"> | undefined {
  const signed = ({ certificateType, validationType, ra, csr, signatureAlgorithm }: EnrollmentDetails) => [
    certificateType,
    validationType,
    ra,
    signatureAlgorithm,
    Object.entries(csr)
      .filter(([, value]) => value !== null && value !== undefined)
      .sort(),
  ];
  if (!isSame(signed(before), signed(after))) return { kind: "modify-certificate", needsCertificate: true };
  if (!isSame([...before.sans].sort(), [...after.sans].sort())) return { kind: "modify-san", needsCertificate: true };
  return isSame(before.network, after.network) ? undefined : { kind: "modify-certificate", needsCertificate: false };
}

/** Replaces what is enrolled. @returns the change that it needs, if it needs one. */
export function updateEnrollment(
  world: World,
  enrollment: Enrollment,
  details: EnrollmentDetails,
  options: Options,
): CertificateChange | undefined {
  checkValidation(details);
  const schedule = scheduleOf(options);
  checkSchedule(schedule);
  const renewalMs = renewalAtMs(enrollment);
  if (renewalMs !== undefined && renewalMs <= world.now() && options["renewal-date-check-override"] !== true)
    throw new RequestRefusal(
      400,
      "Renewal window",
      "The certificate is about to be renewed: renewal-date-check-override",
    );
  clearPending(world, enrollment, options["allow-cancel-pending-changes"]);
  const before = enrollment.details;
  const renewal = { kind: "renewal", needsCertificate: true } as const;
  const needed = options["force-renewal"] ? renewal : changeNeededFor(before, details);
  enrollment.details = details;
  if (needed === undefined) return undefined;
  const { kind, needsCertificate } = needed;
  const bypassesStaging = options["allow-staging-bypass"] === true && !needsCertificate;
  return beginChange(world, enrollment, kind, world.now(), { needsCertificate, bypassesStaging, before, schedule });
}

/** Removes an enrollment. @returns the change that takes its certificate off the network, if it has one there. */
export function removeEnrollment(
  world: World,
  enrollment: Enrollment,
  options: Options,
): CertificateChange | undefined {
  const schedule = scheduleOf(options);
  checkSchedule(schedule);
  clearPending(world, enrollment, options["allow-cancel-pending-changes"]);
  if (enrollment.staging || enrollment.production)
    return beginChange(world, enrollment, "remove-certificate", world.now(), { schedule });
  currentEnrollments(world).delete(enrollment.id);
  return undefined;
}
