/** Checks of the certificate service beyond its schemas: order of dates, awaited input, no private key. */
import type { Check } from "../../language/check.js";
import { Failure, fieldProblem, quoteValue } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { readInstant } from "../../time/instant.js";
import { Change } from "./change.js";

/** Refuses an end before the start; names are paths into the arguments. */
export const startsBeforeEnd =
  (start: string, end: string): Check =>
  ({ args }) => {
    const [from, to] = [memberAt(args, start), memberAt(args, end)];
    if (typeof from !== "string" || typeof to !== "string" || readInstant(to) >= readInstant(from)) return [];
    return fieldProblem(end, to, `a time that is not before ${start}, which is ${quoteValue(from)}`);
  };

/** Document B, Versioning: the parameter exists from version 10 of the enrollment type. */
export const fromVersionTen: Check = ({ args }) => {
  const name = "allow-missing-certificate-addition";
  const version = String(args["version"] ?? "v4");
  if (args[name] === undefined || Number(version.slice(1)) >= 10) return [];
  return fieldProblem(name, args[name], `nothing in ${version}: it needs version v10 or v11`);
};

const certificatePem = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** Certificates in PEM form. The given value is never repeated, because a private key may have been pasted. */
export const isCertificates: Check = ({ args }) => {
  const body = args["body"] as Readonly<Record<string, unknown>>;
  const listed = body["certificatesAndTrustChains"];
  const places: (readonly [string, unknown])[] = Array.isArray(listed)
    ? listed.map((entry, at) => [`body.certificatesAndTrustChains[${at}]`, entry])
    : [["body", body]];
  return places.flatMap(([at, entry]) =>
    ["certificate", "trustChain"].flatMap((name) => {
      const text = memberAt(entry, name);
      if (typeof text !== "string" || text === "" || certificatePem.test(text)) return [];
      const isKey = /PRIVATE KEY/.test(text);
      const found = isKey
        ? ", and never a private key: the one given here was not sent, but others may have read it"
        : "";
      return [{ field: `${at}.${name}`, takes: `certificates in PEM form (BEGIN CERTIFICATE)${found}` }];
    }),
  );
};

/** The kinds of input that a change takes now: the last segment of each link (document B, certificate management). */
export const inputKindsOf = ({ allowedInput }: { readonly allowedInput: readonly { readonly update: string }[] }) =>
  allowedInput.map(
    ({ update }) =>
      update
        .replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1) ?? "",
  );

/** Refuses an input that the change is not waiting for, according to its links. */
export const isAwaitedInput: Check = async ({ args, read }) => {
  const { enrollmentId, changeId, allowedInputTypeParam: kind } = args;
  const { success, data } = Change.safeParse(await read("cert_change_get", { enrollmentId, changeId }));
  if (!success)
    throw new Failure("bad_reply", "cert_change_get returned a change without a status or a list of allowed input.", {
      why: "It is not possible to check what the change is waiting for; nothing was sent.",
      next: "Call cert_change_get directly to see the full response.",
    });
  const awaited = inputKindsOf(data);
  if (awaited.includes(String(kind))) return [];
  const { state, status } = data.statusInfo;
  const takes =
    awaited.length === 0
      ? `nothing now: the change waits for no input, its state is ${quoteValue(state)} (${quoteValue(status)})`
      : `${[...new Set(awaited)].map(quoteValue).join(" or ")}, which the change is waiting for now`;
  return fieldProblem("allowedInputTypeParam", kind, takes);
};
