/** `edgewise http`: serves MCP over HTTP until it is stopped. */
import { hostname } from "node:os";
import { type Config, checkWriters, instanceUrlOf, stateDirOf } from "../config.js";
import { createSurface } from "../engine/create-surface.js";
import type { Surface } from "../engine/surface.js";
import { readTokens } from "../mcp/http/access.js";
import { type HttpCounts, serveHttp } from "../mcp/http/index.js";
import { createMenus } from "../mcp/http/menus.js";
import { serveMetrics } from "../mcp/http/metrics.js";
import { readSignInSettings } from "../mcp/http/oauth/settings.js";
import type { ReadyCheck } from "../mcp/http/readiness.js";
import { createDenialCheck } from "../mcp/http/token-denials.js";
import { createWorkInProgress } from "../mcp/requests-in-progress.js";
import { serverFactory } from "../mcp/server.js";
import { createSubscriptions } from "../mcp/subscriptions.js";
import { type Command, log, refuse } from "./command.js";
import { type ClientSignIn, deskOf } from "./desk.js";

/** The clients and the approvers, who must not share secrets: else a client could approve its own plans. */
function holdersOf(clientFile: string | undefined, approverFile: string | undefined) {
  const clients = clientFile === undefined ? [] : readTokens("--token-file", clientFile, "client");
  const approvers = approverFile === undefined ? [] : readTokens("--approver-token-file", approverFile, "approver");
  if (approvers.some(({ token }) => clients.some((client) => client.token === token)))
    refuse(
      "A token is in both --token-file and --approver-token-file.",
      "Give approvers different secrets.",
      "A client could approve its own plans.",
    );
  return { clients, approvers };
}

/** How long an issuer counts as reachable once it has answered. */
const reachableMs = 30_000;

/** Whether the issuers can be asked for their keys. */
function issuersCheck({ issuers }: ClientSignIn["settings"]): () => Promise<void> {
  let reachableUntilMs = 0;
  return async () => {
    if (performance.now() < reachableUntilMs) return;
    const { discover } = await import("../mcp/http/oauth/issuer.js");
    await Promise.all(issuers.map(discover));
    reachableUntilMs = performance.now() + reachableMs;
  };
}

/** What the server depends on. */
const checksOf = ({ values }: Config, { engine }: Surface, signIn: ClientSignIn | undefined): readonly ReadyCheck[] => [
  ...(values.store === undefined ? [] : [{ name: "store", check: async () => (await engine()).state.check() }]),
  ...(signIn === undefined ? [] : [{ name: "issuer", check: issuersCheck(signIn.settings) }]),
];

/** An address in the form of the setting; without a host it is loopback. */
function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const [, ipv6, name, digits] = /^(?:\[([0-9a-f:.]+)\]:|([^:\s]+):)?(\d{1,5})$/i.exec(address) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    refuse(
      "--metrics-address takes a port, or HOST:PORT.",
      "Write --metrics-address 9464, or 0.0.0.0:9464 for other machines.",
    );
  return { host: ipv6 ?? name ?? "127.0.0.1", port };
}

/** Serves the metrics of the process, if they are wanted. */
async function openMetrics({ values }: Config, { telemetry }: Surface) {
  const meters = telemetry?.meters;
  const address = values["metrics-address"];
  if (!meters || address === undefined) return undefined;
  const served = await serveMetrics(meters, hostAndPort(address));
  const responses = meters.counter("edgewise_http_responses_total", "Responses over HTTP, by status.", ["status"]);
  return {
    ...served,
    onResponse: (status: number) => responses(String(status)),
    /** Adds what clients hold. */
    watch(counts: () => Promise<HttpCounts>): void {
      const held = {
        sessions: "Open sessions.",
        streams: "Streams on which clients listen.",
        connections: "Open connections.",
      };
      for (const name of Object.keys(held) as (keyof HttpCounts)[])
        meters.gauge(`edgewise_${name}`, held[name], async () => (await counts())[name]);
    },
  };
}

/** How long calls that were cut off may take to record how they have ended. */
const settleMs = 2_000;

/** The sign-in with identity providers; without one, nothing of it is loaded. */
async function signInOf({ values }: Config): Promise<ClientSignIn | undefined> {
  const settings = readSignInSettings(values);
  if (settings === undefined) return undefined;
  const { createSignIn } = await import("../mcp/http/oauth/sign-in.js");
  return { settings, signIn: createSignIn(settings) };
}

/** The tokens that an operator has denied, which is done in a state that other processes share. */
const denialCheckOf = (config: Config, { engine }: Surface) =>
  config.values.store === undefined && stateDirOf(config) === "memory"
    ? {}
    : { isDenied: createDenialCheck(async () => (await engine()).state.deniedTokens()) };

/** The URL at which other instances reach this one, if no other was set: its address, or the name of the machine. */
function defaultInstanceUrl(served: string): string {
  const url = new URL("/", served);
  if (["0.0.0.0", "[::]"].includes(url.hostname)) url.hostname = hostname();
  return url.href;
}

export const httpCommand: Command = async (config) => {
  const { values } = config;
  checkWriters(config);
  // The other instances forward requests under this name.
  const instanceHost = instanceUrlOf(config)?.host ?? hostname();
  const { clients, approvers } = holdersOf(values["token-file"], values["approver-token-file"]);
  const signIn = await signInOf(config);
  const surface = await createSurface(config, log);
  const denialCheck = denialCheckOf(config, surface);
  const desk = deskOf(config, surface, approvers, { signIn, ...denialCheck });
  const subscriptions = createSubscriptions(surface);
  const inProgress = createWorkInProgress();
  const metrics = await openMetrics(config, surface);
  const { url, counts, close } = await serveHttp({
    build: serverFactory(surface, undefined, subscriptions, inProgress),
    subscriptions,
    readyChecks: checksOf(config, surface, signIn),
    ...(metrics ? { onResponse: metrics.onResponse } : {}),
    drainMs: values["drain-seconds"] * 1_000,
    menuAt: createMenus(surface),
    host: values.host,
    port: values.port,
    log,
    allowedHosts: [values["allowed-hosts"] ?? "", instanceHost]
      .join()
      .split(",")
      .filter((host) => host !== ""),
    clients,
    ...(signIn && { signIn: signIn.signIn }),
    ...denialCheck,
    allowsWrites: values["allow-writes"],
    ...(values.store === undefined ? {} : { instances: async () => (await surface.engine()).state.instances }),
    ...(desk && { desk }),
  });
  if (values.store !== undefined) {
    const { state } = await surface.engine();
    await state.instances?.serveAt(values["instance-url"] ?? defaultInstanceUrl(url));
  }
  metrics?.watch(counts);
  log(surface.notice);
  if (metrics) log(`edgewise: metrics are at ${metrics.url}`);
  log(`edgewise: serving MCP at ${url}`);
  if (desk) log(`edgewise: approvers find waiting plans at ${new URL("plans", values["oauth-resource"] ?? url).href}`);
  const issuer = values["oauth-issuer"];
  if (issuer !== undefined) log(`edgewise: clients sign in with ${issuer}`);
  if (!values["allow-writes"])
    log("edgewise: clients can only read; --allow-writes lets those with a token make changes");
  await untilStopped();
  log("edgewise: stopping; calls in progress are waited for");
  await close();
  // A change that was cut off records that its outcome is unknown.
  await inProgress.idle(settleMs);
  await surface.close();
  await metrics?.close();
  return 0;
};

const signals = ["SIGINT", "SIGTERM"] as const;

/** Resolves when the process is asked to stop; a second signal, also another one, ends it immediately. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const name of signals) process.off(name, stop);
      resolve();
    };
    for (const name of signals) process.on(name, stop);
  });
}
