/** The catalogue against the operations table: the first oracle that the declarations do not feed. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import { allServices, services } from "../../src/tools/index.js";

interface Row {
  readonly document: string;
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly effect: string;
}

const table = readFileSync(new URL("./operations.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line): Row => {
    const [document = "", service = "", method = "", path = "", effect = ""] = line.split("\t");
    return { document, service, method, path, effect };
  });
const declared = operationRows(await allServices());
const covered = table.filter(({ service }) => Object.hasOwn(services, service));
const key = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

it("holds 385 rows", () => {
  expect(table).toHaveLength(385);
});

it("declares exactly the table's rows of the covered services, each once", () => {
  expect(declared.map(key).sort()).toEqual(covered.map(key).sort());
});

it("covers document A whole, which has 90 rows", () => {
  const ofA = table.filter(({ document }) => document === "A").map(key);
  expect(ofA).toHaveLength(90);
  expect(
    declared
      .filter(({ document }) => document === "A")
      .map(key)
      .sort(),
  ).toEqual(ofA.sort());
});

it.each(covered)("agrees with the table on $method $path", (row) => {
  const found = declared.find((candidate) => key(candidate) === key(row));
  expect(found).toMatchObject({ document: row.document, service: row.service, effect: row.effect });
});

it("guards exactly the destructive rows", () => {
  for (const { tool, guard, effect } of declared)
    expect([tool, guard !== null]).toEqual([tool, effect === "destructive"]);
});

/** The documents' query names, written from their tables; `*` marks a required one. */
const queries: Readonly<Record<string, string>> = {
  "POST /reporting-api/v1/reports/{reportName}/versions/{version}/report-data": "start* end* interval",
  "GET /reporting-api/v1/reports/{reportName}/versions/{version}/report-data":
    "start* end* interval objectIds allObjectIds metrics filters",
  "GET /billing-center-api/v2/contracts/{contractId}/products/{productId}/measures":
    "month year fromMonth fromYear toMonth toYear statisticName billingDayOnly",
  "GET /billing-center-api/v2/contracts/{contractId}/products/{productId}/statistics":
    "month year fromMonth fromYear toMonth toYear",
  "GET /billing-center-api/v2/reporting-groups/{reportingGroupId}/products/{productId}/measures":
    "month year fromMonth fromYear toMonth toYear statisticName billingDayOnly",
  "GET /billing-center-api/v2/reporting-groups/{reportingGroupId}/products/{productId}/statistics":
    "month year fromMonth fromYear toMonth toYear",
  "GET /contract-api/v1/contracts/identifiers": "depth",
  "GET /contract-api/v1/contracts/{contractId}/products/summaries": "from to",
  "GET /contract-api/v1/reportingGroups/{reportingGroupId}/products/summaries": "from to",
  "GET /alerts/v1/portal-user": "status* cpCodes",
  "POST /alerts/v1/portal-user": "status* cpCodes",
  "GET /alerts/v2/alert-definitions": "fieldName fieldValue ids",
  "POST /alerts/v2/alert-definitions/{definitionId}/suppressions": "start* end*",
  "GET /alerts/v2/access-control-data": "type* templateId filter",
  "GET /alerts/redirect": "type",
  "GET /alerts/v2/sparklines": "definitionIds* duration points inclRange adaptivecpcode adaptivemetric",
  "GET /diagnostic-tools/v2/ghost-locations/{locationId}/dig-info": "hostName* queryType",
  "GET /diagnostic-tools/v2/ghost-locations/{locationId}/mtr-data": "destinationDomain* resolveDns",
  "GET /diagnostic-tools/v2/ghost-locations/{locationId}/log-lines":
    "endTime arl clientIp cpCode duration hostHeader httpStatusCode logType maxLogLines objStatus requestId userAgent",
  "GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/dig-info": "hostName* queryType",
  "GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/mtr-data": "destinationDomain* resolveDns",
  "GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/log-lines":
    "endTime arl clientIp cpCode duration hostHeader httpStatusCode logType maxLogLines objStatus requestId userAgent",
  "GET /diagnostic-tools/v2/estats": "url*",
  "GET /diagnostic-tools/v2/url-debug": "url* edgeIp header",
  "GET /diagnostic-tools/v2/translated-url": "url*",
  "GET /events/ws/api/v2/current-account/events":
    "startRange endRange sortField sortOrder startIndex limit customerEventId",
  "GET /events/ws/api/v2/{accountId}/events/id": "customerEventId",
};

it("declares the documents' query names and which of them are required", () => {
  for (const row of declared) {
    const written = row.query.map(({ name, required }) => (required ? `${name}*` : name)).join(" ");
    const expected = row.service === "saas-registration" ? "contractId*" : (queries[key(row)] ?? "");
    expect([row.tool, written]).toEqual([row.tool, expected]);
  }
});
