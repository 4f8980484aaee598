/** The hostnames that a change reaches, and what they carry. */
import { type Forecast, type Forecasted, isUnknown, type ReachedHostnames } from "../language/forecast.js";
import type { SiteReads } from "./reads.js";
import { trafficOfHostnames } from "./traffic.js";

/** The hostnames that a forecast names. */
const maxNames = 3;

/** The hostnames that are reached: as facts, and all of them. */
export interface Reach {
  readonly facts: ReachedHostnames;
  readonly all: readonly string[];
}

/** @param names The hostnames, those first that matter most; each counts once. */
export function reachOf(names: readonly string[], more: Omit<ReachedHostnames, "total" | "names">): Reach {
  const all = [...new Set(names)];
  return { all, facts: { total: all.length, names: all.slice(0, maxNames), ...more } };
}

/** The facts on what is reached. Reports count the production network alone. */
export async function reachFacts(
  reads: SiteReads,
  network: "production" | "staging",
  reach: Forecasted<Reach>,
): Promise<Pick<Forecast, "hostnames" | "traffic">> {
  if (isUnknown(reach)) return { hostnames: reach };
  if (network === "staging" || reach.all.length === 0) return { hostnames: reach.facts };
  return { hostnames: reach.facts, traffic: await trafficOfHostnames(reads, reach.all) };
}
