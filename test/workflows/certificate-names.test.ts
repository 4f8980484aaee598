/** Names added to an emulated enrollment and removed from it: previewed, approved, taken back, and refused where they do not fit. */
import { describe, expect, it } from "vitest";
import { restoreTool } from "../../src/language/own-tools.js";
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
/** What an update can change and this one must not. */
const restOf = ({ csr: { sans: _, ...csr }, pendingChanges: __, ...rest }: Enrolled) => ({ ...rest, csr });

describe("adding and removing names", () => {
  const args = { enrollmentId, add: ["Static.Shop.example."], remove: ["shop.example"] };

  it("certificate names: previewed by name, the rest sent as it was read", async () => {
    const before = await enrolled();
    const { summary, lines, plan } = await held.calls.previewed(tool, args);
    expect(summary).toMatch(
      /^REPLACE the enrollment for www\.shop\.example: names removed, which stop serving TLS: shop\.example; names added: static\.shop\.example; a new certificate is started/,
    );
    const text = lines.join("\n");
    expect(text).toContain("Note: - name shop.example\nNote: + name static.shop.example\n");
    expect(text).toContain("The common name stays www.shop.example; it then has 1 further names.");
    // Nothing else of the enrollment differs in the preview.
    expect(lines.filter((line) => /^ {2}[-+~]? ?\S/.test(line))).toEqual([
      "  - csr.sans: shop.example",
      "  + csr.sans: static.shop.example",
    ]);
    expect(await enrolled()).toEqual(before);
    const outcome = await held.calls.call(tool, { ...args, confirm: plan.id });
    expect(outcome).toMatchObject({ kind: "answer", reply: { status: 202 } });
    const after = await enrolled();
    expect(after.csr.sans).toEqual(["static.shop.example"]);
    expect(after["pendingChanges"]).toMatchObject([{ changeType: "modify-san" }]);
    expect(restOf(after)).toEqual(restOf(before));
    expect(await held.calls.call(tool, { ...args, confirm: plan.id })).toMatchObject({ kind: "failure" });
    expect((await enrolled())["pendingChanges"]).toHaveLength(1);
  });

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

  it("is void where the enrollment has changed since the preview", async () => {
    const { plan } = await held.calls.previewed(tool, args);
    await held.calls.approved(tool, { enrollmentId, add: ["other.shop.example"] });
    const outcome = await held.calls.call(tool, { ...args, confirm: plan.id });
    expect(outcome).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
    expect((await enrolled()).csr.sans).toEqual(["shop.example", "other.shop.example"]);
  });

  it("is taken back by the plan, which cancels what it has started", async () => {
    const before = await enrolled();
    const { plan } = await held.calls.previewed(tool, args);
    await held.calls.call(tool, { ...args, confirm: plan.id });
    await held.calls.approved(restoreTool, { plan: plan.id });
    const after = await enrolled();
    expect([after.csr.sans, restOf(after)]).toEqual([before.csr.sans, restOf(before)]);
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
])("takes %s for no name", (name) => expect(certificateName(name)).toBeUndefined());

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
