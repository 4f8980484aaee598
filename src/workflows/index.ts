/** The workflows, each imported on demand, so that a call loads only the one it needs. */
import { lazily } from "../api/lazily.js";
import { pageTool } from "../api/page-tool.js";
import type { Workflow } from "../calls/workflow.js";

/** Tool name to workflow. */
export const workflows = {
  cert_enrollment_status: lazily(async () => (await import("./certificate-status.js")).certificateStatus),
  diagnosis_run: lazily(async () => (await import("./diagnosis.js")).diagnosis),
  [pageTool]: lazily(async () => (await import("./operation-description.js")).operationDescription),
  report_types_list: lazily(async () => (await import("./report-types.js")).reportTypeList),
} satisfies Record<string, () => Promise<Workflow>>;

/** All workflows with their names, loaded; for the build, the pages and the tests, never for a call. */
export const allWorkflows = (): Promise<[string, Workflow][]> =>
  Promise.all(Object.entries(workflows).map(async ([name, load]): Promise<[string, Workflow]> => [name, await load()]));
