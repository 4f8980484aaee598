/** The operations that today's APIs have and the documents' lack: their answers follow from the same world. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";

it("counts the alerts that fire, and one less when it is deleted", async () => {
  const { get, ask } = startRaw();
  const active = async () => {
    const { data } = (await get("/alerts/v2/alert-firings/active")).json() as { data: { definitionId: string }[] };
    return data.map(({ definitionId }) => definitionId);
  };
  const count = async () => (await get("/alerts/v2/alert-firings/alertcount")).json();
  const before = await active();
  expect(await count()).toEqual({ count: before.length });
  const [first = ""] = before;
  await ask({ method: "DELETE", target: `/alerts/v2/alert-definitions/${encodeURIComponent(first)}` });
  expect(await count()).toEqual({ count: before.filter((one) => one !== first).length });
  expect(await active()).not.toContain(first);
});

it("lists the versions of a report as each is described", async () => {
  const { get } = startRaw();
  const versions = "/reporting-api/v1/reports/authoritative-dns-traffic-by-time/versions";
  const described = (await get(`${versions}/3`)).json();
  const listed = await get(`${versions}?showDeprecated=false&showUnavailable=false`);
  expect(listed.json()).toEqual([described]);
  expect((await get("/reporting-api/v1/reports/no-such-report/versions")).status).toBe(404);
});
