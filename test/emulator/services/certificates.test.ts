/** The emulated certificate service: changes that move on by the clock, wait for their input, and show in one world. */
import { describe, expect, it } from "vitest";
import { certificates } from "../../../src/tools/certificates/index.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const minute = 60_000;
const day = 86_400_000;
const type = (entity: string) => `application/vnd.akamai.cps.${entity}+json`;
const pem = (label: string) => `-----BEGIN ${label}-----\nMIIDabc+/=\n-----END ${label}-----`;
const contract = "contractId=C-1FRYVV3";

interface Enrollment {
  readonly location: string;
  readonly pendingChanges: string[];
  readonly csr: { readonly cn: string; readonly sans: string[] };
  readonly networkConfiguration: Record<string, unknown>;
}
interface Status {
  readonly statusInfo: { readonly state: string; readonly status: string; readonly error: unknown };
  readonly allowedInput: readonly { readonly type: string; readonly update: string }[];
}
interface Deployment {
  readonly primaryCertificate: { readonly certificate: string; readonly expiry: string };
  readonly multiStackedCertificates: unknown[];
  readonly networkConfiguration: Record<string, unknown>;
}

function start() {
  const raw = startRaw();
  const read = async <T>(path: string, entity: string): Promise<T> => {
    const found = await raw.ask({ target: `/cps/v2${path}`, headers: { accept: type(entity) } });
    expect(found.status, `${path}: ${found.text}`).toBe(200);
    return found.json() as T;
  };
  const write = async (method: string, path: string, accept: string, entity?: string, body?: unknown) => {
    const headers = { accept: type(accept), ...(entity === undefined ? {} : { "content-type": type(entity) }) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const made = await raw.ask({ method, target: `/cps/v2${path}`, headers, ...sent });
    return { status: made.status, body: made.json() as { changes?: string[]; change?: string; detail?: string } };
  };
  const info = <T>(path: string, kind: string, entity: string) =>
    read<T>(`${path.replace("/cps/v2", "")}/input/info/${kind}`, entity);
  const answer = (path: string, kind: string, body: object, entity = "acknowledgement.v1") =>
    write("POST", `${path.replace("/cps/v2", "")}/input/update/${kind}`, "change-id.v1", entity, body);
  const enrollment = (id: number, version = "v11") => read<Enrollment>(`/enrollments/${id}`, `enrollment.${version}`);
  return {
    ...raw,
    read,
    write,
    enrollment,
    status: (path: string) => read<Status>(path.replace("/cps/v2", ""), "change.v2"),
    info,
    answer,
    create: (body: object, query = contract) =>
      write("POST", `/enrollments?${query}`, "enrollment-status.v1", "enrollment.v4", body),
    update: (id: number, body: object, query = "", entity = "enrollment.v4") =>
      write("PUT", `/enrollments/${id}${query === "" ? "" : `?${query}`}`, "enrollment-status.v1", entity, body),
    deployment: (id: number, network: string) =>
      read<Deployment>(`/enrollments/${id}/deployments/${network}`, "deployment.v7"),
    upload: (path: string, chain: object) =>
      answer(path, "third-party-cert-and-trust-chain", chain, "certificate-and-trust-chain.v1"),
    /** The stamp of the state that is to be acknowledged. */
    stamp: async (path: string) =>
      (await info<{ validationResultHash: string }>(path, "change-management-info", "change-management-info.v5"))
        .validationResultHash,
    acknowledge: (path: string, hash: string | undefined) =>
      answer(path, "change-management-ack", { acknowledgement: "acknowledge", hash }, "acknowledgement-with-hash.v1"),
  };
}
const example = certificates.operations.cert_enrollment_create.spec.example as { body: Record<string, unknown> };
const wire = (more: object = {}) => ({ ...example.body, ra: "lets-encrypt", ...more });
const thirdParty = (cn: string, more: object = {}) =>
  wire({ certificateType: "third-party", validationType: "third-party", ra: "third-party", csr: { cn }, ...more });
const waits = ({ statusInfo, allowedInput }: Status) => [
  statusInfo.state,
  statusInfo.status,
  ...allowedInput.map(({ update }) => update.split("/").at(-1)),
];
/** What the vendor's enrollment has of the body that changes it. */
const writable = ({ location: _, pendingChanges: __, ...rest }: Enrollment) => rest as Record<string, unknown>;

describe("a third-party certificate", () => {
  it("a third-party certificate goes from CSR to production by the clock", async () => {
    const { world, status, create, info, upload, stamp, acknowledge, deployment, enrollment, ask } = start();
    const created = await create(thirdParty("new.shop.example", { changeManagement: true }));
    expect(created.status).toBe(202);
    const [path = ""] = created.body.changes ?? [];
    const id = Number(path.split("/")[4]);
    expect(waits(await status(path))).toEqual(["running", "generate-csr"]);
    world.advance(minute);
    const input = "third-party-cert-and-trust-chain";
    expect(waits(await status(path))).toEqual(["awaiting-input", "wait-upload-third-party", input]);
    expect((await enrollment(id)).pendingChanges).toEqual([{ location: path, changeType: "new-certificate" }]);
    const { csrs } = await info<{ csrs: { csr: string }[] }>(path, "third-party-csr", "csr.v2");
    expect(csrs[0]?.csr).toContain("CERTIFICATE REQUEST");

    const chain = { certificate: pem("CERTIFICATE"), trustChain: pem("CERTIFICATE") };
    expect((await upload(path, chain)).status).toBe(200);
    expect(waits(await status(path))).toEqual(["running", "verify-third-party-cert"]);
    world.advance(2 * minute);
    expect(waits(await status(path))).toEqual(["running", "deploy-cert-to-staging"]);
    world.advance(5 * minute);
    const ack = "change-management-ack";
    expect(waits(await status(path))).toEqual(["awaiting-input", "wait-ack-change-management", ack]);
    expect((await deployment(id, "staging")).primaryCertificate.certificate).toBe(chain.certificate);
    expect((await ask({ target: `/cps/v2/enrollments/${id}/deployments/production` })).status).toBe(404);

    expect((await acknowledge(path, await stamp(path))).status).toBe(200);
    expect(waits(await status(path))).toEqual(["running", "deploy-cert-to-production"]);
    world.advance(10 * minute);
    expect(waits(await status(path))).toEqual(["completed", "complete"]);
    expect((await deployment(id, "production")).primaryCertificate.certificate).toBe(chain.certificate);
    expect((await enrollment(id)).pendingChanges).toEqual([]);
  });

  it("a certificate without a chain waits for a review, ends if denied", async () => {
    const { world, status, info, answer, upload, enrollment } = start();
    const path = "/cps/v2/enrollments/10002/changes/20002";
    await upload(path, { certificate: pem("CERTIFICATE") });
    world.advance(minute);
    const review = "post-verification-warnings-ack";
    expect(waits(await status(path))).toEqual(["awaiting-input", "wait-review-third-party-cert", review]);
    const { warnings } = await info<{ warnings: string }>(path, "post-verification-warnings", "warnings.v1");
    expect(warnings).toContain("without a trust chain");
    await answer(path, review, { acknowledgement: "deny" });
    expect(waits(await status(path))).toEqual(["cancelled", "cancelled"]);
    expect((await enrollment(10_002)).pendingChanges).toEqual([]);
    expect((await answer(path, review, { acknowledgement: "acknowledge" })).status).toBe(409);
  });

  it("refuses what is no certificate", async () => {
    const { upload, status } = start();
    const path = "/cps/v2/enrollments/10002/changes/20002";
    const before = await status(path);
    for (const certificate of ["text", pem("PRIVATE KEY"), ""])
      expect((await upload(path, { certificate })).status).toBe(400);
    expect(await status(path)).toEqual(before);
  });
});

describe("a domain-validated certificate", () => {
  const path = "/cps/v2/enrollments/10004/changes/20004";
  type Challenge = Readonly<Record<"type" | "fullPath" | "responseBody", string>>;
  interface Challenges {
    readonly dv: readonly { readonly domain: string; readonly status: string; readonly challenges: Challenge[] }[];
  }

  it("moves on by itself once the zone has the records of all its challenges", async () => {
    const { world, status, info, send, get } = start();
    const before = await status(path);
    expect(waits(before).slice(0, 2)).toEqual(["awaiting-input", "coodinate-domain-validation"]);
    expect(before.allowedInput[0]).toMatchObject({ type: "lets-encrypt-challenges", requiredToProceed: false });
    const { dv } = await info<Challenges>(path, "lets-encrypt-challenges", "dv-challenges.v2");
    expect(dv.map(({ domain, status: one }) => [domain, one])).toEqual([
      ["www.example.com", "Awaiting user"],
      ["static.example.com", "Awaiting user"],
    ]);
    const records = dv.map(({ challenges }) => {
      const dns = challenges.find((one) => one.type === "dns-01");
      const [name, target] = [dns?.fullPath.replace(".example.com.", ""), `"${dns?.responseBody}"`];
      return { name, target, ttl: 60, active: true };
    });
    const { token, zone } = (await get("/config-dns/v1/zones/example.com")).json() as {
      token: string;
      zone: { soa: { serial: number }; txt: object[] };
    };
    const publish = async (txt: object[], stamp: string, serial: number) => {
      const soa = { ...zone.soa, serial };
      const changed = { token: stamp, zone: { ...zone, soa, txt: [...zone.txt, ...txt] } };
      expect((await send("POST", "/config-dns/v1/zones/example.com", changed)).status).toBe(204);
    };
    await publish(records.slice(0, 1), token, zone.soa.serial + 1);
    expect(waits(await status(path))).toEqual(waits(before));
    const seen = await info<Challenges>(path, "lets-encrypt-challenges", "dv-challenges.v2");
    expect(seen.dv.map((one) => one.status)).toEqual(["Valid", "Awaiting user"]);
    const fresh = (await get("/config-dns/v1/zones/example.com")).json() as { token: string };
    await publish(records, fresh.token, zone.soa.serial + 2);
    expect(waits(await status(path))).toEqual(["running", "check-for-cert"]);
    world.advance(60 * minute);
    expect(waits(await status(path))).toEqual(["completed", "complete"]);
  });

  it("a domain-validated certificate stays put without its challenges", async () => {
    const { world, status, answer } = start();
    const before = waits(await status(path));
    const reported = await answer(path, "lets-encrypt-challenges-completed", { acknowledgement: "acknowledge" });
    expect(reported.status).toBe(200);
    expect(waits(await status(path))).toEqual(before);
    world.advance(3 * day);
    expect(waits(await status(path))).toEqual(before);
  });

  it("shows the challenges by HTTP alone in version 1", async () => {
    const { info } = start();
    type First = { challenges: { fullPath: string }[] };
    const { challenges } = await info<First>(path, "lets-encrypt-challenges", "dv-challenges.v1");
    expect(challenges.map(({ fullPath }) => fullPath.slice(0, 7))).toEqual(["http://", "http://"]);
  });

  it("waits for a review where another certificate has one of its names", async () => {
    const { status, create, info, answer } = start();
    const { body } = await create(wire({ csr: { cn: "other.shop.example", sans: ["www.shop.example"] } }));
    const [change = ""] = body.changes ?? [];
    const review = "pre-verification-warnings-ack";
    expect(waits(await status(change)).slice(1)).toEqual(["wait-review-pre-verification-safety-checks", review]);
    const { warnings } = await info<{ warnings: string }>(change, "pre-verification-warnings", "warnings.v1");
    expect(warnings).toContain("www.shop.example");
    await answer(change, review, { acknowledgement: "acknowledge" });
    expect((await status(change)).statusInfo.status).toBe("coodinate-domain-validation");
  });
});

rule("cert-input-discovered", "takes the input that the change's own link names, and no other", async () => {
  const { status, answer } = start();
  for (const id of [10_002, 10_003, 10_004]) {
    const path = `/cps/v2/enrollments/${id}/changes/${id + 10_000}`;
    const [, , kind] = waits(await status(path));
    for (const other of ["post-verification-warnings-ack", "pre-verification-warnings-ack"]) {
      expect(other).not.toBe(kind);
      expect((await answer(path, other, { acknowledgement: "acknowledge" })).status).toBe(409);
    }
  }
});

rule("cert-acknowledge", "takes acknowledge and deny, and no other word", async () => {
  const path = "/cps/v2/enrollments/10004/changes/20004";
  for (const [acknowledgement, expected] of Object.entries({ maybe: 400, deny: 200 }))
    expect((await start().answer(path, "lets-encrypt-challenges-completed", { acknowledgement })).status).toBe(
      expected,
    );
});

rule("cert-hash", "refuses an acknowledgement of a state that has changed since", async () => {
  const { stamp, acknowledge, write, status } = start();
  const path = "/cps/v2/enrollments/10003/changes/20003";
  const hash = await stamp(path);
  expect((await acknowledge(path, undefined)).status).toBe(400);
  const schedule = "/enrollments/10003/changes/20003/deployment-schedule";
  const body = { notBefore: "2026-06-01T00:00:00Z" };
  await write("PUT", schedule, "change-id.v1", "deployment-schedule.v1", body);
  expect((await acknowledge(path, hash)).status).toBe(400);
  expect((await status(path)).statusInfo.status).toBe("wait-ack-change-management");
  expect((await acknowledge(path, await stamp(path))).status).toBe(200);
});

describe("a deployment schedule", () => {
  const path = "/enrollments/10003/changes/20003";
  const acknowledged = async (schedule: object) => {
    const all = start();
    const put = (body: object) =>
      all.write("PUT", `${path}/deployment-schedule`, "change-id.v1", "deployment-schedule.v1", body);
    expect((await put({ notBefore: "2026-06-02T00:00:00Z", notAfter: "2026-06-01T00:00:00Z" })).status).toBe(400);
    expect((await put(schedule)).status).toBe(200);
    await all.acknowledge(path, await all.stamp(path));
    return all;
  };

  it("holds production back until it begins", async () => {
    const { world, status, read } = await acknowledged({ notBefore: new Date(now + 2 * day).toISOString() });
    expect(await read(`${path}/deployment-schedule`, "deployment-schedule.v1")).toMatchObject({ notAfter: null });
    world.advance(2 * day);
    expect(waits(await status(path))).toEqual(["running", "deploy-cert-to-production"]);
    world.advance(10 * minute);
    expect(waits(await status(path))).toEqual(["completed", "complete"]);
  });

  it("ends the change in an error where it ran out before", async () => {
    const { status, enrollment } = await acknowledged({ notAfter: new Date(now - day).toISOString() });
    const { statusInfo } = await status(path);
    expect(statusInfo).toMatchObject({ state: "error", error: { code: "deployment-window-missed" } });
    expect((await enrollment(10_003)).pendingChanges).toHaveLength(1);
  });
});

rule("cert-renewal", "renews by itself 90 days before the expiry, and deploys by itself", async () => {
  const { world, enrollment, deployment } = start();
  const before = await deployment(10_001, "production");
  const expiry = Date.parse(before.primaryCertificate.expiry);
  world.advance(expiry - 90 * day - now - minute);
  expect((await enrollment(10_001)).pendingChanges).toEqual([]);
  world.advance(2 * minute);
  expect((await enrollment(10_001)).pendingChanges).toMatchObject([{ changeType: "renewal" }]);
  world.advance(day);
  expect((await enrollment(10_001)).pendingChanges).toEqual([]);
  const { primaryCertificate } = await deployment(10_001, "production");
  expect(Date.parse(primaryCertificate.expiry)).toBeGreaterThan(expiry);
  expect(primaryCertificate.certificate).not.toBe(before.primaryCertificate.certificate);
});

rule("cert-new-without-paths", "refuses a new enrollment that has a location", async () => {
  const { create } = start();
  expect((await create(wire({ location: "/cps/v2/enrollments/1" }))).status).toBe(400);
  expect((await create(wire({ pendingChanges: [] }))).status).toBe(400);
  expect((await create(wire())).status).toBe(202);
});

rule("cert-common-name", "refuses an enrollment without a common name", async () => {
  const { create } = start();
  for (const csr of [{}, { cn: "" }]) expect((await create(wire({ csr }))).status).toBe(400);
});

describe("an enrollment that is replaced", () => {
  it("takes new contacts at once, and starts a change for new names", async () => {
    const { enrollment, update, status } = start();
    const body = writable(await enrollment(10_001, "v4"));
    const contact = { firstName: "Ada", lastName: "King", phone: "1", email: "ada@shop.example" };
    const atOnce = await update(10_001, { ...body, techContact: contact });
    expect([atOnce.status, atOnce.body.changes]).toEqual([200, []]);
    expect(await enrollment(10_001)).toMatchObject({ techContact: contact, pendingChanges: [] });
    const csr = { ...(body["csr"] as object), sans: ["shop.example", "a.shop.example"] };
    const renamed = await update(10_001, { ...body, csr });
    expect(renamed.status).toBe(202);
    expect(await enrollment(10_001)).toMatchObject({ pendingChanges: [{ changeType: "modify-san" }] });
    expect((await status(renamed.body.changes?.[0] ?? "")).statusInfo.status).toBe("coodinate-domain-validation");
  });

  rule("cert-cancel-pending", "an enrollment is replaced only if pending changes are cancelled", async () => {
    const { enrollment, update, status } = start();
    const body = writable(await enrollment(10_002, "v4"));
    expect((await update(10_002, { ...body, csr: { cn: "b.shop.example" } })).status).toBe(409);
    const path = "/cps/v2/enrollments/10002/changes/20002";
    expect((await status(path)).statusInfo.state).toBe("awaiting-input");
    const done = await update(10_002, { ...body, csr: { cn: "b.shop.example" } }, "allow-cancel-pending-changes=true");
    expect(done.status).toBe(202);
    expect((await status(path)).statusInfo.state).toBe("cancelled");
    expect((await enrollment(10_002, "v4")).pendingChanges).toEqual(done.body.changes);
  });

  rule("cert-staging-bypass", "an enrollment's settings change skips staging if the call says so", async () => {
    const { enrollment, update, status, deployment, world } = start();
    const body = writable(await enrollment(10_001, "v4"));
    const networkConfiguration = { ...(body["networkConfiguration"] as object), disallowedTlsVersions: ["TLSv1"] };
    const change = { ...body, networkConfiguration };
    const usual = await update(10_001, change);
    expect((await status(usual.body.changes?.[0] ?? "")).statusInfo.status).toBe("deploy-changes-to-staging");
    const query = "allow-staging-bypass=true&allow-cancel-pending-changes=true";
    const direct = await update(10_001, change, query);
    expect((await status(direct.body.changes?.[0] ?? "")).statusInfo.status).toBe("deploy-cert-to-production");
    world.advance(10 * minute);
    const versionsOf = async (network: string) =>
      (await deployment(10_001, network)).networkConfiguration["disallowedTlsVersions"];
    expect([await versionsOf("production"), await versionsOf("staging")]).toEqual([["TLSv1"], []]);
  });

  rule("cert-renewal-window", "is refused in the renewal window without the override", async () => {
    const { enrollment, update } = start();
    const body = writable(await enrollment(10_003, "v4"));
    const change = { ...body, csr: { cn: "images.shop.example", sans: ["img.shop.example"] } };
    const cancel = "allow-cancel-pending-changes=true";
    expect((await update(10_003, change, cancel)).status).toBe(400);
    expect((await update(10_003, change, `${cancel}&renewal-date-check-override=true`)).status).toBe(202);
  });

  rule("cert-stacked-later", "is dual-stacked from the next renewal on, and not before", async () => {
    const { enrollment, update, deployment, world } = start();
    const body = writable(await enrollment(10_001, "v4"));
    const dual = await update(10_001, { ...body, enableMultiStackedCertificates: true });
    expect(dual.status).toBe(200);
    const stackedOf = async () => (await deployment(10_001, "production")).multiStackedCertificates.length;
    expect(await stackedOf()).toBe(0);
    const renewed = await update(10_001, { ...body, enableMultiStackedCertificates: true }, "force-renewal=true");
    expect(renewed.status).toBe(202);
    world.advance(day);
    expect(await stackedOf()).toBe(1);
  });

  it("is as it was before, where its change is cancelled", async () => {
    const { enrollment, update, write } = start();
    const before = await enrollment(10_001);
    const body = writable(await enrollment(10_001, "v4"));
    const { body: started } = await update(10_001, { ...body, csr: { cn: "www.shop.example", sans: [] } });
    expect((await enrollment(10_001)).csr.sans).toEqual([]);
    const path = (started.changes?.[0] ?? "").replace("/cps/v2", "");
    expect((await write("DELETE", path, "change-id.v1")).status).toBe(200);
    expect(await enrollment(10_001)).toEqual(before);
    expect((await write("DELETE", path, "change-id.v1")).status).toBe(409);
  });
});

describe("an enrollment that is removed", () => {
  const remove = (all: ReturnType<typeof start>, id: number, query = "") =>
    all.write("DELETE", `/enrollments/${id}${query === "" ? "" : `?${query}`}`, "enrollment-status.v1");
  const isThere = async ({ ask }: ReturnType<typeof start>, id: number) =>
    (await ask({ target: `/cps/v2/enrollments/${id}` })).status === 200;

  it("a never deployed enrollment is removed at once, others by a change", async () => {
    const all = start();
    expect((await remove(all, 10_002)).status).toBe(409);
    expect((await remove(all, 10_002, "allow-cancel-pending-changes=true")).status).toBe(200);
    expect(await isThere(all, 10_002)).toBe(false);
    const { status, body } = await remove(all, 10_001);
    expect(status).toBe(202);
    expect((await all.status(body.changes?.[0] ?? "")).statusInfo.status).toBe("deprovision-cert");
    expect(await isThere(all, 10_001)).toBe(true);
    all.world.advance(10 * minute);
    expect(await isThere(all, 10_001)).toBe(false);
  });
});

describe("one world", () => {
  it("a foreign contract, taken name or unfit authority is not enrolled", async () => {
    const { create } = start();
    expect((await create(wire(), "contractId=C-OTHER")).status).toBe(403);
    expect((await create(wire({ csr: { cn: "www.shop.example" } }))).status).toBe(400);
    expect((await create(wire({ ra: "third-party" }))).status).toBe(400);
    expect((await create(wire({ validationType: "ov" }))).status).toBe(400);
  });
});

it.each(["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11"])(
  "an enrollment shown in %s is written back without a change",
  async (version) => {
    const { enrollment, update } = start();
    const shown = await enrollment(10_001, version);
    const { id: _, assignedSlots: __, stagingSlots: ___, productionSlots: ____, ...body } = writable(shown);
    const { status, body: answer } = await update(10_001, body, "", `enrollment.${version}`);
    expect([status, answer.changes ?? answer.detail]).toEqual([200, []]);
  },
);

it.each(["v1", "v5", "v6", "v7"])("shows what is deployed in %s", async (version) => {
  const { read } = start();
  const { production } = await read<{ production: Record<string, unknown> }>(
    "/enrollments/10001/deployments?includeAll=true",
    `deployments.${version}`,
  );
  expect(Object.hasOwn(production, Number(version.slice(1)) < 6 ? "certificate" : "primaryCertificate")).toBe(true);
});
