/** Previews of replacing and removing an enrollment. */
import { type Arguments, type Guard, type PastChange, pickArguments } from "../../language/conduct.js";
import type { CertificateScope } from "../../language/forecast.js";
import { act, flag, memberClauses, membership } from "../../language/guards.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { enrolledName, expiryOn, namesOf, pendingChangesOf, pendingNames, windowIn } from "./names.js";

/** The context of an enrollment: its deployments. */
export const readForEnrollment = {
  deployed: { by: "cert_deployments_list", args: pickArguments("enrollmentId") },
} as const;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const text = (value: unknown): string => (isEmpty(value) ? "" : JSON.stringify(value));

/** Whether the given value differs from the present one, or may do so because of omitted fields. */
function difference(before: unknown, after: unknown): "none" | "unclear" | "some" {
  if (!isRecord(before) || !isRecord(after)) return text(before) === text(after) ? "none" : "some";
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const found = names.map((name) => {
    if (!(name in after)) return isEmpty(before[name]) ? "none" : "unclear";
    return isRecord(before[name]) && isRecord(after[name])
      ? difference(before[name], after[name])
      : difference(text(before[name]), text(after[name]));
  });
  return found.includes("some") ? "some" : found.includes("unclear") ? "unclear" : "none";
}

/** Fields that are part of a certificate: changing them requires a new certificate. */
const signed = ["certificateType", "validationType", "ra", "signatureAlgorithm"];

function isSignedAnew(body: unknown, present: unknown): boolean {
  const subject = (enrollment: unknown) => ({ ...(memberAt(enrollment, "csr") as Arguments), sans: undefined });
  const isOther = signed.some((name) => text(memberAt(body, name)) !== text(memberAt(present, name)));
  const [before, after] = [namesOf(present).sort(), namesOf(body).sort()];
  return isOther || text(before) !== text(after) || difference(subject(present), subject(body)) !== "none";
}

/** The times in the call, after the words for what happens then. */
function within(args: Arguments): string {
  const window = windowIn(args["deploy-not-before"], args["deploy-not-after"]);
  return window && ` ${window}`;
}

/** How far a change of the enrollment proceeds automatically. */
const goingOn = (args: Arguments): string =>
  memberAt(args, "body.changeManagement") === true
    ? `waits on staging for an acknowledgement${within(args) && `, which deploys it${within(args)}`}`
    : `goes to PRODUCTION automatically${within(args)}`;

/** What the replacement starts, and how far that proceeds automatically. */
function startedBy(args: Arguments, present: unknown): string {
  const body = args["body"];
  const goesOn = goingOn(args);
  if (args["force-renewal"] === true) return `the certificate is renewed now and ${goesOn}`;
  if (isSignedAnew(body, present)) return `a new certificate is started and ${goesOn}`;
  const network = difference(memberAt(present, "networkConfiguration"), memberAt(body, "networkConfiguration"));
  if (network === "none") return "it takes effect immediately";
  if (args["allow-staging-bypass"] === true) return `it is deployed straight to PRODUCTION${within(args)}`;
  return network === "some"
    ? `a deployment is started and ${goesOn}`
    : `a deployment may be started for the network settings that the call leaves out; if so, it ${goesOn}`;
}

/** When the certificate on production expires, after other words; empty if that is unknown. */
function expiry({ deployed }: Arguments, before: string): string {
  const at = expiryOn("production", deployed);
  return at === undefined ? "" : `${before} expires on ${at}`;
}

/** What happens to the pending changes; false if there are none and none is to be cancelled. */
function pendingWarning(args: Arguments, present: unknown): string | false {
  const pending = listInWords(pendingNames(present));
  if (args["allow-cancel-pending-changes"] !== true)
    return (
      pending !== "" &&
      `Pending: ${pending}. The API refuses this call with 409 unless allow-cancel-pending-changes cancels them.`
    );
  const none = "a change that is pending by then is cancelled; none is pending now";
  const lost = `ALL pending changes are cancelled, and anything they have not deployed is lost: ${pending}`;
  return `allow-cancel-pending-changes: ${pending === "" ? none : lost}.`;
}

/** What each flag does that is set to true, and when the certificate on production expires if that matters. */
const flags: Readonly<Record<string, readonly [does: string, canExpire?: true]>> = {
  "allow-staging-bypass": ["new settings go straight to PRODUCTION, without a test on staging"],
  "renewal-date-check-override": [
    "the enrollment is changed even if its renewal is due, so the certificate can expire",
    true,
  ],
  "force-renewal": ["the certificate is renewed now, whether or not that is due"],
  "allow-missing-certificate-addition": ["a certificate that one of two stacked ones lacks is added"],
};

function warnsUpdate(args: Arguments, present: unknown, related: Arguments): readonly (string | false)[] {
  const expires = expiry(related, "; the one on production");
  const [before, after] = [memberAt(present, "changeManagement"), memberAt(args, "body.changeManagement")];
  return [
    pendingWarning(args, present),
    ...Object.entries(flags).map(
      ([flag, [does, canExpire]]) => args[flag] === true && `${flag}: ${does}${canExpire ? expires : ""}.`,
    ),
    args["deploy-not-after"] !== undefined &&
      `deploy-not-after: anything that cannot be deployed by ${plainOrQuoted(args["deploy-not-after"])} is not deployed at all, and the present certificate stays${expires}.`,
    before === true &&
      after === false &&
      "changeManagement is switched off: from now on changes go to PRODUCTION without an acknowledgement.",
  ];
}

/** The undo avoids the risks of the change, but has to cancel what it has started. */
const putBack = ({ given, now }: PastChange): Arguments => ({
  enrollmentId: given["enrollmentId"],
  ...(given["version"] === undefined ? {} : { version: given["version"] }),
  ...(pendingChangesOf(now).length === 0 ? {} : { "allow-cancel-pending-changes": true }),
  body: given["body"],
});

export const createGuard: Guard = {
  kind: "create",
  thing: "enrollment",
  // The change waits for an input, which needs an approval; but its contacts get mail before that.
  when: "sending",
  target: (args) => plainOrQuoted(memberAt(args, "body.csr.cn")),
  says: (args) => {
    const contacts = ["adminContact", "techContact"].map((who) => memberAt(args, `body.${who}.email`));
    const mail = listInWords([...new Set(contacts.filter((one) => one !== undefined && one !== ""))], plainOrQuoted);
    const kinds = ["validationType", "certificateType"].map((name) => plainOrQuoted(memberAt(args, `body.${name}`)));
    return act`ENROLL a certificate (${kinds.join(", ")}) for ${listInWords(namesOf(args["body"]))}: once it is validated, it ${goingOn(args)}; ${mail === "" ? "no mail is sent" : `notified: ${mail}`}`;
  },
  undo: { by: "Delete the enrollment with cert_enrollment_delete. Its id is in cert_enrollments_list." },
};

/** The names that the certificate of an enrollment has in the end, for its forecast. */
const namesScope = ({ enrollmentId }: Arguments, names: readonly string[]): CertificateScope => ({
  change: "certificate",
  network: "production",
  enrollmentId: String(enrollmentId),
  names,
});

export const updateGuard: Guard = {
  kind: "overwrite",
  thing: "enrollment",
  replaces: "body",
  undo: { rewrite: putBack },
  critical: [
    flag("allow-cancel-pending-changes", "it cancels all pending changes, including one that is being deployed"),
    flag("allow-staging-bypass", "it goes straight to production"),
    flag("renewal-date-check-override", "the certificate can expire"),
  ],
  target: (args, present) =>
    present === undefined ? plainOrQuoted(memberAt(args, "body.csr.cn")) : enrolledName(present, args),
  says: (args, present, related) => {
    const change = membership(namesOf(present), namesOf(args["body"]));
    const verbs = ["names removed, which stop serving TLS:", "names added:"] as const;
    const names = memberClauses(change, "the names stay the same", String, verbs);
    const expires = expiry(related, "the certificate on production") || false;
    return present === undefined
      ? undefined
      : act`REPLACE the enrollment for ${enrolledName(present, args)}: ${names}; ${startedBy(args, present)}; ${expires}`;
  },
  forecasts: (args, present) =>
    isSignedAnew(args["body"], present) ? namesScope(args, namesOf(args["body"])) : undefined,
  warns: warnsUpdate,
};

export const deleteGuard: Guard = {
  kind: "delete",
  thing: "enrollment",
  undo: {
    never:
      "An enrollment cannot be restored as it was. With cert_enrollment_create, a new certificate has to be signed and deployed.",
  },
  target: (args, present) => enrolledName(present, args),
  says: (args, present, related) => {
    if (present === undefined)
      return act`DELETE enrollment ${plainOrQuoted(args["enrollmentId"])}: its names stop serving TLS`;
    const name = enrolledName(present, args);
    const names = listInWords(namesOf(present));
    const { deployed } = related;
    if (!("deployed" in related))
      return act`TAKE the certificate for ${name} OFF the network${within(args)}, if it is deployed: ${names} stop serving TLS`;
    if (memberAt(deployed, "production"))
      return act`TAKE the certificate for ${name} OFF the network${within(args)}: these names stop serving TLS: ${names}`;
    return memberAt(deployed, "staging")
      ? act`TAKE the certificate for ${name} OFF STAGING${within(args)}: it is not on production, where no name stops serving TLS`
      : act`DELETE the enrollment for ${name}: it is not deployed, so no name stops serving TLS`;
  },
  forecasts: (args) => namesScope(args, []),
  warns: (args, present) => [pendingWarning(args, present)],
};
