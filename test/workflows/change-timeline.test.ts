/** The timeline of changes against what the single APIs answer, and changes that are made while it is looked at. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, vi } from "vitest";
import { type Args, callsAt } from "../lab/calls.js";

const now = Date.UTC(2026, 4, 20, 12, 10);
const here = callsAt(now);

interface Timeline {
  readonly period: string;
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly changes: readonly {
    readonly when: string;
    readonly who: string;
    readonly what: string;
    readonly readMore: { readonly tool: string; readonly arguments: Args };
  }[];
  readonly notCovered: readonly string[];
  readonly steps: { readonly notDone?: readonly object[] };
}
const timeline = (args: Args) => here.calls.worked<Timeline>("change_timeline", args);
const bodyOf = async (tool: string, args: Args) => (await here.calls.answer(tool, args)).body as never;
const spring = { start: "2026-03-01", end: "2026-05-20" };
const isWithin = (when: string | number) =>
  new Date(when).getTime() >= Date.UTC(2026, 2, 1) && new Date(when).getTime() < Date.UTC(2026, 4, 20);

describe("a timeline", () => {
  it("has the activations of all properties, as their own lists have them", async () => {
    const { groups }: { groups: { items: { groupId: string; contractIds: string[] }[] } } = await bodyOf(
      "property_groups_list",
      {},
    );
    let expected = 0;
    for (const { groupId, contractIds } of groups.items)
      for (const contractId of contractIds) {
        const listed: { properties: { items: { propertyId: string }[] } } = await bodyOf("properties_list", {
          groupId,
          contractId,
        });
        for (const { propertyId } of listed.properties.items) {
          const own: { activations: { items: { submitDate: string }[] } } = await bodyOf("property_activations_list", {
            propertyId,
          });
          expected += own.activations.items.filter(({ submitDate }) => isWithin(submitDate)).length;
        }
      }
    expect(expected).toBeGreaterThan(2);
    expect((await timeline(spring)).counts["property"]).toBe(expected);
  });

  it("has each activation of a policy once, with who made it", async () => {
    const own: { network: string; policyInfo: { activationDate: number; activatedBy: string } }[] = await bodyOf(
      "edgelogic_policy_activations_list",
      { policyId: 1001 },
    );
    const { changes } = await timeline({ start: "2026-04-14", end: "2026-04-21" });
    const found = changes.filter(({ what }) => what.startsWith("ACTIVATE version 1 of policy spring_redirects"));
    expect(found.map(({ when, who }) => `${Date.parse(when)} ${who}`).sort()).toEqual(
      own.map(({ policyInfo }) => `${policyInfo.activationDate} ${policyInfo.activatedBy}`).sort(),
    );
  });

  it("a timeline is small, newest first, and leads to callable tools", async () => {
    const found = await timeline({ ...spring, openIdentityId: "oi-7421", zones: ["shop.example"] });
    const times = found.changes.map(({ when }) => Date.parse(when));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(encode(JSON.stringify(found)).length).toBeLessThan(1_500);
    for (const { readMore } of found.changes)
      expect((await here.calls.call(readMore.tool, readMore.arguments)).kind, readMore.tool).toBe("answer");
    const shown = Object.values(found.counts).reduce((sum, count) => sum + count, 0);
    expect(found.findings[0]).toBe(`${shown} ${shown === 1 ? "change is" : "changes are"} known of this period.`);
  });

  it("says what no API reports, and what has to be named", async () => {
    const bare = (await timeline({})).notCovered.join(" ");
    for (const word of ["openIdentityId", "Zones: give zones", "purge_status", "Certificate"])
      expect(bare).toContain(word);
    const named = (await timeline({ openIdentityId: "oi-7421", zones: ["shop.example"] })).notCovered.join(" ");
    expect(named).not.toContain("openIdentityId");
    expect(named).toContain("Zone shop.example: its serial 41 does not contain a date.");
  });
});

it("shows at once what was changed a moment ago, with who did it", async () => {
  const before = await timeline({ period: "last_24h" });
  const fields = { templateId: "s@7", name: "Fresh", aca_cpcode: ["12345"], param: 5, email: ["ops@shop.example"] };
  here.world.advance(60_000);
  vi.setSystemTime(now + 120_000);
  await here.calls.approved("alert_definition_create", { body: { fields } });
  const after = await timeline({ period: "last_24h" });
  expect((after.counts["alert"] ?? 0) - (before.counts["alert"] ?? 0)).toBe(1);
  expect(after.changes[0]).toMatchObject({ when: "2026-05-20T12:11:00Z", what: "alert Fresh created" });
  expect(after.changes[0]?.who).not.toBe("not covered");
});

it("a timeline has a named client's credentials, or says a step failed", async () => {
  const created: { createdOn: string }[] = await bodyOf("credentials_list", { openIdentityId: "oi-7421" });
  const day = (created[0]?.createdOn ?? "").slice(0, 10);
  const period = { start: `${day}T00:00Z`, end: `${day}T23:00Z` };
  const { counts } = await timeline({ ...period, openIdentityId: "oi-7421" });
  expect(counts["credential"]).toBe(created.filter(({ createdOn }) => createdOn.startsWith(day)).length);
  const { findings, steps } = await timeline({ ...period, openIdentityId: "oi-0" });
  expect(findings.join()).toContain("A step failed");
  expect(steps.notDone).toMatchObject([{ tool: "credentials_list", outcome: "failed" }]);
});
