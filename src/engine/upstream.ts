/** Where a profile's calls go and what signs them: the one place where the network and the emulator are chosen between. */
import { type Config, isEmulated } from "../config.js";
import { minuteMs } from "../language/durations.js";
import { Failure } from "../language/failure.js";
import { onceFor } from "../language/once-for.js";
import { readVendorWords, type VendorWords } from "../language/vendor-words.js";
import type { Send } from "../language/wire.js";
import type { CredentialFrom, Profile } from "../profiles/index.js";
import { processUser, readWithStatus } from "../system/file-access.js";
import { authorizer } from "../wire/authorize.js";
import { type Credentials, credentialsIn, readCredentials } from "../wire/edgerc.js";
import type { ClientOptions } from "../wire/index.js";
import { upstreamOrigin } from "../wire/origin.js";

/** The vendor words of a profile, or the configured ones, already validated by the configuration. */
export function vendorWordsOf({ values }: Config, profile?: Profile): { readonly vendorWords?: VendorWords } {
  const vendorWords = profile?.vendorWords ?? readVendorWords(values["vendor-words"]);
  return vendorWords === undefined ? {} : { vendorWords };
}

/**
 * Makes an emulator as the configuration asks for it.
 * @param at The place of a profile among several: each has a world of its own, from a seed of its own.
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
  return { emulator: createEmulator({ world }), credentials: demoCredentials };
}

/**
 * The credentials of variables or of a file.
 * @param from Where they come from; as the settings say, where it is left out.
 * @throws Failure `bad_configuration` when they are configured but cannot be used.
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

/** The way to the network, with the timeouts that are configured; `close` releases its sockets. */
export async function openNetwork({ values }: Config): Promise<{ readonly send: Send; close(): Promise<void> }> {
  const { createSend } = await import("../wire/send.js");
  return createSend({
    connectMs: values["connect-timeout-ms"],
    firstByteMs: values["first-byte-timeout-ms"],
    idleMs: values["idle-timeout-ms"],
  });
}

/** The credentials of one place, read now. */
async function readFrom(config: Config, profile: Profile, isAnyHostAllowed: boolean): Promise<Credentials> {
  const { name, credential: from } = profile;
  if (from.kind === "command") {
    const { runCommand } = await import("../profiles/credential.js");
    const text = await runCommand(name, from);
    return credentialsIn(text, `What the command of the profile ${name} wrote`, { isAnyHostAllowed });
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

/** How long a profile's credential is kept after it was read. */
const keptMs = 15 * minuteMs;

/** Where calls go, and what authorizes them. */
export interface Upstream extends Pick<ClientOptions, "send" | "authorize" | "refused"> {
  readonly origin: string;
  /** The upstream as results name it. */
  readonly label: string;
  /** The host that the credential is for; absent on the emulator, which has one credential. */
  readonly credentialHost?: string;
  /** The account that the credential asks for, if it names one. */
  readonly accountKey: string | undefined;
  /** The client token of the credential as it is now. */
  readonly signer: () => Promise<string>;
  close(): Promise<void>;
}

/** @param onRead Called with each credential that was read, and how long it is used; for ever where that is left out. */
type OnRead = (credentials: Credentials, keptMs?: number) => void;

async function emulated(config: Config, profile: Profile | undefined, at: number, onRead: OnRead): Promise<Upstream> {
  const { emulator, credentials } = await createConfiguredEmulator(config, profile, at);
  onRead(credentials);
  return {
    send: emulator.send,
    origin: `https://${credentials.host}`,
    label: "emulator: nothing real is read or changed",
    accountKey: undefined,
    signer: async () => credentials.clientToken,
    authorize: authorizer(config.values.auth, credentials),
    close: async () => undefined,
  };
}

/** The upstream where no profile is configured: its credentials are read once. */
async function only(config: Config, onRead: OnRead): Promise<Upstream> {
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
  const own = origin ?? `https://${host}`;
  const authorize = authorizer(values.auth, credentials);
  return {
    ...(await openNetwork(config)),
    origin: own,
    label: new URL(own).host,
    credentialHost: host,
    accountKey,
    signer: async () => clientToken,
    authorize,
  };
}

/**
 * Where the calls of a profile would go, its credential read once and not kept; for a look at the configuration.
 * @throws Failure when the credential cannot be read.
 */
export async function openProfile(config: Config, profile: Profile) {
  const origin = originOf(config, profile);
  const { host, place, warnings } = await readFrom(config, profile, origin !== undefined);
  const { name, credential: from } = profile;
  const isOpen = from.kind === "fields" && from.isOpen;
  const open = {
    what: `The file with the credential of the profile ${name} is readable by other users.`,
    next: `Run chmod 600 ${config.values.config}.`,
  };
  return {
    ...(await openNetwork(config)),
    origin: origin ?? `https://${host}`,
    place,
    warnings: isOpen ? [...warnings, open] : warnings,
  };
}

/** The origin that a profile names, or that all of them share. */
export const originOf = ({ values }: Config, { baseUrl }: Profile): string | undefined =>
  baseUrl ?? (values.upstream === undefined ? undefined : upstreamOrigin(values.upstream));

/** The upstream of a profile: its credential is read when it is used, and again after a while. */
async function ofProfile(config: Config, profile: Profile, onRead: OnRead): Promise<Upstream> {
  const origin = originOf(config, profile);
  const { keepCredential } = await import("../profiles/credential.js");
  const source = keepCredential({
    profile: profile.name,
    read: () => readFrom(config, profile, origin !== undefined),
    onRead: (credentials) => onRead(credentials, keptMs),
    keptMs,
  });
  // Nothing below holds on to this one.
  const { host, accountKey } = await source.current();
  const authorizerFor = onceFor((credentials: Credentials) => authorizer(config.values.auth, credentials));
  authorizerFor(await source.current());
  const usedFor = new WeakMap<object, Credentials>();
  const network = await openNetwork(config);
  const own = origin ?? `https://${host}`;
  return {
    send: network.send,
    origin: own,
    label: new URL(own).host,
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
 * @param profile Undefined where none is configured, and the other settings say all.
 * @param at Its place among the profiles.
 * @throws Failure when its credential cannot be read.
 */
export function openUpstream(
  config: Config,
  profile: Profile | undefined,
  at: number,
  onRead: OnRead,
): Promise<Upstream> {
  if (isEmulated(config)) return emulated(config, profile, at, onRead);
  return profile === undefined ? only(config, onRead) : ofProfile(config, profile, onRead);
}
