/** What the deployment of a certificate does to the hostnames that are active under its names. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { CertificateScope } from "../../src/language/forecast.js";
import { forecastOf } from "../../src/site/forecast.js";
import { type Args, callsIn } from "../lab/calls.js";
import { type SiteAnswers, siteReads } from "../lab/site-reads.js";

const start = () => {
  const world = createWorld({ frozenAt: Date.now() });
  const calls = callsIn(world);
  const { readsWith } = siteReads(world, calls.calls);
  const forecast = (id: number, more: Partial<CertificateScope> = {}, answers: SiteAnswers = {}) => {
    const scope = { change: "certificate", network: "production", enrollmentId: String(id), ...more } as const;
    return forecastOf([scope], readsWith(answers));
  };
  return { ...calls, world, forecast };
};
const hour = 3_600_000;

it("covers the active hostnames under its names, and loses others", async () => {
  const { forecast } = start();
  const reached = { hostnames: { total: 1, names: ["www.shop.example"] }, traffic: { edgeRate: expect.any(Number) } };
  expect(await forecast(10_001, { names: ["www.shop.example"], endsMs: hour })).toMatchObject({
    ...reached,
    certificates: { covered: 1, added: 0, uncovered: [], endsMs: hour },
    pending: [],
  });
  expect(await forecast(10_001, { names: ["*.shop.example"] })).toMatchObject({
    hostnames: { total: 3 },
    certificates: { covered: 3, added: 2, uncovered: [] },
  });
  expect(await forecast(10_001, { names: ["shop.example", "www.example.com"] })).toMatchObject({
    hostnames: { total: 2, names: ["www.shop.example", "www.example.com"] },
    certificates: { covered: 1, added: 1, uncovered: ["www.shop.example"] },
  });
});

it("a wildcard stands for one label, and not for none", async () => {
  const { forecast } = start();
  const items = ["shop.example", "a.shop.example", "a.b.shop.example"].map((cnameFrom) => ({ cnameFrom }));
  const listed = { property_account_hostnames_list: () => ({ hostnames: { items, totalItems: 9 } }) };
  expect(await forecast(10_001, { names: ["*.shop.example"] }, listed)).toMatchObject({
    hostnames: { total: 2, unread: 6 },
    certificates: { covered: 1, added: 1, uncovered: ["shop.example"] },
  });
});

it("names stand for hostnames where the active ones cannot be read", async () => {
  const { forecast } = start();
  const refused = { property_account_hostnames_list: "forbidden" } as const;
  expect(await forecast(10_001, { names: ["www.shop.example"] }, refused)).toMatchObject({
    hostnames: { unknown: expect.stringContaining("the list of active hostnames") },
    certificates: { covered: 1, added: 0, uncovered: ["shop.example"] },
  });
});

it("is new where none was deployed, with the names that are enrolled", async () => {
  const { forecast } = start();
  expect(await forecast(10_002)).toMatchObject({
    hostnames: { names: ["api.shop.example"] },
    certificates: { covered: 1, added: 1, uncovered: [] },
  });
});

it("is unknown if the present one cannot be read, and so are other changes", async () => {
  const { forecast } = start();
  const reason = { unknown: expect.stringContaining("the deployed certificate") };
  expect(await forecast(10_001, {}, { cert_deployments_list: "forbidden" })).toMatchObject({
    hostnames: reason,
    certificates: reason,
    pending: [],
  });
  const other = { unknown: expect.stringContaining("the certificate enrollment") };
  expect(await forecast(10_001, {}, { cert_enrollment_get: "timeout" })).toMatchObject({
    certificates: other,
    pending: other,
  });
});

it("has the other changes of the enrollment that have begun", async () => {
  const { forecast } = start();
  expect(await forecast(10_003, { changeId: "20003" })).toMatchObject({ pending: [] });
  expect(await forecast(10_003)).toMatchObject({ pending: [{ what: "renewal (20003)", status: "pending" }] });
});

const input = (acknowledgement: string): Args => ({
  ...{ enrollmentId: 10_003, changeId: 20_003, allowedInputTypeParam: "change-management-ack" },
  body: { acknowledgement },
});

it("ends as the one on staging does, and is not forecast if it is denied", async () => {
  const { previewed, answer } = start();
  const { body } = await answer("cert_deployments_list", { enrollmentId: 10_003 });
  const { staging, production } = body as Record<string, { primaryCertificate: { expiry: string } }>;
  const endsMs = Date.parse(staging?.primaryCertificate.expiry ?? "");
  expect(endsMs).toBeGreaterThan(Date.parse(production?.primaryCertificate.expiry ?? ""));
  const { forecast } = await previewed("cert_change_input_submit", input("acknowledge"));
  expect(forecast).toMatchObject({ certificates: { covered: 1, uncovered: [], endsMs }, pending: [] });
  expect(await previewed("cert_change_input_submit", input("deny"))).not.toHaveProperty("forecast");
});

it("of an enrollment is replaced with other names, and is gone with it", async () => {
  const { previewed, answer } = start();
  const { body } = await answer("cert_enrollment_get", { enrollmentId: 10_001, version: "v11" });
  const { id, location, pendingChanges, assignedSlots, stagingSlots, productionSlots, ...enrollment } = body as Args;
  const { csr } = enrollment as { csr: Args };
  const replaced = (sans: string[]) => ({
    ...{ enrollmentId: 10_001, version: "v11" },
    body: { ...enrollment, csr: { ...csr, cn: "shop.example", sans } },
  });
  expect((await previewed("cert_enrollment_update", replaced([]))).forecast).toMatchObject({
    certificates: { covered: 0, uncovered: ["www.shop.example"] },
  });
  expect((await previewed("cert_enrollment_update", replaced(["www.shop.example"]))).forecast).toMatchObject({
    certificates: { covered: 1, uncovered: [] },
  });
  expect((await previewed("cert_enrollment_delete", { enrollmentId: 10_001 })).forecast).toMatchObject({
    certificates: { covered: 0, uncovered: ["www.shop.example"] },
  });
});
