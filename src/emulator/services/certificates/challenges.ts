/** The challenges by which the control of a name is proved, and whether the account's DNS zones meet them. */
import { createHash } from "node:crypto";
import { dayMs } from "../../../time/durations.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { zoneNames, zoneOf } from "../dns/zones.js";
import { type CertificateChange, namesOf } from "./store.js";

const digest = (...words: readonly (string | number)[]): string =>
  createHash("sha256").update(words.join("\n")).digest("base64url");

interface Challenge {
  readonly name: string;
  readonly token: string;
  readonly responseBody: string;
}
const challengeFor = (name: string, { id }: CertificateChange): Challenge => {
  const token = digest("token", name, id);
  return { name, token, responseBody: digest("response", token) };
};
const recordName = (name: string): string => `_acme-challenge.${name.replace(/^\*\./, "")}`;

/** Whether one of the account's zones has the record that meets a challenge. */
function isMetByDns(world: World, { name, responseBody }: Challenge): boolean {
  const record = recordName(name);
  const [zoneName = ""] = zoneNames(world)
    .filter((zone) => record.endsWith(`.${zone}`))
    .sort((a, b) => b.length - a.length);
  const records = zoneOf(world, zoneName)?.zone.txt ?? [];
  const label = record.slice(0, -zoneName.length - 1);
  return records.some(
    (one) =>
      one.active && one.name?.toLowerCase() === label && String(one["target"]).replaceAll('"', "") === responseBody,
  );
}

/** Whether the zones meet every challenge of a change. */
export const areAllMet = (world: World, change: CertificateChange): boolean =>
  namesOf(change.details).every((name) => isMetByDns(world, challengeFor(name, change)));

const of = (world: World, change: CertificateChange) =>
  namesOf(change.details).map((name) => {
    const challenge = challengeFor(name, change);
    const requestedMs = change.validation?.requestedMs ?? change.sinceMs;
    // A change that has ended is not affected by what the zones hold later.
    const isMet = change.end === undefined && isMetByDns(world, challenge);
    const validatedMs = change.validation?.validatedMs ?? (isMet ? world.now() : undefined);
    const http = `.well-known/acme-challenge/${challenge.token}`;
    return {
      common: {
        domain: name,
        error: null,
        expires: instant(requestedMs + 7 * dayMs),
        requestTimestamp: instant(requestedMs),
        status: validatedMs === undefined ? "Awaiting user" : "Valid",
        ...(validatedMs === undefined ? {} : { validatedTimestamp: instant(validatedMs) }),
      },
      proof: {
        // The definition has these words, and its example those of the authority: pending, valid.
        status: validatedMs === undefined ? "Pending" : "Valid",
        token: challenge.token,
        responseBody: challenge.responseBody,
      },
      dnsPath: `${recordName(name)}.`,
      httpPath: `http://${name}/${http}`,
      redirectPath: `http://dcv.${world.vendor}.example/${http}`,
    };
  });

/** The challenges of version 1, which only has those by HTTP. */
export const oldChallenges = (world: World, change: CertificateChange) => ({
  challenges: of(world, change).map(({ common, proof, httpPath, redirectPath }) => ({
    ...proof,
    ...common,
    fullPath: httpPath,
    redirectFullPath: redirectPath,
  })),
});

const validationOf = ({ common, proof, dnsPath, httpPath, redirectPath }: ReturnType<typeof of>[number]) => ({
  ...common,
  ...(common.validatedTimestamp === undefined ? {} : { validationStatus: "VALID" }),
  challenges: [
    { type: "dns-01", fullPath: dnsPath, redirectFullPath: "" },
    { type: "http-01", fullPath: httpPath, redirectFullPath: redirectPath },
  ].map(({ type, ...paths }) => ({ type, ...proof, error: null, ...paths, validationRecords: [] })),
});

/** The challenges as version 2 has them: by DNS and by HTTP for each name. */
export const challenges = (world: World, change: CertificateChange) => ({ dv: of(world, change).map(validationOf) });

/** The validation of each name of a change, as the history has it. */
export const pastValidations = (world: World, change: CertificateChange) =>
  of(world, change).map((challenge) => ({
    ...validationOf(challenge),
    token: challenge.proof.token,
    responseBody: challenge.proof.responseBody,
    fullPath: challenge.httpPath,
    redirectFullPath: challenge.redirectPath,
    validationRecords: [],
  }));
