/** What is checked of the way to the API: the credential, whether its host can be reached, and the clock. */
import type { Config } from "../../config.js";
import { configuredCredentials, openNetwork, openProfile } from "../../engine/upstream.js";
import type { Send } from "../../language/wire.js";
import { SendFailure } from "../../language/wire.js";
import type { Profile } from "../../profiles/index.js";
import { type Finding, fail, notSet, ok, warning } from "./finding.js";

/** Requests the upstream's root, unsigned: any response proves that it is reachable and carries its clock. */
async function reach(origin: string, send: Send, proxy: string | undefined): Promise<readonly Finding[]> {
  const sentAt = Date.now();
  try {
    const { headers, body } = await send({
      method: "GET",
      url: new URL("/", origin),
      headers: {},
      timeLeftMs: 20_000,
    });
    for await (const _ of body) break;
    const reached = ok("Host", `${origin} answers, in ${Date.now() - sentAt} ms.`);
    const date = Date.parse(headers["date"] ?? "");
    if (Number.isNaN(date))
      return [
        reached,
        warning("Clock", `${origin} names no time, so that the clock cannot be compared.`, "Keep it on time with NTP."),
      ];
    const skewSeconds = Math.round((Date.now() - date) / 1000);
    const isClose = Math.abs(skewSeconds) < 25;
    return [
      reached,
      isClose
        ? ok("Clock", `It agrees with the upstream's (${skewSeconds} s).`)
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
      tls: "The certificate was not accepted: check for a proxy that intercepts TLS.",
    };
    if (proxy !== undefined && reason !== "tls")
      return [
        fail(
          "Host",
          `${origin} cannot be reached (${reason}); ${proxy} is set, and Edgewise uses no proxy.`,
          "Let this machine connect to the host directly, or name a gateway that passes requests on with --upstream.",
        ),
      ];
    return [
      fail(
        "Host",
        `${origin} cannot be reached (${reason}).`,
        fixes[reason] ?? "Check the network, and any proxy on the way.",
      ),
    ];
  }
}

const readFrom = (place: string): Finding =>
  ok("Credential", `Read from ${place.charAt(0).toLowerCase()}${place.slice(1)}.`);

const openFiles = (warnings: readonly { readonly what: string; readonly next: string }[]): readonly Finding[] =>
  warnings.map(({ what, next }) => warning("Credential", what, next));

/** The credential of the settings, and the way to its host. */
export async function fromSettings(config: Config): Promise<readonly Finding[]> {
  const { values } = config;
  const credentials = configuredCredentials(config);
  const origin = values.upstream ?? `https://${credentials?.host}`;
  const { send, close } = await openNetwork(config);
  try {
    return [
      credentials
        ? readFrom(credentials.place)
        : notSet(
            "Credential",
            "None is configured: the emulator's public one is sent to --upstream.",
            "For real calls, put an API client's host and three tokens into ~/.edgerc, under [default].",
          ),
      ...openFiles(credentials?.warnings ?? []),
      ...(await reach(origin, send, config.proxyVariable)),
    ];
  } finally {
    await close();
  }
}

/** The credential of a profile, by its command where it has one, and the way to its host. */
export async function fromProfile(config: Config, profile: Profile): Promise<readonly Finding[]> {
  const { origin, place, warnings, close, send } = await openProfile(config, profile);
  try {
    return [readFrom(place), ...openFiles(warnings), ...(await reach(origin, send, config.proxyVariable))];
  } finally {
    await close();
  }
}
