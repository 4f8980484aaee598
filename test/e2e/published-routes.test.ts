/** A tool that the setting names is called by the route of public facts, and by that of the documents otherwise. */
import { expect, it } from "vitest";
import { connect } from "./session.js";
import { json, startUpstream } from "./upstream.js";

const tool = "edgelogic_origin_create";

it.each([
  [[], "POST /cloudlets/api/v2/origins/apiBalancer", { description: "a" }],
  [["--published-routes", tool], "POST /cloudlets/api/v2/origins", { description: "a", originId: "apiBalancer" }],
])("with %j the call is %s", async (flags, line, sent) => {
  const upstream = await startUpstream((response) => json(response, 201, {}));
  const session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url, ...flags] });
  try {
    await session.call(tool, { originId: "apiBalancer", body: { description: "a" } });
    const changes = upstream.received.filter(({ method }) => method === "POST");
    expect(changes.map(({ method, target, body }) => [`${method} ${target}`, JSON.parse(body)])).toEqual([
      [line, sent],
    ]);
  } finally {
    await session.close();
    await upstream.close();
  }
});
