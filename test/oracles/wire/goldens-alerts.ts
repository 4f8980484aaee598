/** Golden exchanges of alerts v2 and the diagnostic tools, written from document A and the public facts. */
import type { GoldenText } from "./goldens.js";

const json = "application/json";
const diagnostics = "/diagnostic-tools/v2";

export const alertGoldens: readonly GoldenText[] = [
  {
    name: "an at sign in the path, and a schema in its own media type",
    tool: "alert_definition_schema_get",
    args: { templateId: "s@134" },
    request: "GET /alerts/v2/json-schema/alert-definition/s%40134",
    accept: "application/schema+json",
    answer: {
      status: 200,
      contentType: "application/schema+json",
      body: '{"$schema":"http://json-schema.org/draft-04/schema#","title":"«text»","type":"object","required":["fields"],"properties":"«any»"}',
    },
  },
  {
    name: "a definition with the member that the API assigns, empty",
    tool: "alert_definition_create",
    args: { body: { fields: { templateId: "s@7", name: "Origin", aca_cpcode: ["12345"], param: 2.5 } } },
    request: "POST /alerts/v2/alert-definitions",
    body: '{"fields":{"templateId":"s@7","name":"Origin","definitionId":"","aca_cpcode":["12345"],"param":2.5}}',
    answer: {
      status: 201,
      body: '{"accountId":"«text»","definitionId":"«text»","origin":"STATIC","editInfo":{"active":true,"createdAt":"«text»","createdBy":"«text»","editAt":"«text»","editBy":"«text»"},"fields":{"templateId":"s@7","name":"Origin","definitionId":"«text»","email":[],"emailBrief":[],"emailHtmlFormat":true,"aca_cpcode":["12345"],"network":"both","paramName":"cpercent","param":2.5,"alertLowerBound":0,"isSum":true}}',
    },
  },
  {
    name: "a POST with a query and no body",
    tool: "alert_suppression_create",
    args: { definitionId: "a@cp_12345_77", start: "2026-05-18T00:00:00Z", end: "2026-05-18T06:00:00+02:00" },
    request:
      "POST /alerts/v2/alert-definitions/a%40cp_12345_77/suppressions?start=2026-05-18T00%3A00%3A00Z&end=2026-05-18T06%3A00%3A00%2B02%3A00",
    answer: {
      status: 201,
      body: '{"suppressionId":"«text»","start":"2026-05-18T00:00:00Z","end":"2026-05-18T06:00:00+02:00"}',
    },
  },
  {
    name: "a repeated query value, a duration, a number and a flag",
    tool: "alert_sparklines_list",
    args: { definitionIds: ["s@1623", "s@2071"], duration: "P1D", points: 1, inclRange: false },
    request:
      "GET /alerts/v2/sparklines?definitionIds=s%401623&definitionIds=s%402071&duration=P1D&points=1&inclRange=false",
    answer: {
      status: 200,
      body: '{"data":[{"definitionId":"s@1623","points":[{"x":"«text»","y":"«any»"}],"anomalies":"«any»","suppressions":[]},{"definitionId":"s@2071","points":[{"x":"«text»","y":"«any»"}],"anomalies":[],"suppressions":[]}]}',
    },
  },
  {
    name: "a redirect that is the answer",
    tool: "alert_redirect_get",
    args: { type: "alerts" },
    request: "GET /alerts/redirect?type=alerts",
    answer: { status: 302, location: "/app/alerts/#/" },
  },
  {
    name: "a launch without a body",
    tool: "diag_error_translation_launch",
    args: { errorCode: "9.c000020a.1779000000.692" },
    request: `POST ${diagnostics}/errors/9.c000020a.1779000000.692/translate-error`,
    answer: { status: 202, body: '{"requestId":"«text»","link":"«text»","retryAfter":"«int»"}' },
  },
  {
    name: "303 for a request that is ready",
    tool: "diag_error_translation_status",
    args: { requestId: "ZXJyb3ItMQ" },
    request: `GET ${diagnostics}/translate-error-requests/ZXJyb3ItMQ`,
    accept: json,
    answer: { status: 303, location: `${diagnostics}/translate-error-requests/ZXJyb3ItMQ/translated-error` },
  },
  {
    name: "request headers as repeated query values",
    tool: "diag_url_debug_get",
    args: { url: "http://www.shop.example/a%20b?c=d&e", edgeIp: "192.0.2.20", header: ["Accept: */*", "X-A: b, c"] },
    request: `GET ${diagnostics}/url-debug?url=http%3A%2F%2Fwww.shop.example%2Fa%2520b%3Fc%3Dd%26e&edgeIp=192.0.2.20&header=Accept%3A%20*%2F*&header=X-A%3A%20b%2C%20c`,
    answer: {
      status: 200,
      body: '{"urlDebug":{"dnsInformation":["«text»","«text»"],"httpResponse":[{"name":"«text»","value":"200"},{"name":"«text»","value":"192.0.2.20"}],"responseHeaders":"«any»","logs":"«any»"}}',
    },
  },
  {
    name: "an address of version 6 in the path",
    tool: "diag_ip_cdn_check",
    args: { ipAddress: "2001:db8::7" },
    request: `GET ${diagnostics}/ip-addresses/2001%3Adb8%3A%3A7/is-cdn-ip`,
    answer: { status: 200, body: '{"isCdnIp":false}' },
  },
  {
    name: "log lines by their filters",
    tool: "diag_location_logs_list",
    args: {
      locationId: "tokyo-japan",
      endTime: "2026-05-20T12:00:00Z",
      cpCode: 12345,
      duration: 60,
      httpStatusCode: 200,
      logType: "r",
      maxLogLines: 1,
    },
    request: `GET ${diagnostics}/ghost-locations/tokyo-japan/log-lines?endTime=2026-05-20T12%3A00%3A00Z&cpCode=12345&duration=60&httpStatusCode=200&logType=r&maxLogLines=1`,
    answer: { status: 200, body: '{"logLines":{"headers":"«text»","logs":["«text»"]}}' },
  },
];
