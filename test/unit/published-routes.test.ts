/** The setting that chooses published routes: the names of tools that have one, and nothing else. */
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { createEngine, publishedRoutesOf } from "../../src/engine/index.js";
import type { AnyOperation } from "../../src/language/define.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";

const services = await allServices("documents");
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
      /"edgelogic_orign_create", which is not a tool \(did you mean "edgelogic_origin_create"\?\)/,
    ],
    ["edgelogic_origin_create,", /"", which is not a tool/],
    ["events_list", /events_list, which has only one route/],
  ])("refuses %s", async (text, message) => {
    const refusal = { code: "bad_configuration", message: expect.stringMatching(message) };
    await expect(publishedRoutesOf(text, tools)).rejects.toMatchObject(refusal);
    const config = readConfig(["--emulator", "--state-dir", "memory", "--published-routes", text], {});
    await expect(createEngine(config, tools, () => undefined)).rejects.toMatchObject(refusal);
  });
});
