/**
 * Lists what expires soon, soonest first, each with what to do, from the APIs of certificates, credentials and others;
 * and names what is not covered.
 */
import { workflow } from "../calls/workflow.js";
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { dayMs } from "../time/durations.js";
import { isoText, readInstant } from "../time/instant.js";
import {
  AnyTime,
  inBatches,
  incompleteNotes,
  maxObjects,
  numberAtEnd,
  type Steps,
  startSteps,
  stepsInBrief,
} from "./steps.js";

/** Something that expires, with what to do about it. */
interface Expiry {
  readonly ends: z.output<typeof AnyTime>;
  readonly what: string;
  readonly does: string;
  /** The call that does it, if everything that it needs is known. */
  readonly continueWith?: NextCall;
  /** Whether it still matters after it has expired, because it is in use. */
  readonly isInUse?: true;
}
type Source = (
  steps: Steps,
  openIdentityId: string | undefined,
) => Promise<{ readonly endings: readonly Expiry[]; readonly notCovered?: string }>;

const text = z.string();
const Contracts = z.array(text);
const Enrollments = z.looseObject({
  enrollments: z.array(z.looseObject({ location: text, csr: z.looseObject({ cn: text }) })),
});
const Certificate = z.looseObject({ expiry: AnyTime }).nullish();
const Deployed = z
  .looseObject({ primaryCertificate: Certificate, multiStackedCertificates: z.array(Certificate).nullish() })
  .nullish();
const Deployments = z.looseObject({ production: Deployed, staging: Deployed });

/** The certificates on the networks; one on both is listed once. */
const certificates: Source = async (steps) => {
  const contracts = await steps.call("the contracts", "contract_ids_list", { depth: "ALL" }, Contracts);
  const lists = await inBatches((contracts ?? []).slice(0, maxObjects), (contractId) =>
    steps.call(`enrollments of ${contractId}`, "cert_enrollments_list", { contractId }, Enrollments),
  );
  const all = new Map(lists.flatMap((list) => list?.enrollments ?? []).map((one) => [one.location, one]));
  const read = [...all.values()].slice(0, maxObjects);
  const endings = await inBatches(read, async ({ location, csr }) => {
    const enrollmentId = numberAtEnd(location);
    const step = `certificates of ${csr.cn}`;
    const none = "Nothing is deployed yet.";
    const deployments = await steps.find(step, "cert_deployments_list", { enrollmentId }, Deployments, none);
    const places = new Map<NonNullable<z.output<typeof AnyTime>>, Set<string>>();
    for (const network of ["production", "staging"] as const) {
      const deployed = deployments?.[network];
      for (const one of [deployed?.primaryCertificate, ...(deployed?.multiStackedCertificates ?? [])])
        if (one?.expiry) places.set(one.expiry, (places.get(one.expiry) ?? new Set()).add(network));
    }
    return [...places].map(([ends, networks]) => ({
      ends,
      what: `certificate of ${csr.cn} on ${[...networks].join(" and ")}`,
      does: "Its renewal starts automatically 90 days before; see what it waits for.",
      continueWith: new NextCall("cert_enrollment_status", { enrollmentId }),
      isInUse: true as const,
    }));
  });
  const isPart = all.size > read.length;
  return {
    endings: endings.flat(),
    ...(isPart ? { notCovered: `Certificates: only ${read.length} of ${all.size} enrollments were read.` } : {}),
  };
};

const Credentials = z.array(
  z.looseObject({ credentialId: z.int(), status: text, description: text.nullish(), expiresOn: AnyTime }),
);
/** The credentials of an API client, by the argument that names it and the tools of a generation. */
const credentialsBy =
  (argument: "openIdentityId" | "clientId", lists: string, creates: string): Source =>
  async (steps, openIdentityId) => {
    if (openIdentityId === undefined) return { endings: [], notCovered: "Credentials: give openIdentityId." };
    const of = { [argument]: openIdentityId };
    const credentialList = await steps.call("credentials", lists, of, Credentials);
    const endings = (credentialList ?? [])
      .filter(({ status }) => status === "ACTIVE")
      .map(({ credentialId, description, expiresOn }) => ({
        ends: expiresOn,
        what: `credential ${credentialId}${description ? ` (${description})` : ""}`,
        does: "Create a new one and switch its programs to that.",
        continueWith: new NextCall(creates, of),
        isInUse: true as const,
      }));
    return { endings };
  };
const credentials = credentialsBy("openIdentityId", "credentials_list", "credential_create");
const credentialsToday = credentialsBy("clientId", "apiclient_credentials_list", "apiclient_credential_create");

const Policies = z.array(
  z.looseObject({
    policyId: z.int(),
    name: text,
    activations: z
      .array(z.looseObject({ policyInfo: z.looseObject({ version: z.int(), status: text.nullish() }) }))
      .nullish(),
  }),
);
const Version = z.looseObject({
  matchRules: z
    .array(z.looseObject({ name: text.nullish(), matchURL: text.nullish(), end: z.number().nullish() }))
    .nullish(),
});
/** The time-limited rules of active versions; their `end` is in seconds, and 0 if they have none. */
const rules: Source = async (steps) => {
  const policies = await steps.call("edge logic policies", "edgelogic_policies_list", {}, Policies);
  const active = (policies ?? []).flatMap(({ policyId, name, activations }) => {
    const versions = (activations ?? []).filter(({ policyInfo }) => policyInfo.status === "active");
    return [...new Set(versions.map(({ policyInfo }) => policyInfo.version))].map((version) => ({
      policyId,
      name,
      version,
    }));
  });
  const read = active.slice(0, maxObjects);
  const endings = await inBatches(read, async ({ policyId, name, version }) => {
    const at = { policyId, version };
    const whole = await steps.call(`rules of ${name}`, "edgelogic_policy_version_get", at, Version);
    return (whole?.matchRules ?? []).flatMap((rule) =>
      rule.end
        ? [
            {
              ends: rule.end * 1_000,
              what: `rule ${rule.name ?? rule.matchURL ?? ""} of policy ${name}, version ${version}`,
              does: "Clone the version, change the rule's end, and activate the clone.",
              continueWith: new NextCall("edgelogic_policy_version_create", { policyId, cloneVersion: version }),
            },
          ]
        : [],
    );
  });
  const isPart = active.length > read.length;
  return {
    endings: endings.flat(),
    ...(isPart ? { notCovered: `Policies: only ${read.length} of ${active.length} active versions were read.` } : {}),
  };
};

const LogSources = z.array(z.looseObject({ type: text }));
const LogConfigurations = z.array(
  z.looseObject({ id: z.union([text, z.int()]), endDate: text.nullish(), logSource: z.looseObject({ id: text }) }),
);
const logDeliveries: Source = async (steps) => {
  const sources = await steps.call("log sources", "log_sources_list", {}, LogSources);
  const types = [...new Set((sources ?? []).map(({ type }) => type))];
  const lists = await inBatches(types, (logSourceType) =>
    steps.call(
      `log deliveries of ${logSourceType}`,
      "log_type_configurations_list",
      { logSourceType },
      LogConfigurations,
    ),
  );
  const endings = lists
    .flatMap((list) => list ?? [])
    .map(({ id, endDate, logSource }) => ({
      // The last day is inclusive.
      ends: endDate ? `${endDate.slice(0, 10)}T23:59:59Z` : undefined,
      what: `log delivery ${id} of ${logSource.id}`,
      does: "Read it, and change or remove its endDate.",
      continueWith: new NextCall("log_configuration_get", { logConfigurationId: String(id) }),
    }));
  return { endings };
};

const Profile = z.looseObject({ passwordExpiryDate: AnyTime });
const password: Source = async (steps) => {
  const profile = await steps.call("your profile", "user_profile_get", {}, Profile);
  return {
    endings: [
      {
        ends: profile?.passwordExpiryDate,
        what: "your password",
        does: "Change it with user_profile_password_update, from files.",
        isInUse: true,
      },
    ],
  };
};

const ofBoth = [certificates, rules, logDeliveries, password];
const neverReported = "No API reports the end of a contract: ask the vendor. Activations of properties do not expire.";

const defaultDays = 60;
const maxShown = 15;

const reportOf = (sources: readonly Source[]) =>
  workflow({
    title: "What expires soon",
    does: "Lists certificates, credentials, policy rules, log deliveries and passwords that expire soon, with what to do next.",
    input: z.strictObject({
      days: z.int().min(1).max(730).optional().describe(`Default ${defaultDays}`),
      openIdentityId: z.string().min(1).optional().describe("For its credentials"),
    }),
    steps: [
      "Read the certificates on the networks, of the enrollments of all contracts.",
      "Read the credentials of the API client that is named.",
      "Read the rules of the active policy versions, the log deliveries, and the caller's profile.",
      "Sort what expires within the days, soonest first, with what has expired and is still in use.",
    ],
    example: { days: 90 },

    async run({ days = defaultDays, openIdentityId }, context) {
      const nowMs = Date.now();
      const untilMs = nowMs + days * dayMs;
      const steps = startSteps(context);
      const sourceResults = await Promise.all(sources.map((source) => source(steps, openIdentityId)));
      const soon = sourceResults
        .flatMap(({ endings }) => endings)
        .flatMap(({ ends, ...endingFacts }) =>
          ends === null || ends === undefined ? [] : [{ endsMs: readInstant(ends), ...endingFacts }],
        )
        .filter(({ endsMs, isInUse }) => endsMs <= untilMs && (isInUse || endsMs >= nowMs))
        .sort((a, b) => a.endsMs - b.endsMs || a.what.localeCompare(b.what));
      const ended = soon.filter(({ endsMs }) => endsMs < nowMs).length;
      const ending = soon.length - ended;
      const findings = [
        `${ending} ${ending === 1 ? "thing expires" : "things expire"} within ${days} days; ${ended} ${ended === 1 ? "has" : "have"} already expired.`,
      ];
      if (soon.length > maxShown) findings.push(`The ${maxShown} soonest are shown; fewer days show fewer.`);
      findings.push(...incompleteNotes(steps, "something may be missing"));
      return {
        until: isoText(untilMs),
        findings,
        expires: soon.slice(0, maxShown).map(({ endsMs, isInUse: _, ...endingFacts }) => ({
          ends: isoText(endsMs),
          daysLeft: Math.floor((endsMs - nowMs) / dayMs),
          ...endingFacts,
        })),
        notCovered: [...sourceResults.flatMap(({ notCovered = [] }) => notCovered), neverReported],
        steps: stepsInBrief(steps),
      };
    },
  });

export const expiryReport = reportOf([credentials, ...ofBoth]);
/** The same with today's APIs, in which openIdentityId is the id of the API client. */
export const expiryReportToday = reportOf([credentialsToday, ...ofBoth]);
