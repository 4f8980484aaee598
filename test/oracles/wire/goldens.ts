/**
 * Golden exchanges, one for each medium and query style, written from the documents: what a call must put on the wire,
 * and an answer with what it must read as. `«int»`, `«text»` and `«any»` stand for made-up values in an answer.
 */
import { alertGoldens } from "./goldens-alerts.js";
import { certificateGoldens } from "./goldens-certificates.js";
import { liveGoldens } from "./goldens-live.js";
import { logDeliveryGoldens } from "./goldens-log-delivery.js";
import { mediaGoldens } from "./goldens-media.js";
import { policyGoldens } from "./goldens-policies.js";
import { propertyGoldens } from "./goldens-properties.js";
import { threatGoldens } from "./goldens-threat.js";
import { userGoldens } from "./goldens-users.js";

const json = "application/json";

/** An exchange as it is written down: in JSON both ways where nothing else is said. */
export interface GoldenText {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Method and target. */
  readonly request: string;
  readonly accept?: string;
  /** The type of the request's body. */
  readonly contentType?: string;
  /** Further headers of the request, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: Answer;
  /** What the assistant gets as data, where it is not the value of the answer's JSON. */
  readonly data?: unknown;
  /** Whether the emulator, too, is held to the answer: its made-up values must fit the placeholders. */
  readonly isEmulated?: false;
}
interface Answer {
  readonly status: number;
  readonly contentType?: string;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The exchange with all that its text leaves out. */
export function golden({ request, accept, contentType, headers = {}, body, answer, ...more }: GoldenText) {
  const [method = "", target = ""] = request.split(" ");
  const typeOf = (text = "") => (/^[[{]/.test(text) ? json : undefined);
  const answered = { ...answer, contentType: answer.contentType ?? typeOf(answer.body) };
  return {
    isEmulated: true,
    ...more,
    request: {
      ...{ method, target, headers, body, contentType: contentType ?? typeOf(body) },
      accept: accept ?? (answered.contentType === json ? json : undefined),
    },
    answer: answered,
  };
}
export type Golden = ReturnType<typeof golden>;

const form = "application/x-www-form-urlencoded";
const reportPath = "/reporting-api/v1/reports/authoritative-dns-availability/versions/1/report-data";
const csv = [
  "#METADATA_START",
  "name,authoritative-dns-availability",
  "version,1",
  "source,Traffic Data",
  "groupBy,startdatetime",
  "start,2026-05-01T00:00:00Z",
  "end,2026-05-03T00:00:00Z",
  "interval,DAY,",
  "availableDataEnds,",
  "suggestedRetryTime,",
  "rowCount,2",
  "objectType,contracts",
  "objectIds,C-1FRYVV3",
  "#METADATA_END",
  "",
  "#SUMMARYSTATISTICS_START",
  "avg_avail_pct,99.5",
  "max_avail_pct,100.0",
  "min_avail_pct,99.0",
  "#SUMMARYSTATISTICS_END",
  "",
  "#COLUMNS_START",
  "startdatetime,avail_pct,contract_id",
  "#COLUMNS_END",
  "",
  "#DATA_START",
  "2026-05-01T00:00:00Z,100.0,C-1FRYVV3",
  "2026-05-02T00:00:00Z,99.0,C-1FRYVV3",
  "#DATA_END",
  "",
].join("\n");

const texts: readonly GoldenText[] = [
  {
    name: "JSON, and a status of 201 that alone is success",
    tool: "purge_submit",
    args: { queueName: "default", body: { objects: ["http://www.example.com/t.txt"] } },
    request: "POST /ccu/v2/queues/default",
    body: '{"objects":["http://www.example.com/t.txt"],"action":"remove","type":"arl","domain":"production"}',
    answer: {
      status: 201,
      body: '{"estimatedSeconds":"«int»","progressUri":"«text»","purgeId":"«text»","supportId":"«text»","httpStatus":201,"detail":"«text»","pingAfterSeconds":"«int»"}',
    },
  },
  {
    name: "comma-separated and paired query values",
    tool: "report_data_get",
    args: {
      reportName: "endpoint-usage-by-time",
      version: 1,
      start: "2026-05-01T00:00:00Z",
      end: "2026-05-02T00:00:00Z",
      interval: "DAY",
      objectIds: ["12345", "67890"],
      metrics: ["edgeHits", "edgeHitsTotal"],
      filters: { response_class: ["4xx", "5xx"], http_method: ["get"] },
    },
    request:
      "GET /reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data?start=2026-05-01T00%3A00%3A00Z&end=2026-05-02T00%3A00%3A00Z&interval=DAY&objectIds=12345%2C67890&metrics=edgeHits%2CedgeHitsTotal&filters=response_class%3D4xx%2Cresponse_class%3D5xx%2Chttp_method%3Dget",
    answer: {
      status: 200,
      body: '{"metadata":"«any»","data":[{"startdatetime":"«text»","edgeHits":"«text»"}],"summaryStatistics":{"edgeHitsTotal":{"value":"«text»","details":{}}}}',
    },
  },
  {
    name: "a report asked by a JSON body",
    tool: "report_data_find",
    args: {
      reportName: "authoritative-dns-traffic-by-time",
      version: 3,
      start: "2026-05-01",
      end: "2026-05-02",
      interval: "DAY",
      body: { objectIds: "all", metrics: ["sum_hits"] },
    },
    request:
      "POST /reporting-api/v1/reports/authoritative-dns-traffic-by-time/versions/3/report-data?start=2026-05-01&end=2026-05-02&interval=DAY",
    body: '{"objectIds":"all","metrics":["sum_hits"]}',
    answer: {
      status: 200,
      body: '{"metadata":"«any»","data":[{"startdatetime":"«text»","sum_hits":"«text»"}],"summaryStatistics":{}}',
    },
  },
  {
    name: "CSV in sections",
    tool: "report_data_get",
    args: {
      reportName: "authoritative-dns-availability",
      version: 1,
      start: "2026-05-01T00:00:00Z",
      end: "2026-05-03T00:00:00Z",
      interval: "DAY",
      objectIds: ["C-1FRYVV3"],
      format: "csv",
    },
    request: `GET ${reportPath}?start=2026-05-01T00%3A00%3A00Z&end=2026-05-03T00%3A00%3A00Z&interval=DAY&objectIds=C-1FRYVV3`,
    accept: "text/csv",
    answer: { status: 200, contentType: "text/csv", body: csv },
    data: {
      metadata: {
        name: "authoritative-dns-availability",
        version: "1",
        source: "Traffic Data",
        groupBy: ["startdatetime"],
        start: "2026-05-01T00:00:00Z",
        end: "2026-05-03T00:00:00Z",
        interval: "DAY",
        availableDataEnds: null,
        suggestedRetryTime: null,
        rowCount: 2,
        objectType: "contracts",
        objectIds: ["C-1FRYVV3"],
        filters: [],
      },
      data: [
        { startdatetime: "2026-05-01T00:00:00Z", avail_pct: "100.0", contract_id: "C-1FRYVV3" },
        { startdatetime: "2026-05-02T00:00:00Z", avail_pct: "99.0", contract_id: "C-1FRYVV3" },
      ],
      summaryStatistics: {
        avg_avail_pct: { value: "99.5" },
        max_avail_pct: { value: "100.0" },
        min_avail_pct: { value: "99.0" },
      },
    },
    isEmulated: false,
  },
  {
    name: "repeated query values",
    tool: "event_ids_list",
    args: { accountId: "current-account", customerEventId: ["spring-2026", "a&b=c"] },
    request: "GET /events/ws/api/v2/current-account/events/id?customerEventId=spring-2026&customerEventId=a%26b%3Dc",
    answer: { status: 200, body: '{"status":"ok","contents":[20051]}' },
  },
  {
    name: "PUT that creates",
    tool: "event_create",
    args: {
      body: {
        name: "Final",
        start: 1_790_000_000_000,
        end: 1_790_000_600_000,
        tags: [
          {
            name: "sport",
            global: false,
          },
        ],
      },
    },
    request: "PUT /events/ws/api/v2/current-account/events",
    body: '{"name":"Final","start":1790000000000,"end":1790000600000,"tags":[{"name":"sport","global":false}]}',
    answer: { status: 201, body: '{"id":"31","version":0,"name":"Final","start":1790000000000,"end":1790000600000}' },
    isEmulated: false,
  },
  {
    name: "a form, 201 and Location without a body",
    tool: "saas_application_create",
    args: { contractId: "C-1FRYVV3", body: { providerApplicationId: "crm 2", applicationName: "CRM & more" } },
    request: "POST /config-saas-registration/v1/applications/?contractId=C-1FRYVV3",
    contentType: form,
    body: "providerApplicationId=crm+2&applicationName=CRM+%26+more",
    answer: { status: 201, location: "«text»" },
  },
  {
    name: "a form under the odd media type",
    tool: "saas_customer_create",
    args: { contractId: "C-1FRYVV3", body: { providerCustomerId: "acme", customerName: "Ärger+Söhne" } },
    request: "POST /config-saas-registration/v1/customers/?contractId=C-1FRYVV3",
    contentType: "customer/x-www-form-urlencoded",
    body: "providerCustomerId=acme&customerName=%C3%84rger%2BS%C3%B6hne",
    answer: { status: 201, location: "«text»" },
  },
  {
    name: "a form of numbers, 204 and Location",
    tool: "saas_pair_update",
    args: {
      contractId: "C-1FRYVV3",
      surrogateId: 9201,
      body: { customerSurrogateId: 9101, applicationSurrogateId: 9002 },
    },
    request: "PUT /config-saas-registration/v1/pairs/9201/?contractId=C-1FRYVV3",
    contentType: "customer/x-www-form-urlencoded",
    body: "customerSurrogateId=9101&applicationSurrogateId=9002",
    answer: { status: 204, location: "«text»" },
  },
  {
    name: "a deletion without a body either way",
    tool: "credential_delete",
    args: { openIdentityId: "oi-7421", credentialId: 4102 },
    request: "DELETE /identity-management/v1/open-identities/oi-7421/credentials/4102",
    answer: { status: 200 },
  },
  {
    name: "XML in place of JSON",
    tool: "dns_zone_get",
    args: { zone: "tiny.example", format: "xml" },
    request: "GET /config-dns/v1/zones/tiny.example",
    accept: "application/xml",
    answer: {
      status: 200,
      contentType: "application/xml; charset=utf-8",
      body: '<?xml version="1.0" encoding="UTF-8"?>\n<zone-document><token>0042</token><zone><id>7</id><name>tiny.example</name><soa><contact>h.tiny.example.</contact><expire>604800</expire><minimum>180</minimum><originserver>ns1.tiny.example.</originserver><refresh>900</refresh><retry>300</retry><serial>3</serial><ttl>900</ttl></soa><txt><active>true</active><name/><ttl>60</ttl><target>v=1 &amp; &lt;all&gt;</target></txt></zone></zone-document>',
    },
    data: {
      token: "0042",
      zone: {
        id: 7,
        name: "tiny.example",
        soa: {
          contact: "h.tiny.example.",
          expire: 604_800,
          minimum: 180,
          originserver: "ns1.tiny.example.",
          refresh: 900,
          retry: 300,
          serial: 3,
          ttl: 900,
        },
        txt: [{ active: true, name: null, ttl: 60, target: "v=1 & <all>" }],
      },
    },
    isEmulated: false,
  },
  {
    name: "300 with a list, which is an answer",
    tool: "contract_group_product_summary_get",
    args: { reportingGroupId: 22222, from: "2026-05-01", to: "2026-05-10" },
    request: "GET /contract-api/v1/reportingGroups/22222/products/summaries?from=2026-05-01&to=2026-05-10",
    answer: {
      status: 300,
      body: '{"contracts":[{"contractId":"C-1FRYVV3","href":"/contract-api/v1/contracts/C-1FRYVV3/products/summaries"},{"contractId":"3-MADEUP","href":"/contract-api/v1/contracts/3-MADEUP/products/summaries"}]}',
    },
  },
  {
    name: "integers and a flag in a query",
    tool: "usage_contract_measures_list",
    args: {
      contractId: "C-1FRYVV3",
      productId: "M-SITE-7",
      month: 5,
      year: 2026,
      statisticName: "Requests",
      billingDayOnly: true,
    },
    request:
      "GET /billing-center-api/v2/contracts/C-1FRYVV3/products/M-SITE-7/measures?month=5&year=2026&statisticName=Requests&billingDayOnly=true",
    answer: {
      status: 200,
      body: '[{"date":"2026-05-20","value":"«any»","final":false,"statistic":{"name":"Requests","unit":"millions"}}]',
    },
  },
  {
    name: "a body that says again what the query says",
    tool: "portalalert_find",
    args: { status: "active", body: { status: "active", cpCodes: "12346" } },
    request: "POST /alerts/v1/portal-user?status=active",
    body: '{"status":"active","cpCodes":"12346"}',
    answer: {
      status: 200,
      body: '{"alertList":{"alerts":[{"id":2072,"name":"«text»","type":"«text»","startDate":"«text»","errorString":null}],"errorString":null}}',
    },
  },
  ...alertGoldens,
  ...mediaGoldens,
  ...logDeliveryGoldens,
  ...policyGoldens,
  ...threatGoldens,
  ...userGoldens,
  ...certificateGoldens,
  ...propertyGoldens,
  ...liveGoldens,
];

export const goldens: readonly Golden[] = texts.map(golden);
