/** What clients make of the list: a short one where it is asked for, and calls written as the list has them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Session } from "../../lab/session.js";

it("--surface catalogue: a short list, short of what is left out", async () => {
  const flags = ["--surface", "catalogue", "--services", "purge,dns"];
  const { client, call, close } = await connect("v2 2026 stdio", { flags });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "operation_describe",
    "operation_search",
    "plan_get",
    "result_get",
    "result_query",
    "result_view",
    "operation_read",
    "operation_destructive",
  ]);
  const read = (tool: string, args: object) => call("operation_read", { tool, arguments: args });
  expect((await read("purge_queue_get", { queueName: "default" })).structuredContent).toMatchObject({ status: 200 });
  expect((await read("users_list", {})).structuredContent).toMatchObject({ error: "not_allowed" });
  await close();
});

describe("a call written as the list has it", () => {
  let session: Session;
  beforeAll(async () => {
    session = await connect("v1 stdio");
  });
  afterAll(async () => session.close());

  const previewed = async (name: string, args: Record<string, unknown>) => {
    const { confirm, expiresAt: _, ...preview } = (await session.call(name, args)).structuredContent;
    expect(confirm).toMatch(/\S/);
    return JSON.parse(JSON.stringify(preview).replaceAll(String(confirm), "…")) as Record<string, unknown>;
  };

  it("an id as text shows the same state before a change as a number", async () => {
    const args = { contractId: "C-1FRYVV3", surrogateId: 9002 };
    const shown = await previewed("saas_application_delete", args);
    expect(JSON.stringify(shown)).toContain("3 lines of the present state");
    expect(await previewed("saas_application_delete", { ...args, surrogateId: "9002" })).toEqual(shown);
  });

  it("a CP code as text is purged, and a list of one means all objects", async () => {
    const args = { queueName: "default", body: { objects: ["12345"], type: "cpcode", action: "invalidate" } };
    const { confirm } = (await session.call("purge_submit", args)).structuredContent;
    expect((await session.call("purge_submit", { ...args, confirm })).structuredContent).toMatchObject({ status: 201 });
    const report = { reportName: "endpoint-usage-by-time", version: 1, period: "last_7d", interval: "DAY" };
    const reportOn = async (objectIds: readonly string[]) => {
      const { structuredContent } = await session.call("report_data_find", { ...report, body: { objectIds } });
      return (structuredContent["data"] as { metadata: { objectIds: readonly string[] } }).metadata.objectIds;
    };
    expect(await reportOn(["12345"])).toEqual(["12345"]);
    expect(await reportOn(["all"])).toEqual(["12345", "12346", "67890", "67891", "67892"]);
  });
});
