/** Golden exchanges of alerts v2 and the diagnostic tools, written from document A and the public facts. */
import type { Golden } from "./goldens.js";

const json = "application/json";
const diagnostics = "/diagnostic-tools/v2";

export const alertGoldens: readonly Golden[] = [
  {
    name: "an at sign in the path, and a schema in its own media type",
    tool: "alert_definition_schema_get",
    args: { templateId: "s@134" },
    request: {
      method: "GET",
      target: "/alerts/v2/json-schema/alert-definition/s%40134",
      accept: "application/schema+json",
    },
    answer: {
      status: 200,
      contentType: "application/schema+json",
      body: '{"$schema":"http://json-schema.org/draft-04/schema#","title":"«text»","type":"object","required":["fields"],"properties":"«any»"}',
    },
    isEmulated: true,
  },
  {
    name: "a definition with the member that the API assigns, empty",
    tool: "alert_definition_create",
    args: { body: { fields: { templateId: "s@7", name: "Origin", aca_cpcode: ["12345"], param: 2.5 } } },
    request: {
      method: "POST",
      target: "/alerts/v2/alert-definitions",
      accept: json,
      contentType: json,
      body: '{"fields":{"templateId":"s@7","name":"Origin","definitionId":"","aca_cpcode":["12345"],"param":2.5}}',
    },
    answer: {
      status: 201,
      contentType: json,
      body: '{"accountId":"«text»","definitionId":"«text»","origin":"STATIC","editInfo":{"active":true,"createdAt":"«text»","createdBy":"«text»","editAt":"«text»","editBy":"«text»"},"fields":{"templateId":"s@7","name":"Origin","definitionId":"«text»","email":[],"emailBrief":[],"emailHtmlFormat":true,"aca_cpcode":["12345"],"network":"both","paramName":"cpercent","param":2.5,"alertLowerBound":0,"isSum":true}}',
    },
    isEmulated: true,
  },
  {
    name: "a POST with a query and no body",
    tool: "alert_suppression_create",
    args: { definitionId: "a@cp_12345_77", start: "2026-05-18T00:00:00Z", end: "2026-05-18T06:00:00+02:00" },
    request: {
      method: "POST",
      target:
        "/alerts/v2/alert-definitions/a%40cp_12345_77/suppressions?start=2026-05-18T00%3A00%3A00Z&end=2026-05-18T06%3A00%3A00%2B02%3A00",
      accept: json,
    },
    answer: {
      status: 201,
      contentType: json,
      body: '{"suppressionId":"«text»","start":"2026-05-18T00:00:00Z","end":"2026-05-18T06:00:00+02:00"}',
    },
    data: { suppressionId: "text", start: "2026-05-18T00:00:00Z", end: "2026-05-18T06:00:00+02:00" },
    isEmulated: true,
  },
  {
    name: "a repeated query value, a duration, a number and a flag",
    tool: "alert_sparklines_list",
    args: { definitionIds: ["s@1623", "s@2071"], duration: "P1D", points: 1, inclRange: false },
    request: {
      method: "GET",
      target:
        "/alerts/v2/sparklines?definitionIds=s%401623&definitionIds=s%402071&duration=P1D&points=1&inclRange=false",
      accept: json,
    },
    answer: {
      status: 200,
      contentType: json,
      body: '{"data":[{"definitionId":"s@1623","points":[{"x":"«text»","y":"«any»"}],"anomalies":"«any»","suppressions":[]},{"definitionId":"s@2071","points":[{"x":"«text»","y":"«any»"}],"anomalies":[],"suppressions":[]}]}',
    },
    isEmulated: true,
  },
  {
    name: "a redirect that is the answer",
    tool: "alert_redirect_get",
    args: { type: "alerts" },
    request: { method: "GET", target: "/alerts/redirect?type=alerts" },
    answer: { status: 302, location: "/app/alerts/#/" },
    isEmulated: true,
  },
  {
    name: "a launch without a body",
    tool: "diag_error_translation_launch",
    args: { errorCode: "9.c000020a.1779000000.692" },
    request: {
      method: "POST",
      target: `${diagnostics}/errors/9.c000020a.1779000000.692/translate-error`,
      accept: json,
    },
    answer: { status: 202, contentType: json, body: '{"requestId":"«text»","link":"«text»","retryAfter":"«int»"}' },
    data: { requestId: "text", link: "text", retryAfter: 7 },
    isEmulated: true,
  },
  {
    name: "303 for a request that is ready",
    tool: "diag_error_translation_status",
    args: { requestId: "ZXJyb3ItMQ" },
    request: { method: "GET", target: `${diagnostics}/translate-error-requests/ZXJyb3ItMQ`, accept: json },
    answer: { status: 303, location: `${diagnostics}/translate-error-requests/ZXJyb3ItMQ/translated-error` },
    isEmulated: true,
  },
  {
    name: "request headers as repeated query values",
    tool: "diag_url_debug_get",
    args: { url: "http://www.shop.example/a%20b?c=d&e", edgeIp: "192.0.2.20", header: ["Accept: */*", "X-A: b, c"] },
    request: {
      method: "GET",
      target: `${diagnostics}/url-debug?url=http%3A%2F%2Fwww.shop.example%2Fa%2520b%3Fc%3Dd%26e&edgeIp=192.0.2.20&header=Accept%3A%20*%2F*&header=X-A%3A%20b%2C%20c`,
      accept: json,
    },
    answer: {
      status: 200,
      contentType: json,
      body: '{"urlDebug":{"dnsInformation":["«text»","«text»"],"httpResponse":[{"name":"«text»","value":"200"},{"name":"«text»","value":"192.0.2.20"}],"responseHeaders":"«any»","logs":"«any»"}}',
    },
    isEmulated: true,
  },
  {
    name: "an address of version 6 in the path",
    tool: "diag_ip_cdn_check",
    args: { ipAddress: "2001:db8::7" },
    request: { method: "GET", target: `${diagnostics}/ip-addresses/2001%3Adb8%3A%3A7/is-cdn-ip`, accept: json },
    answer: { status: 200, contentType: json, body: '{"isCdnIp":false}' },
    data: { isCdnIp: false },
    isEmulated: true,
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
    request: {
      method: "GET",
      target: `${diagnostics}/ghost-locations/tokyo-japan/log-lines?endTime=2026-05-20T12%3A00%3A00Z&cpCode=12345&duration=60&httpStatusCode=200&logType=r&maxLogLines=1`,
      accept: json,
    },
    answer: { status: 200, contentType: json, body: '{"logLines":{"headers":"«text»","logs":["«text»"]}}' },
    data: { logLines: { headers: "text", logs: ["text"] } },
    isEmulated: true,
  },
];
