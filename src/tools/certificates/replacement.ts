/** What a deployed certificate changes on production: its names, its validity, its settings. */
import { X509Certificate } from "node:crypto";
import type { Arguments, DifferenceLine } from "../../language/conduct.js";
import { differenceLines, headLine, limitLines } from "../../language/difference-lines.js";
import type { CertificateScope } from "../../language/forecast.js";
import { memberLines, membership } from "../../language/guards.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { expiryOn, namesOf } from "./names.js";

interface CertificateContent {
  readonly names: readonly string[];
  /** When it expires, as an instant. */
  readonly until: string;
}

/** The parsed properties of a certificate; undefined if its text is unreadable. */
function signedIn(pem: unknown): CertificateContent | undefined {
  if (typeof pem !== "string") return undefined;
  try {
    const { subjectAltName = "", validTo } = new X509Certificate(pem);
    const names = [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => plainOrQuoted(name));
    return { names: [...new Set(names)], until: new Date(validTo).toISOString().replace(".000Z", "Z") };
  } catch {
    return undefined;
  }
}

/** The combined properties of several certificates: all names, and the earliest expiry. */
function together(pems: readonly unknown[]): CertificateContent | undefined {
  const all = pems.map(signedIn);
  const known = all.filter((one) => one !== undefined);
  if (known.length === 0 || known.length < all.length) return undefined;
  const [until = ""] = known.map((one) => one.until).sort();
  return { names: [...new Set(known.flatMap(({ names }) => names))], until };
}

const some = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => value !== undefined && value !== null);

/** The texts of the deployed certificates, in any version. */
const deployedIn = (deployment: unknown): readonly unknown[] =>
  some([
    memberAt(deployment, "certificate"),
    memberAt(deployment, "primaryCertificate.certificate"),
    ...listAt(deployment, "multiStackedCertificates").map((one) => memberAt(one, "certificate")),
  ]);

/** The texts of the new certificates: uploaded ones, or those on staging. */
const comingIn = (args: Arguments, present: unknown): readonly unknown[] =>
  some([
    memberAt(args, "body.certificate"),
    ...listAt(args, "body.certificatesAndTrustChains").map((one) => memberAt(one, "certificate")),
    memberAt(present, "pendingState.pendingCertificate.fullCertificate"),
    ...listAt(present, "pendingState.pendingCertificates").map((one) => memberAt(one, "fullCertificate")),
  ]);

/** What the certificates on a network contain; undefined if their texts are unreadable. */
export const deployedContent = (deployment: unknown): CertificateContent | undefined =>
  together(deployedIn(deployment));

/** The certificate that comes with an input, for a forecast: its names and its end, if its text is readable. */
export function comingCertificate(args: Arguments, present: unknown): Pick<CertificateScope, "names" | "endsMs"> {
  const content = together(comingIn(args, present));
  return content === undefined ? {} : { names: content.names, endsMs: Date.parse(content.until) };
}

/** The settings that both the present and the pending network configuration have. */
function settingsDifference(deployment: unknown, present: unknown): readonly DifferenceLine[] {
  const [before, after] = [
    memberAt(deployment, "networkConfiguration"),
    memberAt(present, "pendingState.pendingNetworkConfiguration"),
  ];
  if (!isRecord(before) || !isRecord(after)) return [];
  const shared = (one: Arguments, other: Arguments) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => Object.hasOwn(other, name)));
  return differenceLines(shared(before, after), shared(after, before));
}

const nameWords = (name: string): string => `name ${name}`;

/** The difference between the new certificate and the one on production, line by line. */
export function replacementLines(
  args: Arguments,
  present: unknown,
  { enrollment, deployed }: Arguments,
): readonly DifferenceLine[] {
  const production = memberAt(deployed, "production");
  const next = together(comingIn(args, present));
  const enrolled = namesOf(enrollment);
  const names = next?.names ?? enrolled;
  const until = next === undefined ? [] : [headLine(`It is valid until ${next.until}.`)];
  if (!isRecord(production))
    return [
      headLine("No certificate is on PRODUCTION now, so all of it is new there:"),
      ...limitLines(memberLines(membership([], names), nameWords), "Its names are not known."),
      ...until,
    ];
  const now = deployedContent(production);
  const expiry = now?.until ?? expiryOn("production", deployed);
  const isExpiryKnown = next !== undefined && expiry !== undefined;
  const lines = [
    ...(now === undefined ? [] : memberLines(membership(now.names, names), nameWords)),
    ...(isExpiryKnown ? differenceLines({ validUntil: expiry }, { validUntil: next.until }) : []),
    ...settingsDifference(production, present),
  ];
  const below = withoutFalse(
    now === undefined &&
      `The names of the present certificate could not be read from it; the new one has ${listInWords(names) || "none that are known"}.`,
    next === undefined && expiry !== undefined && `The present one is valid until ${expiry}.`,
  );
  return [
    headLine("Compared with the certificate on PRODUCTION, which is replaced:"),
    ...limitLines(lines, now === undefined ? "No setting differs." : "The names and the settings are the same."),
    ...below.map(headLine),
  ];
}
