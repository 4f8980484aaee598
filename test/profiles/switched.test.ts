/** Accounts that are switched to: found by name, shown in every preview, and each with data and plans of its own. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorOrigin } from "../../src/calls/origin.js";
import { caller } from "../lab/made-up.js";
import { previewOf } from "../lab/outcome.js";
import { configFile, surfaceWith } from "./two.js";

const profiles = {
  own: {},
  nordic: { account: "nordic" },
  media: { accountSwitchKey: "1-5MEDI:1-8BYUX" },
  shops: { account: "Example Shops" },
  nobody: { account: "Unheard of" },
  unknown: { accountSwitchKey: "1-UNKNOWN" },
};
const purge = {
  documents: { queueName: "default", body: { objects: ["https://www.shop.example/"] } },
  today: { action: "invalidate", kind: "url", network: "staging", body: { objects: ["https://www.shop.example/"] } },
} as const;

describe.each(["documents", "today"] as const)("with --apis %s", (apis) => {
  let served: Awaited<ReturnType<typeof surfaceWith>>;
  beforeAll(async () => {
    served = await surfaceWith(["--emulator", "--apis", apis, "--config", configFile({ profiles })]);
  });
  afterAll(async () => void (await (await served.engine()).close()));
  const within = async (profile: keyof typeof profiles) => (await served.engine()).runtimeFor(profile, operatorOrigin);
  const call = async (profile: keyof typeof profiles, tool: string, args: object) =>
    (await within(profile)).calls.call(tool, { ...args }, caller);

  it.each([
    ["own", /^profile own: "?Example Shops"? \(1-7KLGH\) at the emulator$/, /^In profile own: /],
    ["nordic", /Nordic \(1-9NORD\) .*switch key 1-9NORD:1-8BYUX$/, /in the account "Example Shops Nordic": /],
    ["media", /Made-up Media \(1-5MEDI\) .*switch key 1-5MEDI:1-8BYUX$/, /in the account "Made-up Media": /],
  ] as const)("a preview names the account of the profile %s", async (profile, account, lead) => {
    const shown = previewOf(await call(profile, "purge_submit", purge[apis]));
    expect(shown.account).toMatch(account);
    expect(shown.summary).toMatch(lead);
  });

  it("what is written in one account is in no other", async () => {
    const body = { cpcodeName: "Only there", productId: "prd_Site_Delivery" };
    const place = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
    expect(await call("nordic", "property_cpcode_create", { ...place, body })).toMatchObject({
      reply: { status: 201 },
    });
    const names = async (profile: keyof typeof profiles) =>
      JSON.stringify(await call(profile, "property_cpcodes_list", place)).includes("Only there");
    expect([await names("own"), await names("nordic"), await names("media")]).toEqual([false, true, false]);
  });

  it("what is kept of one account answers for no other", async () => {
    const body = { productId: "prd_Site_Delivery", propertyName: "only.there.example" };
    const place = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
    const found = async (profile: keyof typeof profiles) =>
      JSON.stringify(await call(profile, "properties_find", { name: "only.there" })).includes("only.there.example");
    expect([await found("own"), await found("nordic")]).toEqual([false, false]);
    expect(await call("nordic", "property_create", { ...place, body })).toMatchObject({ reply: { status: 201 } });
    expect([await found("own"), await found("nordic"), await found("media")]).toEqual([false, true, false]);
  });

  it.each([
    ["shops", /^The profile shops names the account "Example Shops", and several have this/, /Outlet.*Nordic/],
    ["nobody", /^The profile nobody names the account "Unheard of", to which/, /Outlet.*Nordic.*Made-up Media/],
  ] as const)("the error for profile %s says which accounts there are", async (profile, message, why) => {
    await expect(within(profile)).rejects.toMatchObject({
      code: "bad_configuration",
      message: expect.stringMatching(message),
      detail: { why: expect.stringMatching(why), next: expect.stringContaining("accountSwitchKey") },
    });
  });

  it("the emulator refuses a key that is not the API client's", async () => {
    expect(await call("unknown", "property_groups_list", {})).toMatchObject({ failure: { code: "forbidden" } });
  });
});

it("a profile takes an account's name or its key, not both", async () => {
  const both = { a: { account: "Nordic", accountSwitchKey: "1-9NORD:1-8BYUX" }, b: {} };
  await expect(surfaceWith(["--emulator", "--config", configFile({ profiles: both })])).rejects.toMatchObject({
    code: "bad_configuration",
    message: expect.stringContaining("profiles.a takes one of account and accountSwitchKey"),
  });
});
