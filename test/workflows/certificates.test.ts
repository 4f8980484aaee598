/** Certificates as they are called, from the enrollment to production: checked, approved, and told by the workflow. */
import { describe, expect, it } from "vitest";
import { createCalls } from "../../src/calls/index.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { writeZone, zoneOf } from "../../src/emulator/services/dns/zones.js";
import { createWorld, type World } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { allServices } from "../../src/tools/index.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { workflowsOf } from "../../src/workflows/index.js";
import { caller } from "../lab/made-up.js";
import { unbound } from "../lab/options.js";
import { rule } from "../lab/rules.js";

const workflows = workflowsOf("documents");

const catalogue = new Map(
  (await allServices("documents")).flatMap(({ name, operations }) =>
    Object.entries<AnyOperation>(operations).map(([tool, declared]) => [tool, { service: name, declared }] as const),
  ),
);
const minute = 60_000;

interface RowContext {
  readonly findings: string[];
  readonly changes: readonly {
    readonly changeId: number;
    readonly state?: string;
    readonly whoseMove: string;
    readonly does: string;
    readonly continueWith?: readonly { readonly tool: string; readonly arguments: Record<string, unknown> }[];
    readonly shows?: Record<string, unknown>;
    readonly error?: object;
  }[];
  readonly expires: { readonly staging: string | null; readonly production: string | null };
  readonly steps: readonly { readonly tool: string; readonly outcome: string; readonly found?: string }[];
}

function start() {
  const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12) });
  const emulator = createEmulator({ world });
  const sent: string[] = [];
  const { host } = demoCredentials;
  const calls = createCalls({
    operationOf: async (tool) => catalogue.get(tool),
    client: createClient({
      send: (request) => {
        if (request.method !== "GET") sent.push(`${request.method} ${request.url.pathname}`);
        return emulator.send(request);
      },
      target: { origin: `https://${host}`, vendor: "akamai" },
      authorize: authorizer(undefined, demoCredentials),
      maxResponseBytes: 1_000_000,
    }),
    ...unbound(),
    account: { section: "default", host, isEmulated: true },
    workflows,
    onFault: (error) => {
      throw error;
    },
  });
  const call = async (tool: string, args: Record<string, unknown>) => {
    const outcome = await calls.call(tool, args, caller);
    if (outcome.kind !== "preview") return { outcome, preview: undefined };
    const confirmed = await calls.call(tool, { ...args, confirm: outcome.plan.id }, caller);
    return { outcome: confirmed, preview: outcome.preview };
  };
  const answer = async (tool: string, args: Record<string, unknown>) => {
    const { outcome, preview } = await call(tool, args);
    if (outcome.kind !== "answer") throw new Error(`It was a ${outcome.kind}: ${JSON.stringify(outcome)}`);
    return { reply: outcome.reply, preview };
  };
  const failure = async (tool: string, args: Record<string, unknown>): Promise<Failure> => {
    const { outcome } = await call(tool, args);
    if (outcome.kind !== "failure") throw new Error(`It was a ${outcome.kind}.`);
    return outcome.failure;
  };
  const status = async (enrollmentId: number): Promise<RowContext> => {
    const outcome = await calls.call("cert_enrollment_status", { enrollmentId }, caller);
    if (outcome.kind !== "workflow") throw new Error(`It was a ${outcome.kind}.`);
    return outcome.result as unknown as RowContext;
  };
  return { world, sent, call, answer, failure, status };
}
const pem = "-----BEGIN CERTIFICATE-----\nMIIDabc=\n-----END CERTIFICATE-----";
const change = (id: number) => ({ enrollmentId: id, changeId: id + 10_000 });

describe("an upload", () => {
  const upload = { ...change(10_002), allowedInputTypeParam: "third-party-cert-and-trust-chain" };

  it("of several certificates at once is in the newer medium", async () => {
    const { answer, status, world } = start();
    const both = ["RSA", "ECDSA"].map((keyAlgorithm) => ({ certificate: pem, keyAlgorithm, trustChain: pem }));
    await answer("cert_change_input_submit", { ...upload, body: { certificatesAndTrustChains: both } });
    world.advance(10 * minute);
    expect((await status(10_002)).changes[0]).toMatchObject({ continueWith: [{ tool: "cert_change_input_submit" }] });
  });
});

rule("cert-missing-certificate", "takes the parameter from version 10 of the enrollment on", async () => {
  const { failure, call, answer, sent } = start();
  const read = await answer("cert_enrollment_get", { enrollmentId: 10_001, version: "v11" });
  const args = { enrollmentId: 10_001, "allow-missing-certificate-addition": true, body: read.reply.body };
  for (const version of ["v9", undefined]) {
    const { body } = (await answer("cert_enrollment_get", { enrollmentId: 10_001, ...(version && { version }) })).reply;
    const { location: _, pendingChanges: __, ...given } = body as Record<string, unknown>;
    expect(
      (await failure("cert_enrollment_update", { ...args, body: given, ...(version && { version }) })).detail.fields,
    ).toEqual([
      { field: "allow-missing-certificate-addition", given: "true", takes: expect.stringContaining("v10 or v11") },
    ]);
  }
  expect(sent).toEqual([]);
  const { outcome, preview } = await call("cert_enrollment_update", { ...args, version: "v11" });
  expect(outcome.kind).toBe("answer");
  // The state is read in the version of the body, so that nothing seems to change that does not.
  expect(preview?.changes).toBe(0);
});

describe("the status of an enrollment", () => {
  it("an enrollment's status offers no call that lacks the certificate", async () => {
    const { status } = start();
    const told = await status(10_002);
    expect(told.changes).toMatchObject([
      {
        changeId: 20_002,
        whoseMove: "you",
        does: expect.stringMatching(/CSR signed.* with cert_change_input_submit\.$/),
        shows: { "third-party-cert-and-trust-chain": { csrs: [{ keyAlgorithm: "RSA" }] } },
      },
    ]);
    expect(told.changes[0]).not.toHaveProperty("continueWith");
    const acknowledged = { allowedInputTypeParam: "change-management-ack", body: { acknowledgement: "acknowledge" } };
    expect((await status(10_003)).changes[0]?.continueWith).toEqual([
      { tool: "cert_change_input_submit", arguments: { ...change(10_003), ...acknowledged } },
    ]);
    const none = "Nothing is deployed yet on either network.";
    expect(told.findings).toEqual([expect.stringContaining("Change 20002:"), none]);
    expect(told.expires).toEqual({ staging: null, production: null });
    // Neither network has anything before the first deployment, which is what was found and no failure.
    expect(told.steps.map(({ tool, outcome, found }) => [tool, outcome, found])).toContainEqual([
      "cert_deployments_list",
      "done",
      none,
    ]);
    expect(told.steps.filter(({ outcome }) => outcome !== "done")).toEqual([]);
  });

  /** Publishes the records that the status asks for in the account's own zone. */
  function publish(world: World, shows: Record<string, unknown> = {}): void {
    const { dv } = shows["free-ca-challenges-completed"] as {
      dv: { challenges: { type: string; fullPath: string; responseBody: string }[] }[];
    };
    const records = dv
      .flatMap(({ challenges }) => challenges.filter(({ type }) => type === "dns-01"))
      .map(({ fullPath, responseBody }) => ({
        name: fullPath.replace(".example.com.", ""),
        ttl: 60,
        active: true,
        target: responseBody,
      }));
    const stored = zoneOf(world, "example.com");
    if (stored) writeZone(world, { ...stored.zone, txt: [...(stored.zone.txt ?? []), ...records] });
  }

  it("leads from each state to the next, until nothing is pending", async () => {
    const { status, answer, world } = start();
    const whose: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const { changes } = await status(10_004);
      const [first] = changes;
      if (!first) break;
      whose.push(`${first.state}: ${first.whoseMove}`);
      const [next] = first.continueWith ?? [];
      if (next) {
        await answer(next.tool, next.arguments);
        // To report challenges does not meet them.
        publish(world, first.shows);
      } else world.advance(20 * minute);
    }
    expect(whose).toEqual(["awaiting-input: you, or the service by itself", "running: service"]);
    const told = await status(10_004);
    expect(told.findings).toEqual([expect.stringContaining("Nothing is pending")]);
    expect(told.expires.production).toMatch(/^2027-05-20T/);
  });

  it("tells of a failed change why, and that it is the caller's move", async () => {
    const { status, answer } = start();
    await answer("cert_change_schedule_update", { ...change(10_003), body: { notAfter: "2026-05-01T00:00:00Z" } });
    await answer("cert_change_input_submit", {
      ...change(10_003),
      allowedInputTypeParam: "change-management-ack",
      body: { acknowledgement: "acknowledge" },
    });
    expect((await status(10_003)).changes[0]).toMatchObject({
      state: "error",
      whoseMove: "you",
      error: { code: "deployment-window-missed" },
    });
  });

  it("says which steps failed where there is no such enrollment", async () => {
    const { status } = start();
    const told = await status(10_009);
    expect(told.findings).toEqual(["The enrollment could not be read; see steps for the reason."]);
    expect(told.steps.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  });
});
