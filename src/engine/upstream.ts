/**
 * The upstream of a profile and its authorization: the only place that chooses between the network and the emulator.
 */
import { areImportsOffered, type Config, isEmulated } from "../config.js";
import { Failure } from "../language/failure.js";
import { onceFor } from "../language/once-for.js";
import { readVendorWords, type VendorWords } from "../language/vendor-words.js";
import type { Send } from "../language/wire.js";
import type { CredentialFrom, Profile, UsedProfile } from "../profiles/index.js";
import { processUser, readWithStatus } from "../system/file-access.js";
import { minuteMs } from "../time/durations.js";
import { authorizer } from "../wire/authorize.js";
import { type Credentials, credentialsIn, readCredentials } from "../wire/edgerc.js";
import type { ClientOptions } from "../wire/index.js";
import { upstreamOrigin } from "../wire/origin.js";

/** The vendor words of a profile, or the configured ones, which were already validated. */
export function vendorWordsOf({ values }: Config, profile?: Profile): { readonly vendorWords?: VendorWords } {
  const vendorWords = profile?.vendorWords ?? readVendorWords(values["vendor-words"]);
  return vendorWords === undefined ? {} : { vendorWords };
}

/**
 * Creates an emulator as configured.
 * @param at The index of a profile among several: each has its own world, from its own seed.
 */
export async function createConfiguredEmulator(config: Config, profile?: Profile, at = 0) {
  const { values } = config;
  const [{ createEmulator }, { createWorld }, { demoCredentials }] = await Promise.all([
    import("../emulator/index.js"),
    import("../emulator/world.js"),
    import("../emulator/credentials.js"),
  ]);
  const clock = values["emulator-clock"];
  const frozen = clock === undefined ? {} : { frozenAt: Date.parse(clock) };
  const world = createWorld({
    seed: values["emulator-seed"] + at,
    vendor: profile?.vendor ?? values.vendor,
    ...vendorWordsOf(config, profile),
    ...frozen,
  });
  if (!areImportsOffered(config)) return { emulator: createEmulator({ world }), credentials: demoCredentials };
  const { openImported } = await import("./imported.js");
  const imported = openImported(config);
  const [{ serviceEntries }, { importedEntries }] = await Promise.all([
    import("../emulator/services/index.js"),
    import("../emulator/imported.js"),
  ]);
  const entries = [...serviceEntries, ...(imported ? importedEntries(imported.library) : [])];
  return { emulator: createEmulator({ world, entries }), credentials: demoCredentials };
}

/**
 * The credentials of variables or of a file.
 * @param from Their source; by default the one in the settings.
 * @throws Failure `bad_configuration` if they are configured but cannot be used.
 */
export function configuredCredentials(
  config: Config,
  from: Extract<CredentialFrom, { kind: "section" | "file" }> = {
    kind: "section",
    section: config.values.section ?? "default",
  },
  isAnyHostAllowed = config.values.upstream !== undefined,
): Credentials | undefined {
  const { values, given } = config;
  const isProfile = given.has("config") || given.has("profiles");
  return readCredentials({
    edgercPath: (from.kind === "file" ? from.edgerc : undefined) ?? values.edgerc ?? config.defaultEdgercPath,
    isPathExplicit: isProfile || given.has("edgerc") || given.has("section"),
    section: from.section,
    environment: from.kind === "file" ? {} : config.credentialVariables,
    isAnyHostAllowed,
    readFile: readWithStatus,
    user: processUser(),
  });
}

/** The network transport with the configured timeouts; `close` releases its sockets. */
export async function openNetwork({
  values,
  proxyVariables,
}: Config): Promise<{ readonly send: Send; close(): Promise<void> }> {
  const { createSend } = await import("../wire/send.js");
  const limits = {
    connectMs: values["connect-timeout-ms"],
    firstByteMs: values["first-byte-timeout-ms"],
    idleMs: values["idle-timeout-ms"],
  };
  return createSend(limits, proxyVariables);
}

/** Reads the credentials of one source. */
async function readCredentialsFrom(
  config: Config,
  profile: UsedProfile,
  isAnyHostAllowed: boolean,
): Promise<Credentials> {
  const { name, credential: from } = profile;
  if (from.kind === "command") {
    const { runCommand } = await import("../profiles/credential.js");
    const text = await runCommand(name, from);
    return credentialsIn(text, `The output of the command of the profile ${name}`, { isAnyHostAllowed });
  }
  if (from.kind === "fields")
    return credentialsIn(JSON.stringify(from), `The credential of the profile ${name}`, { isAnyHostAllowed });
  const found = configuredCredentials(config, from, isAnyHostAllowed);
  if (!found)
    throw new Failure("bad_configuration", `The profile ${name} has no credential.`, {
      next: `Add the section [${from.section}] to the .edgerc file, or give the profile a credential.`,
    });
  return found;
}

/** How long a profile's credential is used after it was read. */
const keptMs = 15 * minuteMs;

/** The upstream of calls, and their authorization. */
export interface Upstream extends Pick<ClientOptions, "send" | "authorize" | "refused"> {
  readonly origin: string;
  /** The name of the upstream in results. */
  readonly label: string;
  /** The host of the credential; absent for the emulator, which has one credential. */
  readonly credentialHost?: string;
  /** The account that the credential names, if it does. */
  readonly accountKey: string | undefined;
  /** The client token of the present credential. */
  readonly signer: () => Promise<string>;
  close(): Promise<void>;
}

/** @param onRead Called with each credential that was read, and how long it is used; permanently by default. */
type OnRead = (credentials: Credentials, keptMs?: number) => void;

async function openEmulatedUpstream(
  config: Config,
  profile: Profile | undefined,
  at: number,
  onRead: OnRead,
): Promise<Upstream> {
  const { emulator, credentials } = await createConfiguredEmulator(config, profile, at);
  onRead(credentials);
  return {
    send: emulator.send,
    origin: `https://${credentials.host}`,
    label: "emulator",
    accountKey: undefined,
    signer: async () => credentials.clientToken,
    authorize: authorizer(config.values.auth, credentials),
    close: async () => undefined,
  };
}

/** The upstream without profiles: its credentials are read once. */
async function openConfiguredUpstream(config: Config, onRead: OnRead): Promise<Upstream> {
  const { values } = config;
  const origin = values.upstream === undefined ? undefined : upstreamOrigin(values.upstream);
  let credentials: Credentials | undefined = configuredCredentials(config);
  if (!credentials) {
    // A program on this machine, such as `edgewise emulator`, accepts the emulator's published credentials.
    if (!origin?.startsWith("http:"))
      throw new Failure("bad_configuration", "--upstream is set, but no credentials are configured.", {
        next: "Configure credentials in .edgerc or AKAMAI_* variables.",
      });
    credentials = (await import("../emulator/credentials.js")).demoCredentials;
  }
  onRead(credentials);
  const { accountKey, clientToken, host } = credentials;
  const upstreamUrl = origin ?? `https://${host}`;
  const authorize = authorizer(values.auth, credentials);
  return {
    ...(await openNetwork(config)),
    origin: upstreamUrl,
    label: new URL(upstreamUrl).host,
    credentialHost: host,
    accountKey,
    signer: async () => clientToken,
    authorize,
  };
}

/**
 * The target of a profile's calls, for checks of the configuration: its credential is read once and not kept.
 * @throws Failure if the credential cannot be read.
 */
export async function openProfileTarget(config: Config, profile: UsedProfile) {
  const origin = originOf(config, profile);
  const { host, place, warnings } = await readCredentialsFrom(config, profile, origin !== undefined);
  const { name, credential: from } = profile;
  const isOpen = from.kind === "fields" && from.isOpen;
  const openFileWarning = {
    what: `The file with the credential of the profile ${name} is readable by other users.`,
    next: `Run chmod 600 ${config.values.config}.`,
  };
  return {
    ...(await openNetwork(config)),
    origin: origin ?? `https://${host}`,
    place,
    warnings: isOpen ? [...warnings, openFileWarning] : warnings,
  };
}

/** The origin that a profile names, or the common one. */
export const originOf = ({ values }: Config, { baseUrl }: Profile): string | undefined =>
  baseUrl ?? (values.upstream === undefined ? undefined : upstreamOrigin(values.upstream));

/** The upstream of a profile: its credential is read when it is used, and again later. */
async function openProfileUpstream(config: Config, profile: UsedProfile, onRead: OnRead): Promise<Upstream> {
  const origin = originOf(config, profile);
  const { keepCredential } = await import("../profiles/credential.js");
  const source = keepCredential({
    profile: profile.name,
    read: () => readCredentialsFrom(config, profile, origin !== undefined),
    onRead: (credentials) => onRead(credentials, keptMs),
    keptMs,
  });
  // Nothing below keeps this credential, because a later one replaces it.
  const { host, accountKey } = await source.current();
  const authorizerFor = onceFor((credentials: Credentials) => authorizer(config.values.auth, credentials));
  authorizerFor(await source.current());
  const usedFor = new WeakMap<object, Credentials>();
  const network = await openNetwork(config);
  const upstreamUrl = origin ?? `https://${host}`;
  return {
    send: network.send,
    origin: upstreamUrl,
    label: new URL(upstreamUrl).host,
    credentialHost: host,
    accountKey,
    signer: async () => (await source.current()).clientToken,
    async authorize(service, request) {
      const credentials = await source.current();
      const headers = authorizerFor(credentials)(service, request);
      usedFor.set(headers, credentials);
      return headers;
    },
    refused(headers) {
      const credentials = usedFor.get(headers);
      return credentials !== undefined && source.refused(credentials);
    },
    close: async () => {
      source.close();
      await network.close();
    },
  };
}

/**
 * Opens the upstream of a profile.
 * @param profile Undefined if none is configured, so that the other settings apply.
 * @param at Its index among the profiles.
 * @throws Failure if its credential cannot be read.
 */
export function openUpstream(
  config: Config,
  profile: UsedProfile | undefined,
  at: number,
  onRead: OnRead,
): Promise<Upstream> {
  if (isEmulated(config)) return openEmulatedUpstream(config, profile, at, onRead);
  return profile === undefined ? openConfiguredUpstream(config, onRead) : openProfileUpstream(config, profile, onRead);
}
