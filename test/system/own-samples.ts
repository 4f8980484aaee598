/** Small samples of the project's own, for every service: shapes of the public facts, and made-up values. */
import type { Row } from "./replay.js";

/** A call with what it sends and what the upstream answers. */
export type OwnSample = Pick<Row, "tool" | "args" | "status" | "type" | "also" | "value"> & {
  readonly request?: unknown;
  readonly answer?: unknown;
};

const problem = "application/problem+json";
const change = "/cps/v2/enrollments/7/changes/8";
const place = { contractId: "C-1FRYVV3", groupId: "11111" };
const property = { accountId: "act_1-A", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const zone = {
  name: "fresh.example",
  soa: {
    contact: "hostmaster.fresh.example.",
    originserver: "ns1.fresh.example.",
    serial: 2026052001,
    refresh: 900,
    retry: 300,
    expire: 604_800,
    minimum: 180,
    ttl: 900,
  },
  ns: [{ name: "", target: "ns1.fresh.example.", ttl: 3_600, active: true }],
  "kept-too": [{ name: null }],
};
const info = { id: 31, policyId: 30, version: 2, policyName: "sale", matchRules: null, extra: { kept: [0, ""] } };
const enveloped = (response: unknown) => ({ responseCode: 0, response, i18nCode: 0, englishMessage: null });
const report = { reportName: "endpoint-usage-by-time", version: 1 };
const month = { productId: "M-1", month: 2, year: 2026 };

export const ownSamples: readonly OwnSample[] = [
  {
    tool: "contract_groups_list",
    answer: [
      { id: 11111, name: "shop" },
      { id: 22222, name: "*.example.net" },
    ],
    status: 200,
  },
  {
    tool: "contract_product_summary_get",
    args: { contractId: "C-1FRYVV3" },
    answer: { title: "Forbidden resource", status: 403, errors: [{ title: "from", detail: "too early" }] },
    status: 403,
    type: problem,
  },
  {
    tool: "purge_submit",
    args: { queueName: "default" },
    request: { objects: ["https://www.example.com/a b.css"], action: "invalidate", type: "arl", domain: "staging" },
    answer: {
      httpStatus: 201,
      detail: "Request accepted.",
      estimatedSeconds: 240,
      purgeId: "0f6c8f2e-10e4-11f1-9088-62ece60caaf0",
      progressUri: "/ccu/v2/purges/0f6c8f2e-10e4-11f1-9088-62ece60caaf0",
      pingAfterSeconds: 60,
      supportId: "17PY1-1",
      extra: { kept: null },
    },
    status: 201,
  },
  {
    tool: "report_type_get",
    args: report,
    answer: { type: "about:blank", title: "Not found", status: 404, errors: [{ field: "version", kept: [null] }] },
    status: 404,
    type: problem,
  },
  {
    tool: "usage_contract_measures_list",
    args: { contractId: "C-1FRYVV3", ...month },
    answer: [{ date: "2026-02-01", value: 0.5, final: true, statistic: { name: "Requests", unit: "millions" } }],
    status: 200,
  },
  {
    tool: "portalalerts_list",
    args: { status: "active" },
    answer: { alertList: { alerts: [], errorString: null } },
    status: 200,
  },
  {
    tool: "alert_active_firings_list",
    answer: {
      data: [
        {
          firingId: "1",
          definitionId: "s@1",
          name: "Origin",
          service: "s",
          startTime: "2026-05-20T12:00:00Z",
          endTime: "",
          fieldMap: { cp: "12345", none: "" },
        },
      ],
    },
    status: 200,
  },
  {
    tool: "diag_locations_list",
    answer: { locations: [{ id: "oslo-norway", value: "Oslo, Norway", kept: 1 }] },
    status: 200,
  },
  {
    tool: "event_get",
    args: { eventId: "4711" },
    answer: {
      id: "4711",
      version: 3,
      name: "Sale — «spring»",
      description: null,
      start: 1779271800000,
      end: 1779275400000,
    },
    status: 200,
  },
  {
    tool: "cert_enrollment_create",
    args: { contractId: "C-1FRYVV3" },
    request: {
      certificateType: "third-party",
      validationType: "third-party",
      ra: "third-party",
      changeManagement: true,
      csr: { cn: "a.example", sans: ["b.example"] },
      org: { name: "Ä & Ö" },
      adminContact: { firstName: "A" },
      techContact: { firstName: "T" },
      networkConfiguration: { geography: "core", secureNetwork: "enhanced-tls" },
    },
    answer: { enrollment: "/cps/v2/enrollments/7", changes: [change] },
    status: 202,
  },
  {
    tool: "cert_change_get",
    args: { enrollmentId: 7, changeId: 8 },
    answer: {
      statusInfo: { state: "error", status: "wait", description: "", error: { code: "c", description: "d" } },
      allowedInput: [],
    },
    status: 200,
  },
  {
    tool: "cert_change_input_submit",
    args: { enrollmentId: 7, changeId: 8, allowedInputTypeParam: "post-verification-warnings-ack" },
    request: { acknowledgement: "deny" },
    answer: { change },
    status: 200,
    also: {
      [change]: () =>
        JSON.stringify({
          statusInfo: { state: "awaiting-input", status: "wait", description: "d" },
          allowedInput: [
            {
              type: "t",
              requiredToProceed: true,
              info: `${change}/input/info/post-verification-warnings`,
              update: `${change}/input/update/post-verification-warnings-ack`,
            },
          ],
        }),
    },
  },
  {
    tool: "sps_request_get",
    args: { ...place, spsId: 5 },
    answer: { requestList: [{ status: "CPS running", spsId: 5, jobId: null, workflowProgress: "" }] },
    status: 200,
  },
  {
    tool: "sps_request_create",
    args: {
      ...place,
      body: { cnameHostname: "a.example", createType: "modSan", jobId: "9", add: { sans: ["c.example"] } },
    },
    answer: { Errors: { invalidItems: [{ field: "jobId", spsId: null, validation: "v" }] }, Results: "Errors" },
    status: 400,
  },
  {
    tool: "property_rule_tree_get",
    args: { propertyId: "prp_9", propertyVersion: 2, outline: false },
    answer: {
      ...property,
      propertyId: "prp_9",
      propertyVersion: 2,
      etag: "0a1b",
      ruleFormat: "v2015-08-08",
      rules: { name: "default", behaviors: [{ name: "origin", options: { hostname: "o.example", list: [1, null] } }] },
    },
    status: 200,
  },
  {
    tool: "property_cpcode_create",
    args: place,
    request: { productId: "prd_1", cpcodeName: "Ünï" },
    answer: { cpcodeLink: "/papi/v0/cpcodes/cpc_33?contractId=ctr_C-1FRYVV3&groupId=grp_11111" },
    status: 201,
  },
  {
    tool: "edgelogic_origin_update",
    args: { originId: "two" },
    request: { description: "Second" },
    answer: { originId: "two", type: "APPLICATION_LOAD_BALANCER", checksum: "c0", description: "Second" },
    status: 200,
  },
  {
    tool: "edgelogic_rule_get",
    args: { policyId: 30, version: 1, vendorRuleId: "0f" },
    answer: { type: "erMatchRule", akaRuleId: "0f", name: null, start: 0, end: 0, id: null, matchURL: "/a b" },
    status: 200,
  },
  {
    tool: "visitor_policies_list",
    request: { policyManagerRequest: { command: "getPolicyInfoMapUsingACGIDs", getPolicyInfoMapUsingACGIDs: {} } },
    answer: enveloped([info]),
    status: 200,
  },
  {
    tool: "saasaccess_policy_versions_list",
    args: { policyId: 30 },
    answer: enveloped([{ ...info, cloudletId: 2 }]),
    status: 200,
  },
  {
    tool: "saas_pair_get",
    args: { contractId: "C-1FRYVV3", surrogateId: 3 },
    answer: { applicationSurrogateId: 1, customerSurrogateId: 2, surrogateId: 3 },
    status: 200,
  },
  { tool: "dns_zone_get", args: { zone: zone.name }, answer: { token: "t0", zone }, status: 200 },
];
