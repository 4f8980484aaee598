/** Names added to an emulated enrollment and removed from it: previewed, approved, taken back, and refused where they do not fit. */
import { describe, expect, it } from "vitest";
import { certificateName } from "../../src/tools/certificates/names.js";
import { certificateNames } from "../../src/workflows/certificates.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12, 30));
const tool = "cert_names_update";
const enrollmentId = 10_001;
type Enrolled = Readonly<Record<string, unknown>> & { readonly csr: { readonly cn: string; readonly sans: string[] } };

async function enrolled(id = enrollmentId): Promise<Enrolled> {
  const { body } = await held.calls.calls.invoke("cert_enrollment_get", { enrollmentId: id, version: "v11" });
  return body as Enrolled;
}

describe("adding and removing names", () => {
  const args = { enrollmentId, add: ["Static.Shop.example."], remove: ["shop.example"] };

  it("keeps a setting that older forms of an enrollment do not show", async () => {
    const { location: _, pendingChanges: __, ...body } = await enrolled();
    const networkConfiguration = { ...(body["networkConfiguration"] as object), quicEnabled: true };
    await held.calls.approved("cert_enrollment_update", {
      enrollmentId,
      version: "v11",
      "allow-staging-bypass": true,
      body: { ...body, networkConfiguration },
    });
    held.world.advance(7 * 86_400_000);
    await held.calls.approved(tool, { ...args, "allow-cancel-pending-changes": true });
    expect(await enrolled()).toMatchObject({ networkConfiguration: { quicEnabled: true } });
  });
});

it.each([
  "localhost",
  "192.0.2.1",
  "bücher.example",
  "*.*.example.com",
  "a..example",
  "-a.example",
  "a_b.example",
  "https://a.example",
  `${"a".repeat(64)}.example`,
])("refuses %s as a name", (name) => expect(certificateName(name)).toBeUndefined());

it("certificate names: a common name may repeat among further names", async () => {
  const cn = "www.shop.example";
  const answer = {
    ...(await enrolled()),
    csr: { cn, sans: ["a.shop.example", cn] },
    thirdParty: { excludeSans: true },
    networkConfiguration: { dnsNameSettings: { cloneDnsNames: false, dnsNames: ["a.shop.example"] } },
    surprise: { kept: true },
  };
  const composed = await certificateNames.compose(
    { enrollmentId, add: ["b.shop.example"], remove: ["a.shop.example"] } as never,
    { invoke: async () => ({ status: 200, headers: {}, notes: [], body: answer }) } as never,
  );
  expect(composed).toMatchObject({
    args: { body: { csr: { cn, sans: [cn, "b.shop.example"] }, surprise: { kept: true } } },
    notes: expect.arrayContaining([`The common name stays ${cn}; it then has 1 further names.`]),
    warnings: [expect.stringContaining("(a.shop.example) and is not changed"), expect.stringContaining("excludeSans")],
  });
});
