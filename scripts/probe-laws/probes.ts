/** All probes: those of the contract, and those of the laws that stand elsewhere. */
import { contractProbes } from "./contract.js";
import { otherProbes } from "./others.js";
import type { Probe } from "./probe.js";

export const probes: readonly Probe[] = [...contractProbes, ...otherProbes];
