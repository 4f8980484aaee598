/** The operations that today's APIs have and the documents' lack: their answers follow from the same world. */
import { expect, it } from "vitest";
import { z } from "../../../src/language/z.js";
import { startRaw } from "../../lab/raw.js";

it("counts the alerts that fire, and one less when it is deleted", async () => {
  const { get, ask } = startRaw();
  const active = async () => {
    const { data } = (await get("/alerts/v2/alert-firings/active")).json() as { data: { definitionId: string }[] };
    return data.map(({ definitionId }) => definitionId);
  };
  const count = async () => (await get("/alerts/v2/alert-firings/alertcount")).json();
  const before = await active();
  expect(await count()).toEqual({ count: before.length });
  const [first = ""] = before;
  await ask({ method: "DELETE", target: `/alerts/v2/alert-definitions/${encodeURIComponent(first)}` });
  expect(await count()).toEqual({ count: before.filter((one) => one !== first).length });
  expect(await active()).not.toContain(first);
});

it("lists the versions of a report as each is described", async () => {
  const { get } = startRaw();
  const versions = "/reporting-api/v1/reports/authoritative-dns-traffic-by-time/versions";
  const described = (await get(`${versions}/3`)).json();
  const listed = await get(`${versions}?showDeprecated=false&showUnavailable=false`);
  expect(listed.json()).toEqual([described]);
  expect((await get("/reporting-api/v1/reports/no-such-report/versions")).status).toBe(404);
});

/** The history of an enrollment, in the medium of its definition. */
const historyIn =
  (raw: ReturnType<typeof startRaw>) =>
  async (id: number, path: string, entity: string): Promise<never> => {
    const target = `/cps/v2/enrollments/${id}/${path}`;
    const answer = await raw.ask({ target, headers: { accept: `application/vnd.akamai.cps.${entity}+json` } });
    return answer.json() as never;
  };
type Members = Readonly<Record<string, unknown>>;

it("shows a renewal before and after it has ended, with its certificate", async () => {
  const raw = startRaw();
  const read = historyIn(raw);
  const historyOf = async (kind: "certificates" | "changes", entity: string, ...members: readonly string[]) => {
    const all: Record<typeof kind, Members[]> = await read(10_003, `history/${kind}`, entity);
    return all[kind].map((one) => members.map((name) => one[name]));
  };
  const certificates = () =>
    historyOf("certificates", "certificate-history.v2", "stagingStatus", "deploymentStatus", "slots");
  const changes = () => historyOf("changes", "change-history.v5", "action", "status", "lastUpdated");
  const first = ["new-certificate", "completed", "2025-08-03T12:10:00Z"];
  const slots = [22_003];
  expect(await certificates()).toEqual([
    ["active", "inactive", slots],
    ["inactive", "active", slots],
  ]);
  expect(await changes()).toEqual([["renew", "incomplete", "2026-05-19T12:10:00Z"], first]);
  const change = "/cps/v2/enrollments/10003/changes/20003/input";
  const input = "changes/20003/input/info/change-management-info";
  const info: Members = await read(10_003, input, "change-management-info.v5");
  await raw.ask({
    method: "POST",
    target: `${change}/update/change-management-ack`,
    headers: {
      accept: "application/vnd.akamai.cps.change-id.v1+json",
      "content-type": "application/vnd.akamai.cps.acknowledgement-with-hash.v1+json",
    },
    body: JSON.stringify({ acknowledgement: "acknowledge", hash: info["validationResultHash"] }),
  });
  raw.world.advance(600_000);
  expect(await certificates()).toEqual([
    ["active", "active", slots],
    ["inactive", "inactive", []],
  ]);
  expect(await changes()).toEqual([["renew", "completed", "2026-05-20T12:20:00Z"], first]);
});

it("shows the proof of a name before and after its challenge is met", async () => {
  const raw = startRaw();
  const read = historyIn(raw);
  const history = async () => {
    type History = { results: { domain: string; domainHistory: Members[] }[] };
    const { results }: History = await read(10_004, "dv-history", "dv-history.v1");
    return results.map(({ domain, domainHistory }) => ({ domain, proofs: domainHistory }));
  };
  const said = async () => (await history()).map(({ domain, proofs }) => [domain, proofs.map((one) => one["status"])]);
  expect(await said()).toEqual([
    ["www.example.com", ["Awaiting user"]],
    ["static.example.com", ["Awaiting user"]],
  ]);
  const { token, zone } = (await raw.get("/config-dns/v1/zones/example.com")).json() as {
    token: string;
    zone: { soa: { serial: number }; txt: object[] };
  };
  const txt = (await history()).map(({ domain, proofs: [proof] }) => {
    const name = `_acme-challenge.${domain.replace(".example.com", "")}`;
    return { name, ttl: 300, active: true, target: proof?.["responseBody"] };
  });
  const soa = { ...zone.soa, serial: zone.soa.serial + 1 };
  const changed = { ...zone, soa, txt: [...zone.txt, ...txt] };
  await raw.send("POST", "/config-dns/v1/zones/example.com", { token, zone: changed });
  expect(await said()).toEqual([
    ["www.example.com", ["Valid"]],
    ["static.example.com", ["Valid"]],
  ]);
  const headers = { accept: "application/vnd.akamai.cps.change-id.v1+json" };
  await raw.ask({ method: "DELETE", target: "/cps/v2/enrollments/10004/changes/20004", headers });
  expect((await history())[0]?.proofs[0]).toMatchObject({ validatedTimestamp: "2026-05-20T12:10:00Z" });
});

it("has the members of the definitions, and no others", async () => {
  const raw = startRaw();
  const read = historyIn(raw);
  const text = z.string().min(1);
  const texts = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, text]));
  const records = { validationRecords: z.array(z.never()) };
  const challenge = z.strictObject({
    ...texts("type token responseBody fullPath"),
    redirectFullPath: z.string(),
    status: z.enum(["Preparing", "Pending", "Awaiting user", "Valid", "Invalid", "Error", "Ready for Validation"]),
    error: z.null(),
    ...records,
  });
  const validation = z.strictObject({
    ...texts("domain expires requestTimestamp status"),
    error: z.null(),
    validatedTimestamp: text.optional(),
    validationStatus: text.optional(),
    challenges: z.array(challenge),
  });
  const past = validation.extend({ ...texts("token responseBody fullPath redirectFullPath"), ...records });
  const domain = z.strictObject({ domain: text, domainHistory: z.array(past).min(1) });
  const certificate = z.strictObject(texts("certificate trustChain keyAlgorithm expiry"));
  const deployed = z.strictObject({
    ...texts("type ra"),
    ...{ deploymentStatus: z.enum(["active", "inactive"]), stagingStatus: z.enum(["active", "inactive"]) },
    geography: z.enum(["standard-worldwide", "worldwide", "worldwide-russia"]),
    slots: z.array(z.int()),
    ...{ primaryCertificate: certificate, multiStackedCertificates: z.array(certificate) },
  });
  const signed = z.strictObject({
    ...texts("csr keyAlgorithm"),
    certificate: text.nullable(),
    trustChain: text.nullable(),
  });
  const change = z.strictObject({
    ...texts("actionDescription createdBy createdOn lastUpdated ra"),
    action: z.enum(["import-certificate", "renew", "new-certificate", "modify-san", "update-network-configuration"]),
    status: z.enum(["incomplete", "cancelled", "completed"]),
    ...{ businessCaseId: z.null(), primaryCertificateOrderDetails: z.null() },
    ...{ primaryCertificate: signed, multiStackedCertificates: z.array(signed) },
  });
  const firing = z.strictObject({
    ...texts("firingId definitionId name service startTime"),
    ...{ endTime: text.nullable(), fieldMap: z.looseObject({}) },
  });
  const many = <S extends z.ZodType>(name: string, item: S) => z.strictObject({ [name]: z.array(item).min(1) });
  const challenges = "changes/20004/input/info/lets-encrypt-challenges";
  many("dv", validation).parse(await read(10_004, challenges, "dv-challenges.v2"));
  for (const id of [10_001, 10_004]) many("results", domain).parse(await read(id, "dv-history", "dv-history.v1"));
  for (const id of [10_001, 10_002, 10_003])
    many("changes", change).parse(await read(id, "history/changes", "change-history.v5"));
  many("certificates", deployed).parse(await read(10_003, "history/certificates", "certificate-history.v2"));
  const { data } = (await raw.get("/alerts/v2/alert-definitions")).json() as { data: { definitionId: string }[] };
  for (const { definitionId } of data) {
    const target = `/alerts/v2/alert-definitions/${encodeURIComponent(definitionId)}/alert-firings`;
    z.strictObject({ data: z.array(firing) }).parse((await raw.get(target)).json());
  }
});
