/**
 * Assembles a process: the parts that all of its profiles share, and those of each profile. Hides which upstream,
 * credential, account and store a call uses, and when each is opened. Promises that an unusable configuration fails
 * when the engine is created or checked, and that nothing read with one credential reaches the caller of another.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAudit } from "../audit/index.js";
import type { CallContext, Tools } from "../calls/index.js";
import { createRefusingCalls } from "../calls/refusing-calls.js";
import { apisOf, areImportsOffered, type Config, isEmulated, stateDirOf } from "../config.js";
import { createPlans, type OperatorPlans } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { allowsWithoutApproval, noPolicy, type Policy } from "../policy/index.js";
import {
  type ConfiguredProfiles,
  type Profile,
  type ProfileCaller,
  profileFor,
  type UsedProfile,
  withEachCredential,
} from "../profiles/index.js";
import { noResultStore } from "../rows/result-store.js";
import { secretFiles } from "../secrets/files.js";
import { createHeldSecrets } from "../secrets/held-secrets.js";
import type { State } from "../state/index.js";
import type { Log } from "../telemetry/log.js";
import type { Meters } from "../telemetry/meters.js";
import { accountReadings, operation } from "../tools/index.js";
import { workflowsFor } from "../workflows/index.js";
import { readSearchIndex } from "./catalogue.js";
import { withPlanCounts } from "./counted-plans.js";
import { createProfileRuntime, type ProfileRuntime, type SharedRuntime } from "./in-profile.js";
import { openState, resultRetentionMs } from "./state.js";
import { traceError } from "./trace.js";
import { originOf } from "./upstream.js";
import { createUpstreamLimits } from "./upstream-limits.js";

/**
 * Created once per process, by the first call that needs it. If profiles are configured, its own account is for calls
 * that name none of them, which are refused and recorded.
 */
export interface Engine extends ProfileRuntime {
  /** For the operator's page; clients read plans through `ProfileRuntime`. */
  readonly plans: OperatorPlans;
  readonly state: State;
  /**
   * The parts of a profile for a caller, with the caller's credential.
   * @param profile Its name if there are several; undefined for the only one, and for a call that is refused.
   * @throws Failure if the credential cannot be read, or the profile is not for the caller.
   */
  runtimeFor(profile: string | undefined, caller: ProfileCaller): Promise<ProfileRuntime>;
  /**
   * Creates the parts of the profiles for each credential that can be read without a command.
   * @throws Failure if one cannot be read.
   */
  check(): Promise<void>;
  /** Closes connections, so that the process can exit. */
  close(): Promise<void>;
}

/** Finds operations without loading any service but their own. */
const operationsOf =
  (tools: Tools): CallContext["operationOf"] =>
  async (tool) => {
    const entry = tools.get(tool);
    const declared = await operation(tool, entry);
    return declared && { service: entry?.service ?? "", declared };
  };

/**
 * The policy of a process.
 * @param tools The tools, which are asked for only if there is a file that can name some.
 * @throws Failure `bad_configuration` if its file cannot be used.
 */
export const policyOf = async ({ values }: Config, tools: () => Tools): Promise<Policy> =>
  values.policy === undefined ? noPolicy : (await import("../policy/file.js")).loadPolicy(values.policy, tools());

/** @throws Failure `bad_configuration` if there are no approvals and the policy allows nothing. */
export function checkApproval({ values }: Config, policy: Policy): void {
  if (values.approval === "off" && !allowsWithoutApproval(policy))
    throw new Failure("bad_configuration", "--approval off needs a policy that allows something.", {
      why: "Without approvals, only the policy decides what may be changed.",
      next: "Allow calls in a file and start with --policy FILE, or leave out --approval off.",
    });
}

/** The process that runs SQL, which the build puts next to the program. */
export const queryWorker = fileURLToPath(new URL("./query-worker.js", import.meta.url));

/** The queries of a process, created for the first one. */
function queriesOnDemand() {
  const get = lazily(async () => (await import("../rows/sql/index.js")).createQueries({ worker: queryWorker }));
  return { get, close: async () => (await get.peek())?.close() };
}

/** A profile on the emulator, which accepts one credential only. */
const emulatedProfile = (profile: Profile): UsedProfile => ({
  ...profile,
  credential: profile.credential ?? { kind: "section", section: profile.name },
});

/** The upstream of calls that name no profile although they have to. */
const noProfileText = "no profile";

/** The files of secrets, in a directory of this instance. */
function openSecretFiles(config: Config, { instances }: State) {
  const { values } = config;
  const stateDir = stateDirOf(config);
  const root = values["secret-dir"] ?? (stateDir === "memory" ? undefined : join(stateDir, "secrets"));
  return secretFiles(root, instances && { holders: instances.secretHolders });
}

/**
 * Creates the parts that all profiles of a process share, its plans for the operator, and the function that closes it.
 */
async function createSharedRuntime(config: Config, tools: Tools, log: Log, meters: Meters | undefined) {
  const { values } = config;
  const state = await openState(config, log);
  const queries = queriesOnDemand();
  const policy = await policyOf(config, () => tools);
  checkApproval(config, policy);
  const uncounted = createPlans({
    ttlMs: values["plan-seconds"] * 1000,
    isConfirmEnough: values.approval === "confirm",
    storage: state.plans,
    now: state.now,
    log: (line) => log(line, "error"),
  });
  const plans = meters ? withPlanCounts(uncounted, meters, state.now) : uncounted;
  const held = createHeldSecrets();
  const password = values.store === undefined ? "" : decodeURIComponent(new URL(values.store).password);
  // A shorter password would be found in ordinary words.
  if (password.length >= 8) held.hold([password]);
  const audit = openAudit({ open: state.openJournal, place: state.auditPlace, log, secrets: held.forms });
  const shared: SharedRuntime = {
    operationOf: operationsOf(tools),
    apis: apisOf(config).apis === "today" ? "today" : undefined,
    tools,
    plans,
    approval: values.approval,
    policy,
    audit,
    together: state.inTransaction,
    writeStop: state.writeStop,
    secretFiles: openSecretFiles(config, state),
    accountReadings: () => accountReadings(apisOf(config).apis),
    isReadOnly: values["read-only"],
    workflows: workflowsFor(tools),
    search: lazily(async () => {
      const { openSearch } = await import("../search/index.js");
      const declared = readSearchIndex(apisOf(config).apis);
      if (!areImportsOffered(config)) return openSearch(declared);
      const { importedIndexes } = await import("./imported.js");
      return openSearch(declared, () => importedIndexes(config));
    }),
    callTimeoutMs: values["call-timeout-ms"],
    onFault: (thrown, tool, requestId) => {
      const { error, frames } = traceError(thrown);
      log(
        `edgewise: a fault in ${tool}, request ${JSON.stringify(requestId)}: ${error} at ${frames.join(" < ")}`,
        "error",
      );
    },
    held,
    resultMs: resultRetentionMs(config),
    state,
    queries: queries.get,
    limitersOf: createUpstreamLimits(config, state, meters),
  };
  const close = async (): Promise<void> => {
    await Promise.all([audit.close(), queries.close()]);
    await state.close();
  };
  return { shared, plans, state, close };
}

/**
 * Creates the engine of a process.
 * @param configured The profiles; undefined if the other settings apply.
 * @param meters The metrics of the process, if they are served.
 * @throws Failure `bad_configuration` if the configuration cannot be used.
 */
export async function createEngine(
  config: Config,
  tools: Tools,
  log: Log,
  configured?: ConfiguredProfiles,
  meters?: Meters,
): Promise<Engine> {
  const { shared, plans, state, close } = await createSharedRuntime(config, tools, log, meters);
  if (configured === undefined) {
    const soleRuntime = await createProfileRuntime(config, shared, undefined, { at: 0, isNamed: false });
    return {
      ...soleRuntime,
      plans,
      state,
      runtimeFor: async () => soleRuntime,
      check: async () => undefined,
      close: async () => {
        await Promise.all([soleRuntime.close(), close()]);
      },
    };
  }
  const { profiles, names } = configured;
  // An invalid URL must be reported at the start, not by a call.
  if (!isEmulated(config)) for (const profile of profiles) originOf(config, profile);
  // By credential, so that nothing that one has read reaches another. The emulator has one world for each profile.
  const runtimes = new Map<object, ReturnType<typeof createProfileRuntime>>();
  const runtimeOf = (profile: Profile, used: UsedProfile): ReturnType<typeof createProfileRuntime> => {
    const isNamed = names !== undefined;
    const at = profiles.indexOf(profile);
    const [key, opened] = isEmulated(config) ? [profile, emulatedProfile(profile)] : [used.credential, used];
    const known = runtimes.get(key) ?? createProfileRuntime(config, shared, opened, { at, isNamed });
    runtimes.set(key, known);
    // A credential that could not be read may be available for the next call.
    known.catch(() => runtimes.delete(key));
    return known;
  };
  const refusingRuntime: ProfileRuntime = {
    calls: createRefusingCalls(shared),
    results: noResultStore,
    plan: async () => undefined,
    presentation: {
      upstream: noProfileText,
      secrets: shared.held.forms,
      maxTokens: config.values["max-result-tokens"],
      isTextOnly: config.values.structured === "off",
    },
    account: noProfileText,
  };
  return {
    ...refusingRuntime,
    plans,
    state,
    runtimeFor: async (name, caller) => {
      const profile = profiles.find((one) => one.name === name) ?? (names === undefined ? profiles[0] : undefined);
      return profile === undefined ? refusingRuntime : runtimeOf(profile, profileFor(profile, caller));
    },
    check: async () => {
      for (const profile of profiles)
        for (const used of withEachCredential(profile))
          if (used.credential.kind !== "command") await runtimeOf(profile, used);
    },
    close: async () => {
      const opened = await Promise.allSettled(runtimes.values());
      await Promise.all(opened.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
      await close();
    },
  };
}
