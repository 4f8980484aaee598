/** The CP codes of a whole emulated account in one call: each once, with its groups, and page after page. */
import { expect, it } from "vitest";
import { accountCpCodes } from "../../src/workflows/account-cpcodes.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12, 30));
interface Result {
  readonly findings: readonly string[];
  readonly cpcodes: readonly { readonly cpcodeId: string; readonly cpcodeName: string; readonly groupIds: string[] }[];
  readonly nextPage?: number;
}
const listed = (args: object = {}) => held.calls.worked<Result>("property_account_cpcodes_list", { ...args });

it("account CP codes: all contracts and groups, each code once", async () => {
  await held.calls.answer("property_cpcode_create", {
    contractId: "ctr_3-MADEUP",
    groupId: "grp_22222",
    body: { productId: "prd_Site_Delivery", cpcodeName: "Elsewhere" },
  });
  const { body } = await held.calls.answer("property_groups_list", {});
  const { groups } = body as { groups: { items: { groupId: string; contractIds: string[] }[] } };
  const expected = new Map<string, string[]>();
  for (const { groupId, contractIds } of groups.items)
    for (const contractId of contractIds) {
      const { body: own } = await held.calls.answer("property_cpcodes_list", { contractId, groupId });
      for (const { cpcodeId } of (own as { cpcodes: { items: { cpcodeId: string }[] } }).cpcodes.items)
        expected.set(cpcodeId, [...(expected.get(cpcodeId) ?? []), groupId]);
    }
  const { cpcodes, findings, nextPage } = await listed();
  expect(new Map(cpcodes.map(({ cpcodeId, groupIds }) => [cpcodeId, groupIds]))).toEqual(expected);
  expect(new Set(cpcodes.map(({ cpcodeId }) => cpcodeId)).size).toBe(cpcodes.length);
  expect(cpcodes.find(({ cpcodeName }) => cpcodeName === "Elsewhere")).toMatchObject({ contractId: "ctr_3-MADEUP" });
  const numbers = cpcodes.map(({ cpcodeId }) => Number(cpcodeId.slice(4)));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(findings[0]).toMatch(/^\d+ CP codes, from (\d+) of \1 pairs of a contract and a group, of 2 contracts\.$/);
  expect(nextPage).toBeUndefined();
});

it("narrows them by a part of the name or of the number", async () => {
  const { cpcodes: all } = await listed();
  const [first] = all;
  expect((await listed({ search: first?.cpcodeId.slice(4) })).cpcodes).toEqual([first]);
  expect((await listed({ search: first?.cpcodeName.toUpperCase() })).cpcodes).toContainEqual(first);
  expect((await listed({ search: "no such name" })).cpcodes).toEqual([]);
});

it("account CP codes: a page reads 100 pairs, and says which failed", async () => {
  const items = Array.from({ length: 130 }, (_, at) => ({ groupId: `grp_${at}`, contractIds: ["ctr_1"] }));
  const asked: string[] = [];
  const code = (id: number) => ({ cpcodeId: `cpc_${id}`, cpcodeName: "n", productIds: [], createdDate: "2026-01-01" });
  const invoke = async (tool: string, { groupId }: { groupId?: string }) => {
    if (groupId !== undefined) asked.push(groupId);
    const body =
      tool === "property_groups_list"
        ? { groups: { items } }
        : groupId === "grp_101"
          ? { odd: true }
          : { cpcodes: { items: [code(7)] } };
    return { status: 200, headers: {}, notes: [], body };
  };
  const run = (args: object) =>
    accountCpCodes.run(args as never, { invoke, progress: async () => undefined } as never) as Promise<unknown>;
  const first = (await run({})) as Result;
  expect([asked.length, first.nextPage, first.cpcodes[0]?.groupIds.length]).toEqual([100, 1, 100]);
  const second = (await run({ page: 1 })) as Result;
  expect([asked.length, second.nextPage, second.cpcodes[0]?.groupIds.length]).toEqual([130, undefined, 29]);
  expect(second.findings[1]).toContain("A step failed");
});
