/**
 * Certificate enrollments: their pending input and next step, and adding or removing names without resending the rest.
 */
import type { Composition } from "../calls/context.js";
import { composedChange, workflow } from "../calls/workflow.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { isRecord, memberAt } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { listInWords } from "../language/words.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { Change, challengesIn, informationKinds } from "../tools/certificates/change.js";
import { inputKindsOf } from "../tools/certificates/checks.js";
import { Enrollment } from "../tools/certificates/enrollment.js";
import { certificateName } from "../tools/certificates/names.js";
import { inBatches, maxObjects, numberAtEnd, parseShape, type Steps, startSteps } from "./steps.js";

// The parts of each response that the findings need; the rest is evidence, in any shape.
const Pending = z.looseObject({
  csr: z.looseObject({ cn: z.string() }),
  pendingChanges: z.array(z.union([z.string(), z.looseObject({ location: z.string() })])).catch([]),
});
const Deployed = z
  .looseObject({ primaryCertificate: z.looseObject({ expiry: z.string().nullish() }).nullish().catch(null) })
  .nullish();
// A response without either network does not describe them.
const Deployments = z
  .looseObject({ staging: Deployed, production: Deployed })
  .refine((body) => "staging" in body || "production" in body);
const Information = z.looseObject({});

type Kind = keyof typeof informationKinds;
const isKind = (name: string): name is Kind => Object.hasOwn(informationKinds, name);

/** What to do for each kind of input, and the body of the next call if it is known in advance. */
const moves: Readonly<Record<Kind, { readonly does: string; readonly body?: unknown }>> = {
  "change-management-ack": {
    does: "Review what is on staging and the warnings, then acknowledge it for production or deny it.",
    body: { acknowledgement: "acknowledge" },
  },
  "free-ca-challenges-completed": {
    does: "Prove control of each domain: publish the DNS record or the HTTP file of its challenge, then acknowledge; the service also checks by itself.",
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

/** Who has to act in each state (public facts B, 1.4). */
const waiting: Readonly<Record<string, readonly [whose: string, what: string]>> = {
  new: ["service", "The service has not started yet; there is nothing to do."],
  running: ["service", "The service is working; there is nothing to do."],
  suspended: ["vendor", "The vendor has suspended the change; ask the vendor's support."],
  error: ["you", "The change failed; correct the cause and change the enrollment again, or cancel the change."],
  completed: ["nobody", "The change is complete."],
  cancelled: ["nobody", "The change was cancelled."],
};

/** How to provide an input: what it is about, and the call. */
async function inputOf(steps: Steps, at: { enrollmentId: number; changeId: number }, kind: string) {
  if (!isKind(kind))
    return {
      input: kind,
      does: "Edgewise does not know this kind of input.",
      shows: undefined,
      continueWith: undefined,
    };
  const shown = { ...at, allowedInputTypeParam: informationKinds[kind] };
  const read = await steps.call(`what ${kind} is about`, "cert_change_input_get", shown, Information);
  const challenges = challengesIn(read);
  // Challenges that are met already need no action, and can be most of the response.
  const shows = challenges?.valid ? { ...read, [challenges.at]: challenges.open, valid: challenges.valid } : read;
  const { does, body } = moves[kind];
  const answers = new NextCall("cert_change_input_submit", { ...at, allowedInputTypeParam: kind, body });
  return { input: kind, does, shows, ...(body === undefined ? {} : { continueWith: answers }) };
}

async function changeOf(steps: Steps, enrollmentId: number, changeId: number) {
  const at = { enrollmentId, changeId };
  const change = await steps.call(`change ${changeId}`, "cert_change_get", at, Change);
  if (!change)
    return { changeId, whoseMove: "unknown", does: "The change could not be read; see steps for the reason." };
  const { state, status, error, deploymentSchedule } = change.statusInfo;
  const inputs = await inBatches([...new Set(inputKindsOf(change))], (kind) => inputOf(steps, at, kind));
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

const noneDeployed = "Nothing is deployed yet on either network.";

/**
 * The deployed certificates; null if there are none, which only a 404 for an existing enrollment can mean (public facts
 * B, 1.3).
 */
function deploymentsOf(steps: Steps, enrollmentId: number, exists: boolean) {
  const read = ["what is deployed", "cert_deployments_list", { enrollmentId }, Deployments] as const;
  return exists ? steps.find(...read, noneDeployed) : steps.call(...read);
}

export const certificateStatus = workflow({
  title: "Status of a certificate enrollment",
  does: "Reports what a certificate enrollment waits for, who has to act, the next call, and when deployed certificates expire.",
  input: z.strictObject({ enrollmentId: z.int().positive() }),
  steps: [
    "Read the enrollment and its pending changes.",
    "Read the state of each pending change, and the input it is waiting for.",
    "Read what the decision is based on: the CSR, the challenges, the warnings, or what is on staging.",
    "Read what is deployed, and when it expires.",
  ],
  example: { enrollmentId: 10003 },

  async run({ enrollmentId }, context) {
    const steps = startSteps(context);
    const enrollment = await steps.call("the enrollment", "cert_enrollment_get", { enrollmentId }, Pending);
    const paths = (enrollment?.pendingChanges ?? []).map((one) => (typeof one === "string" ? one : one.location));
    const ids = new Set(paths.map(numberAtEnd).filter(Number.isSafeInteger));
    const [deployments, changes] = await Promise.all([
      deploymentsOf(steps, enrollmentId, enrollment !== undefined),
      inBatches([...ids].slice(0, maxObjects), (id) => changeOf(steps, enrollmentId, id)),
    ]);
    const isDeployed = Boolean(deployments?.staging ?? deployments?.production);
    const expiryOf = (network: "staging" | "production") => deployments?.[network]?.primaryCertificate?.expiry;
    const findings = [
      ...changes.map(({ changeId, does, whoseMove }) => `Change ${changeId}: ${does} (next step by: ${whoseMove})`),
      ...(ids.size > changes.length ? [`Only ${changes.length} of ${ids.size} pending changes were read.`] : []),
      ...(enrollment && changes.length === 0
        ? [
            `Nothing is pending${isDeployed ? "; a renewal starts automatically 90 days before the certificate expires" : ""}.`,
          ]
        : []),
      ...(enrollment ? [] : ["The enrollment could not be read; see steps for the reason."]),
      ...(enrollment && deployments === undefined
        ? ["The deployed certificates could not be read; see steps for the reason."]
        : []),
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

const tool = "cert_names_update";
const reads = "cert_enrollment_get";
/** The newest form, because older ones lack settings that a write would then remove (public facts B, 1.3). */
const version = "v11";

type Given = Readonly<Record<"add" | "remove", readonly string[]>>;
type Enrolled = z.output<typeof Enrollment>;

const same = (one: string, other: string): boolean => certificateName(one) === certificateName(other);
const has = (names: readonly string[], name: string): boolean => names.some((one) => same(one, name));

/** The problems of the names themselves. */
function malformed({ add, remove }: Given): FieldProblem[] {
  if (add.length + remove.length === 0) return [{ field: "add", takes: "a name to add, or remove a name to remove" }];
  return (["add", "remove"] as const).flatMap((field) => {
    const names = field === "add" ? add : remove;
    return names.flatMap((name, at): FieldProblem[] => {
      const problem = (takes: string) => [{ field: `${field}[${at}]`, given: quoteValue(name), takes }];
      if (certificateName(name) === undefined)
        return problem("a DNS name such as shop.example.com or *.example.com, in ASCII and with a dot");
      if (has(names.slice(0, at), name)) return problem("each name once");
      return field === "remove" && has(add, name) ? problem("a name that is not added as well") : [];
    });
  });
}

/** The problems of the names for this certificate. */
function misplaced({ add, remove }: Given, cn: string, sans: readonly string[]): FieldProblem[] {
  const all = listInWords([cn, ...sans.filter((name) => !same(name, cn))]);
  const problem = (field: string, name: string, takes: string) => ({ field, given: quoteValue(name), takes });
  return [
    ...add.flatMap((name, at) => {
      if (same(name, cn)) return [problem(`add[${at}]`, name, `a name other than the common name`)];
      return has(sans, name)
        ? [problem(`add[${at}]`, name, `a name that is not on the certificate yet; it has ${all}`)]
        : [];
    }),
    ...remove.flatMap((name, at) => {
      if (same(name, cn))
        return [
          problem(
            `remove[${at}]`,
            name,
            "a further name: the common name stays, and cert_enrollment_update changes it",
          ),
        ];
      return has(sans, name) ? [] : [problem(`remove[${at}]`, name, `a name on the certificate; it has ${all}`)];
    }),
  ];
}

const isWildcard = (name: string): boolean => name.startsWith("*.");

/** How many more names there would be than the limits in the enrollment allow. */
function excess(enrollment: Enrolled, sans: readonly string[]): FieldProblem[] {
  const limits = [
    [enrollment.maxAllowedSanNames, sans, "further names"],
    [enrollment.maxAllowedWildcardSanNames, sans.filter(isWildcard), "further names with a wildcard"],
  ] as const;
  return limits.flatMap(([most, names, what]) =>
    typeof most !== "number" || names.length <= most
      ? []
      : [
          {
            field: "add",
            takes: `at most as many as the enrollment allows: ${most} ${what}, and it would have ${names.length}`,
          },
        ],
  );
}

/** Warnings about new names that the certificate has but the network does not use. */
function warningsOn(enrollment: Enrolled, add: readonly string[]): string[] {
  if (add.length === 0) return [];
  const settings = enrollment.networkConfiguration.dnsNameSettings;
  return [
    ...(settings?.cloneDnsNames === false
      ? [
          `networkConfiguration.dnsNameSettings lists the names that are served separately (${listInWords(settings.dnsNames ?? []) || "none"}) and is not changed; cert_enrollment_update changes it.`,
        ]
      : []),
    ...(memberAt(enrollment, "thirdParty.excludeSans") === true
      ? ["thirdParty.excludeSans is true: the CSR only has the common name, so the authority has to add these names."]
      : []),
  ];
}

export const certificateNames = composedChange({
  title: "Certificates: add or remove names",
  does: "Adds and removes names of a certificate; the rest of its enrollment does not change.",
  input: z.strictObject({
    enrollmentId: z.int().positive(),
    add: z.array(z.string().max(254)).max(100).optional(),
    remove: z.array(z.string().max(254)).max(100).optional(),
    "allow-cancel-pending-changes": z.boolean().optional(),
  }),
  steps: [
    "Read the enrollment in its newest form, which has all of its settings.",
    "Add and remove the names; the common name and everything else stay unchanged.",
    "Preview the added and removed names, and when it is approved send the enrollment as an update.",
  ],
  example: { enrollmentId: 10001, add: ["static.shop.example"] },
  makes: "cert_enrollment_update",
  isFrontLine: false,

  async compose({ enrollmentId, add = [], remove = [], ...flags }, { invoke }): Promise<Composition> {
    const change = { add, remove };
    const wrong = malformed(change);
    if (wrong.length > 0) throw invalidInput(tool, wrong);
    const { body } = await invoke(reads, { enrollmentId, version });
    const enrollment = parseShape(reads, Enrollment, body);
    const { cn } = enrollment.csr;
    const before = enrollment.csr.sans ?? [];
    const refused = misplaced(change, cn, before);
    const added = add.map((name) => certificateName(name) ?? name);
    const sans = [...before.filter((name) => !has(remove, name)), ...added];
    const problems = [...refused, ...(add.length === 0 ? [] : excess(enrollment, sans))];
    if (problems.length > 0) throw invalidInput(tool, problems);
    // The response is sent as it was read, not as its schema parsed it, so that no field is lost.
    const { location: _, pendingChanges: __, csr, ...rest } = body as Readonly<Record<string, unknown>>;
    return {
      args: { enrollmentId, version, ...flags, body: { ...rest, csr: { ...(csr as object), sans } } },
      notes: [
        ...before.filter((name) => has(remove, name)).map((name) => `- name ${name}`),
        ...added.map((name) => `+ name ${name}`),
        `The common name stays ${cn}; it then has ${sans.filter((name) => !same(name, cn)).length} further names.`,
      ],
      warnings: warningsOn(enrollment, added),
    };
  },
});
