/**
 * Display names of enrollments, changes and certificates, and their times, in previews, from responses in any version.
 */
import type { Arguments } from "../../language/conduct.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { plainOrQuoted } from "../../language/words.js";

/** The common name of an enrollment; its id if the name is unknown. */
export function enrolledName(enrollment: unknown, { enrollmentId }: Arguments): string {
  const name = memberAt(enrollment, "csr.cn");
  return typeof name === "string" && name !== "" ? plainOrQuoted(name) : `enrollment ${String(enrollmentId)}`;
}

/** The distinct names of an enrollment. */
export function namesOf(enrollment: unknown): string[] {
  const names = [memberAt(enrollment, "csr.cn"), ...listAt(enrollment, "csr.sans")];
  const all = names.filter((name) => typeof name === "string" && name !== "");
  return [...new Set(all.map(plainOrQuoted))];
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A name in the form of certificates, in lower case and without a final dot; its first label can be `*`. Undefined for
 * names that no certificate can have: an address, a single label, or non-ASCII letters.
 */
export function certificateName(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, "");
  const [first = "", ...rest] = name.split(".");
  const isName = rest.length > 0 && (first === "*" || label.test(first)) && rest.every((one) => label.test(one));
  return isName && name.length <= 253 && !/^\d+$/.test(rest.at(-1) ?? "") ? name : undefined;
}

interface PendingChange {
  readonly id: string;
  /** Absent before version 11 of enrollments. */
  readonly kind?: string;
}

/** The pending changes of an enrollment, which are paths, or objects with a path and the kind of the change. */
export function pendingChangesOf(enrollment: unknown): PendingChange[] {
  return listAt(enrollment, "pendingChanges").map((change) => {
    const [path, kind] = isRecord(change) ? [change["location"], change["changeType"]] : [change, undefined];
    const id = plainOrQuoted(
      String(path)
        .replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1),
    );
    return typeof kind === "string" ? { id, kind: plainOrQuoted(kind) } : { id };
  });
}

export const pendingNames = (enrollment: unknown): string[] =>
  pendingChangesOf(enrollment).map(({ id, kind }) => (kind === undefined ? id : `${id} (${kind})`));

/** When the first certificate of a network expires; undefined if none is deployed, or if that is unknown. */
export function expiryOn(network: "production" | "staging", deployments: unknown): string | undefined {
  const deployed = memberAt(deployments, network);
  const expiries = [memberAt(deployed, "primaryCertificate"), ...listAt(deployed, "multiStackedCertificates")]
    .map((one) => memberAt(one, "expiry"))
    .filter((expiry) => typeof expiry === "string" && !Number.isNaN(Date.parse(expiry)));
  const [first] = expiries.sort((a, b) => Date.parse(String(a)) - Date.parse(String(b)));
  return first === undefined ? undefined : plainOrQuoted(first);
}

/** The time limits of a deployment, in words that follow what happens; empty if there are none. */
export const windowIn = (start: unknown, end: unknown): string =>
  [...(start ? [`not before ${plainOrQuoted(start)}`] : []), ...(end ? [`not after ${plainOrQuoted(end)}`] : [])].join(
    " and ",
  );
