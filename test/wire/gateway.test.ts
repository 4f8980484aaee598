/** A refusal by the gateway before the API: told apart from a service's own by its problem, and answered with its cause. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import type { Send } from "../../src/language/wire.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allServices } from "../../src/tools/index.js";
import { reporting } from "../../src/tools/reporting/index.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { failureFrom } from "../lab/outcome.js";
import { callOver, responseOf } from "./exchange.js";

const services = await allServices();
const operations = services.flatMap(({ operations }) => Object.entries(operations));

/** The failure of an operation's example when the upstream answers with a problem. */
function failureOf(operation: AnyOperation, status: number, problem: unknown, date?: string): Promise<Failure> {
  const headers = { "content-type": "application/problem+json", ...(date === undefined ? {} : { date }) };
  const send: Send = async () => responseOf({ status, headers, body: JSON.stringify(problem) });
  const args = resolvedExample(operation.spec.example, Date.now()) as Record<string, unknown>;
  return failureFrom(() => callOver(send, operation, args, { now: () => Date.UTC(2026, 4, 20) }));
}

const { report_data_get: report } = reporting.operations;
const refused = (status: number, problem: unknown, date?: string) => failureOf(report, status, problem, date);

// Public facts A, 0.2: the gateway's problem, its types and its details.
const members = {
  ...{ method: "GET", serverIp: "192.0.2.1", clientIp: "192.0.2.2" },
  ...{ requestId: "4f1c7a", requestTime: "2026-05-20T00:00:00Z" },
};
const requestError = "https://problems.luna.akamaiapis.net/-/pep-authn/request-error";
const deny = "https://problems.luna.akamaiapis.net/-/pep-authn/deny";
const noGrant = "https://problems.luna.akamaiapis.net/-/pep-authz/deny";

it.each([
  [400, requestError, "Invalid client token", "unauthorized", /one API client/],
  [400, requestError, "Invalid authorization header", "unauthorized", /one API client/],
  [401, deny, "Inactive client token", "unauthorized", /one API client.*active/],
  [401, deny, "Invalid access token", "unauthorized", /one API client/],
  [401, deny, "Something else", "unauthorized", /one API client/],
  [401, deny, undefined, "unauthorized", /one API client/],
  [400, requestError, "Invalid timestamp", "unauthorized", /clock/],
  [400, requestError, "Invalid nonce", "unauthorized", /proxy.*twice/],
  [401, deny, "The signature does not match", "unauthorized", /client_secret.*proxy/],
  [403, noGrant, "You don't have permission", "forbidden", /grant/],
  [403, noGrant, undefined, "forbidden", /grant/],
  [403, deny, "Invalid timestamp", "unauthorized", /clock/],
])("a gateway's refusal %i %s %j is reported as %s", async (status, type, detail, code, next) => {
  for (const one of [type, type.replace("luna.akamaiapis.net", "example.org:8443"), new URL(type).pathname]) {
    const failure = await refused(status, { type: one, title: "Refused", status, detail, ...members });
    expect(failure).toMatchObject({ code, detail: { status, next: expect.stringMatching(next) } });
    expect(failure.detail.why).toContain("gateway");
  }
});

it.each([
  ["Tue, 19 May 2026 23:57:55 GMT", /clock is 125 s ahead of the upstream's.*NTP/],
  ["Wed, 20 May 2026 00:01:00 GMT", /clock is 60 s behind the upstream's.*NTP/],
  ["Tue, 19 May 2026 23:59:50 GMT", /clock agrees/],
  ["Tue, 19 May 2026 23:59:49 GMT", /clock is 11 s ahead/],
  ["Wed, 20 May 2026 00:00:10 GMT", /clock agrees/],
  ["Wed, 20 May 2026 00:00:11 GMT", /clock is 11 s behind/],
  ["Wed, 20 May 2026 00:00:04 GMT", /clock agrees with the upstream's.*delays/],
  ["soon", /Synchronize this machine's clock with NTP/],
  [undefined, /Synchronize this machine's clock with NTP/],
])("a refused timestamp is measured against the answer's Date, %s", async (date, next) => {
  const failure = await refused(400, { type: requestError, detail: "Invalid timestamp", ...members }, date);
  expect(failure.detail.next).toMatch(next);
});

it.each([
  [400, "Invalid timestamp", "unauthorized", /clock/],
  [401, "Refused", "unauthorized", /one API client/],
  [403, "Refused", "forbidden", /grant/],
])("the cause of a gateway's refusal is known by its members, too: %i %s", async (status, detail, code, next) => {
  const failure = await refused(status, { title: "Refused", status, detail, ...members });
  expect([failure.code, failure.detail.why]).toEqual([code, expect.stringContaining("gateway")]);
  expect(failure.detail.next).toMatch(next);
});

it.each([
  ["a service's problem", 400, { ...members, type: "/x/error-types/y", detail: "No" }, "rejected"],
  ["a path that only holds the words", 400, { type: "/api/-/pep-authn/x" }, "rejected"],
  ["a type that is no text", 401, { type: { "/-/pep-authn/": 1 } }, "unauthorized"],
  ["an address that is none", 403, { type: "https://" }, "forbidden"],
  ["a text", 400, "/-/pep-authn/deny", "rejected"],
  ["a list", 400, [requestError], "rejected"],
  ["nothing", 403, null, "forbidden"],
  ["a status that the gateway does not refuse with", 404, { type: requestError, ...members }, "not_found"],
])("no refusal of a gateway: %s keeps the operation's own words", async (_, status, problem, code) => {
  const failure = await refused(status, problem);
  expect(failure.code).toBe(code);
  expect(failure.detail.why ?? "").not.toContain("gateway");
});

it("no operation blames its arguments for what the gateway refused", () => {
  const sample = sampled(operations, ([, one]) =>
    mechanismsOf(one).filter((word) => /^(errors|effect|guard kind)/.test(word)),
  );
  return holdsForEach(sample, async (_, one) => {
    const problem = { type: requestError, title: "Bad", status: 400, detail: "Invalid client token", ...members };
    const failure = await failureOf(one, 400, problem);
    expect(failure.code).toBe("unauthorized");
    expect(failure.detail).toMatchObject({ upstream: problem, next: expect.stringContaining("one API client") });
  });
});
