/** The IP allow list of the portal: previews say who is locked out or let in, and the last way in is kept. */
import { beforeEach, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const world = createWorld();
const calls = callsIn(world);
beforeEach(() => world.reset());
const root = "/identity-management/v3/user-admin/ip-acl/allowlist";

rule("signin-not-empty", "activates no list without an enabled block", async () => {
  await calls.approved("signin_allowlist_deactivate", {});
  for (const cidrBlockId of [3001, 3002]) await calls.approved("signin_cidr_block_delete", { cidrBlockId });
  expect((await calls.refused("signin_allowlist_activate", {})).fields[0]).toContain("signin_cidr_block_create");
  const { ask } = startRaw();
  await ask({ method: "POST", target: `${root}/disable` });
  for (const id of [3001, 3002]) await ask({ method: "DELETE", target: `${root}/${id}` });
  expect((await ask({ method: "POST", target: `${root}/enable` })).status).toBe(400);
});

rule("signin-last-block", "keeps the block that covers the caller while the list is on", async () => {
  const { fields } = await calls.refused("signin_cidr_block_delete", { cidrBlockId: 3001 });
  expect(fields[0]).toContain("while the allow list is on");
  const { ask } = startRaw();
  expect((await ask({ method: "DELETE", target: `${root}/3001` })).status).toBe(403);
  await ask({ method: "POST", target: `${root}/disable` });
  expect((await ask({ method: "DELETE", target: `${root}/3001` })).status).toBe(204);
});

rule("signin-change-while-on", "changes a block only while the list is on", async () => {
  const { ask, send } = startRaw();
  const body = { cidrBlock: "198.51.100.0/28", enabled: false };
  expect((await send("PUT", `${root}/3002`, body)).status).toBe(200);
  await ask({ method: "POST", target: `${root}/disable` });
  expect((await send("PUT", `${root}/3002`, body)).status).toBe(403);
  await calls.approved("signin_allowlist_deactivate", {});
  const { fields } = await calls.refused("signin_cidr_block_update", { cidrBlockId: 3002, body });
  expect(fields).toHaveLength(1);
});

it("checks the format of a block", async () => {
  const { get } = startRaw();
  const check = async (text: string) => (await get(`${root}/validate?cidrblock=${encodeURIComponent(text)}`)).status;
  expect(await Promise.all(["192.0.2.0/28", "2001:db8::1", "192.0.2.0/33", "office"].map(check))).toEqual([
    204, 204, 400, 400,
  ]);
});
