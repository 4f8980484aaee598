/**
 * Checks of the connection to the API: the credential, its host, the clock, and with signed reads the account and its
 * grants.
 */
import { existsSync } from "node:fs";
import { readAccountName } from "../../calls/account.js";
import type { Calls } from "../../calls/index.js";
import { operatorOrigin } from "../../calls/origin.js";
import { apisOf, type Config, stateDirOf } from "../../config.js";
import { createSurface } from "../../engine/create-surface.js";
import type { ProfileRuntime } from "../../engine/in-profile.js";
import type { Surface } from "../../engine/surface.js";
import { accountsInWords, accountsNamed } from "../../engine/switch-key.js";
import { configuredCredentials, openNetwork, openProfileTarget } from "../../engine/upstream.js";
import type { AnyOperation } from "../../language/define.js";
import { isRead } from "../../language/effect.js";
import { Failure, quoteValue } from "../../language/failure.js";
import type { Apis, Service } from "../../language/service.js";
import { type Send, SendFailure } from "../../language/wire.js";
import { resolvedExample } from "../../pages/example.js";
import { type Profile, type UsedProfile, withEachCredential } from "../../profiles/index.js";
import { argumentsSchema } from "../../schema/arguments.js";
import { accountReadings, allServices } from "../../tools/index.js";
import { gatewayRefusal } from "../../wire/gateway.js";
import { log } from "../command.js";
import { type DoctorFinding, fail, forRealCalls, notSet, pass, warning } from "./finding.js";

/** Requests the upstream's root, unsigned: any response proves that it is reachable, and has its time. */
async function hostFindings(origin: string, send: Send): Promise<readonly DoctorFinding[]> {
  const sentAt = Date.now();
  try {
    const { headers, body } = await send({
      method: "GET",
      url: new URL("/", origin),
      headers: {},
      timeLeftMs: 20_000,
    });
    for await (const _ of body) break;
    const reached = pass("Host", `${origin} responds, in ${Date.now() - sentAt} ms.`);
    const date = Date.parse(headers["date"] ?? "");
    if (Number.isNaN(date))
      return [
        reached,
        warning("Clock", `${origin} sends no time, so the clock cannot be compared.`, "Keep it on time with NTP."),
      ];
    const skewSeconds = Math.round((Date.now() - date) / 1000);
    const isClose = Math.abs(skewSeconds) < 25;
    return [
      reached,
      isClose
        ? pass("Clock", `It agrees with the upstream's (${skewSeconds} s).`)
        : fail(
            "Clock",
            `The clock is ${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? "ahead" : "behind"}; signatures older than 30 s are refused.`,
            "Synchronize the machine's clock with NTP.",
          ),
    ];
  } catch (error) {
    const reason = error instanceof SendFailure ? error.reason : "reset";
    const fixes: Readonly<Record<string, string>> = {
      name: "The host name does not resolve: check `host` in the credential, and DNS.",
      connect: "No connection: check the network and any firewall.",
      proxy: "Check the proxy that HTTPS_PROXY or HTTP_PROXY names, or name the host in NO_PROXY to connect directly.",
      tls: "The certificate was rejected: check for a proxy that intercepts TLS.",
    };
    const next = fixes[reason] ?? "Check the network, and any proxy in between.";
    return [fail("Host", `${origin} cannot be reached (${reason}).`, next)];
  }
}

const credentialPlace = (place: string): DoctorFinding =>
  pass("Credential", `Read from ${place.charAt(0).toLowerCase()}${place.slice(1)}.`);

const warningFindings = (
  warnings: readonly { readonly what: string; readonly next: string }[],
): readonly DoctorFinding[] => warnings.map(({ what, next }) => warning("Credential", what, next));

/** The credential of the settings, and the connection to its host. */
export async function settingsFindings(config: Config): Promise<readonly DoctorFinding[]> {
  const { values } = config;
  const credentials = configuredCredentials(config);
  const origin = values.upstream ?? `https://${credentials?.host}`;
  const { send, close } = await openNetwork(config);
  try {
    return [
      credentials
        ? credentialPlace(credentials.place)
        : notSet("Credential", "None is configured: the emulator's public one is sent to --upstream.", forRealCalls),
      ...warningFindings(credentials?.warnings ?? []),
      ...(await hostFindings(origin, send)),
    ];
  } finally {
    await close();
  }
}

/** The credentials of a profile, and the connections to their hosts. */
export async function profileFindings(config: Config, profile: Profile): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const used of withEachCredential(profile)) findings.push(...(await fromCredential(config, used)));
  return findings;
}

/** One credential, from its command if it has one, and the connection to its host. */
async function fromCredential(config: Config, profile: UsedProfile): Promise<readonly DoctorFinding[]> {
  const { origin, place, warnings, close, send } = await openProfileTarget(config, profile);
  try {
    return [credentialPlace(place), ...warningFindings(warnings), ...(await hostFindings(origin, send))];
  } finally {
    await close();
  }
}

/** What a read has shown: the service responded, a grant is missing, the service is no longer offered, or unknown. */
type Access = "open" | "refused" | "gone" | "not known";

export interface Probe {
  /** The title of its service. */
  readonly title: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const parametersIn = ({ route }: AnyOperation): number => route.split("{").length;

/**
 * The simplest GET of a service: one without arguments, or else the one with the shortest path, with the arguments of
 * its example.
 */
export function probeOf({ title, operations }: Service, nowMs: number): Probe | undefined {
  const reads = Object.entries(operations).filter(
    ([, one]) => one.route.startsWith("GET ") && isRead(one) && !one.spec.secretTo,
  );
  const bare = reads.find(([, one]) => argumentsSchema(one).safeParse({}).success);
  if (bare) return { title, tool: bare[0], args: {} };
  const [shortest] = reads.sort(([, a], [, b]) => parametersIn(a) - parametersIn(b));
  return shortest && { title, tool: shortest[0], args: resolvedExample(shortest[1].spec.example, nowMs) };
}

/**
 * The read that shows whether a credential is accepted, of an API that the vendor runs and has not replaced.
 * @throws Error if no service has one.
 */
async function firstProbe(services: readonly Service[], nowMs: number): Promise<Probe> {
  for (const service of services) {
    const { state, successor } = service.standing;
    const probe = state === "alive" && successor === undefined ? probeOf(service, nowMs) : undefined;
    if (probe) return probe;
  }
  throw new Error("No service is alive.");
}

/** What a refusal shows. A 404 can mean a missing example object, a hidden route, or a retired service. */
export function accessAfter({ code, detail }: Failure): Access {
  if (code === "forbidden") return "refused";
  if (detail.status === 410) return "gone";
  const isOfService = code === "rejected" && !gatewayRefusal(detail.status, detail.upstream);
  return isOfService ? "open" : "not known";
}

/** What one read of a service shows. */
async function accessTo(calls: Calls, service: Service, nowMs: number): Promise<Access> {
  const probe = probeOf(service, nowMs);
  if (!probe) return "not known";
  try {
    await calls.invoke(probe.tool, probe.args);
    return "open";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return accessAfter(error);
  }
}

/** The grants, as far as reads can show them. */
async function grantsFinding(calls: Calls, services: readonly Service[]): Promise<DoctorFinding> {
  const nowMs = Date.now();
  const accesses = await Promise.all(services.map((service) => accessTo(calls, service, nowMs)));
  const accessLines = (["open", "refused", "gone", "not known"] as const).flatMap((access) => {
    const titles = services.filter((_, at) => accesses[at] === access).map(({ title }) => title);
    return titles.length > 0 ? [`${access}: ${titles.join(", ")}`] : [];
  });
  const isAllOpen = accesses.every((access) => access === "open");
  const what = `By one read of each service: ${isAllOpen ? `all ${services.length} are accessible` : accessLines.join("; ")}.`;
  const next = "Add the grants that you need to the API client. Grants for changes can only be tested by a change.";
  return accesses.includes("open") ? pass("Grants", what, next) : warning("Grants", what, next);
}

/** The name of the account, if the grants allow reading it. */
async function accountFinding({ calls, account: where }: ProfileRuntime, apis: Apis): Promise<DoctorFinding> {
  const known = await readAccountName(await accountReadings(apis), (tool, args) => calls.invoke(tool, args));
  return known
    ? pass("Account", `Calls act on ${known.name} (${known.id}), by ${where}.`)
    : warning(
        "Account",
        `Calls act on the account of ${where}; its name cannot be read with these grants.`,
        "Check that it is the account you mean: previews cannot name it either.",
      );
}

/** The other accounts on which calls could act, by the switch key that a profile takes; nothing if there are none. */
async function otherAccounts({ calls }: ProfileRuntime): Promise<readonly DoctorFinding[]> {
  try {
    const found = await accountsNamed(calls);
    return found.length === 0
      ? []
      : [pass("Accounts", `The API client can switch to ${found.length}: ${accountsInWords(found)}.`)];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}

/** The accounts with a part in their names, for a profile that is to act on one. */
export async function accountsFinding(baseConfig: Config, part: string): Promise<DoctorFinding> {
  // The search is one of today's operations, whatever the server is to offer.
  const config = { ...baseConfig, values: { ...baseConfig.values, apis: "today" } } as const;
  const accounts = await withSignedReads(config, ({ calls }) => accountsNamed(calls, part));
  if (accounts.length > 0)
    return pass(
      "Accounts",
      `${accountsInWords(accounts)}.`,
      "Write the key into the profile as accountSwitchKey, or the name as account.",
    );
  return warning(
    "Accounts",
    `The API client can switch to no account with ${quoteValue(part)} in its name.`,
    "Give another part of its name, or of its key.",
  );
}

/**
 * One signed read, for which an API client may or may not have a grant: its status shows whether the credential is
 * accepted.
 */
async function credentialFindings(inProfile: ProfileRuntime, apis: Apis): Promise<readonly DoctorFinding[]> {
  const services = await allServices(apis);
  const probe = await firstProbe(services, Date.now());
  const findingsAfter = async (what: string) => [
    pass("Signature", what),
    await accountFinding(inProfile, apis),
    ...(apis === "today" ? await otherAccounts(inProfile) : []),
    await grantsFinding(inProfile.calls, services),
  ];
  try {
    await inProfile.calls.invoke(probe.tool, probe.args);
    return await findingsAfter("The credential is accepted.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "forbidden" || error.code === "not_found")
      return findingsAfter(`The credential is accepted; it has no grant for ${probe.title}.`);
    // A 410 comes from behind the gateway.
    if (error.detail.status === 410)
      return findingsAfter(`The credential is accepted; ${probe.title} answered with 410.`);
    const detail = (error.detail.upstream as { detail?: unknown } | undefined)?.detail;
    const upstreamMessage =
      typeof detail === "string" ? ` The upstream's message: ${JSON.stringify(detail.slice(0, 200))}.` : "";
    const refusal = gatewayRefusal(error.detail.status, error.detail.upstream);
    const isOfCredential = error.code === "unauthorized" || error.code === "rejected";
    return [
      fail(
        "Signature",
        `${error.message}${upstreamMessage}`,
        isOfCredential && !refusal
          ? "Check that the four values belong to one API client, that it is active, and the clock."
          : error.detail.next,
      ),
    ];
  }
}

/**
 * Makes signed reads with a configuration that has at most one profile. They do not create the state directory: without
 * one they are not recorded either.
 */
export async function withSignedReads<T>(
  baseConfig: Config,
  read: (inProfile: ProfileRuntime, surface: Surface) => Promise<T>,
): Promise<T> {
  const isRecorded = stateDirOf(baseConfig) === "memory" || existsSync(stateDirOf(baseConfig));
  const config = isRecorded ? baseConfig : { ...baseConfig, values: { ...baseConfig.values, "state-dir": "memory" } };
  const surface = await createSurface(config, isRecorded ? log : () => undefined);
  try {
    return await read(await (await surface.engine()).runtimeFor(undefined, operatorOrigin), surface);
  } finally {
    await surface.close();
  }
}

/** The findings of signed reads with a configuration that has at most one profile. */
export const signatureFindings = (config: Config): Promise<readonly DoctorFinding[]> =>
  withSignedReads(config, (inProfile) => credentialFindings(inProfile, apisOf(config).apis));
