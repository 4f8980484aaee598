/** What purge and credentials refuse beyond the documents' rules: too many bytes, and days that no calendar has. */
import { describe, expect, it } from "vitest";
import { startRaw } from "../lab/raw.js";

const headers = { "content-type": "application/json" };
const queue = { method: "POST", target: "/ccu/v2/queues/default" };

describe("a purge over 50,000 bytes", () => {
  const fitting = '{"objects":["https://www.example.com/"]}';
  const wide = JSON.stringify({ objects: Array(300).fill(`https://www.example.com/${"ü".repeat(100)}`) });

  it.each([
    ["in bytes but not in characters", wide, headers],
    ["by white space alone", fitting.padEnd(50_001), headers],
    ["under a length that says less", fitting.padEnd(50_001), { ...headers, "content-length": "40" }],
  ])("is refused with 413 when it is over %s", async (_, body, sent) => {
    const answer = await startRaw().ask({ ...queue, headers: sent, body });
    expect(answer.headers["content-type"]).toBe("application/api-problem+json");
    expect(answer.json()).toMatchObject({ httpStatus: 413 });
  });

  it("begins one byte above 50,000", async () => {
    expect((await startRaw().ask({ ...queue, headers, body: fitting.padEnd(50_000) })).status).toBe(201);
  });
});

it.each(["2027-13-45T00:00:00Z", "2027-02-30T00:00:00Z", "2027-05-01T25:00:00Z"])(
  "a credential's expiry of %s is refused and changes nothing",
  async (expiresOn) => {
    const { send, get } = startRaw();
    const one = "/identity-management/v1/open-identities/oi-7421/credentials/4101";
    const before = (await get(one)).json();
    const answer = await send("PUT", one, { status: "INACTIVE", expiresOn });
    expect(answer.json()).toMatchObject({ status: 400, detail: expect.stringContaining("expiresOn") });
    expect((await get(one)).json()).toEqual(before);
  },
);

it.each(["__proto__", "constructor"])("refuses the form field %s, which every object has", async (name) => {
  const answer = await startRaw().ask({
    method: "POST",
    target: "/config-secure-provisioning-service/v1/sps-requests?contractId=C-1FRYVV3&groupId=11111",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `cnameHostname=www.shop.example&createType=single&${name}=x`,
  });
  expect([answer.status, JSON.stringify(answer.json())]).toEqual([400, expect.stringContaining(name)]);
});

it("sets the clock back with everything else", async () => {
  const { world } = startRaw();
  const before = world.now();
  world.advance(86_400_000);
  world.reset();
  expect(world.now()).toBe(before);
});
