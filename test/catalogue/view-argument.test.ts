/** The argument `view` means one thing: what is shown of an answer's rows, wherever a tool takes it. */
import { expect, it } from "vitest";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const services = await allServices();
const operations = services.flatMap((service) => Object.entries(service.operations));
const tools = catalogueOf(services, await allWorkflows());
const listed = (tool: string): unknown =>
  (tools.get(tool)?.tool.inputSchema.properties as Readonly<Record<string, unknown>> | undefined)?.["view"];

it("is an argument of no operation's own", () => {
  const own = operations.filter(([, { spec }]) =>
    [spec.path, spec.query, spec.headers, spec.view?.arguments].some((some) => some && Object.hasOwn(some, "view")),
  );
  expect(own.map(([name]) => name)).toEqual([]);
});

it("is listed alike with every tool that takes it", () => {
  const forms = [...tools.keys()].flatMap((name) => (listed(name) === undefined ? [] : [JSON.stringify(listed(name))]));
  expect(forms.length).toBeGreaterThan(80);
  expect(new Set(forms).size).toBe(1);
});
