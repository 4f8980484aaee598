/** Facts of calls that the tests of the policy make up. */
import type { Destination } from "../../src/language/destination.js";
import type { CallFacts } from "../../src/policy/index.js";

/** A staging purge of one address, changed as a test needs it. */
export const factsWith = (change: Partial<CallFacts> = {}): CallFacts => ({
  ...{ tool: "purge_submit", service: "purge", tier: "guarded", because: ["it is made up"] },
  ...{ section: "default", network: "staging", objects: ["https://www.example.com/a"], count: 1, calls: 1 },
  ...{ destinations: [], isReadOnly: false },
  ...change,
});

export const emailTo = (value: string): Destination => ({ kind: "email", field: "body.to[0]", value });
export const hostTo = (value: string): Destination => ({ kind: "host", field: "body.host", value });
