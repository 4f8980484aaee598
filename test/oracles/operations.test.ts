/** The catalogue against the operations table: the first oracle that the declarations do not feed. */
import { describe, expect, it } from "vitest";
import { argumentsSchema, checkArguments } from "../../src/arguments/index.js";
import { operationRows } from "../../src/commands/operations.js";
import type { AnyOperation } from "../../src/language/define.js";
import { resolvedExample } from "../../src/language/example.js";
import { Failure } from "../../src/language/failure.js";
import { statusesExplained } from "../../src/language/hint.js";
import { mediaList } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { wrappedBy } from "../../src/schema/shape.js";
import { matchesTemplate } from "../../src/tools/alerts-v2/template-check.js";
import { allServices } from "../../src/tools/index.js";
import { checkFully } from "../lab/checked.js";
import { guardedBesides, operationTable, type Row, routeOf, rowOf } from "./operation-table.js";

const declared = operationRows(await allServices("documents"));

it("the catalogue is the operations table, row for row", () => {
  const sorted = (all: readonly Row[]) =>
    all.map((row) => [routeOf(row), row.document, row.service, row.effect].join(" ")).sort();
  // As many as the documents have; an operation that is added has a row of its own.
  expect(operationTable.length).toBeGreaterThanOrEqual(385);
  expect(sorted(declared)).toEqual(sorted(operationTable));
});

it("guards are on destructive rows and on what is named with a reason", () => {
  for (const { tool, guard, effect } of declared)
    expect([tool, guard !== null]).toEqual([tool, effect === "destructive" || tool in guardedBesides]);
});

const operations = (await allServices("documents")).flatMap(
  (service) => Object.entries(service.operations) as [tool: string, operation: AnyOperation][],
);
const byTool = new Map(operations);
const operationOf = (tool: string): AnyOperation => byTool.get(tool) ?? expect.fail(tool);

it("declares the documents' query names, required ones and list styles", () => {
  for (const row of declared) {
    const styles = operationOf(row.tool).spec.query as
      | Readonly<Record<string, { readonly style?: string }>>
      | undefined;
    const written = row.query.map(({ name, required }) => {
      const { style } = styles?.[name] ?? {};
      return `${name}${required ? "*" : ""}${style === undefined ? "" : `:${style}`}`;
    });
    expect([row.tool, written.join(" ")]).toEqual([row.tool, rowOf(row).query]);
  }
});

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
const membersOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> => {
  const whole = schema && bare(schema);
  const kind = whole instanceof z.ZodPipe && whole.in instanceof z.ZodTransform ? whole.out : whole;
  return kind instanceof z.ZodObject ? (kind.shape as Record<string, z.ZodType>) : {};
};

it("body members and required ones are declared as in the documents", () => {
  const wordsOf = (cell: string) =>
    [...cell.matchAll(/([^\s()]+)(?:\(([^)]*)\))?/g)].map(([, word = "", inner]) => ({ word, inner }));
  // What is only taken back as it was read, and not sent, has a law of its own.
  const compare = (tool: string, schema: z.ZodType | undefined, cell: string) => {
    const expected = wordsOf(cell);
    const words = Object.entries(membersOf(schema))
      .filter(([name, one]) => one.meta()?.readOnly !== true || expected.some(({ word }) => word === name))
      .map(([name, one]) => (one.safeParse(undefined).success ? name : `${name}*`));
    expect([tool, words.sort()]).toEqual([tool, expected.map(({ word }) => word).sort()]);
    for (const { word, inner } of expected)
      if (inner !== undefined) compare(`${tool} ${word}`, membersOf(schema)[word.replace("*", "")], inner);
  };
  for (const row of declared) compare(row.tool, mediaList(operationOf(row.tool).spec.body)[0]?.schema, rowOf(row).body);
});

it("only statuses in the documents and public facts count as success", () => {
  for (const row of declared) {
    const statuses = Object.keys(operationOf(row.tool).spec.returns).join(" ");
    expect([row.tool, statuses]).toEqual([row.tool, rowOf(row).success.replaceAll("?", "")]);
  }
});

const mediaFamilies = "audience-analytics qos-monitor viewer-diagnostics download-analytics";
const enrollmentVersions = "v4 v1 v2 v3 v5 v6 v7 v8 v9 v10 v11";
const deploymentVersions = "v7 v6 v5 v4 v3 v2 v1";
/** The documents' enumerations, by field, and by tool where two fields of one name differ. */
const enumerations: Readonly<Record<string, string>> = {
  "property_edge_hostnames_list options": "mapDetails",
  "property_edge_hostname_create options": "mapDetails",
  "property_edge_hostname_get options": "mapDetails",
  "property_edge_hostname_create ipVersionBehavior": "IPV4 IPV6_COMPLIANCE IPV6_PERFORMANCE",
  "property_edge_hostname_create secureNetwork": "STANDARD_TLS SHARED_CERT ENHANCED_TLS",
  activatedOn: "STAGING PRODUCTION",
  "property_version_activate network": "STAGING PRODUCTION",
  "property_version_activate activationType": "ACTIVATE DEACTIVATE",
  "live_domain_create advanced-configuration": "Enabled Disabled",
  "live_domain_create fms-backup-option": "Enabled Disabled",
  "live_version_activate environment": "Production Staging",
  logSourceType: "cpcode-products gtm edns answerx etp",
  deliveryType: "email ftp httpsns4",
  "threat_list_items_list type": "LIST_TYPE_DOMAIN LIST_TYPE_IP",
  interval: "MONTH WEEK DAY HOUR FIVE_MINUTES",
  depth: "TOP ALL",
  queueName: "default emergency",
  "purge_submit action": "remove invalidate",
  "purge_submit type": "arl cpcode",
  "purge_submit domain": "production staging",
  origin: "STATIC ADAPTIVE",
  "alert_access_controls_list type":
    "acggroup adaptivecpcode adaptivemetric adaptiveprofile alertHttp arlfile contract cpcode datastream dsatest edns encoder etpConfig etpSiteMetaInfo eventlog evt_cnt fpdomain fpproperty group httpErrorCode iphoneFileType mapruleid network player product regionid rej_cnt satest slatest sripslot statest stream trigger visibility waatest",
  filter: "available performance",
  queryType: "A AAAA CNAME MX NS PTR SOA",
  logType: "r f both",
  sortField: "name start end accountName",
  sortOrder: "asc desc",
  "credential_update status": "ACTIVE INACTIVE",
  certificateType: "san single wildcard wildcard-san third-party",
  validationType: "dv ev ov third-party",
  signatureAlgorithm: "SHA-1 SHA-256",
  acknowledgement: "acknowledge deny",
  "cert_change_input_get allowedInputTypeParam":
    "change-management-info free-ca-challenges post-verification-warnings pre-verification-warnings third-party-csr",
  "cert_change_input_submit allowedInputTypeParam":
    "change-management-ack free-ca-challenges-completed post-verification-warnings-ack pre-verification-warnings-ack third-party-cert-and-trust-chain",
  "cert_enrollments_list version": enrollmentVersions,
  "cert_enrollment_create version": enrollmentVersions,
  "cert_enrollment_get version": enrollmentVersions,
  "cert_enrollment_update version": enrollmentVersions,
  "cert_change_get version": "v2 v1",
  "cert_change_input_get version": "v5 v4 v2 v1 deployment.v7 deployment.v6 deployment.v3",
  "cert_deployments_list version": deploymentVersions,
  "cert_staging_deployment_get version": deploymentVersions,
  "cert_production_deployment_get version": deploymentVersions,
  createType: "single wildcard san modSan",
  "edgelogic_policy_activations_list network": "staging prod",
  "edgelogic_policy_version_activate network": "staging prod",
  "edgelogic_origins_list type": "alb customer netstorage",
  "edgelogic_origin_activate network": "PRODUCTION STAGING",
  balancingType: "WEIGHTED PERFORMANCE",
  "saasaccess_policy_activate network": "staging production",
  "saasaccess_activations_list network": "staging production",
  "media_report_packs_list family": mediaFamilies,
  "media_report_pack_get family": mediaFamilies,
  "media_data_stores_list family": mediaFamilies,
  "media_data_store_get family": mediaFamilies,
  "media_data_sources_list family": mediaFamilies,
  "media_data_get family": "audience-analytics qos-monitor download-analytics",
  audience: "user-admin user-profile",
  lookup:
    "password-policy contact-types countries timeout-policies supported-languages timezones notification-products",
  userType: "lostAccess gainAccess",
  "user_profile_tfa_set action": "enable disable reset",
  "user_tfa_set action": "enable disable reset",
  "user_tfa_set actions": "enable disable reset",
};

it("declares the documents' enumerations, value by value", () => {
  const met = new Set<string>();
  for (const [tool, operation] of operations) {
    const { body: _body, format: _format, ...rest } = argumentsSchema(operation).shape as Record<string, z.ZodType>;
    const members = mediaList(operation.spec.body).flatMap((medium) => Object.entries(membersOf(medium.schema)));
    for (const [field, schema] of [...Object.entries(rest), ...members]) {
      const kind = bare(wrappedBy(bare(schema)) ?? schema);
      if (!(kind instanceof z.ZodEnum)) continue;
      const key = enumerations[field] === undefined ? `${tool} ${field}` : field;
      met.add(key);
      expect([tool, field, kind.options.join(" ")]).toEqual([tool, field, enumerations[key]]);
    }
  }
  expect([...met].sort()).toEqual(Object.keys(enumerations).sort());
});

it("answers accept null where the sources have it", () => {
  const accepts = (tool: string, body: unknown) => {
    const [media] = mediaList(operationOf(tool).spec.returns[200]);
    return media?.schema.safeParse(body).success;
  };
  const anomaly = { start: "2026-05-20T10:00:00Z", firingId: "1" };
  for (const end of [{}, { end: null }, { end: "2026-05-20T11:00:00Z" }]) {
    const line = { definitionId: "a@1", points: [], anomalies: [{ ...anomaly, ...end }] };
    expect([end, accepts("alert_sparklines_list", { data: [line] })]).toEqual([end, true]);
  }
  const definition = { definitionId: "s@1", origin: "STATIC", domain: null, fields: { maintSchedule: null } };
  const details = { definitionId: "s@1", sparkline: null, alerts: [], definition };
  expect(accepts("alert_summary_detail_get", details)).toBe(true);
  const head = { name: "n", service: "s", startTime: anomaly.start, fieldMap: {} };
  const firing = { firingId: "1", definitionId: "s@1", ...head, endTime: null };
  expect(accepts("alert_active_firings_list", { data: [firing] })).toBe(true);
  const choice = { name: "n", objectId: "1", type: "t", fields: { timezone: null } };
  expect(accepts("alert_access_controls_list", { data: [choice] })).toBe(true);
});

/** What an operation declares beyond its schema, by tool; written from the documents and the public facts. */
const declaredBy = (member: "lock" | "means"): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    operations.flatMap(([tool, { spec }]) => {
      const value: unknown = spec[member];
      return value === undefined ? [] : [[tool, value]];
    }),
  );

const stamp = (thing: string) => ({ field: "ifMatch", from: `threat_${thing}_get`, at: "headers.etag" });

it("an event is locked by its version and a zone by its token", () => {
  expect(declaredBy("lock")).toEqual({
    event_update: { field: "body.version", from: "event_get" },
    dns_zone_write: { field: "body.token", from: "dns_zone_get" },
    property_hostnames_replace: { field: "ifMatch", from: "property_hostnames_list", at: "body.etag" },
    property_rule_tree_replace: { field: "ifMatch", from: "property_rule_tree_get", at: "body.etag" },
    ...Object.fromEntries(
      ["site", "policy", "list", "honeypot"].flatMap((thing) => [
        [`threat_${thing}_update`, stamp(thing)],
        [`threat_${thing}_delete`, stamp(thing)],
      ]),
    ),
    threat_list_item_replace: stamp("list"),
  });
});

it("demands the stamp where the sources do: of a site, a policy and a list", () => {
  for (const thing of ["site", "policy", "list"])
    for (const tool of [`threat_${thing}_update`, `threat_${thing}_delete`]) {
      const { ifMatch } = argumentsSchema(operationOf(tool)).shape;
      expect([tool, ifMatch?.safeParse(undefined).success]).toEqual([tool, false]);
    }
});

it("checks the fields of every definition that is sent by their template", () => {
  const checking = operations.filter(([, { spec }]) => spec.checks?.includes(matchesTemplate)).map(([tool]) => tool);
  expect(checking).toEqual(["alert_definition_create", "alert_definition_replace"]);
});

it("has its own texts for the statuses whose meaning the sources give", () => {
  const statusesOf = (about: "answers" | "errors", tool: string) =>
    statusesExplained(operationOf(tool).spec, about === "errors").join(" ");
  expect(statusesOf("answers", "contract_group_product_summary_get")).toBe("300");
  for (const [tool, { route }] of operations)
    if (/-requests\/\{requestId\}$/.test(route)) expect(statusesOf("answers", tool)).toBe("200 303");
  expect(statusesOf("errors", "purge_submit")).toBe("403 413 507");
  // The document ties the reporting-group role to the calls on reporting groups alone.
  expect(statusesOf("errors", "contract_product_summary_get")).toBe("400 404");
  expect(statusesOf("errors", "contract_groups_list")).toBe("403");
  expect(statusesOf("errors", "contract_group_ids_list")).toBe("403");
  expect(statusesOf("errors", "contract_group_product_summary_get")).toBe("400 403");
  expect(statusesOf("errors", "event_update")).toBe("409");
  expect(statusesOf("errors", "dns_zone_write")).toBe("400 409");
  expect(statusesOf("errors", "credential_delete")).toBe("409");
  // A replacement has no 404 (public facts A, 6).
  expect(statusesOf("errors", "alert_definition_replace")).toBe("400 403");
  expect(statusesOf("errors", "diag_user_request_get")).toContain("404");
});

it.each([
  ["alert_template_get", 404, "alert_templates_list"],
  ["alert_definition_get", 404, "alert_definitions_list"],
  ["diag_location_dig_run", 404, "diag_locations_list"],
  ["diag_user_request_get", 404, "diag_user_requests_list"],
  ["diag_gtm_ips_list", 404, "diag_gtm_properties_list"],
  ["event_update", 409, "event_get"],
  ["dns_zone_get", 404, "dns_zone_write"],
  ["dns_zone_write", 409, "dns_zone_get"],
  ["credential_delete", 409, "credential_update"],
  ["purge_submit", 507, "purge_queue_get"],
  ["cert_enrollment_update", 409, "allow-cancel-pending-changes"],
  ["cert_change_input_submit", 409, "cert_change_get"],
  ["sps_request_get", 404, "sps_requests_list"],
  ["edgelogic_policy_create", 409, "edgelogic_policy_get"],
  ["edgelogic_policy_version_update", 400, "edgelogic_policy_version_create"],
  ["edgelogic_origin_version_update", 400, "edgelogic_origin_version_create"],
  ["edgelogic_policy_version_activate", 400, "edgelogic_properties_list"],
  ["live_domain_create", 400, "live_cpcodes_list"],
  ["live_stream_create", 400, "live_ingest_formats_list"],
  ["live_event_get", 400, "live_stream_get"],
  ["live_version_activate", 404, "live_domain_get"],
  ["threat_site_update", 412, "threat_site_get"],
  ["threat_list_item_update", 404, "threat_lists_list"],
])("sends whoever gets of %s a %i on to %s", (tool, status, next) => {
  expect((declaredBy("means")[tool] as Record<number, string>)[status]).toContain(next);
});

describe("values that belong together", () => {
  const owner = { contractId: "C-1FRYVV3", reportingGroupId: "11111" };
  const isAccepted = (tool: string, args: object): boolean => {
    const operation = operationOf(tool);
    const places = Object.fromEntries(
      Object.entries({ ...owner, productId: "M-SITE-7" }).filter(([name]) =>
        Object.hasOwn(operation.spec.path ?? {}, name),
      ),
    );
    try {
      return checkFully(tool, operation, { ...places, ...args }) !== undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return false;
    }
  };
  const range = { fromMonth: 11, fromYear: 2025, toMonth: 2, toYear: 2026 };

  it.each(["contract_measures", "contract_statistics", "group_measures", "group_statistics"])(
    "month and year, or the four of a range, in usage_%s_list",
    (name) => {
      const tool = `usage_${name}_list`;
      for (const good of [{}, { month: 5, year: 2026 }, range])
        expect([good, isAccepted(tool, good)]).toEqual([good, true]);
      const parts = Object.keys(range).map((one) => ({ ...range, [one]: undefined }));
      for (const bad of [{ month: 5 }, { year: 2026 }, { ...range, month: 5, year: 2026 }, ...parts])
        expect([bad, isAccepted(tool, bad)]).toEqual([bad, false]);
    },
  );

  it("values that the document does not join may be given alone", () => {
    const [fieldName, fieldValue] = ["aca_cpcode", "12345"];
    for (const good of [{}, { fieldName, fieldValue }, { fieldName }, { fieldValue }])
      expect([good, isAccepted("alert_definitions_list", good)]).toEqual([good, true]);
    const [adaptivecpcode, adaptivemetric] = ["12345", "hits_per_second"];
    for (const good of [
      { adaptivecpcode, adaptivemetric },
      { adaptivecpcode },
      { definitionIds: ["s@1"], adaptivemetric },
    ])
      expect([good, isAccepted("alert_sparklines_list", good)]).toEqual([good, true]);
  });

  it("a registration needs an id or its deprecated alias", () => {
    for (const kind of ["Application", "Customer"]) {
      const tool = `saas_${kind.toLowerCase()}_create`;
      const call = (body: object) => isAccepted(tool, { contractId: owner.contractId, body });
      for (const good of [`provider${kind}Id`, `${kind.toLowerCase()}Id`]) expect(call({ [good]: "crm" })).toBe(true);
      expect(call({ [`${kind.toLowerCase()}Name`]: "CRM" })).toBe(false);
    }
  });
});

const long = (length: number) => "x".repeat(length);

describe("the documents' values and bounds", () => {
  it.each<[tool: string, field: string, taken: readonly unknown[], refused: readonly unknown[]]>([
    ["alert_template_get", "templateId", ["s@7", "s@134", "a@1"], ["7", "x@7", "s@"]],
    ["alert_definition_get", "definitionId", ["s@123", "a@cp_314159_1234"], ["123", "x@123"]],
    ["alert_activities_list", "definitionId", ["a@cp_314159_1234"], ["s@123"]],
    [
      "alert_sparklines_list",
      "duration",
      ["P7D", "P30D", "PT12H", "P1DT12H30M", "PT30S", "PT0.5S", "P1DT1H1M1S", "P2W", "P4W", "PT720H"],
      ["7D", "P", "PT", "P1DT", "P1M", "P1Y", "P1W1D", "P31D", "P5W", "PT721H", "P30DT1S", "P7DT"],
    ],
    ["alert_sparklines_list", "points", [0, 100], [-1, 1.5]],
    [
      "contract_product_summary_get",
      "contractId",
      ["3-M", "K-0N7RAK7", "3-MADEUP.123456"],
      ["3-", "c-1fryvv3", "A".repeat(16)],
    ],
    [
      "contract_product_summary_get",
      "from",
      ["2026-05-01", "2024-02-29"],
      ["2026-02-29", "2026-5-1", "2026-05-01T00:00Z"],
    ],
    ["contract_group_product_summary_get", "reportingGroupId", [12289, "12289"], ["twelve", 0]],
    ["usage_contract_measures_list", "month", [1, 12], [0, 13]],
    ["portalalert_find", "body.cpCodes", [undefined, "12345,12346"], [["12345"]]],
    ["diag_location_dig_run", "locationId", ["zurich-switzerland", "sanjose-ca-unitedstates"], ["Oakbrook, IL"]],
    ["diag_ip_dig_run", "ipAddress", ["192.0.2.1", "2001:db8::1"], ["300.0.2.1", "www.example.com"]],
    ["diag_url_statistic_get", "url", ["http://a.example", "https://a.example/b?c"], ["ftp://a.example", "a.example"]],
    [
      "diag_error_translation_get",
      "errorCode",
      ["1.5e3b5b68.1621415935.409841", "9.C000020A.1779000000.692"],
      ["5e3b5b68"],
    ],
    ["diag_location_logs_list", "duration", [1, 30, 360], [0, 361]],
    ["diag_location_logs_list", "maxLogLines", [1, 200, 1_000], [0, 1_001]],
    ["diag_location_logs_list", "endTime", [undefined, "2026-05-20T12:00:00Z"], ["now"]],
    ["events_list", "startIndex", [0], [-1]],
    ["event_create", "body.customerEventId", [long(100)], [long(101)]],
    [
      "event_create",
      "body.audienceLocations",
      [[], ["DE", "JP", "GB"]],
      [["Germany"], ["de"], ["UK"], ["EU"], ["XK"], ["ZZ"]],
    ],
    ["event_create", "body.audienceSize", [0, 250_000], [-1, 0.5]],
    ["event_create", "body.description", [null, "text"], [7]],
    ["event_update", "body.version", [0, 12, "12"], [-1, "v12"]],
    [
      "purge_submit",
      "body.objects",
      [["12345"], [12345], ["http://a.example/"], Array(10_000).fill("/a")],
      [[], Array(10_001).fill("/a")],
    ],
    ["report_data_find", "body.objectIds", ["all", ["12345"]], [[]]],
    [
      "cert_enrollment_create",
      "body.csr",
      [{ cn: "a" }, { cn: "a", sans: null }],
      [{}, { cn: "" }, { cn: "a", sans: [""] }],
    ],
    ["cert_enrollment_create", "body.location", ["/cps/v2/enrollments/1"], []],
    ["cert_enrollment_create", "deploy-not-before", ["2026-05-01", "2026-05-01T00:00:00Z"], ["soon"]],
    ["cert_change_get", "changeId", [1, "20003"], [0, -1, 1.5, "x"]],
    ["cert_change_input_submit", "body.acknowledgement", ["acknowledge", "deny"], ["yes", ""]],
    ["sps_requests_list", "contractId", [7, "C-1FRYVV3", "ctr_C-1FRYVV3"], ["", "C 1"]],
    ["sps_requests_list", "groupId", [11111, "11111", "grp_11111"], ["", "group"]],
    [
      "sps_requests_list",
      "after",
      ["2026-05-01T00:00:00Z"],
      ["2026-05-01", "2026-05-01T00:00:00.000Z", "2026-05-01T00:00:00+00:00", "2026-02-30T00:00:00Z"],
    ],
    ["saas_application_create", "body.providerApplicationId", ["x", long(50)], ["", long(51)]],
    ["saas_customer_create", "body.providerCustomerId", ["x", long(50)], ["", long(51)]],
    ["edgelogic_policy_create", "body.name", ["a", "A_1", long(64)], ["", "a b", "a-b", long(65)]],
    ["edgelogic_policy_create", "body.description", [null, "", long(255)], [long(256)]],
    ["edgelogic_policies_list", "pageSize", [1, 1_000], [0, 1_001]],
    ["edgelogic_group_get", "groupId", [0, "11111"], [-1]],
    ["edgelogic_origin_get", "originId", ["ab", long(63)], ["a", long(64), "currentActivations"]],
    ["edgelogic_origin_version_create", "body.dataCenters", [undefined], [[], [{ originId: "a" }], "all"]],
    [
      "edgelogic_policy_version_update",
      "body.matchRules",
      [
        null,
        [],
        [{ type: "vpMatchRule", passThroughPercent: -1 }],
        [{ type: "igMatchRule", allowDeny: "deny", matches: [{ matchType: "clientip", matchValue: "192.0.2.1" }] }],
      ],
      [
        [{ type: "erMatchRule", redirectURL: "/a" }],
        [{ type: "erMatchRule", redirectURL: "/a", statusCode: 304 }],
        [{ type: "vpMatchRule", passThroughPercent: 101 }],
        [{ type: "frMatchRule" }],
        [{ type: "igMatchRule", allowDeny: "deny", disable: true }],
        [{ type: "otherMatchRule" }],
      ],
    ],
    ["live_domain_get", "domain", ["live.shop.example", "a.b"], ["live", "", "a..b", "live.shop.example."]],
    ["live_stream_get", "streamId", ["201044", "0042"], ["", "x", 7, "1 2"]],
    [
      "live_stream_create",
      "body.encoder-settings",
      [{ "primary-encoder-ip": "203.0.113.7" }, {}],
      [{ "primary-encoder-ips": "203.0.113.7" }, "203.0.113.7"],
    ],
    [
      "live_stream_create",
      "body.dvr-settings",
      [{ dvr: "Enabled", "dvr-window": "030" }],
      [{ dvr: "enabled" }, { dvr: "Enabled", "dvr-window": "half" }, {}],
    ],
    [
      "live_event_update",
      "body.primary-event",
      [
        { "delete-time": "06/01/2026 12:00:00 AM" },
        { "delete-time": "" },
        { "delete-time": "2026-06-01T12:00:00+02:00" },
        { "delete-time": "02/29/2028 01:00:00 PM" },
      ],
      [
        { "delete-time": "13/01/2026 12:00:00 AM" },
        { "delete-time": "02/29/2026 12:00:00 AM" },
        { "delete-time": "06/01/2026 00:00:00 AM" },
        { "delete-time": "06/01/2026 13:00:00 PM" },
        { "delete-time": "06/01/2026" },
        { "delete-time": "2026-06-01T12:00:00" },
        { "delete-time": "2026-06-01T12:00:00.5Z" },
        { "delete-time": "2026-06-01" },
      ],
    ],
    ["live_version_activate", "environment", ["Production", "Staging"], ["production", "", undefined]],
    ["media_report_pack_get", "family", ["viewer-diagnostics"], ["viewer", "QOS-MONITOR"]],
    ["media_data_get", "family", ["qos-monitor"], ["viewer-diagnostics"]],
    ["media_data_get", "limit", [1, 10_000, "300"], [0, 10_001]],
    ["media_data_get", "offset", [0, 10_000], [-1]],
    ["media_data_get", "aggregation", [60, "60", "day", "week"], ["hour", 0, "0", "1d"]],
    ["media_data_get", "dimensions", [["Time"], [1, 2], ["1", "Stream"]], [[], [""], [1.5]]],
    [
      "media_data_get",
      "startDate",
      ["2026-05-18", "05/18/2026:12:30", "2026-05-18T12:30:00+02:00"],
      ["18/05/2026", "yesterday", "2026-05-18T12:30:15Z"],
    ],
    [
      "media_data_get",
      "filterParams",
      [[{ type: "dimension", id: "Stream", condition: "in", values: ["a"] }]],
      [
        [],
        [{ type: "dimension", id: 2, condition: "in", values: [] }],
        [{ type: "stream", id: 2, condition: "in", values: ["a"] }],
      ],
    ],
    ["threat_emergency_list_get", "listType", ["whitelist", "blacklist"], ["", "../lists", "a b"]],
    ["threat_list_items_list", "confidence", [0, 1, 2, "2"], [-1, 3]],
    ["threat_list_items_list", "numItemsPerPage", [1, 10_000], [0, 10_001]],
    [
      "threat_site_create",
      "body.exitPoints",
      [
        [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "192.0.2.0/24" }],
        [{ addrType: "ADDR_TYPE_IPV6", ipAddr: "2001:db8::/32" }],
      ],
      [
        [],
        [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "2001:db8::1" }],
        [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "192.0.2.0/33" }],
        [{ addrType: "ADDR_TYPE_IPV6", ipAddr: "fe80::1%eth0" }],
        [{ addrType: "ADDR_TYPE_IPV6", ipAddr: "2001:db8::/x" }],
      ],
    ],
    [
      "threat_list_item_update",
      "body.add",
      [
        [{ type: "LIST_TYPE_DOMAIN", value: "*.bücher.example", confidenceLevelId: 0 }],
        [{ type: "LIST_TYPE_IP", value: "192.0.2.0/28", confidenceLevelId: 1 }],
      ],
      [
        [{ type: "LIST_TYPE_DOMAIN", value: "192.0.2.1", confidenceLevelId: 2 }],
        [{ type: "LIST_TYPE_DOMAIN", value: "https://a.example/", confidenceLevelId: 2 }],
        [{ type: "LIST_TYPE_IP", value: "a.example", confidenceLevelId: 2 }],
        [{ type: "LIST_TYPE_URL", value: "a.example", confidenceLevelId: 2 }],
        [{ type: "LIST_TYPE_IP", value: "192.0.2.1" }],
      ],
    ],
    [
      "threat_emergency_list_replace",
      "body.items",
      [[], Array(1_000).fill({ type: "LIST_TYPE_DOMAIN", value: "a.example" })],
      [Array(1_001).fill({ type: "LIST_TYPE_DOMAIN", value: "a.example" }), [{ value: "a.example" }]],
    ],
    [
      "dns_zone_get",
      "zone",
      ["example.com", "_dmarc.example.com", `${long(63)}.example`],
      ["example.com.", `${long(64)}.example`, Array(64).fill("abc").join(".")],
    ],
  ])("%s accepts and refuses the listed values of %s", (tool, field, accepted, refused) => {
    const operation = operationOf(tool);
    const now = Date.UTC(2026, 4, 20);
    const isAccepted = (value: unknown): boolean => {
      const args = structuredClone(resolvedExample(operation.spec.example, now)) as Record<string, unknown>;
      const name = field.replace("body.", "");
      if (name === field) args[name] = value;
      else (args["body"] as Record<string, unknown>)[name] = value;
      try {
        return checkArguments(tool, operation, args, now) !== undefined;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return false;
      }
    };
    for (const value of accepted) expect([value, isAccepted(value)]).toEqual([value, true]);
    for (const value of refused) expect([value, isAccepted(value)]).toEqual([value, false]);
  });
});
