/** The seed of the property tests: the same in each run, so that a red run tells of a change and never of chance. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20261122) });
