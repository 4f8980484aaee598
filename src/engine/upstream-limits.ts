/** The limiters of a process: one set for each profile, whichever credential its calls are signed with. */
import { type Config, isEmulated } from "../config.js";
import type { State } from "../state/index.js";
import type { Meters } from "../telemetry/meters.js";
import { createLimiters, type Limiters } from "../wire/limiter.js";
import { isOnThisMachine } from "../wire/origin.js";
import type { Upstream } from "./upstream.js";

/** Finds the limiters of a profile on an upstream; without profiles its name is empty. */
export type LimiterLookup = (profile: string, upstream: Pick<Upstream, "origin" | "label">) => Limiters;

/** @param meters The metrics of the process, to which the requests that wait and that were sent are added. */
export function createUpstreamLimits(config: Config, state: State, meters: Meters | undefined): LimiterLookup {
  const { values } = config;
  const known = new Map<string, { readonly profile: string; readonly limiters: Limiters }>();
  meters?.gauge("edgewise_upstream_pending", "Requests for each API that wait for their turn, or for a response.", () =>
    [...known.values()].flatMap(({ profile, limiters }) =>
      limiters.counts().flatMap(({ api, waiting, running }) => [
        { labels: { profile, api, state: "waiting" }, value: waiting },
        { labels: { profile, api, state: "sent" }, value: running },
      ]),
    ),
  );
  return (profile, { origin, label }) => {
    const name = `${profile} ${label}`;
    const limiters =
      known.get(name)?.limiters ??
      createLimiters({
        concurrency: values["upstream-concurrency"],
        queue: values["upstream-queue"],
        isPublishedObeyed: !isEmulated(config) && !isOnThisMachine(origin),
        ...(state.upstreamLimits && { shared: state.upstreamLimits(name) }),
      });
    known.set(name, { profile, limiters });
    return limiters;
  };
}
