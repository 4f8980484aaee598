/** Network lists: what the previews say of elements, which calls are refused, and how versions and activations follow from state. */
import { beforeEach, expect } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const world = createWorld();
const calls = callsIn(world);
beforeEach(() => world.reset());
const base = "/network-list/v2/network-lists";
const blocked = { networkListId: "25614_BLOCKED" };
const details = { name: "Blocked addresses", description: "Scrapers" };
const body = { ...details, type: "IP", list: ["203.0.113.7", "198.51.100.0/24"], syncPoint: 5 };

rule("netlist-element-type", "refuses elements of another type, and another type", async () => {
  const countries = { networkListId: "25615_COUNTRIES" };
  for (const [tool, args, field] of [
    ["netlist_create", { body: { name: "New", type: "GEO", list: ["DE", "203.0.113.7"] } }, "body.list[1]"],
    ["netlist_element_create", { ...blocked, body: { list: ["203.0.113.0/33"] } }, "body.list[0]"],
    ["netlist_element_set", { ...blocked, element: "DE" }, "element"],
    ["netlist_element_set", { ...countries, element: "de" }, "element"],
    ["netlist_replace", { ...blocked, body: { ...body, type: "GEO", list: ["DE"] } }, "body.type"],
  ] as [string, Args, string][]) {
    const { fields } = await calls.refused(tool, args);
    expect([tool, fields.map((one) => one.split(": ")[0])]).toEqual([tool, [field]]);
  }
});

rule("netlist-contract-group", "takes a contract only with its group", async () => {
  const { fields } = await calls.refused("netlist_create", {
    body: { name: "New", type: "IP", list: [], contractId: "C-1FRYVV3" },
  });
  expect(fields).toEqual([expect.stringMatching(/^body\.groupId: /)]);
});

rule("netlist-delete-inactive", "refuses to delete a list that was activated, here and in the API", async () => {
  const { fields } = await calls.refused("netlist_delete", blocked);
  expect(fields).toEqual([expect.stringContaining("active on STAGING and PRODUCTION")]);
  expect((await startRaw().send("DELETE", `${base}/25614_BLOCKED`, undefined)).status).toBe(409);
});

rule("netlist-sync-point", "refuses an update of a list that has changed meanwhile", async () => {
  const { send, get } = startRaw();
  expect((await send("PUT", `${base}/25614_BLOCKED/elements?element=192.0.2.9`, undefined)).status).toBe(200);
  const refused = await send("PUT", `${base}/25614_BLOCKED`, body);
  expect(refused.status).toBe(409);
  expect(refused.headers["content-type"]).toBe("application/problem+json");
  expect(refused.json()).toMatchObject({ status: 409, fieldErrors: { syncPoint: expect.stringContaining("6") } });
  expect((await get(`${base}/25614_BLOCKED`)).json()).toMatchObject({ syncPoint: 6 });
});

rule("netlist-newest", "an activation takes a list's newest version from pending to active", async () => {
  const { send, get, world: raw } = startRaw();
  const status = async () => (await get(`${base}/25614_BLOCKED/environments/STAGING/status`)).json();
  expect(await status()).toMatchObject({ activationStatus: "MODIFIED", syncPoint: 4 });
  const started = await send("POST", `${base}/25614_BLOCKED/environments/STAGING/activate`, { comments: "Now" });
  expect(started.json()).toMatchObject({ activationStatus: "PENDING_ACTIVATION", syncPoint: 5, fast: true });
  const { activationId } = started.json() as { activationId: number };
  const progress = (await get(`/network-list/v2/activations/${activationId}`)).json();
  expect(progress).toMatchObject({ environment: "STAGING", status: "RECEIVED", estimate: "PT15S" });
  raw.advance(20_000);
  expect(await status()).toMatchObject({ activationStatus: "ACTIVE", syncPoint: 5, activationComments: "Now" });
  await send("POST", `${base}/25614_BLOCKED/append`, { list: ["192.0.2.9"] });
  expect(await status()).toMatchObject({ activationStatus: "MODIFIED", syncPoint: 5 });
  expect((await get(`${base}/25614_BLOCKED/sync-points/5/history`)).json()).toMatchObject({ elementCount: 3 });
});

rule("netlist-inert", "changes nothing on a network until the list is activated there", async () => {
  const { send, get } = startRaw();
  await send("DELETE", `${base}/25615_COUNTRIES/elements?element=SY`, undefined);
  const { syncPoint } = (await get(`${base}/25615_COUNTRIES/environments/PRODUCTION/status`)).json() as Args;
  const active = (await get(`${base}/25615_COUNTRIES/sync-points/${syncPoint}/history`)).json();
  expect(active).toMatchObject({ list: ["KP", "SY"] });
});

rule("netlist-activated-versions", "reads no version that was never activated", async () => {
  const { get } = startRaw();
  expect((await get(`${base}/25614_BLOCKED/sync-points/2/history`)).status).toBe(404);
});
