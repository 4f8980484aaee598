/** Previews of cancelling and scheduling a change, and of submitting its input. */
import type { Arguments, Guard, Statement } from "../../language/conduct.js";
import { quoteValue } from "../../language/failure.js";
import { act, guardsOf, statement } from "../../language/guards.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { challengesIn, type informationKinds } from "./change.js";
import { readForEnrollment } from "./enrollment-guards.js";
import { enrolledName, expiryOn, pendingChangesOf, windowIn } from "./names.js";
import { comingCertificate, replacementLines } from "./replacement.js";

/** The context of a change: its enrollment, with the kinds of changes, and the deployed certificates. */
export const readForChange = {
  enrollment: {
    by: "cert_enrollment_get",
    args: ({ enrollmentId }: Arguments): Arguments => ({ enrollmentId, version: "v11" }),
  },
  ...readForEnrollment,
} as const;

const changeOf = (args: Arguments, { enrollment }: Arguments): string =>
  `change ${String(args["changeId"])} of ${enrolledName(enrollment, args)}`;

const targetOf: NonNullable<Guard["target"]> = (args, _, related) =>
  related["enrollment"] === undefined
    ? `change ${String(args["changeId"])}`
    : enrolledName(related["enrollment"], args);

export const cancelGuard: Guard = {
  kind: "cancel",
  thing: "change",
  target: targetOf,
  undo: { never: "A cancelled change cannot be resumed, but cert_enrollment_update starts a new one." },
  says: (args, present, related) => {
    const status = ["state", "status"].map((name) => memberAt(present, `statusInfo.${name}`)).filter(Boolean);
    const kind = pendingChangesOf(related["enrollment"]).find(({ id }) => id === String(args["changeId"]))?.kind ?? [];
    const expiry = expiryOn("production", related["deployed"]);
    const is = [kind, ...status.map(plainOrQuoted)].flat().join(", ");
    const expires = `it is the renewal, and the certificate on production expires${expiry === undefined ? "" : ` on ${expiry}`}`;
    return act`CANCEL ${changeOf(args, related)}${is === "" ? "" : ` (${is})`}: anything it has not deployed is lost; ${kind === "renewal" && expires}`;
  },
};

/** The window of a schedule, in words that follow "it goes to production". */
const windowOf = (schedule: unknown): string =>
  windowIn(memberAt(schedule, "notBefore"), memberAt(schedule, "notAfter")) || "as soon as it is ready";

/** Document B calls it an update, but another window can hold a renewal back until the certificate has expired. */
export const scheduleGuard = guardsOf(
  "deployment schedule of the change",
  (args, _, related) => changeOf(args, related),
  targetOf,
)("RESCHEDULE", {
  kind: "overwrite",
  replaces: "body",
  undo: "rewrite",
  results: ({ body }, present) => [
    `it goes to PRODUCTION ${windowOf(body)}`,
    present !== undefined && `until now, ${windowOf(present)}`,
  ],
  warns: (args) => [
    Boolean(memberAt(args, "body.notAfter")) &&
      "If the deployment cannot begin before notAfter, it is skipped, and the certificate is not replaced.",
  ],
});

type Kind = keyof typeof informationKinds;

/** The effect of acknowledging and denying each kind of input. */
const acts: Readonly<
  Record<Exclude<Kind, "third-party-cert-and-trust-chain">, (which: string) => readonly [Statement, Statement]>
> = {
  "change-management-ack": (which) => [
    act`DEPLOY TO PRODUCTION what is on staging, by acknowledging ${which}`,
    act`DENY the deployment of ${which}: what is on staging does not go to production`,
  ],
  "free-ca-challenges-completed": (which) => [
    act`REPORT the domain challenges of ${which} as met: if they are, its certificate is signed and deployed`,
    act`DENY the domain challenges of ${which}: its certificate is not signed`,
  ],
  "post-verification-warnings-ack": (which) => [
    act`ACCEPT the warnings about the uploaded certificate of ${which}: it is deployed in spite of them`,
    act`DENY the warnings about the uploaded certificate of ${which}: it is not deployed`,
  ],
  "pre-verification-warnings-ack": (which) => [
    act`ACCEPT the warnings about the names of ${which}: the certificate is requested in spite of them`,
    act`DENY the warnings about the names of ${which}: the certificate is not requested`,
  ],
};

/** The certificates of an upload, with their key types if given. */
function uploadedIn(body: unknown): string {
  const chains = memberAt(body, "certificatesAndTrustChains");
  const all = Array.isArray(chains) ? chains : [body];
  const keys = all.map((one) => memberAt(one, "keyAlgorithm")).filter((key) => key !== undefined);
  return `${all.length} signed certificate${all.length === 1 ? "" : "s"}${keys.length > 0 ? ` (${keys.map(plainOrQuoted).join(", ")})` : ""}`;
}

function saysInput(args: Arguments, _: unknown, related: Arguments): Statement {
  const kind = args["allowedInputTypeParam"] as Kind;
  const which = changeOf(args, related);
  if (kind === "third-party-cert-and-trust-chain")
    return act`UPLOAD ${uploadedIn(args["body"])} for ${which}: once verified, the certificate is deployed`;
  const [acknowledged, denied] = acts[kind](which);
  if (memberAt(args, "body.acknowledgement") !== "acknowledge") return denied;
  const expiry = kind === "change-management-ack" ? expiryOn("production", related["deployed"]) : undefined;
  const replaced = `the certificate on production, which expires on ${expiry}, is replaced`;
  return expiry === undefined ? acknowledged : statement(acknowledged.verb, acknowledged.target, replaced);
}

/** The service's errors and warnings, as objects or text. */
function objectionsIn(present: unknown): string[] {
  const found = ["errors", "warnings"].flatMap((name) => memberAt(present, `validationResult.${name}`) ?? []);
  const messages = found.map((one) => memberAt(one, "message"));
  const text = memberAt(present, "warnings");
  const lines = typeof text === "string" ? text.split("\n").filter((line) => line.trim() !== "") : [];
  return [...messages, ...lines].map((one) => `The service warns: ${quoteValue(one)}.`);
}

/** The domains whose control is not proved yet, in either version of the challenges. */
const unproved = (present: unknown): string[] =>
  (challengesIn(present)?.open ?? []).map((one) => plainOrQuoted(memberAt(one, "domain")));

export const inputGuard: Guard = {
  kind: "activate",
  thing: "input of the change",
  undo: {
    by: "Call cert_change_cancel while the change is pending. Anything it has deployed stays until cert_enrollment_update starts a change that replaces it.",
  },
  target: targetOf,
  says: saysInput,
  forecasts: (args, present, { deployed }) => {
    if (memberAt(args, "body.acknowledgement") === "deny") return undefined;
    const isOnStaging = args["allowedInputTypeParam"] === "change-management-ack";
    const onStagingUntil = isOnStaging ? expiryOn("staging", deployed) : undefined;
    return {
      change: "certificate",
      network: "production",
      enrollmentId: String(args["enrollmentId"]),
      changeId: String(args["changeId"]),
      ...(onStagingUntil !== undefined && { endsMs: Date.parse(onStagingUntil) }),
      ...comingCertificate(args, present),
    };
  },
  compares: (args, present, related) =>
    memberAt(args, "body.acknowledgement") === "deny" ? [] : replacementLines(args, present, related),
  warns: (args, present) => {
    const isDenied = memberAt(args, "body.acknowledgement") === "deny";
    const domains = isDenied ? [] : unproved(present);
    const authorities = memberAt(present, "pendingState.pendingNetworkConfiguration.clientMutualAuthentication");
    const deadline = memberAt(present, "acknowledgementDeadline");
    return withoutFalse(
      isDenied &&
        "The effect of a denial on the change is not documented: check with cert_change_get whether it has ended.",
      ...objectionsIn(present),
      domains.length > 0 && `Not proved yet: the control of ${listInWords(domains)}.`,
      isRecord(authorities) &&
        !isDenied &&
        "All CA sets of the change have to be on production, or the deployment does not complete.",
      Boolean(deadline) && `The service may continue by itself after ${plainOrQuoted(deadline)}.`,
    );
  },
};
