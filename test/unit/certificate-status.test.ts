/** The status of an enrollment whose answers have shapes and words that no source shows: findings, and never an error. */
import { expect, it } from "vitest";
import type { Invoke } from "../../src/calls/index.js";
import { certificateStatus } from "../../src/workflows/certificate-status.js";
import { emptySearch } from "../calls/options.js";

const path = "/cps-api/enrollments/1/changes/2";
const statusInfo = { state: "running", status: "s" };
const told: Readonly<Record<string, unknown>> = {
  cert_enrollment_get: { csr: { cn: "a.example" }, pendingChanges: [path] },
  cert_change_get: { statusInfo, allowedInput: [] },
  cert_deployments_list: { staging: null, production: { primaryCertificate: { expiry: "2027-01-01T00:00:00Z" } } },
  cert_change_input_get: { warnings: "w" },
};

async function run(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const invoke: Invoke = async (tool, args) => {
    asked.push(`${tool} ${JSON.stringify(args)}`);
    return { status: 200, body: { ...told, ...answers }[tool], headers: {}, notes: [] };
  };
  const work = {
    invoke,
    progress: async () => undefined,
    tools: new Map(),
    workflows: {},
    search: emptySearch,
    plan: async () => undefined,
  };
  const result = await certificateStatus.run({ enrollmentId: 1 }, work);
  expect(JSON.stringify(result)).not.toMatch(/undefined|NaN|\[object/);
  const { changes, findings, expires } = result;
  return { asked, changes: changes as Record<string, unknown>[], findings: findings as string[], expires };
}

it.each([undefined, null, "text", [], {}, { csr: null }])("has findings where every answer is %j", async (body) => {
  for (const tool of Object.keys(told)) expect((await run({ [tool]: body })).findings).toHaveLength(1);
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

it("says of an input that is not known that it is not, and calls nothing for it", async () => {
  const input = { type: "t", info: `${path}/input/info/x`, update: `${path}/input/update/purge_submit` };
  const { changes, asked } = await run({
    cert_change_get: { statusInfo: { ...statusInfo, state: "awaiting-input" }, allowedInput: [input] },
  });
  expect(changes[0]).toMatchObject({ whoseMove: "you", does: "Edgewise does not know this kind of input." });
  expect(changes[0]).not.toHaveProperty("continueWith");
  expect(asked.some((one) => one.startsWith("cert_change_input_get"))).toBe(false);
});

it("tells the expiry where the version has one", async () => {
  expect((await run({})).expires).toEqual({ staging: null, production: "2027-01-01T00:00:00Z" });
  const old = { staging: { certificate: "c" }, production: { primaryCertificate: 7 } };
  expect((await run({ cert_deployments_list: old })).expires).toEqual({ staging: null, production: null });
});
