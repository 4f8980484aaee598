/** Each family of services refuses in its own error format, whichever part of the emulator refuses (public facts A, 0.2). */
import { expect, it } from "vitest";
import { type Raw, startRaw } from "../lab/raw.js";

const text = expect.any(String) as unknown as string;
const alerts = "/alerts/v2/alert-definitions";
const queue = "/ccu/v2/queues/default";
const report = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
const events = "/events/ws/api/v2/current-account/events";
const tokyo = "/diagnostic-tools/v2/ghost-locations/tokyo-japan";
const usage = "/billing-center-api/v2/contracts/C-1FRYVV3/products/M-SITE-7/measures?month=13&year=2026";
const identities = "/identity-management/v1/open-identities";

const put = (target: string): Raw => ({ method: "PUT", target });
const post = (target: string, body: string, type = "application/json"): Raw => ({
  ...{ method: "POST", target, body },
  headers: { "content-type": type },
});
const xml = (target: string): Raw => post(target, "<a/>", "application/xml");
const typed = (prefix: string) => (status: number, kind: string | number, title: string, detail: unknown) => ({
  ...{ status, title, detail },
  type: `/${prefix}/error-types/${kind}`,
});
const [alert, contract] = [typed("alerts-api"), "/contract-api/error-types"];
const credential = (...problem: [number, number, string, string]) => ({
  ...typed("identity-management")(...problem),
  errors: [],
});
const diagnostic = (status: number, title: string, { method = "GET", target }: Raw, errors: unknown) => ({
  ...{ status, title, method, errors, detail: text },
  type: expect.stringMatching(/^https:/),
  instance: `https://emulator.invalid${target}`,
  requestTime: "2026-05-20T12:10:00Z",
});
const reported = (type: string, title: string) => ({
  type: "reporting.re.problem",
  title: "Reporting exception",
  instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
  errors: [{ type, title }],
});
const purged = (title: string, httpStatus: number, slug: string) => ({
  ...{ title, httpStatus, detail: text },
  supportId: expect.stringMatching(/^17PY\d+-\d+$/),
  describedBy: `https://api.ccu.akamai.com/ccu/v2/errors/${slug}`,
});

const problem = "application/problem+json";
const json = "application/json";
const purge = "application/api-problem+json";
const billed = { code: "billing.invalid.value", title: "Invalid value", incidentId: text };
const month = { code: billed.code, message: text, field: "month", data: { field: "month", value: 13 } };
const period = "start=yesterday&end=2026-05-12&interval=DAY";
const limited = expect.objectContaining({ path: "limit", value: 0 });
const dig: Raw = { target: `${tokyo}/dig-info?queryType=TXT` };
const curl = post(`${tokyo}/curl-results`, '{"url":"x"}');
const statistics: Raw = { target: "/diagnostic-tools/v2/cpcodes/1/estats" };

it.each<[whose: string, status: number, raw: Raw, type: string, body: object]>([
  ["alert", 400, { target: `${alerts}?colour=red` }, problem, alert(400, "ILLEGAL_ARGUMENT", "Illegal Argument", text)],
  [
    "alert",
    404,
    { target: "/alerts/v2/nothing" },
    problem,
    { ...alert(404, "ALERT_NOT_FOUND", "Not Found", "Resource Not Found."), code: "ALERT_NOT_FOUND" },
  ],
  ["alert", 405, put(alerts), problem, alert(405, "METHOD_NOT_ALLOWED", "Method Not Allowed", text)],
  ["alert", 415, xml(alerts), problem, alert(415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported Media Type", text)],
  ["diagnostic", 400, dig, problem, diagnostic(400, "Bad Request", dig, [{ fieldName: "hostName", error: text }])],
  ["diagnostic", 400, curl, problem, diagnostic(400, "Bad Request", curl, [{ fieldName: "url", error: text }])],
  [
    "diagnostic",
    404,
    statistics,
    problem,
    diagnostic(404, "Not Found", statistics, [{ fieldName: "cpCode", error: "There is no CP code 1" }]),
  ],
  ["diagnostic", 405, put(tokyo.concat("/dig-info")), problem, expect.objectContaining({ method: "PUT", errors: [] })],
  [
    "report",
    400,
    { target: `${report}?${period}` },
    json,
    reported("date.range.invalid.date.format", "Could not parse provided date"),
  ],
  [
    "report",
    415,
    xml(`${report}?start=2026-05-11&end=2026-05-12&interval=DAY`),
    json,
    reported("unsupported.media.type", "Send application/json"),
  ],
  [
    "contract",
    400,
    { target: "/contract-api/v1/contracts/identifiers?depth=ALLES" },
    problem,
    {
      ...{ type: `${contract}/E400`, status: "400", title: "Erroneous data input." },
      errors: [{ title: "depth", detail: text }],
    },
  ],
  [
    "contract",
    404,
    { target: "/contract-api/v1/nothing" },
    problem,
    { type: `${contract}/E404`, status: "404", title: "Resource not found." },
  ],
  ["usage", 400, { target: usage }, json, { ...billed, details: [month], resolution: null, helpUrl: null }],
  ["purge", 400, post(queue, "{"), purge, purged("Malformed body", 400, "malformed-body")],
  ["purge", 415, xml(queue), purge, purged("Unsupported media type", 415, "unsupported-media-type")],
  [
    "event",
    400,
    { target: `${events}?limit=0` },
    problem,
    { ...typed("event-center")(400, "constraint-violation", "Constraint violation", text), errors: [limited] },
  ],
  [
    "event",
    404,
    { target: `${events}/1` },
    problem,
    { type: "about:blank", title: "Not Found", status: 404, detail: "Event entity with id 1 not found" },
  ],
  [
    "portal alert",
    404,
    { target: "/alerts/v1/portal-user/alert/1" },
    problem,
    alert(404, "ALERT_NOT_FOUND", "Not Found", "No active alert 1"),
  ],
  [
    "credential",
    404,
    { target: `${identities}/oi-1/credentials` },
    problem,
    credential(404, 2, "invalid open identity", text),
  ],
  [
    "credential",
    409,
    { method: "DELETE", target: `${identities}/oi-7421/credentials/4101` },
    problem,
    credential(409, 30, "ERROR_CREDENTIAL_ACTIVE", text),
  ],
  [
    "credential",
    405,
    put(`${identities}/oi-7421/credentials`),
    problem,
    credential(405, 405, "Method Not Allowed", text),
  ],
  [
    "zone",
    404,
    { target: "/config-dns/v1/zones/absent.example" },
    problem,
    typed("config-dns")(404, 404, "Not Found", "There is no zone absent.example"),
  ],
  [
    "unknown path",
    404,
    { target: "/nothing" },
    problem,
    { type: "/error-types/404", title: "Not Found", status: 404, detail: "There is no such resource" },
  ],
])("the refusal of a %s with %i has its family's form", async (_, status, raw, type, body) => {
  const answer = await startRaw().ask(raw);
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, type]);
  expect(answer.json()).toEqual(body);
});
