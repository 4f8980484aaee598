/** What the tools add to billing usage and contracts: forms that exclude each other, and answers that lead on. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Session } from "../../lab/session.js";

let session: Session;
beforeAll(async () => {
  session = await connect("v2 2026 stdio");
});
afterAll(() => session.close());

const product = { contractId: "C-1FRYVV3", productId: "M-SITE-7" };

it.each([
  [{ month: 4 }, ["year"]],
  [{ fromMonth: 3, fromYear: 2026 }, ["toMonth", "toYear"]],
  [
    { month: 4, year: 2026, fromMonth: 3, fromYear: 2026, toMonth: 4, toYear: 2026 },
    ["fromMonth", "fromYear", "toMonth", "toYear"],
  ],
])("the wrong fields of %j are named", async (months, wrong) => {
  const { structuredContent } = await session.call("usage_contract_measures_list", { ...product, ...months });
  expect(structuredContent).toMatchObject({ error: "invalid_input" });
  expect((structuredContent["fields"] as { field: string }[]).map(({ field }) => field)).toEqual(wrong);
});

it("a group of several contracts leads to the tool for each", async () => {
  const { structuredContent, isError } = await session.call("contract_group_product_summary_get", {
    reportingGroupId: 22222,
  });
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({
    status: 300,
    data: { contracts: [{ contractId: "C-1FRYVV3" }, { contractId: "3-MADEUP" }] },
    notes: [expect.stringContaining("contract_product_summary_get for each contractId")],
  });
});

it("a date outside the window is explained", async () => {
  const { structuredContent } = await session.call("contract_product_summary_get", {
    contractId: "C-1FRYVV3",
    from: "2020-01-01",
  });
  expect(structuredContent).toMatchObject({
    error: "rejected",
    next: expect.stringContaining("15 months"),
    upstreamSaid: { errors: [{ title: "from" }] },
  });
});

it("a stale stamp is refused with what changed since", async () => {
  const { structuredContent: read } = await session.call("event_get", { eventId: "20051" });
  const event = read["data"] as Record<string, unknown>;
  const update = (more: object) => session.call("event_update", { eventId: "20051", body: { ...event, ...more } });
  expect((await update({ name: "Spring sale, moved", audienceSize: 5 })).structuredContent).toMatchObject({
    status: 200,
  });
  const { structuredContent: stale, isError } = await update({ description: "mine" });
  expect(isError).toBe(true);
  expect(stale).toMatchObject({
    error: "conflict",
    status: 409,
    why: expect.stringMatching(
      /^body\.version is 13 now, and 12 was sent: .* differs from the present state in name, description,/,
    ),
    next: expect.stringContaining("event_get"),
  });
  expect(stale["changed"]).toContainEqual({ at: "name", from: "Spring sale, moved", to: "Spring sale" });
  expect(stale["changed"]).toContainEqual({ at: "audienceSize", from: 5, to: 120_000 });
});
