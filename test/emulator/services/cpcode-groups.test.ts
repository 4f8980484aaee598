/** A CP code belongs to the group that it was made in: what lists, counts and deletes groups keeps to that. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";

const contract = "contractId=ctr_C-1FRYVV3";

function start() {
  const { get, send, ask, world } = startRaw();
  const idsIn = async (groupId: string) => {
    const answer = (await get(`/papi/v0/cpcodes/?${contract}&groupId=${groupId}`)).json();
    return (answer as { cpcodes: { items: { cpcodeId: string }[] } }).cpcodes.items.map(({ cpcodeId }) => cpcodeId);
  };
  const create = async (groupId: string) => {
    const made = { productId: "prd_Site_Delivery", cpcodeName: "Outlet" };
    const answer = await send("POST", `/papi/v0/cpcodes/?${contract}&groupId=${groupId}`, made);
    expect([groupId, answer.status], answer.text).toEqual([groupId, 201]);
    return /cpc_\d+/.exec(answer.text)?.[0] ?? "";
  };
  return { get, send, ask, world, idsIn, create };
}

it("lists and reads it in its own group alone", async () => {
  const { get, idsIn, create } = start();
  const seeds = await idsIn("grp_11111");
  expect(seeds).toHaveLength(5);
  expect(await idsIn("grp_22222")).toEqual([]);
  const id = await create("grp_22222");
  expect([await idsIn("grp_11111"), await idsIn("grp_22222")]).toEqual([seeds, [id]]);
  const read = async (groupId: string) => (await get(`/papi/v0/cpcodes/${id}?${contract}&groupId=${groupId}`)).status;
  expect([await read("grp_22222"), await read("grp_11111")]).toEqual([200, 404]);
});

it("counts its traffic for its group and those above it", async () => {
  const { get } = start();
  const used = async (groupId: number) => {
    const target = `/billing-center-api/v2/reporting-groups/${groupId}/products/M-SITE-7/measures?month=4&year=2026`;
    const days = (await get(target)).json() as { value: number; statistic: { name: string } }[];
    return days.filter(({ statistic }) => statistic.name === "Requests").reduce((sum, { value }) => sum + value, 0);
  };
  expect(await used(11_111)).toBeGreaterThan(0);
  expect(await used(22_222)).toBe(await used(11_111));
  expect(await used(33_333)).toBe(0);
});

it("keeps its group from being deleted", async () => {
  const { send, ask, create } = start();
  const made = await send("POST", "/identity-management/v2/user-admin/groups/11111", { groupName: "Outlets" });
  const { groupId } = made.json() as { groupId: number };
  await create(`grp_${groupId}`);
  const target = `/identity-management/v2/user-admin/groups/${groupId}`;
  expect((await ask({ method: "DELETE", target })).status).toBe(403);
});
