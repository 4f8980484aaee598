/** Each family of services refuses in its own error format, whichever part of the emulator refuses (public facts A, 0.2). */
import { describe, expect, it } from "vitest";
import { startRaw } from "../lab/raw.js";

const problem = "application/problem+json";
const put = (target: string) => ({ method: "PUT", target });
const xml = (method: string, target: string) => ({
  method,
  target,
  headers: { "content-type": "application/xml" },
  body: "<a/>",
});
const alerts = "/alerts/v2/alert-definitions";
const queue = "/ccu/v2/queues/default";
const report = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
const events = "/events/ws/api/v2/current-account/events";
const dig = "/diagnostic-tools/v2/ghost-locations/tokyo-japan/dig-info";
const curl = "/diagnostic-tools/v2/ghost-locations/tokyo-japan/curl-results";
const usage = "/billing-center-api/v2/contracts/C-1FRYVV3/products/M-SITE-7/measures";
const alert = (status: number, kind: string, title: string, detail: unknown = expect.any(String)) => ({
  type: `/alerts-api/error-types/${kind}`,
  title,
  status,
  detail,
});
const diagnostic = (status: number, title: string, method: string, target: string, errors: unknown) => ({
  type: expect.stringMatching(/^https:/),
  title,
  status,
  detail: expect.any(String),
  instance: `https://emulator.invalid${target}`,
  method,
  requestTime: "2026-05-20T12:10:00Z",
  errors,
});
const identities = "/identity-management/v1/open-identities";
const credential = (status: number, code: number, title: string, detail: string) => ({
  type: `/identity-management/error-types/${code}`,
  status,
  title,
  detail,
  errors: [],
});
const reported = (type: string, title: string, error: object) => ({
  type,
  title,
  instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
  errors: [error],
});
const invalid = (error: object) => reported("reporting.re.invalid.request", "Request is invalid.", error);
const purged = (title: string, status: number, slug: string) => ({
  supportId: expect.stringMatching(/^17PY\d+-\d+$/),
  title,
  httpStatus: status,
  detail: expect.any(String),
  describedBy: `https://api.ccu.akamai.com/ccu/v2/errors/${slug}`,
});

describe("the shape of a refusal", () => {
  it.each([
    [
      400,
      "an alert's",
      { target: `${alerts}?colour=red` },
      problem,
      alert(400, "ILLEGAL_ARGUMENT", "Illegal Argument"),
    ],
    [
      404,
      "an alert's",
      { target: "/alerts/v2/nothing" },
      problem,
      { ...alert(404, "ALERT_NOT_FOUND", "Not Found", "Resource Not Found."), code: "ALERT_NOT_FOUND" },
    ],
    [
      405,
      "an alert's",
      put(alerts),
      problem,
      alert(405, "METHOD_NOT_ALLOWED", "Method Not Allowed", "Request method 'PUT' not supported"),
    ],
    [
      415,
      "an alert's",
      xml("POST", alerts),
      problem,
      alert(415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported Media Type", "Content type 'application/xml' not supported"),
    ],
    [
      400,
      "a diagnostic's",
      { target: `${dig}?queryType=TXT` },
      problem,
      diagnostic(400, "Bad Request", "GET", `${dig}?queryType=TXT`, [
        { fieldName: "hostName", error: expect.stringContaining("hostName") },
      ]),
    ],
    [
      400,
      "a diagnostic's",
      { method: "POST", target: curl, headers: { "content-type": "application/json" }, body: '{"url":"x"}' },
      problem,
      diagnostic(400, "Bad Request", "POST", curl, [{ fieldName: "url", error: expect.stringContaining("body.url") }]),
    ],
    [
      404,
      "a diagnostic's",
      { target: "/diagnostic-tools/v2/cpcodes/1/estats" },
      problem,
      diagnostic(404, "Not Found", "GET", "/diagnostic-tools/v2/cpcodes/1/estats", [
        { fieldName: "cpCode", error: "There is no CP code 1" },
      ]),
    ],
    [405, "a diagnostic's", put(dig), problem, diagnostic(405, "Method Not Allowed", "PUT", dig, [])],
    [
      400,
      "a report's",
      { target: `${report}?start=2026-05-11&end=2026-05-12&interval=NONE` },
      "application/json",
      invalid({
        type: "date.range.invalid.unrecognized.interval",
        title: "Missing or invalid interval, should be one of [FIVE_MINUTES, HOUR, DAY, WEEK, MONTH]",
      }),
    ],
    [
      400,
      "a report's",
      { target: `${report}?start=yesterday&end=2026-05-12&interval=DAY` },
      "application/json",
      reported("reporting.re.problem", "Reporting exception", {
        type: "date.range.invalid.date.format",
        title: "Could not parse provided date",
      }),
    ],
    [
      415,
      "a report's",
      xml("POST", `${report}?start=2026-05-11&end=2026-05-12&interval=DAY`),
      "application/json",
      reported("reporting.re.problem", "Reporting exception", {
        type: "unsupported.media.type",
        title: "Send application/json",
      }),
    ],
    [
      400,
      "a contract's",
      { target: "/contract-api/v1/contracts/identifiers?depth=ALLES" },
      problem,
      {
        type: "/contract-api/error-types/E400",
        status: "400",
        title: "Erroneous data input.",
        errors: [{ title: "depth", detail: expect.any(String) }],
      },
    ],
    [
      404,
      "a contract's",
      { target: "/contract-api/v1/nothing" },
      problem,
      { type: "/contract-api/error-types/E404", status: "404", title: "Resource not found." },
    ],
    [
      400,
      "a usage's",
      { target: `${usage}?month=13&year=2026` },
      "application/json",
      {
        code: "billing.invalid.value",
        title: "Invalid value",
        incidentId: expect.any(String),
        details: [
          {
            code: "billing.invalid.value",
            message: expect.any(String),
            field: "month",
            data: { field: "month", value: 13 },
          },
        ],
        resolution: null,
        helpUrl: null,
      },
    ],
    [
      400,
      "a purge's",
      { method: "POST", target: queue, headers: { "content-type": "application/json" }, body: "{" },
      "application/api-problem+json",
      purged("Malformed body", 400, "malformed-body"),
    ],
    [
      415,
      "a purge's",
      xml("POST", queue),
      "application/api-problem+json",
      purged("Unsupported media type", 415, "unsupported-media-type"),
    ],
    [
      400,
      "an event's",
      { target: `${events}?limit=0` },
      problem,
      {
        type: "/event-center/error-types/constraint-violation",
        title: "Constraint violation",
        status: 400,
        detail: expect.any(String),
        errors: [expect.objectContaining({ path: "limit", value: 0 })],
      },
    ],
    [
      404,
      "an event's",
      { target: `${events}/1` },
      problem,
      { type: "about:blank", title: "Not Found", status: 404, detail: "Event entity with id 1 not found" },
    ],
    [
      404,
      "a portal alert's",
      { target: "/alerts/v1/portal-user/alert/1" },
      problem,
      alert(404, "ALERT_NOT_FOUND", "Not Found", "No active alert 1"),
    ],
    [
      405,
      "a portal alert's",
      put("/alerts/v1/portal-user"),
      problem,
      alert(405, "METHOD_NOT_ALLOWED", "Method Not Allowed"),
    ],
    [
      404,
      "a credential's",
      { target: `${identities}/oi-1/credentials` },
      problem,
      credential(404, 2, "invalid open identity", "There is no open identity oi-1"),
    ],
    [
      409,
      "a credential's",
      { method: "DELETE", target: `${identities}/oi-7421/credentials/4101` },
      problem,
      credential(409, 30, "ERROR_CREDENTIAL_ACTIVE", "Only an inactive credential can be deleted"),
    ],
    [
      405,
      "a credential's",
      put(`${identities}/oi-7421/credentials`),
      problem,
      credential(405, 405, "Method Not Allowed", "Use GET, POST"),
    ],
    [
      404,
      "a zone's",
      { target: "/config-dns/v1/zones/absent.example" },
      problem,
      {
        type: "/config-dns/error-types/404",
        title: "Not Found",
        status: 404,
        detail: "There is no zone absent.example",
      },
    ],
    [
      403,
      "a registration's",
      { target: "/config-saas-registration/v1/pairs/?contractId=C-OTHER" },
      problem,
      {
        type: "/config-saas-registration/error-types/403",
        title: "Forbidden",
        status: 403,
        detail: "The contract C-OTHER is not one of this client's",
      },
    ],
    [
      404,
      "no service's",
      { target: "/nothing" },
      problem,
      { type: "/error-types/404", title: "Not Found", status: 404, detail: "There is no such resource" },
    ],
  ])("of status %i is %s own", async (status, _, raw, type, body) => {
    const answer = await startRaw().ask(raw);
    expect([answer.status, answer.headers["content-type"]]).toEqual([status, type]);
    expect(answer.json()).toEqual(body);
  });
});
