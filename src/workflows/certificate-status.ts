/** Says of a certificate enrollment what it waits for, whose move it is, and which call goes on. */
import { workflow } from "../calls/workflow.js";
import { isRecord } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { Change, informationOf } from "../tools/certificates/change.js";
import { updatesOf } from "../tools/certificates/checks.js";
import { inBatches, maxThings, type Steps, startSteps } from "./steps.js";

// What the findings need of each answer; the rest is evidence, in whatever shape it has.
const Pending = z.looseObject({
  csr: z.looseObject({ cn: z.string() }),
  pendingChanges: z.array(z.union([z.string(), z.looseObject({ location: z.string() })])).catch([]),
});
const Deployed = z
  .looseObject({ primaryCertificate: z.looseObject({ expiry: z.string().nullish() }).nullish().catch(null) })
  .nullish();
// An answer that names neither network says nothing about them.
const Deployments = z
  .looseObject({ staging: Deployed, production: Deployed })
  .refine((body) => "staging" in body || "production" in body);
const Information = z.looseObject({});

type Kind = keyof typeof informationOf;
const isKind = (name: string): name is Kind => Object.hasOwn(informationOf, name);

/** What somebody has to do for each kind of input, and the body that then goes on where it is known before. */
const moves: Readonly<Record<Kind, { readonly does: string; readonly body?: unknown }>> = {
  "change-management-ack": {
    does: "Look at what is on staging and at the warnings, then acknowledge it for production or deny it.",
    body: { acknowledgement: "acknowledge" },
  },
  "free-ca-challenges-completed": {
    does: "Prove the control of each domain: publish the DNS record or the HTTP file of its challenge, then acknowledge; the service also looks by itself.",
    body: { acknowledgement: "acknowledge" },
  },
  "post-verification-warnings-ack": {
    does: "Read the warnings about the certificate, then acknowledge or deny them.",
    body: { acknowledgement: "acknowledge" },
  },
  "pre-verification-warnings-ack": {
    does: "Read the warnings about the names, then acknowledge or deny them.",
    body: { acknowledgement: "acknowledge" },
  },
  "third-party-cert-and-trust-chain": {
    does: "Have the CSR signed by a certificate authority, then upload the certificate and its trust chain with cert_change_input_submit.",
  },
};

/** Whose move it is in each state (public facts B, 1.4). */
const waiting: Readonly<Record<string, readonly [whose: string, what: string]>> = {
  new: ["service", "The service has not begun yet; nothing is to be done."],
  running: ["service", "The service is working; nothing is to be done."],
  suspended: ["vendor", "The vendor has suspended the change; ask the vendor's support."],
  error: ["you", "The change failed; correct the cause and change the enrollment again, or cancel the change."],
  completed: ["nobody", "The change is complete."],
  cancelled: ["nobody", "The change was cancelled."],
};

const lastSegment = (path: string): string =>
  path
    .replace(/(?<!\/)\/+$/, "")
    .split("/")
    .at(-1) ?? "";

/** What one input is waited for with, what it is about, and the call that answers it. */
async function inputOf(steps: Steps, at: { enrollmentId: number; changeId: number }, kind: string) {
  if (!isKind(kind))
    return {
      input: kind,
      does: "Edgewise does not know this kind of input.",
      shows: undefined,
      continueWith: undefined,
    };
  const shown = { ...at, allowedInputTypeParam: informationOf[kind] };
  const shows = await steps.call(`what ${kind} is about`, "cert_change_input_get", shown, Information);
  const { does, body } = moves[kind];
  const answers = new NextCall("cert_change_input_submit", { ...at, allowedInputTypeParam: kind, body });
  return { input: kind, does, shows, ...(body === undefined ? {} : { continueWith: answers }) };
}

async function changeOf(steps: Steps, enrollmentId: number, changeId: number) {
  const at = { enrollmentId, changeId };
  const change = await steps.call(`change ${changeId}`, "cert_change_get", at, Change);
  if (!change) return { changeId, whoseMove: "unknown", does: "The change could not be read; steps says why." };
  const { state, status, error, deploymentSchedule } = change.statusInfo;
  const inputs = await inBatches([...new Set(updatesOf(change))], (kind) => inputOf(steps, at, kind));
  const isOptional =
    change.allowedInput.length > 0 && change.allowedInput.every((one) => one.requiredToProceed === false);
  const [whose, what] =
    inputs.length > 0
      ? ["you", inputs.map(({ does }) => does).join(" Or: ")]
      : (waiting[state] ?? ["unknown", "Edgewise does not know this state; cert_change_get shows all of it."]);
  const continueWith = inputs.flatMap(({ continueWith: answers }) => answers ?? []);
  return {
    changeId,
    state,
    status,
    whoseMove: isOptional ? "you, or the service by itself" : whose,
    does: what,
    ...(continueWith.length === 0 ? {} : { continueWith }),
    ...(isRecord(error) ? { error } : {}),
    ...(deploymentSchedule?.notBefore || deploymentSchedule?.notAfter ? { deploymentSchedule } : {}),
    ...(inputs.length === 0 ? {} : { shows: Object.fromEntries(inputs.map(({ input, shows }) => [input, shows])) }),
  };
}

const noneDeployed = "Nothing is deployed yet, on neither network.";

/** What is deployed; null where nothing is, which only a 404 about an enrollment that exists can say (public facts B, 1.3). */
function deploymentsOf(steps: Steps, enrollmentId: number, exists: boolean) {
  const read = ["what is deployed", "cert_deployments_list", { enrollmentId }, Deployments] as const;
  return exists ? steps.find(...read, noneDeployed) : steps.call(...read);
}

export const certificateStatus = workflow({
  title: "Status of a certificate enrollment",
  does: "Says what a certificate enrollment waits for, whose move it is, which call goes on, and when what is deployed expires.",
  input: z.strictObject({ enrollmentId: z.int().positive() }),
  steps: [
    "Read the enrollment and its pending changes.",
    "Read the state of each pending change, and what it is waiting for.",
    "Read what there is to decide by: the CSR, the challenges, the warnings, or what is on staging.",
    "Read what is deployed, and when it expires.",
  ],
  example: { enrollmentId: 10003 },

  async run({ enrollmentId }, context) {
    const steps = startSteps(context);
    const enrollment = await steps.call("the enrollment", "cert_enrollment_get", { enrollmentId }, Pending);
    const paths = (enrollment?.pendingChanges ?? []).map((one) => (typeof one === "string" ? one : one.location));
    const ids = new Set(paths.map((path) => Number(lastSegment(path))).filter(Number.isSafeInteger));
    const [deployments, changes] = await Promise.all([
      deploymentsOf(steps, enrollmentId, enrollment !== undefined),
      inBatches([...ids].slice(0, maxThings), (id) => changeOf(steps, enrollmentId, id)),
    ]);
    const isDeployed = Boolean(deployments?.staging ?? deployments?.production);
    const expiryOf = (network: "staging" | "production") => deployments?.[network]?.primaryCertificate?.expiry;
    const findings = [
      ...changes.map(({ changeId, does, whoseMove }) => `Change ${changeId}: ${does} (next move: ${whoseMove})`),
      ...(ids.size > changes.length ? [`Only ${changes.length} of ${ids.size} pending changes were read.`] : []),
      ...(enrollment && changes.length === 0
        ? [
            `Nothing is pending${isDeployed ? "; a renewal starts by itself 90 days before the certificate expires" : ""}.`,
          ]
        : []),
      ...(enrollment ? [] : ["The enrollment could not be read; steps says why."]),
      ...(enrollment && deployments === undefined ? ["What is deployed could not be read; steps says why."] : []),
      ...(enrollment && deployments !== undefined && !isDeployed ? [noneDeployed] : []),
    ];
    return {
      enrollmentId,
      findings,
      ...(enrollment ? { commonName: enrollment.csr.cn } : {}),
      changes,
      expires: { staging: expiryOf("staging") ?? null, production: expiryOf("production") ?? null },
      steps: steps.record,
    };
  },
});
