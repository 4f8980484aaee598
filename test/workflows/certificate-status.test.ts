/** The status of an enrollment whose answers have shapes and words that no source shows: findings, and never an error. */
import { expect, it } from "vitest";
import type { Invoke } from "../../src/calls/index.js";
import { Failure, type FailureCode } from "../../src/language/failure.js";
import { certificateStatus } from "../../src/workflows/certificates.js";
import { workWith } from "../lab/options.js";

const path = "/cps-api/enrollments/1/changes/2";
const statusInfo = { state: "running", status: "s" };
const told: Readonly<Record<string, unknown>> = {
  cert_enrollment_get: { csr: { cn: "a.example" }, pendingChanges: [path] },
  cert_change_get: { statusInfo, allowedInput: [] },
  cert_deployments_list: { staging: null, production: { primaryCertificate: { expiry: "2027-01-01T00:00:00Z" } } },
  cert_change_input_get: { warnings: "w" },
};

const unread = (tool: string) =>
  tool === "cert_deployments_list" ? ["The deployed certificates could not be read; see steps for the reason."] : [];

async function run(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const invoke: Invoke = async (tool, args) => {
    asked.push(`${tool} ${JSON.stringify(args)}`);
    const body = { ...told, ...answers }[tool];
    if (body instanceof Failure) throw body;
    return { status: 200, body, headers: {}, notes: [] };
  };
  const result = await certificateStatus.run({ enrollmentId: 1 }, workWith(invoke));
  expect(JSON.stringify(result)).not.toMatch(/undefined|NaN|\[object/);
  const { changes, findings, expires, steps } = result;
  return { asked, changes: changes as Record<string, unknown>[], findings: findings as string[], expires, steps };
}

it.each([undefined, null, "text", [], {}, { csr: null }])("has findings where every answer is %j", async (body) => {
  for (const tool of Object.keys(told))
    expect([tool, (await run({ [tool]: body })).findings]).toEqual([tool, [expect.any(String), ...unread(tool)]]);
});

const failed = (code: FailureCode) => new Failure(code, `It was ${code}.`, { next: "n" });

it("reads a 404 as nothing deployed, and no other failure", async () => {
  const none = "Nothing is deployed yet on either network.";
  expect((await run({ cert_deployments_list: failed("not_found") })).findings).toContain(none);
  for (const code of ["forbidden", "upstream", "timeout", "bad_reply"] as const) {
    const { findings, steps } = await run({ cert_deployments_list: failed(code) });
    expect(findings.at(-1)).toBe(unread("cert_deployments_list")[0]);
    expect(steps).toContainEqual(expect.objectContaining({ tool: "cert_deployments_list", outcome: "failed" }));
  }
  // A change that is named and not there is no such finding.
  const { findings } = await run({ cert_change_get: failed("not_found") });
  expect(findings).toEqual([expect.stringContaining("The change could not be read")]);
});

it("promises no renewal of what was never deployed", async () => {
  const idle = { cert_enrollment_get: { csr: { cn: "a.example" }, pendingChanges: [] } };
  expect((await run(idle)).findings).toEqual([
    expect.stringMatching(/^Nothing is pending; a renewal starts automatically/),
  ]);
  for (const none of [failed("not_found"), { staging: null, production: null }])
    expect((await run({ ...idle, cert_deployments_list: none })).findings).toEqual([
      "Nothing is pending.",
      "Nothing is deployed yet on either network.",
    ]);
});

it("finds the change behind either form of a pending change", async () => {
  for (const pending of [path, `${path}/`, { location: path, changeType: "renewal" }]) {
    const { asked } = await run({ cert_enrollment_get: { csr: { cn: "a" }, pendingChanges: [pending] } });
    expect(asked).toContain('cert_change_get {"enrollmentId":1,"changeId":2}');
  }
});

it.each([
  ["new", "service"],
  ["running", "service"],
  ["suspended", "vendor"],
  ["error", "you"],
  ["completed", "nobody"],
  ["cancelled", "nobody"],
  ["dreaming", "unknown"],
])("says of %s that the move is: %s", async (state, whoseMove) => {
  const { changes } = await run({ cert_change_get: { statusInfo: { ...statusInfo, state }, allowedInput: [] } });
  expect(changes).toMatchObject([{ state, whoseMove }]);
});

it("a certificate's unknown input is named, and nothing is called", async () => {
  const input = { type: "t", info: `${path}/input/info/x`, update: `${path}/input/update/purge_submit` };
  const { changes, asked } = await run({
    cert_change_get: { statusInfo: { ...statusInfo, state: "awaiting-input" }, allowedInput: [input] },
  });
  expect(changes[0]).toMatchObject({ whoseMove: "you", does: "Edgewise does not know this kind of input." });
  expect(changes[0]).not.toHaveProperty("continueWith");
  expect(asked.some((one) => one.startsWith("cert_change_input_get"))).toBe(false);
});

it("shows the expiry if the version has one", async () => {
  expect((await run({})).expires).toEqual({ staging: null, production: "2027-01-01T00:00:00Z" });
  const old = { staging: { certificate: "c" }, production: { primaryCertificate: 7 } };
  const { expires, findings } = await run({ cert_deployments_list: old });
  expect(expires).toEqual({ staging: null, production: null });
  expect(findings).toHaveLength(1);
});

it("at most 30 changes of an enrollment are read, each once", async () => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => `/cps-api/enrollments/1/changes/${at}`);
  const repeated = await run({ cert_enrollment_get: { csr: { cn: "a" }, pendingChanges: Array(5_000).fill(path) } });
  expect(repeated.changes).toHaveLength(1);
  const { asked, findings } = await run({ cert_enrollment_get: { csr: { cn: "a" }, pendingChanges: named(5_000) } });
  expect(asked).toHaveLength(32);
  expect(findings).toContain("Only 30 of 5000 pending changes were read.");
});

it("shows the challenges that are still to be met, and counts the others", async () => {
  const update = `${path}/input/update/free-ca-challenges-completed`;
  const awaiting = { cert_change_get: { statusInfo, allowedInput: [{ type: "t", info: "i", update }] } };
  const of = (domain: string, more: object) => ({ domain, ...more });
  for (const [body, shows] of [
    [{ dv: [of("a", { validationStatus: "VALID" }), of("b", {})] }, { dv: [of("b", {})], valid: 1 }],
    [
      { challenges: [of("a", { status: "Valid" }), of("b", { status: "Awaiting user" })] },
      { challenges: [of("b", { status: "Awaiting user" })], valid: 1 },
    ],
    [{ dv: [of("b", {})] }, { dv: [of("b", {})] }],
  ]) {
    const { changes } = await run({ ...awaiting, cert_change_input_get: body });
    expect(changes[0]?.["shows"]).toEqual({ "free-ca-challenges-completed": shows });
  }
});
