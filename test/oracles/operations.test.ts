/** The catalogue against the operations table: the first oracle that the declarations do not feed. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { argumentsSchema, checkArguments } from "../../src/arguments/index.js";
import { operationRows } from "../../src/commands/operations.js";
import type { AnyOperation } from "../../src/language/define.js";
import { resolvedExample } from "../../src/language/example.js";
import { Failure } from "../../src/language/failure.js";
import { mediaList } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { wrappedBy } from "../../src/schema/shape.js";
import { matchesTemplate } from "../../src/tools/alerts-v2/template-check.js";
import { allServices } from "../../src/tools/index.js";
import { checkFully } from "../lab/checked.js";
import { guardedBesides, operationTable, type Row, routeOf, rowOf } from "./operation-table.js";

/** The lines of a table that was written from the documents, without its heading. */
const linesOf = (name: string) =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));

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

/** The documents' enumerations, by field, and by tool where two fields of one name differ. */
const enumerations = Object.fromEntries(linesOf("enumerations.tsv")) as Readonly<Record<string, string>>;

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
const declaredBy = (member: "lock" | "guard" | "shows" | "means"): Readonly<Record<string, unknown>> =>
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

const activation = "body.policyManagerRequest.activate";
it("a guard counts, merges and names a network where the sources do", () => {
  expect(declaredBy("guard")).toMatchObject({
    purge_submit: { counts: "body.objects", network: "body.domain" },
    credential_update: { replaces: "body", write: "merge" },
    visitor_policy_activate: { counts: `${activation}.tapiocaIDs`, network: `${activation}.network` },
    saasaccess_policy_activate: { counts: "ids", network: "network" },
    live_event_update: { kind: "delete", replaces: "body", write: "merge" },
  });
});

it("members with raw text, repeats and orders are known", () => {
  const [dig, mtr] = [{ raw: ["digInfo.result"] }, { raw: ["mtr.result"], aside: { "mtr.result": "mtr.hops" } }];
  const [curl, logs] = [{ raw: ["curlResults.responseBody"] }, { raw: ["logLines.logs"] }];
  const aside = { cloudletConfig: "cloudletId" };
  expect(declaredBy("shows")).toMatchObject({
    ...{ diag_location_dig_run: dig, diag_location_mtr_run: mtr, diag_location_curl_run: curl },
    ...{ diag_ip_dig_run: dig, diag_ip_mtr_run: mtr, diag_ip_curl_run: curl, diag_ip_logs_list: logs },
    edgelogic_rule_create: { order: { of: "matchRules", by: ["name", "vendorRuleId"] } },
    ...{ visitor_policy_get: { aside }, visitor_policies_list: { aside }, saasaccess_policy_get: { aside } },
  });
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

type Values = [tool: string, field: string, taken: readonly unknown[], refused: readonly unknown[]];
const item = { type: "LIST_TYPE_DOMAIN", value: "a.example" };

describe("the documents' values and bounds", () => {
  it.each<Values>([
    ...linesOf("values.tsv").map(([tool = "", field = "", taken = "", refused = ""]): Values => {
      const [yes, no] = [taken, refused].map((cell) => JSON.parse(cell) as readonly unknown[]);
      return [tool, field, yes ?? [], no ?? []];
    }),
    ["portalalert_find", "body.cpCodes", [undefined, "12345,12346"], [["12345"]]],
    ["diag_location_logs_list", "endTime", [undefined, "2026-05-20T12:00:00Z"], ["now"]],
    ["purge_submit", "body.objects", [["12345"], [12345], Array(10_000).fill("/a")], [[], Array(10_001).fill("/a")]],
    ["edgelogic_origin_version_create", "body.dataCenters", [undefined], [[], [{ originId: "a" }], "all"]],
    ["live_version_activate", "environment", ["Production", "Staging"], ["production", "", undefined]],
    ["threat_emergency_list_replace", "body.items", [[], Array(1_000).fill(item)], [Array(1_001).fill(item)]],
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
