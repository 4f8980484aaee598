/** What a person reads before a certificate is replaced, removed, cancelled, scheduled or deployed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config.js";
import { createEngine } from "../../../src/engine/index.js";
import type { Preview } from "../../../src/guard/index.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { caller } from "../../lab/made-up.js";

let engine: Awaited<ReturnType<typeof createEngine>>;
beforeAll(async () => {
  engine = await createEngine(
    readConfig(["--emulator", "--state-dir", "memory"], {}),
    catalogueOf(await allServices("documents")),
    () => undefined,
  );
});
afterAll(() => engine.close());

type Arguments = Readonly<Record<string, unknown>>;
type Enrolled = Arguments & {
  readonly csr: { readonly sans: string[] };
  readonly networkConfiguration: Arguments;
};
const instant = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/;
const change = (id: number) => ({ enrollmentId: id, changeId: id + 10_000 });

async function planOf(tool: string, args: Arguments) {
  const outcome = await engine.calls.call(tool, args, caller);
  if (outcome.kind !== "preview") throw new Error(`It was a ${outcome.kind}: ${JSON.stringify(outcome)}`);
  return outcome;
}
const previewOf = async (tool: string, args: Arguments): Promise<Preview> => (await planOf(tool, args)).preview;

/** An enrollment as it can be written back. */
async function enrolled(enrollmentId: number, version = "v4"): Promise<Enrolled> {
  const { body } = await engine.calls.invoke("cert_enrollment_get", { enrollmentId, version });
  const { location: _, pendingChanges: __, ...rest } = body as Enrolled;
  return rest as Enrolled;
}

describe("the replacement of an enrollment", () => {
  const replace = async (id: number, edit: (body: Enrolled) => object, flags: object = {}, version = "v4") =>
    planOf("cert_enrollment_update", {
      enrollmentId: id,
      version,
      ...flags,
      body: { ...(await enrolled(id, version)), ...edit(await enrolled(id, version)) },
    });

  it("an enrollment's replacement names what goes, comes and expires", async () => {
    const { preview, plan } = await replace(10_001, ({ csr }) => ({ csr: { ...csr, sans: ["new.shop.example"] } }));
    expect(preview.summary).toMatch(
      /^REPLACE the enrollment for www\.shop\.example: names removed, which stop serving TLS: shop\.example; names added: new\.shop\.example; a new certificate is started and goes to PRODUCTION automatically; the certificate on production expires on \S+Z\.$/,
    );
    expect(preview.summary).toMatch(instant);
    expect(preview.target).toBe("www.shop.example");
    expect(preview.lines.filter((line) => line.startsWith("  "))).toEqual([
      "  - csr.sans: shop.example",
      "  + csr.sans: new.shop.example",
    ]);
    expect(plan.tier).toBe("guarded");
  });

  it.each<[string, (body: Enrolled) => object, object, string]>([
    ["contacts", () => ({ techContact: { firstName: "Ida" } }), {}, "it takes effect immediately"],
    [
      "settings",
      ({ networkConfiguration }) => ({ networkConfiguration: { ...networkConfiguration, quicEnabled: true } }),
      {},
      "a deployment is started and waits on staging for an acknowledgement",
    ],
    [
      "settings past staging",
      ({ networkConfiguration }) => ({ networkConfiguration: { ...networkConfiguration, quicEnabled: true } }),
      { "allow-staging-bypass": true },
      "it is deployed straight to PRODUCTION",
    ],
    [
      "settings that are left out",
      () => ({ networkConfiguration: { geography: "core", secureNetwork: "enhanced-tls" } }),
      {},
      "a deployment may be started for the network settings that the call leaves out",
    ],
    [
      "another organization in the subject",
      ({ csr }) => ({ csr: { ...csr, o: "Other" } }),
      {},
      "a new certificate is started",
    ],
    ["nothing but a renewal", () => ({}), { "force-renewal": true }, "the certificate is renewed now"],
  ])("of %s says what it starts", async (_, edit, flags, starts) => {
    const { preview } = await replace(10_003, edit, flags, "v9");
    expect(preview.summary).toContain(`the names stay the same; ${starts}`);
  });

  it("agrees with what the API then does", async () => {
    const before = await enrolled(10_001);
    const calls: readonly (readonly [object, number])[] = [
      [{ techContact: { firstName: "Ida" } }, 200],
      [{ networkConfiguration: { ...before.networkConfiguration, mustHaveCiphers: "other" } }, 202],
    ];
    for (const [edit, status] of calls) {
      const args = { enrollmentId: 10_001, body: { ...before, ...edit } };
      const { plan, preview } = await planOf("cert_enrollment_update", args);
      expect(preview.summary).toContain(status === 200 ? "takes effect immediately" : "a deployment is started");
      const outcome = await engine.calls.call("cert_enrollment_update", { ...args, confirm: plan.id }, caller);
      expect(outcome).toMatchObject({ kind: "answer", reply: { status } });
      const note = outcome.kind === "answer" ? outcome.reply.notes.join() : "";
      expect(note).toContain(`call change_restore with plan "${plan.id}"`);
      if (status !== 202) continue;
      const back = await planOf("change_restore", { plan: plan.id });
      expect(back.preview.lines).toContain("  networkConfiguration.mustHaveCiphers: other → ak-akamai-default");
      expect(back.preview.warnings.join()).toContain("ALL pending changes are cancelled");
      expect(back.plan.tier).toBe("critical");
    }
  });

  it("puts each risky flag into words", async () => {
    const flags = [
      "allow-cancel-pending-changes",
      "allow-staging-bypass",
      "renewal-date-check-override",
      "force-renewal",
      "allow-missing-certificate-addition",
    ];
    const set = Object.fromEntries(flags.map((flag) => [flag, true]));
    const { preview } = await replace(10_003, () => ({ changeManagement: false }), set, "v11");
    for (const flag of flags)
      expect([flag, preview.warnings.some((one) => one.startsWith(`${flag}: `))]).toEqual([flag, true]);
    expect(preview.warnings[0]).toMatch(/ALL pending changes are cancelled, .*: 20003 \(renewal\)\.$/);
    expect(preview.warnings.find((one) => one.startsWith("renewal-date"))).toMatch(/can expire; .* expires on \S+Z\.$/);
    expect(preview.warnings.at(-1)).toContain("without an acknowledgement");
    const off = await replace(10_003, () => ({}), Object.fromEntries(flags.map((flag) => [flag, false])), "v11");
    expect(off.preview.warnings).toEqual([expect.stringMatching(/^Pending: 20003 \(renewal\)\..* 409 /)]);
  });
});

describe("the times that a call gives a deployment", () => {
  const window = { "deploy-not-before": "2027-01-01", "deploy-not-after": "2027-02-01T00:00:00Z" };

  it("a replacement's preview has its deployment times and their risks", async () => {
    const body = await enrolled(10_001);
    const renewed = { enrollmentId: 10_001, "force-renewal": true, body };
    const { summary, warnings } = await previewOf("cert_enrollment_update", { ...renewed, ...window });
    expect(summary).toContain(
      "goes to PRODUCTION automatically not before 2027-01-01 and not after 2027-02-01T00:00:00Z;",
    );
    expect(warnings).toContainEqual(
      expect.stringMatching(
        /^deploy-not-after: .* by 2027-02-01T00:00:00Z is not deployed at all, .* expires on \S+Z\.$/,
      ),
    );
    const later = await previewOf("cert_enrollment_update", { ...renewed, "deploy-not-before": "2027-01-01" });
    expect(later.summary).toContain("automatically not before 2027-01-01;");
    expect(later.warnings.join()).not.toContain("deploy-not-after");
    const managed = { ...renewed, body: { ...body, changeManagement: true }, ...window };
    expect((await previewOf("cert_enrollment_update", managed)).summary).toContain(
      "waits on staging for an acknowledgement, which deploys it not before 2027-01-01 and",
    );
  });

  it("stand in the sentence on a removal", async () => {
    const { summary } = await previewOf("cert_enrollment_delete", { enrollmentId: 10_001, ...window });
    expect(summary).toContain("OFF the network not before 2027-01-01 and not after 2027-02-01T00:00:00Z: these names");
  });
});

describe("the removal of an enrollment", () => {
  it("names what stops serving TLS", async () => {
    const { summary, target } = await previewOf("cert_enrollment_delete", { enrollmentId: 10_003 });
    expect(summary).toBe(
      "TAKE the certificate for images.shop.example OFF the network: these names stop serving TLS: images.shop.example. This cannot be undone.",
    );
    expect(target).toBe("images.shop.example");
  });

  it("removing an enrollment says it is undeployed and what it cancels", async () => {
    const args = { enrollmentId: 10_002, "allow-cancel-pending-changes": true };
    const { summary, warnings } = await previewOf("cert_enrollment_delete", args);
    expect(summary).toMatch(/^DELETE the enrollment for api\.shop\.example: it is not deployed, so no name stops/);
    expect(warnings).toEqual([expect.stringMatching(/ALL pending changes are cancelled, .*: 20002\.$/)]);
  });
});

describe("the cancellation of a change", () => {
  it("names its state, and the expiry that a cancelled renewal leads to", async () => {
    const { summary } = await previewOf("cert_change_cancel", change(10_003));
    expect(summary).toMatch(
      /^CANCEL change 20003 of images\.shop\.example \(renewal, awaiting-input, wait-ack-change-management\): anything it has not deployed is lost; it is the renewal, and the certificate on production expires on \S+Z\. This cannot be undone\.$/,
    );
  });

  it("says nothing of an expiry where the change is no renewal", async () => {
    const { summary } = await previewOf("cert_change_cancel", change(10_002));
    expect(summary).toMatch(
      /\(new-certificate, awaiting-input, wait-upload-third-party\): anything it has not deployed is lost\. /,
    );
  });
});

describe("the input of a change", () => {
  const submit = (id: number, allowedInputTypeParam: string, body: object) =>
    planOf("cert_change_input_submit", { ...change(id), allowedInputTypeParam, body });

  it("tells an acknowledgement from a denial in its first word", async () => {
    const kinds = [
      [
        10_003,
        "change-management-ack",
        /^DEPLOY TO PRODUCTION what is on staging, by acknowledging change 20003 of images/,
      ],
      [
        10_004,
        "free-ca-challenges-completed",
        /^REPORT the domain challenges of change 20004 of www\.example\.com as met/,
      ],
    ] as const;
    for (const [id, kind, says] of kinds) {
      const yes = await submit(id, kind, { acknowledgement: "acknowledge" });
      expect(yes.preview.summary).toMatch(says);
      expect(yes.plan.tier).toBe("critical");
      const no = await submit(id, kind, { acknowledgement: "deny" });
      expect(no.preview.summary).toMatch(/^DENY /);
      expect(no.preview.warnings.join()).toContain("not documented");
    }
  });

  it("a change's input names its certificate and the unproved domains", async () => {
    const { preview } = await submit(10_004, "free-ca-challenges-completed", { acknowledgement: "acknowledge" });
    expect(preview.target).toBe("www.example.com");
    expect(preview.warnings).toEqual(["Not proved yet: the control of www.example.com, static.example.com."]);
  });

  it("an upload counts its certificates; another body, another digest", async () => {
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIDabc=\n-----END CERTIFICATE-----";
    const kind = "third-party-cert-and-trust-chain";
    const chains = ["RSA", "ECDSA"].map((keyAlgorithm) => ({ certificate, keyAlgorithm }));
    const two = await submit(10_002, kind, { certificatesAndTrustChains: chains });
    expect(two.preview.summary).toMatch(/^UPLOAD 2 signed certificates \(RSA, ECDSA\) for change 20002 of api\.shop/);
    const one = await submit(10_002, kind, { certificate });
    expect(one.preview.summary).toMatch(/^UPLOAD 1 signed certificate for change 20002/);
    expect(one.preview.digest).not.toBe(two.preview.digest);
  });
});

it("a schedule says when it reaches production, and what held before", async () => {
  const body = { notBefore: "2027-01-01T00:00:00Z", notAfter: "2027-01-02T00:00:00Z" };
  const args = { ...change(10_003), body };
  const { plan, preview } = await planOf("cert_change_schedule_update", args);
  expect(preview.summary).toBe(
    "RESCHEDULE change 20003 of images.shop.example: it goes to PRODUCTION not before 2027-01-01T00:00:00Z and not after 2027-01-02T00:00:00Z; until now, as soon as it is ready.",
  );
  expect(preview.warnings).toEqual([expect.stringContaining("cannot begin before notAfter")]);
  expect(plan.tier).toBe("guarded");
});

describe("a provisioning request", () => {
  const owner = { contractId: "C-1FRYVV3", groupId: "11111" };
  const changes = { cnameHostname: "www.shop.example", jobId: "44301" };

  it("a provisioning request adding names is approved like a replacement", async () => {
    const body = { ...changes, createType: "modSan", add: { sans: ["cart.shop.example"] } };
    const { preview, plan } = await planOf("sps_request_create", { ...owner, body });
    expect(preview.summary).toBe(
      'ADD "cart.shop.example" to the certificate of job "44301", which serves "www.shop.example": it is reissued and replaced on PRODUCTION.',
    );
    expect([preview.target, plan.tier]).toEqual(["www.shop.example", "critical"]);
  });

  it("a provisioning order says no staging or acknowledgement stops it", async () => {
    const body = {
      cnameHostname: "pay.shop.example",
      createType: "san",
      csr: { cn: "pay.shop.example", sans: ["a.b"] },
    };
    expect((await previewOf("sps_request_create", { ...owner, body })).summary).toBe(
      'ORDER a certificate ("san") for "pay.shop.example", "a.b": it goes to PRODUCTION without further confirmation, with a secure edge hostname for "pay.shop.example".',
    );
  });

  it("naming a host needs no approval; enrolling with mail contacts does", async () => {
    const { kind } = await engine.calls.call(
      "sps_edge_host_create",
      { ...owner, body: { cnameHostname: "www.shop.example", enrollmentId: 10_001 } },
      caller,
    );
    expect(kind).toBe("answer");
    const { location: _, pendingChanges: __, ...enrollment } = await enrolled(10_004);
    const { csr } = enrollment as Enrolled;
    const body = { ...enrollment, csr: { ...csr, cn: "pay.shop.example", sans: [] } };
    const withoutMail = (from: object, name: string) => ({
      ...(from as Record<string, object>)[name],
      email: undefined,
    });
    const enroll = (more: object) =>
      engine.calls.call("cert_enrollment_create", { contractId: "C-1FRYVV3", body: { ...body, ...more } }, caller);
    const made = await enroll({});
    if (made.kind !== "preview") throw new Error(made.kind);
    expect(made.preview.summary).toMatch(
      /^ENROLL a certificate \(dv, san\) for pay\.shop\.example: once it is validated, it goes to PRODUCTION automatically; notified: ".+@.+"\.$/,
    );
    const silent = { adminContact: withoutMail(body, "adminContact"), techContact: withoutMail(body, "techContact") };
    expect((await enroll(silent)).kind).toBe("answer");
  });
});
