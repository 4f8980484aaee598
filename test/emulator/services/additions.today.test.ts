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
