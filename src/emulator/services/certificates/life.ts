/** The life of a change: the steps of each kind, what they wait for, what they do, and how time moves them on. */
import { dayMs, minuteMs } from "../../../time/durations.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { mainContractId } from "../account.js";
import { areAllMet } from "./challenges.js";
import seeds from "./seeds.json" with { type: "json" };
import {
  beginChange,
  type CertificateChange,
  type CertificateChangeKind,
  type Enrollment,
  enrollmentFor,
  keyAlgorithmsOf,
  namesOf,
  newChange,
  pendingChangesOf,
  signCertificates,
  usualDetails,
} from "./store.js";

/** The kinds of input, by the last segment of the link that takes them. */
type Input =
  | "change-management-ack"
  | "free-ca-challenges-completed"
  | "post-verification-warnings-ack"
  | "pre-verification-warnings-ack"
  | "third-party-cert-and-trust-chain";

interface CertificateChangeContext {
  readonly world: World;
  readonly enrollment: Enrollment;
  readonly change: CertificateChange;
}
/** A step runs for a while, or waits for an input. */
export interface ChangeStep {
  readonly status: string;
  readonly description: string;
  readonly runsMs?: number;
  readonly awaits?: Input;
  readonly isNeeded?: (at: CertificateChangeContext) => boolean;
  /** Whether what it waits for has happened without an input. */
  readonly isMet?: (at: CertificateChangeContext) => boolean;
  /** Whether it keeps to the deployment schedule. */
  readonly isScheduled?: true;
  readonly does?: (at: CertificateChangeContext, endMs: number) => void;
}

/** The names of a change that another enrollment has, too. */
export const overlappingNames = ({
  world,
  enrollment,
}: Omit<CertificateChangeContext, "change">): readonly string[] => {
  const others = enrollments(world).all.filter(({ id }) => id !== enrollment.id);
  const taken = new Set(others.flatMap(({ details }) => namesOf(details)));
  return namesOf(enrollment.details).filter((name) => taken.has(name));
};

/** What is noteworthy about a certificate that was uploaded. */
export const uploadWarnings = (enrollment: Enrollment, { certificates }: CertificateChange): readonly string[] =>
  certificates.flatMap(({ trustChain, names }) => [
    ...(trustChain === null ? ["The certificate came without a trust chain."] : []),
    ...namesOf(enrollment.details)
      .filter((name) => !names.includes(name))
      .map((name) => `The certificate does not cover ${name}.`),
  ]);

function sign({ enrollment, change }: CertificateChangeContext, endMs: number): void {
  const { details, production } = enrollment;
  // A dual stack applies from the next renewal (document B), so that no other change of a certificate begins one.
  const isNew = change.kind === "renewal" || change.kind === "new-certificate";
  const present = production?.certificates.map(({ keyAlgorithm }) => keyAlgorithm) ?? ["RSA"];
  change.certificates = signCertificates(details, endMs, isNew ? keyAlgorithmsOf(details) : present);
}
const deployedBy = ({ enrollment: { details, production }, change }: CertificateChangeContext) => ({
  certificates: change.needsCertificate ? change.certificates : (production?.certificates ?? []),
  network: details.network,
});

const runs = (status: string, description: string, minutes: number, more: Partial<ChangeStep> = {}): ChangeStep => ({
  status,
  description,
  runsMs: minutes * minuteMs,
  ...more,
});
const awaits = (status: string, input: Input, description: string, more: Partial<ChangeStep> = {}): ChangeStep => ({
  status,
  description,
  awaits: input,
  ...more,
});

/** From a signed certificate or new settings to production. */
const deployment = (stagingStatus: string): readonly ChangeStep[] => [
  runs(stagingStatus, "Deploying to staging.", 5, {
    isNeeded: ({ change }) => !change.bypassesStaging,
    does: (at) => {
      at.enrollment.staging = deployedBy(at);
    },
  }),
  awaits("wait-ack-change-management", "change-management-ack", "Waiting until the change is acknowledged.", {
    isNeeded: ({ enrollment, change }) => enrollment.details.changeManagement && !change.bypassesStaging,
  }),
  runs("deploy-cert-to-production", "Deploying to production.", 10, {
    isScheduled: true,
    does: (at) => {
      at.enrollment.production = deployedBy(at);
    },
  }),
];
const thirdParty: readonly ChangeStep[] = [
  runs("generate-csr", "Generating the certificate signing request.", 1),
  awaits(
    "wait-upload-third-party",
    "third-party-cert-and-trust-chain",
    "Waiting for the signed certificate and its trust chain.",
  ),
  runs("verify-third-party-cert", "Verifying the certificate.", 1),
  awaits(
    "wait-review-third-party-cert",
    "post-verification-warnings-ack",
    "Waiting until the warnings about the certificate are reviewed.",
    { isNeeded: ({ enrollment, change }) => uploadWarnings(enrollment, change).length > 0 },
  ),
  ...deployment("deploy-cert-to-staging"),
];
const domainValidated: readonly ChangeStep[] = [
  awaits(
    "wait-review-pre-verification-safety-checks",
    "pre-verification-warnings-ack",
    "Waiting until the warnings about the names are reviewed.",
    { isNeeded: (at) => overlappingNames(at).length > 0 },
  ),
  // Spelt so on the wire (public facts B, 1.4).
  awaits(
    "coodinate-domain-validation",
    "free-ca-challenges-completed",
    "Waiting until the control of each name is proved.",
    {
      isNeeded: ({ change }) => change.kind !== "renewal",
      isMet: ({ world, change }) => areAllMet(world, change),
      does: ({ change }, validatedMs) => {
        change.validation = { requestedMs: change.sinceMs, validatedMs };
      },
    },
  ),
  runs("check-for-cert", "Waiting for the certificate authority to sign.", 2, { does: sign }),
  ...deployment("deploy-cert-to-staging"),
];
const organizationValidated: readonly ChangeStep[] = [
  runs("check-for-cert", "Waiting for the certificate authority to validate the organization and sign.", 60, {
    does: sign,
  }),
  ...deployment("deploy-cert-to-staging"),
];
const settingsOnly = deployment("deploy-changes-to-staging");
const removal: readonly ChangeStep[] = [
  runs("deprovision-cert", "Taking the certificate off the network.", 10, {
    isScheduled: true,
    does: ({ world, enrollment }) => void enrollments(world).delete(enrollment.id),
  }),
];

/** The steps of a change. */
function stepsOf({ details, kind, needsCertificate }: CertificateChange): readonly ChangeStep[] {
  if (kind === "remove-certificate") return removal;
  if (!needsCertificate) return settingsOnly;
  if (details.validationType === "third-party") return thirdParty;
  return details.validationType === "dv" ? domainValidated : organizationValidated;
}

/** An enrollment with which a world begins; a change that waits for nothing has ended. */
interface Seed {
  readonly id: number;
  readonly cn: string;
  readonly sans: readonly string[];
  readonly isThirdParty: boolean;
  readonly changes: readonly {
    readonly id: number;
    readonly kind: CertificateChangeKind;
    readonly begunAtMs: number;
    readonly stepAtMs: number;
    readonly isSigned: boolean;
    readonly awaits?: Input | undefined;
  }[];
  /** The changes whose certificates are deployed. */
  readonly staging?: number | undefined;
  readonly production?: number | undefined;
}
function seeded({ id: enrollmentId, cn, sans, isThirdParty, changes: all, ...deployed }: Seed): Enrollment {
  const details = usualDetails(cn, sans, isThirdParty);
  const changes = all.map(({ id, kind, begunAtMs, stepAtMs, isSigned, awaits: input }) => {
    const change = newChange(id, kind, details, begunAtMs);
    change.sinceMs = stepAtMs;
    if (isSigned) change.certificates = signCertificates(details, stepAtMs);
    if (input) change.step = stepsOf(change).findIndex((step) => step.awaits === input);
    else change.end = "completed";
    if (!input && !isThirdParty) change.validation = { requestedMs: begunAtMs, validatedMs: stepAtMs };
    return change;
  });
  const enrollment: Enrollment = { ...enrollmentFor(enrollmentId, mainContractId, details), changes };
  for (const network of ["staging", "production"] as const) {
    const change = changes.find(({ id }) => id === deployed[network]);
    if (change) enrollment[network] = { certificates: change.certificates, network: details.network };
  }
  return enrollment;
}

/** The enrollments as of their last read. */
const enrollments = (world: World): Store<Enrollment> =>
  world.state("certificates", () => {
    const all = seedsOf<readonly Seed[]>(seeds, world.startedAtMs).map(seeded);
    return new Store<Enrollment>("id", (id) => `There is no enrollment ${id}`, all);
  });

/** The present step of a change; undefined when it has ended or failed. */
export const stepOf = (change: CertificateChange): ChangeStep | undefined =>
  change.end === undefined && change.error === undefined ? stepsOf(change)[change.step] : undefined;

/** Whether a change asks, or asked, for a proof of control of its names. */
export const isChallenged = (change: CertificateChange): boolean =>
  change.validation !== undefined || stepsOf(change)[change.step]?.awaits === "free-ca-challenges-completed";

/** Ends the present step of a change. */
export function endStep({ change }: Pick<CertificateChangeContext, "change">, atMs: number): void {
  change.step += 1;
  change.sinceMs = atMs;
}

/** The instant at which a running step ends; undefined when its schedule ran out before it could begin. */
function stepEndMs(
  { runsMs = 0, isScheduled }: ChangeStep,
  { sinceMs, schedule }: CertificateChange,
): number | undefined {
  if (!isScheduled) return sinceMs + runsMs;
  const beginMs = Math.max(sinceMs, schedule.notBefore === null ? sinceMs : utcOf(schedule.notBefore));
  return schedule.notAfter !== null && beginMs > utcOf(schedule.notAfter) ? undefined : beginMs + runsMs;
}

/** Passes a step whose input has come without one, or whose time is over. @returns whether it was passed. */
function passStep(at: CertificateChangeContext, step: ChangeStep): boolean {
  const { world, change } = at;
  const now = world.now();
  if (step.awaits !== undefined) {
    if (step.isMet?.(at) !== true) return false;
    step.does?.(at, now);
    endStep(at, now);
    return true;
  }
  const endMs = stepEndMs(step, change);
  if (endMs === undefined) {
    const description = "The deployment schedule ended before the deployment could begin.";
    change.error = { code: "deployment-window-missed", description, timestamp: instant(now) };
    return false;
  }
  if (endMs > now) return false;
  step.does?.(at, endMs);
  endStep(at, endMs);
  return true;
}

/** Moves a change on, through everything that has happened by now. */
function advanceChange(at: CertificateChangeContext): void {
  const { change } = at;
  while (change.end === undefined && change.error === undefined) {
    const step = stepsOf(change)[change.step];
    if (step === undefined) change.end = "completed";
    else if (step.isNeeded?.(at) === false) change.step += 1;
    else if (!passStep(at, step)) return;
  }
}

/** When the renewal of an enrollment begins by itself: 90 days before its certificate expires (document B). */
export function renewalAtMs({ production }: Enrollment): number | undefined {
  const expiries = production?.certificates.map(({ expiresAtMs }) => expiresAtMs) ?? [];
  return expiries.length === 0 ? undefined : Math.min(...expiries) - 90 * dayMs;
}

/** The enrollments as they are now. */
export function currentEnrollments(world: World): Store<Enrollment> {
  const store = enrollments(world);
  for (const enrollment of store.all)
    for (;;) {
      for (const change of pendingChangesOf(enrollment)) advanceChange({ world, enrollment, change });
      const renewalMs = renewalAtMs(enrollment);
      const isDue = renewalMs !== undefined && renewalMs <= world.now() && store.has(enrollment.id);
      if (!isDue || pendingChangesOf(enrollment).length > 0) break;
      beginChange(world, enrollment, "renewal", renewalMs);
    }
  return store;
}
