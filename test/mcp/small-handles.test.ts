/** A small answer is computed with by its handle, over the protocol, and by its own owner and account alone. */
import { expect, it } from "vitest";
import { clientOf } from "../lab/client.js";
import { surfaceWith } from "../profiles/two.js";

it("a small list has a handle that a view takes, in its own profile alone", async () => {
  const served = await surfaceWith(["--emulator", "--profiles", "one,two"]);
  const { client } = await clientOf(served.surface);
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as Record<string, unknown>;

  const { data, handle } = await call("events_list", { profile: "one" });
  const count = (data as object[]).length;
  expect(count).toBeGreaterThan(2);
  const view = { handle, aggregate: "count", profile: "one" };
  expect(await call("result_view", view)).toMatchObject({ rows: [{ count }] });
  expect(await call("result_view", { ...view, profile: "two" })).toMatchObject({ error: "not_found" });
  const [first] = data as { id: string }[];
  expect(await call("event_get", { eventId: first?.id, profile: "one" })).not.toHaveProperty("handle");
  await (await served.engine()).close();
});
