/**
 * The workflows and composed changes: tools that are made of several calls of operations, and those of the server itself.
 * Each is imported on demand, so that a call loads only the one it needs. Every operation that one calls takes the path
 * of any other call, so the policy, approvals and the audit apply to it.
 */
import type { AnyWorkflow, Tools, Workflows } from "../calls/workflow.js";
import { lazily } from "../language/once-for.js";
import {
  batchTool,
  pageTool,
  planTool,
  queryTool,
  restoreTool,
  resultTool,
  searchTool,
  viewTool,
} from "../language/server-tools.js";
import type { Apis } from "../language/service.js";

/** Tool name to workflow or composed change. */
const workflows = {
  [batchTool]: lazily(async () => (await import("./changes.js")).batch),
  [restoreTool]: lazily(async () => (await import("./changes.js")).restore),
  cert_enrollment_status: lazily(async () => (await import("./certificates.js")).certificateStatus),
  cert_names_update: lazily(async () => (await import("./certificates.js")).certificateNames),
  diagnosis_run: lazily(async () => (await import("./diagnosis.js")).diagnosis),
  change_timeline: lazily(async () => (await import("./change-timeline.js")).changeTimeline),
  [pageTool]: lazily(async () => (await import("./catalogue.js")).operationDescription),
  [searchTool]: lazily(async () => (await import("./catalogue.js")).operationSearch),
  dns_record_remove: lazily(async () => (await import("./dns-records.js")).recordRemoval),
  dns_record_set: lazily(async () => (await import("./dns-records.js")).recordSet),
  expiry_report: lazily(async () => (await import("./expiry-report.js")).expiryReport),
  log_delivery_create: lazily(async () => (await import("./log-delivery.js")).logDeliveryCreation),
  [planTool]: lazily(async () => (await import("./changes.js")).planPreview),
  properties_find: lazily(async () => (await import("./properties-find.js")).propertiesFind),
  property_account_cpcodes_list: lazily(async () => (await import("./account-cpcodes.js")).accountCpCodes),
  property_change_run: lazily(async () => (await import("./property-change.js")).propertyChange),
  property_versions_compare: lazily(async () => (await import("./property-versions.js")).propertyComparison),
  property_rule_tree_update: lazily(async () => (await import("./property-rules.js")).ruleTreeUpdate),
  report_chart: lazily(async () => (await import("./reports.js")).reportChart),
  report_types_list: lazily(async () => (await import("./reports.js")).reportTypeList),
  [resultTool]: lazily(async () => (await import("./kept-results.js")).resultPart),
  [queryTool]: lazily(async () => (await import("./kept-results.js")).resultQuery),
  [viewTool]: lazily(async () => (await import("./kept-results.js")).resultView),
  threat_list_item_find: lazily(async () => (await import("./threat-protection.js")).threatItem),
  threat_undeployed_changes_list: lazily(async () => (await import("./threat-protection.js")).threatUndeployed),
  traffic_compare: lazily(async () => (await import("./traffic-compare.js")).trafficCompare),
  usage_summary: lazily(async () => (await import("./usage-summary.js")).usageSummary),
} satisfies Record<string, () => Promise<AnyWorkflow>>;

/** The workflows that are made of other operations with today's APIs: the same tools with the same arguments. */
const replacementsOfToday: Partial<Readonly<Record<keyof typeof workflows, () => Promise<AnyWorkflow>>>> = {
  dns_record_remove: lazily(async () => (await import("./dns-records-today.js")).recordRemovalToday),
  dns_record_set: lazily(async () => (await import("./dns-records-today.js")).recordSetToday),
  change_timeline: lazily(async () => (await import("./change-timeline.js")).changeTimelineToday),
  expiry_report: lazily(async () => (await import("./expiry-report.js")).expiryReportToday),
  property_change_run: lazily(async () => (await import("./property-change-today.js")).propertyChangeToday),
  diagnosis_run: lazily(async () => (await import("./diagnosis-today.js")).diagnosisToday),
  properties_find: lazily(async () => (await import("./properties-find-today.js")).propertiesFindToday),
};

/** The workflows that only today's APIs allow. */
const additionsOfToday = {
  dns_records_set: lazily(async () => (await import("./dns-record-sets.js")).recordSets),
  property_rollout_run: lazily(async () => (await import("./property-rollout.js")).propertyRollout),
  access_report: lazily(async () => (await import("./access-report.js")).accessReport),
  purge_content_submit: lazily(async () => (await import("./purge-content.js")).purgeContent),
} satisfies Record<string, () => Promise<AnyWorkflow>>;

/** The workflows and composed changes of a setting. */
export const workflowsOf = (apis: Apis): Workflows =>
  apis === "today" ? { ...workflows, ...replacementsOfToday, ...additionsOfToday } : workflows;

/** The workflows and composed changes for the setting that a catalogue is made for. */
export const workflowsFor = (tools: Tools): Workflows =>
  workflowsOf(tools.get(searchTool)?.isOfToday ? "today" : "documents");

/** All workflows of a setting with their names, loaded; for the build, the pages and the tests, never for a call. */
export const allWorkflows = (apis: Apis = "documents"): Promise<[string, AnyWorkflow][]> =>
  Promise.all(
    Object.entries(workflowsOf(apis)).map(async ([name, load]): Promise<[string, AnyWorkflow]> => [name, await load()]),
  );
