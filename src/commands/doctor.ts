/** `edgewise doctor`: checks credentials, clock, reachability and grants, and says what to fix. */
import { Failure } from "../api/failure.js";
import { type Send, SendFailure } from "../api/wire.js";
import type { Calls } from "../calls/index.js";
import { gatewayRefusal } from "../client/gateway.js";
import { type Config, isEmulated } from "../config.js";
import { configuredProfiles, type Profile } from "../profiles/index.js";
import { configuredCredentials, openNetwork, openProfile } from "../upstream.js";
import { type Command, print } from "./command.js";
import { accessByService, firstProbe } from "./grants.js";
import { createSurface, emulatedBecause } from "./surface.js";
import { unreadAccess } from "./unread-access.js";

interface Finding {
  readonly isGood: boolean;
  readonly what: string;
  readonly fix?: string;
}

const good = (what: string, next?: string): Finding => ({
  isGood: true,
  what,
  ...(next === undefined ? {} : { fix: next }),
});
const bad = (what: string, fix: string): Finding => ({ isGood: false, what, fix });

/** Requests the upstream's root, unsigned: any response proves that it is reachable and carries its clock. */
async function reach(origin: string, send: Send, proxy: string | undefined): Promise<Finding[]> {
  const sentAt = Date.now();
  try {
    const { headers, body } = await send({
      method: "GET",
      url: new URL("/", origin),
      headers: {},
      timeLeftMs: 20_000,
    });
    for await (const _ of body) break;
    const reached = good(`${origin} answers, in ${Date.now() - sentAt} ms.`);
    const date = Date.parse(headers["date"] ?? "");
    if (Number.isNaN(date)) return [reached];
    const skewSeconds = Math.round((Date.now() - date) / 1000);
    const isClose = Math.abs(skewSeconds) < 25;
    return [
      reached,
      isClose
        ? good(`The clock agrees with the upstream's (${skewSeconds} s).`)
        : bad(
            `The clock is ${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? "ahead" : "behind"}; signatures older than 30 s are refused.`,
            "Synchronize the machine's clock with NTP.",
          ),
    ];
  } catch (error) {
    const reason = error instanceof SendFailure ? error.reason : "reset";
    const fixes: Readonly<Record<string, string>> = {
      name: "The host name does not resolve: check `host` in the credential, and DNS.",
      connect: "No connection: check the network and any firewall.",
      tls: "The certificate was not accepted: check for a proxy that intercepts TLS.",
    };
    if (proxy !== undefined && reason !== "tls")
      return [
        bad(
          `${origin} cannot be reached (${reason}); ${proxy} is set, and Edgewise uses no proxy.`,
          "Let this machine connect to the host directly, or name a gateway that passes requests on with --upstream.",
        ),
      ];
    return [
      bad(`${origin} cannot be reached (${reason}).`, fixes[reason] ?? "Check the network, and any proxy on the way."),
    ];
  }
}

/** What the grants open, in so far as reads can tell. */
async function grants(calls: Calls): Promise<Finding> {
  const access = await accessByService(calls, Date.now());
  const parts = [
    ["open", access.open],
    ["refused", access.refused],
    ["gone", access.gone],
    ["not known", access.unknown],
  ] as const;
  const said = parts.filter(([, titles]) => titles.length > 0).map(([word, titles]) => `${word}: ${titles.join(", ")}`);
  return good(
    `Grants, by one read of each service: ${said.join("; ")}.`,
    "Add the grants that you need to the API client. Whether changes are granted, only a change can show.",
  );
}

/** One signed read, which an API client may or may not be granted: its status shows whether the credential is accepted. */
async function identity(config: Config): Promise<Finding[]> {
  const { engine } = await createSurface(config);
  const { within, close } = await engine();
  try {
    const { calls } = await within(undefined);
    return await accepted(calls, isEmulated(config));
  } finally {
    await close();
  }
}

async function accepted(calls: Calls, isEmulator: boolean): Promise<Finding[]> {
  const probe = await firstProbe(Date.now());
  try {
    await calls.invoke(probe.tool, probe.args);
    // The emulator's client has all grants there are.
    return [good("The credential is accepted."), ...(isEmulator ? [] : [await grants(calls)])];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "forbidden" || error.code === "not_found")
      return [good(`The credential is accepted; it has no grant for ${probe.title}.`), await grants(calls)];
    // Only what has passed the gateway can be gone.
    if (error.detail.status === 410)
      return [good(`The credential is accepted; ${probe.title} answered with 410.`), await grants(calls)];
    const detail = (error.detail.upstream as { detail?: unknown } | undefined)?.detail;
    const said = typeof detail === "string" ? ` The upstream said: ${JSON.stringify(detail.slice(0, 200))}.` : "";
    const refusal = gatewayRefusal(error.detail.status, error.detail.upstream);
    const isOfCredential = error.code === "unauthorized" || error.code === "rejected";
    return [
      bad(
        `${error.message}${said}`,
        isOfCredential && !refusal
          ? "Check that the four values belong to one API client, that it is active, and the clock."
          : error.detail.next,
      ),
    ];
  }
}

async function findings(config: Config): Promise<Finding[]> {
  const { values } = config;
  if (isEmulated(config))
    return [
      good(
        `The embedded emulator serves every call: ${emulatedBecause(config)}.`,
        values.emulator
          ? undefined
          : "For real calls, put an API client's host and three tokens into ~/.edgerc, under [default].",
      ),
      ...(await identity(config)),
    ];
  const credentials = configuredCredentials(config);
  const origin = values.upstream ?? `https://${credentials?.host}`;
  const { send, close } = await openNetwork(config);
  const warnings = (credentials?.warnings ?? []).map(({ what, next }) => bad(what, next));
  const found = [
    good(
      `Credentials are configured${credentials ? ` (section ${values.section ?? "default"})` : ": the emulator's"}.`,
    ),
    ...warnings,
    ...(await reach(origin, send, config.proxyVariable)),
  ];
  await close();
  return found.some(({ what }) => what.includes("cannot be reached")) ? found : [...found, ...(await identity(config))];
}

/** A failure of the configuration as a finding. */
function notUsable(error: unknown): Finding {
  if (!(error instanceof Failure)) throw error;
  return bad(error.message, error.detail.next);
}

/** The configuration with one of its profiles, so that a mistake in another says nothing of this one. */
const onlyIn = (config: Config, { name }: Profile): Config => ({
  ...config,
  values: { ...config.values, profiles: name, profile: name },
});

/** The findings about a profile: its credential is read, by its command where it has one. */
async function findingsIn(config: Config, profile: Profile): Promise<Finding[]> {
  try {
    const { origin, warnings, close, send } = await openProfile(config, profile);
    const found = [
      good(`The credential of the profile ${profile.name} can be read.`),
      ...warnings.map(({ what, next }) => bad(what, next)),
      ...(await reach(origin, send, config.proxyVariable)),
    ];
    await close();
    return found.some(({ isGood }) => !isGood) ? found : [...found, ...(await identity(onlyIn(config, profile)))];
  } catch (error) {
    return [notUsable(error)];
  }
}

/** The findings about all that is configured, each profile under its name. */
async function allFindings(config: Config): Promise<Finding[]> {
  const configured = await configuredProfiles(config.values);
  if (configured === undefined || isEmulated(config)) return findings(config);
  const { profiles } = configured;
  const chosen = config.values.profile;
  const found: Finding[] = [];
  for (const profile of profiles.filter(({ name }) => chosen === undefined || name === chosen)) {
    const own = await findingsIn(config, profile);
    found.push(...own.map((one) => ({ ...one, what: `[${profile.name}] ${one.what}` })));
  }
  return found;
}

export const doctor: Command = async (config) => {
  const unread = unreadAccess(config, process.platform);
  const found = [...(await allFindings(config)), ...(unread === undefined ? [] : [good(unread.what, unread.next)])];
  for (const { isGood, what, fix } of found)
    print(`${isGood ? "ok  " : "FAIL"} ${what}${fix === undefined ? "" : `\n     ${fix}`}`);
  return found.every(({ isGood }) => isGood) ? 0 : 1;
};
