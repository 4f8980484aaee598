/** Puts a process together: what all of its profiles share, and the parts of each that belong to it alone. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAudit } from "../audit/index.js";
import type { Context, Tools } from "../calls/index.js";
import { refusedCalls } from "../calls/refused.js";
import { type Config, isEmulated, stateDirOf } from "../config.js";
import { createPlans, type OperatorPlans } from "../guard/index.js";
import { directoryStorage } from "../guard/plans/directory.js";
import { minuteMs } from "../language/durations.js";
import { Failure, shown } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { lazily } from "../language/once-for.js";
import { allowsWithoutApproval, noPolicy, type Policy } from "../policy/index.js";
import type { ConfiguredProfiles } from "../profiles/index.js";
import { createResultStore } from "../results/store.js";
import { secretFiles } from "../secrets/files.js";
import { createHeldSecrets } from "../secrets/held-secrets.js";
import { accountReadings, operation } from "../tools/index.js";
import { workflows } from "../workflows/index.js";
import { readSearchIndex } from "./catalogue.js";
import { createInProfile, type InProfile, type Shared } from "./in-profile.js";
import { tracedError } from "./trace.js";
import { originOf } from "./upstream.js";

/**
 * Made once a process, on the first call that needs it. What it has itself is the account of the settings; where profiles
 * are configured, it is for calls that name none of them, each of which is refused and recorded.
 */
export interface Engine extends InProfile {
  /** For the operator's page; what a client reads of a plan goes by `InProfile`. */
  readonly plans: OperatorPlans;
  /**
   * What the calls of a profile go through.
   * @param profile Its name where there are several; undefined for the one, and for a call that is refused.
   * @throws Failure when the profile's credential cannot be read.
   */
  within(profile: string | undefined): Promise<InProfile>;
  /** Closes connections, so that the process can exit. */
  close(): Promise<void>;
}

/** Looks operations up without loading any service but their own. */
const operationsOf =
  (tools: Tools): Context["operationOf"] =>
  async (tool) => {
    const { service = "" } = tools.get(tool) ?? {};
    const declared = await operation(service, tool);
    return declared && { service, declared };
  };

/**
 * The policy of a process.
 * @throws Failure `bad_configuration` when its file cannot be used, or when nobody approves and it allows nothing.
 */
async function policyOf({ values }: Config, tools: Tools): Promise<Policy> {
  const policy =
    values.policy === undefined ? noPolicy : (await import("../policy/file.js")).loadPolicy(values.policy, tools);
  if (values.approval === "off" && !allowsWithoutApproval(policy))
    throw new Failure("bad_configuration", "--approval off needs a policy that allows something.", {
      why: "Where nobody is asked, the policy alone decides what may be changed.",
      next: "Name what is allowed in a file and start with --policy FILE, or leave out --approval off.",
    });
  return policy;
}

const refused = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

/**
 * Reads the setting `published-routes`.
 * @param text Names of tools, separated by commas; undefined for none.
 * @throws Failure `bad_configuration` for a name that is no tool, or a tool that has one route only.
 */
export async function publishedRoutesOf(text: string | undefined, tools: Tools): Promise<ReadonlySet<string>> {
  const names = (text?.split(",") ?? []).map((name) => name.trim());
  for (const name of names) {
    const found = tools.get(name);
    if (!found)
      throw refused(
        `--published-routes names ${shown(name)}, which is no tool${didYouMean(name, tools.keys())}.`,
        "Correct the name, or leave it out; tools are separated by commas.",
      );
    const declared = await operation(found.service, name);
    if (declared?.spec.published === undefined)
      throw refused(
        `--published-routes names ${name}, which has one route only.`,
        "Leave it out: the setting is for tools whose hints name it.",
      );
  }
  return new Set(names);
}

/** The process that runs SQL, which the build puts beside the program. */
export const queryWorker = fileURLToPath(new URL("./query-worker.js", import.meta.url));

/** The queries of a process, made when the first one is run. */
function queriesOnDemand() {
  let isUsed = false;
  const made = lazily(async () => (await import("../query/index.js")).createQueries({ worker: queryWorker }));
  return {
    get: () => {
      isUsed = true;
      return made();
    },
    close: async () => {
      if (isUsed) (await made()).close();
    },
  };
}

/** Memory for answers that were shown in part, and how long they are kept. */
const keptBytes = { owner: 64 * 1024 * 1024, all: 256 * 1024 * 1024 };
/** Room on disk for the rows of long ones, in files of the largest size. */
const keptFiles = { owner: 2, all: 4 };
const keptMs = 30 * minuteMs;

/** The upstream of calls that name no profile, where they have to. */
const nowhere = "no profile";

/** Makes what all profiles of a process share, its plans as the operator sees them, and the function that closes it. */
async function createShared(config: Config, tools: Tools, log: (line: string) => void) {
  const { values } = config;
  const store = createResultStore({
    maxBytesPerOwner: keptBytes.owner,
    maxBytes: keptBytes.all,
    maxDiskBytesPerOwner: keptFiles.owner * values["max-csv-bytes"],
    maxDiskBytes: keptFiles.all * values["max-csv-bytes"],
    ttlMs: keptMs,
  });
  const queries = queriesOnDemand();
  const policy = await policyOf(config, tools);
  const stateDir = stateDirOf(config);
  const isKept = stateDir !== "memory";
  const plans = createPlans({
    ttlMs: values["plan-seconds"] * 1000,
    isConfirmEnough: values.approval === "confirm",
    ...(isKept ? { storage: directoryStorage(stateDir) } : {}),
  });
  const held = createHeldSecrets();
  const audit = openAudit({
    dir: isKept ? join(stateDir, "audit") : "stderr",
    now: Date.now,
    log,
    secrets: held.forms,
  });
  const shared: Shared = {
    operationOf: operationsOf(tools),
    tools,
    plans,
    approval: values.approval,
    policy,
    audit,
    secretFiles: secretFiles(values["secret-dir"] ?? (isKept ? join(stateDir, "secrets") : undefined)),
    accountReadings,
    isReadOnly: values["read-only"],
    workflows,
    search: lazily(async () => (await import("../search/index.js")).openSearch(readSearchIndex())),
    callTimeoutMs: values["call-timeout-ms"],
    onFault: (thrown, tool, requestId) => {
      const { error, frames } = tracedError(thrown);
      log(`edgewise: a fault in ${tool}, request ${JSON.stringify(requestId)}: ${error} at ${frames.join(" < ")}`);
    },
    held,
    resultMs: keptMs,
    store,
    queries: queries.get,
    publishedRoutes: await publishedRoutesOf(values["published-routes"], tools),
  };
  const close = async (): Promise<void> => {
    await Promise.all([audit.close(), queries.close()]);
  };
  return { shared, plans, close };
}

/**
 * Makes the engine of a process.
 * @param configured The profiles; undefined where the other settings say all.
 * @param log Writes a line to a stream that carries no protocol messages.
 * @throws Failure `bad_configuration` when the configuration cannot be used.
 */
export async function createEngine(
  config: Config,
  tools: Tools,
  log: (line: string) => void,
  configured?: ConfiguredProfiles,
): Promise<Engine> {
  const { shared, plans, close } = await createShared(config, tools, log);
  if (configured === undefined) {
    const alone = await createInProfile(config, shared, undefined, { at: 0, isNamed: false });
    return {
      ...alone,
      plans,
      within: async () => alone,
      close: async () => {
        await Promise.all([alone.close(), close()]);
      },
    };
  }
  const { profiles, names } = configured;
  // What is wrong with an address must not wait for a call.
  if (!isEmulated(config)) for (const profile of profiles) originOf(config, profile);
  const made = new Map<string, ReturnType<typeof createInProfile>>();
  const within = (name: string): ReturnType<typeof createInProfile> => {
    const at = profiles.findIndex((one) => one.name === name);
    const isNamed = names !== undefined;
    const known = made.get(name) ?? createInProfile(config, shared, profiles[at], { at, isNamed });
    made.set(name, known);
    // A credential that could not be read may be there for the next call.
    known.catch(() => made.delete(name));
    return known;
  };
  const none: InProfile = {
    calls: refusedCalls(shared),
    results: { keep: () => undefined, get: () => undefined },
    plan: async () => undefined,
    presentation: {
      upstream: nowhere,
      secrets: shared.held.forms,
      maxTokens: config.values["max-result-tokens"],
      isTextOnly: config.values.structured === "off",
    },
    account: nowhere,
  };
  return {
    ...none,
    plans,
    within: async (name) => {
      const chosen = name ?? (names === undefined ? profiles[0]?.name : undefined);
      return chosen === undefined ? none : within(chosen);
    },
    close: async () => {
      const opened = await Promise.allSettled(made.values());
      await Promise.all(opened.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
      await close();
    },
  };
}
