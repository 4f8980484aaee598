/** The setting that chooses published routes: the names of tools that have one, and nothing else. */
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/api/define.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { publishedRoutesOf } from "../../src/published-routes.js";
import { allServices } from "../../src/tools/index.js";
import { caller } from "../calls/made-up.js";
import { json, startUpstream } from "../e2e/upstream.js";

const credentials = {
  AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
  AKAMAI_CLIENT_TOKEN: "a",
  AKAMAI_CLIENT_SECRET: "b",
  AKAMAI_ACCESS_TOKEN: "c",
};

const services = await allServices();
const tools = catalogueOf(services);
const having = services
  .flatMap((service) => Object.entries<AnyOperation>(service.operations))
  .filter(([, { spec }]) => spec.published !== undefined)
  .map(([name]) => name);

describe("published-routes", () => {
  it("takes every tool that has such a route, with spaces around its name", async () => {
    expect(having).toContain("edgelogic_origin_create");
    expect(await publishedRoutesOf(having.join(" , "), tools)).toEqual(new Set(having));
    expect(await publishedRoutesOf(undefined, tools)).toEqual(new Set());
  });

  it.each([
    [
      "edgelogic_orign_create",
      /"edgelogic_orign_create", which is no tool \(did you mean "edgelogic_origin_create"\?\)/,
    ],
    ["edgelogic_origin_create,", /"", which is no tool/],
    ["events_list", /events_list, which has one route only/],
  ])("refuses %s", async (text, message) => {
    const refusal = { code: "bad_configuration", message: expect.stringMatching(message) };
    await expect(publishedRoutesOf(text, tools)).rejects.toMatchObject(refusal);
    const config = readConfig(["--emulator", "--state-dir", "memory", "--published-routes", text], {});
    await expect(createEngine(config, tools, () => undefined)).rejects.toMatchObject(refusal);
  });

  it("sends the call by that route", async () => {
    const upstream = await startUpstream((response) => json(response, 201, {}));
    const tool = "edgelogic_origin_create";
    const sentWith = async (...more: readonly string[]) => {
      const args = ["--upstream", upstream.url, "--state-dir", "memory", ...more];
      const engine = await createEngine(readConfig(args, credentials), tools, () => undefined);
      await engine.calls.call(tool, { originId: "apiBalancer", body: { description: "a" } }, caller);
      await engine.close();
      const { method, target, body } = upstream.received.at(-1) ?? { body: "null" };
      return [`${method} ${target}`, JSON.parse(body) as unknown];
    };
    expect(await sentWith()).toEqual(["POST /cloudlets/api/v2/origins/apiBalancer", { description: "a" }]);
    expect(await sentWith("--published-routes", tool)).toEqual([
      "POST /cloudlets/api/v2/origins",
      { description: "a", originId: "apiBalancer" },
    ]);
    await upstream.close();
  });
});
