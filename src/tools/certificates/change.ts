/** A change of an enrollment: its status, its pending input, what to decide by, and the five kinds of input. */
import type { SelfPolling } from "../../language/conduct.js";
import { chosenBy } from "../../language/define.js";
import { mediaList } from "../../language/media.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import type { DeclaredResource } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { jsonSchemaOf } from "../../schema/json-schema.js";
import { members } from "../fields.js";
import { entityMedium } from "./media.js";

export const nullishText = z.string().nullish();
// The vendor's examples write some flags as text.
const flag = z.union([z.boolean(), z.string()]).nullish();

export const Schedule = z.looseObject({ notBefore: nullishText, notAfter: nullishText });

/** The status of a change (public facts B, 1.4). */
export const Change = z.looseObject({
  statusInfo: z.looseObject({
    state: z.string().describe("new, running, awaiting-input, suspended, cancelled, completed or error"),
    status: z.string(),
    description: nullishText,
    deploymentSchedule: Schedule.nullish(),
    error: z.looseObject({ code: nullishText, description: nullishText, timestamp: nullishText }).nullish(),
  }),
  allowedInput: z.array(
    z.looseObject({
      type: z.string(),
      requiredToProceed: z.boolean().optional(),
      ...members(z.string(), "info", "update"),
    }),
  ),
});

/** A change progresses by itself, through its steps; a failed one can be resumed. */
export const changeMoves = {
  state: ({ body }) => ["state", "status"].map((name) => String(memberAt(body, ["statusInfo", name]))).join(" "),
  isReady: ({ body }) => /^(completed|cancelled)$/.test(String(memberAt(body, "statusInfo.state"))),
} satisfies SelfPolling;

const networkConfiguration = z.looseObject({
  ...members(nullishText, "geography", "secureNetwork", "mustHaveCiphers", "preferredCiphers"),
  disallowedTlsVersions: z.array(z.string()).nullish(),
  networkType: nullishText,
  sni: z.looseObject({}).nullish(),
  ...members(flag, "sniOnly", "quicEnabled"),
  ocspStapling: nullishText,
  dnsNames: z.array(z.string()).nullish(),
  dnsNameSettings: z.looseObject({}).nullish(),
  clientMutualAuthentication: z.looseObject({}).nullish(),
});
const DeployedCertificate = z.looseObject({
  certificate: z.string(),
  ...members(nullishText, "trustChain", "signatureAlgorithm", "keyAlgorithm", "expiry"),
});
/** The deployments on a network, in any version. */
export const Deployment = z.looseObject({
  ...members(nullishText, "certificate", "trustChain", "signatureAlgorithm"),
  primaryCertificate: DeployedCertificate.nullish(),
  multiStackedCertificates: z.array(DeployedCertificate).nullish(),
  ocspStapled: flag,
  ocspUris: z.array(z.string()).nullish(),
  networkConfiguration,
});

const pending = z.looseObject({
  certificateType: z.string(),
  ...members(nullishText, "fullCertificate", "signatureAlgorithm", "keyAlgorithm"),
  ocspStapled: flag,
  ocspUris: z.array(z.string()).nullish(),
});
const findings = z.array(z.looseObject({ message: z.string(), messageCode: nullishText })).nullish();
const ChangeManagement = z.looseObject({
  acknowledgementDeadline: nullishText,
  validationResultHash: z.string(),
  pendingState: z.looseObject({
    pendingCertificate: pending.nullish(),
    pendingCertificates: z.array(pending).nullish(),
    pendingNetworkConfiguration: networkConfiguration,
  }),
  validationResult: z.looseObject({ errors: findings, warnings: findings }).nullish(),
});

const challenge = members(nullishText, "status", "error", "token", "responseBody", "fullPath", "redirectFullPath");
const domain = {
  domain: z.string(),
  ...members(nullishText, "status", "error", "expires", "requestTimestamp", "validatedTimestamp"),
};
const OldChallenges = z.looseObject({ challenges: z.array(z.looseObject({ ...domain, ...challenge })) });
/** The validation of one name, by any of its challenges. */
export const Validation = z.looseObject({
  ...domain,
  validationStatus: nullishText,
  challenges: z.array(
    z.looseObject({ ...challenge, type: z.string(), validationRecords: z.array(z.unknown()).nullish() }),
  ),
});
const Challenges = z.looseObject({ dv: z.array(Validation) });
const warnings = entityMedium("warnings", "v1", z.looseObject({ warnings: nullishText }));

/** The information for each kind of input; each version of a media type has to be requested by its exact name. */
export const changeInformation = chosenBy("allowedInputTypeParam", {
  "change-management-info": chosenBy("version", {
    v5: entityMedium("change-management-info", "v5", ChangeManagement),
    v4: entityMedium("change-management-info", "v4", ChangeManagement),
    v2: entityMedium("change-management-info", "v2", ChangeManagement),
    v1: entityMedium("change-management-info", "v1", ChangeManagement),
    "deployment.v7": entityMedium("deployment", "v7", Deployment),
    "deployment.v6": entityMedium("deployment", "v6", Deployment),
    "deployment.v3": entityMedium("deployment", "v3", Deployment),
  }),
  "free-ca-challenges": chosenBy("version", {
    v2: entityMedium("dv-challenges", "v2", Challenges),
    v1: entityMedium("dv-challenges", "v1", OldChallenges),
  }),
  "post-verification-warnings": warnings,
  "pre-verification-warnings": warnings,
  "third-party-csr": chosenBy("version", {
    v2: entityMedium(
      "csr",
      "v2",
      z.looseObject({ csrs: z.array(z.looseObject({ csr: z.string(), keyAlgorithm: z.string() })) }),
    ),
    v1: entityMedium("csr", "v1", z.looseObject({ csr: z.string().nullable() })),
  }),
});

/** The kinds of input, and the kind of information on which each is decided. */
export const informationKinds = {
  "change-management-ack": "change-management-info",
  "free-ca-challenges-completed": "free-ca-challenges",
  "post-verification-warnings-ack": "post-verification-warnings",
  "pre-verification-warnings-ack": "pre-verification-warnings",
  "third-party-cert-and-trust-chain": "third-party-csr",
} as const;

/** An input lets a change continue, possibly to both networks, and an unknown field could let it go further. */
const answersMore = "it could let the change continue further than approved";
const acknowledgement = z.enum(["acknowledge", "deny"]);
const plain = entityMedium("acknowledgement", "v1", closedObject(answersMore, { acknowledgement }));
const pem = z.string().min(1);
const trustChain = z.string().nullish();

/** The input of each kind. The form of a certificate's input follows from the given fields. */
export const changeInput = chosenBy("allowedInputTypeParam", {
  "change-management-ack": entityMedium(
    "acknowledgement-with-hash",
    "v1",
    closedObject(answersMore, {
      acknowledgement,
      hash: z.string().min(1).optional().describe("validationResultHash; left out: the present one"),
    }),
  ),
  "free-ca-challenges-completed": plain,
  "post-verification-warnings-ack": plain,
  "pre-verification-warnings-ack": plain,
  "third-party-cert-and-trust-chain": [
    entityMedium(
      "certificate-and-trust-chain",
      "v2",
      closedObject(answersMore, {
        certificatesAndTrustChains: z
          .array(closedObject(answersMore, { certificate: pem, keyAlgorithm: z.enum(["RSA", "ECDSA"]), trustChain }))
          .min(1),
      }),
    ),
    entityMedium(
      "certificate-and-trust-chain",
      "v1",
      closedObject(answersMore, { certificate: pem.describe("PEM"), trustChain }),
    ),
  ],
});

const isKind = (text: string): text is keyof typeof informationKinds => Object.hasOwn(informationKinds, text);
const kinds = Object.keys(informationKinds).filter(isKind);

const inputOf = (kind: keyof typeof informationKinds) => ({
  allowedInputTypeParam: kind,
  decidedBy: informationKinds[kind],
  bodies: mediaList(changeInput.choices[kind]).map(({ type, schema }) => ({
    type,
    schema: jsonSchemaOf(schema, "input"),
  })),
});

export const certificateResources: readonly DeclaredResource[] = [
  {
    address: "cert://inputs",
    name: "certificate-inputs",
    title: "Kinds of certificate input",
    description: "The inputs that a certificate change can wait for, what to decide each by, and their bodies.",
    content: { value: () => ({ inputs: kinds.map(inputOf) }), values: [] },
  },
  {
    address: "cert://inputs/{kind}",
    name: "certificate-input",
    title: "Kind of certificate input",
    description: "One kind of input: the information for the decision, and its bodies.",
    content: { value: (kind) => (isKind(kind) ? inputOf(kind) : undefined), values: kinds },
  },
];

/** The challenges of each domain of a change, those that are still to be met apart from the number of those that are. */
export function challengesIn(
  present: unknown,
): { readonly at: "dv" | "challenges"; readonly open: readonly unknown[]; readonly valid: number } | undefined {
  const at = Array.isArray(memberAt(present, "dv")) ? "dv" : "challenges";
  const domains = memberAt(present, at);
  if (!Array.isArray(domains)) return undefined;
  const open = domains.filter(
    (one) => !/^valid/i.test(String(memberAt(one, "validationStatus") ?? memberAt(one, "status") ?? "")),
  );
  return { at, open, valid: domains.length - open.length };
}
