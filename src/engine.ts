/** Puts the client, the guard and the upstream together: the one place where the client and the emulator meet. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRowFiles } from "./answers/row-files.js";
import { scrubbed, secretForms } from "./answers/secret-forms.js";
import { createResultStore } from "./answers/store.js";
import { tracedError } from "./answers/trace.js";
import { type Account, accountKey, accountText } from "./api/account.js";
import { Failure } from "./api/failure.js";
import { lazily } from "./api/lazily.js";
import { readVendorWords, type VendorWords } from "./api/vendor-words.js";
import type { Send } from "./api/wire.js";
import { openAudit } from "./audit/index.js";
import { type Context, createCalls, type Tools } from "./calls/index.js";
import { createResults } from "./calls/results.js";
import { secretFiles } from "./calls/secret-files.js";
import { authorizer } from "./client/authorize.js";
import { type Credentials, readCredentials, secretsOf } from "./client/edgerc.js";
import { createClient } from "./client/index.js";
import { type Config, isEmulated } from "./config.js";
import { createPlans } from "./guard/index.js";
import { directoryStorage } from "./guard/plans/directory.js";
import { readSearchIndex } from "./mcp/catalogue.js";
import type { Engine } from "./mcp/surface.js";
import { allowsWithoutApproval, createQuotas, noPolicy, type Policy } from "./policy/index.js";
import { publishedRoutesOf } from "./published-routes.js";
import { stateDirOf } from "./state-dir.js";
import { accountReadings, operation } from "./tools/index.js";
import { workflows } from "./workflows/index.js";

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The origin that `--upstream` names. */
function upstreamOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && (url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname)));
  if (!isUsable || url.username !== "" || (url.pathname !== "/" && url.pathname !== "") || url.search !== "")
    throw new Failure("bad_configuration", "--upstream takes the URL of an origin.", {
      why: "Plain http carries signed requests in the clear, so it is accepted on a loopback address only.",
      next: "Write https://HOST, or http://127.0.0.1:PORT for a program on this machine.",
    });
  return url.origin;
}

/** The configured vendor words, already validated by the configuration. */
function vendorWordsOf({ values }: Config): { readonly vendorWords?: VendorWords } {
  const vendorWords = readVendorWords(values["vendor-words"]);
  return vendorWords === undefined ? {} : { vendorWords };
}

/** Makes the emulator that the configuration asks for. */
export async function createConfiguredEmulator(config: Config) {
  const { values } = config;
  const [{ createEmulator }, { createWorld }, { demoCredentials }] = await Promise.all([
    import("./emulator/index.js"),
    import("./emulator/world.js"),
    import("./emulator/credentials.js"),
  ]);
  const clock = values["emulator-clock"];
  const frozen = clock === undefined ? {} : { frozenAt: Date.parse(clock) };
  const world = createWorld({
    seed: values["emulator-seed"],
    vendor: values.vendor,
    ...vendorWordsOf(config),
    ...frozen,
  });
  return { emulator: createEmulator({ world }), credentials: demoCredentials };
}

/**
 * The credentials that are configured.
 * @throws Failure `bad_configuration` when they are configured but cannot be used.
 */
export function configuredCredentials(config: Config): Credentials | undefined {
  const { values, given } = config;
  return readCredentials({
    edgercPath: values.edgerc ?? config.defaultEdgercPath,
    isPathExplicit: given.has("edgerc") || given.has("section"),
    section: values.section ?? "default",
    environment: config.credentialVariables,
    isAnyHostAllowed: values.upstream !== undefined,
    readFile: (path) => ({ text: readFileSync(path, "utf8"), mode: statSync(path).mode }),
  });
}

/** The way to the network, with the timeouts that are configured; `close` releases its sockets. */
export async function openNetwork({ values }: Config): Promise<{ readonly send: Send; close(): Promise<void> }> {
  const { createSend } = await import("./client/send.js");
  return createSend({
    connectMs: values["connect-timeout-ms"],
    firstByteMs: values["first-byte-timeout-ms"],
    idleMs: values["idle-timeout-ms"],
  });
}

interface Upstream {
  readonly send: Send;
  readonly origin: string;
  readonly credentials: Credentials;
  readonly label: string;
  close(): Promise<void>;
}

async function upstreamOf(config: Config): Promise<Upstream> {
  const { values } = config;
  if (isEmulated(config)) {
    const { emulator, credentials } = await createConfiguredEmulator(config);
    return {
      send: emulator.send,
      origin: `https://${credentials.host}`,
      credentials,
      label: "emulator: nothing real is read or changed",
      close: async () => undefined,
    };
  }
  const origin = values.upstream === undefined ? undefined : upstreamOrigin(values.upstream);
  let credentials: Credentials | undefined = configuredCredentials(config);
  if (!credentials) {
    // A program on this machine, such as `edgewise emulator`, accepts the emulator's published credentials.
    if (!origin?.startsWith("http:"))
      throw new Failure("bad_configuration", "--upstream is set, but no credentials are configured.", {
        next: "Configure credentials in .edgerc or AKAMAI_* variables.",
      });
    credentials = (await import("./emulator/credentials.js")).demoCredentials;
  }
  const { send, close } = await openNetwork(config);
  const own = origin ?? `https://${credentials.host}`;
  return { send, origin: own, credentials, label: new URL(own).host, close };
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
    values.policy === undefined ? noPolicy : (await import("./policy/file.js")).loadPolicy(values.policy, tools);
  if (values.approval === "off" && !allowsWithoutApproval(policy))
    throw new Failure("bad_configuration", "--approval off needs a policy that allows something.", {
      why: "Where nobody is asked, the policy alone decides what may be changed.",
      next: "Name what is allowed in a file and start with --policy FILE, or leave out --approval off.",
    });
  return policy;
}

/** The process that runs SQL, which the build puts beside the program. */
const queryWorker = fileURLToPath(new URL("./query-worker.js", import.meta.url));

/** The queries of a process, made when the first one is run. */
function queriesOnDemand() {
  let isUsed = false;
  const made = lazily(async () => (await import("./query/index.js")).createQueries({ worker: queryWorker }));
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
const keptMs = 30 * 60_000;

/**
 * Makes the engine of a process.
 * @param log Writes a line to a stream that carries no protocol messages.
 * @throws Failure `bad_configuration` when the configuration cannot be used.
 */
export async function createEngine(config: Config, tools: Tools, log: (line: string) => void): Promise<Engine> {
  const { values } = config;
  const { send, origin, credentials, label, close } = await upstreamOf(config);
  const switchKey = values["account-switch-key"] ?? credentials.accountKey;
  const secrets = secretForms(secretsOf(credentials));
  const rowFiles = createRowFiles({ maxBytes: values["max-csv-bytes"], secrets });
  const client = createClient({
    send,
    target: {
      origin,
      vendor: values.vendor,
      ...vendorWordsOf(config),
      ...(switchKey === undefined ? {} : { accountSwitchKey: switchKey }),
      publishedRoutes: await publishedRoutesOf(values["published-routes"], tools),
    },
    authorize: authorizer(values.auth, credentials),
    maxResponseBytes: values["max-response-bytes"],
    rowFiles,
    isEmulated: isEmulated(config),
  });
  const account: Account = {
    section: values.section ?? "default",
    host: label,
    isEmulated: isEmulated(config),
    ...(switchKey === undefined ? {} : { switchKey }),
  };
  const store = createResultStore({
    maxBytesPerOwner: keptBytes.owner,
    maxBytes: keptBytes.all,
    maxDiskBytesPerOwner: keptFiles.owner * values["max-csv-bytes"],
    maxDiskBytes: keptFiles.all * values["max-csv-bytes"],
    ttlMs: keptMs,
  });
  const key = accountKey(account);
  const kept: Engine["results"] = {
    keep: (owner, whole, told) => store.keep(owner, key, whole, told),
    get: (owner, handle) => store.get(owner, key, handle),
  };
  const queries = queriesOnDemand();
  const policy = await policyOf(config, tools);
  const stateDir = stateDirOf(config);
  const isKept = stateDir !== "memory";
  const plans = createPlans({
    ttlMs: values["plan-seconds"] * 1000,
    ...(isKept ? { storage: directoryStorage(stateDir) } : {}),
  });
  const audit = openAudit({
    dir: isKept ? join(stateDir, "audit") : "stderr",
    now: Date.now,
    log,
    scrub: (text) => scrubbed(text, secrets),
  });
  const calls = createCalls({
    operationOf: operationsOf(tools),
    tools,
    client,
    plans,
    approval: values.approval,
    policy,
    quotas: createQuotas(policy.quotas),
    audit,
    secrets,
    signer: credentials.clientToken,
    secretFiles: secretFiles(values["secret-dir"] ?? (isKept ? join(stateDir, "secrets") : undefined)),
    accountReadings,
    account,
    isReadOnly: values["read-only"],
    workflows,
    results: createResults({
      store: kept,
      queries: queries.get,
      secrets,
      maxTokens: values["max-result-tokens"],
    }),
    search: lazily(async () => (await import("./search/index.js")).openSearch(readSearchIndex())),
    callTimeoutMs: values["call-timeout-ms"],
    onFault: (thrown, tool, requestId) => {
      const { error, frames } = tracedError(thrown);
      log(`edgewise: a fault in ${tool}, request ${JSON.stringify(requestId)}: ${error} at ${frames.join(" < ")}`);
    },
  });
  return {
    calls,
    results: kept,
    plans,
    close: async () => {
      await Promise.all([close(), audit.close(), queries.close()]);
      rowFiles.close();
    },
    presentation: {
      upstream: label,
      secrets,
      maxTokens: values["max-result-tokens"],
      isTextOnly: values.structured === "off",
    },
    account: accountText(account),
  };
}
