/** What calls are made with where a test does not say otherwise: no policy, no quotas, and an audit that keeps its lines. */

import { type Audit, openAudit } from "../../src/audit/index.js";
import type { CallsOptions } from "../../src/calls/index.js";
import { secretFiles } from "../../src/calls/secret-files.js";
import { createPlans } from "../../src/guard/index.js";
import { createQuotas, noPolicy } from "../../src/policy/index.js";

/** An audit whose lines go to a list. */
export const auditTo = (lines: string[]): Audit =>
  openAudit({ dir: "stderr", now: Date.now, log: (line) => void lines.push(line), scrub: (text) => text });

/** A search that finds nothing. */
export const emptySearch: CallsOptions["search"] = async () => ({
  find: () => ({ tools: [], reports: [], resources: [] }),
});

/** The options that have nothing to do with the upstream. */
export const unbound = (): Pick<
  CallsOptions,
  | "plans"
  | "approval"
  | "secrets"
  | "secretFiles"
  | "policy"
  | "quotas"
  | "audit"
  | "accountReadings"
  | "isReadOnly"
  | "tools"
  | "workflows"
  | "search"
  | "callTimeoutMs"
> => ({
  plans: createPlans({ ttlMs: 60_000 }),
  approval: "auto",
  policy: noPolicy,
  quotas: createQuotas([]),
  audit: auditTo([]),
  secrets: [],
  secretFiles: secretFiles(undefined),
  accountReadings: async () => [],
  isReadOnly: false,
  tools: new Map(),
  workflows: {},
  search: emptySearch,
  callTimeoutMs: 10_000,
});
