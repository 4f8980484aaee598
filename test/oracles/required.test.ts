/** What a call may not leave out: the definitions' required arguments, which are refused unsent, with where their values are. */
import { describe, expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import { createWorld } from "../../src/emulator/world.js";
import { contractArgument, listerOf } from "../../src/language/defaults.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { Failure, type FieldProblem } from "../../src/language/failure.js";
import { schemaOfParam } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { allServices } from "../../src/tools/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { checkFully } from "../lab/checked.js";
import { notRequiredHere, requiredByDefinitions } from "./required-oracle.js";

const services = await allServices("documents");
const operations = new Map(services.flatMap(({ operations }) => Object.entries<AnyOperation>(operations)));
const toolOf = new Map(operationRows(services).map(({ tool, method, path }) => [`${method} ${path}`, tool]));

/** The required names of a route as paths into the arguments. */
const pathsIn = (names: string): readonly string[] => {
  const [parameters = "", members = ""] = names
    .split("|")
    .map((part) => part.trim().split(/\s+/).filter(Boolean).join(" "));
  return [...parameters.split(" "), ...members.split(" ").map((name) => name && `body.${name}`)].filter(Boolean);
};

/** The fields that a call is refused for when it leaves one argument of its example out. */
function refusedWithout(tool: string, operation: AnyOperation, path: string): readonly FieldProblem[] {
  const example = structuredClone(resolvedExample(operation.spec.example as never, Date.now())) as Args;
  const holder = path.startsWith("body.") ? (example["body"] as Args) : example;
  delete holder[path.replace("body.", "")];
  try {
    checkFully(tool, operation, example);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.detail.fields ?? [];
  }
}

describe.each(Object.entries(requiredByDefinitions))("%s", (route, names) => {
  const tool = toolOf.get(route) ?? "";
  const operation = operations.get(tool);

  it("calls without required values are refused, save named exceptions", () => {
    if (!operation) throw new Error(`No operation has the route ${route}.`);
    for (const path of pathsIn(names)) {
      const fields = refusedWithout(tool, operation, path).map(({ field }) => field);
      const isExcepted = `${tool} ${path}` in notRequiredHere;
      expect([tool, path, fields.some((field) => field === path || field.startsWith(`${path}.`))]).toEqual([
        tool,
        path,
        !isExcepted,
      ]);
    }
  });
});

it("excepts nothing that no definition requires", () => {
  const all = Object.entries(requiredByDefinitions).flatMap(([route, names]) =>
    pathsIn(names).map((path) => `${toolOf.get(route)} ${path}`),
  );
  expect(all).toEqual(expect.arrayContaining(Object.keys(notRequiredHere)));
});

const marked = [...operations].flatMap(([tool, operation]) =>
  Object.entries({ ...operation.spec.path, ...operation.spec.query }).flatMap(([name, param]) => {
    const lister = listerOf(schemaOfParam(param));
    return lister === undefined ? [] : [[tool, name, lister] as const];
  }),
);

it("a missing contract or group is refused with the read that lists it", () => {
  expect(marked.length).toBeGreaterThan(20);
  for (const [tool, name, lister] of marked) {
    const listing = operations.get(lister);
    expect([tool, lister, listing && effectOf(listing)]).toEqual([tool, lister, "read"]);
    const operation = operations.get(tool) as AnyOperation;
    const [problem] = refusedWithout(tool, operation, name).filter(({ field }) => field === name);
    expect([tool, problem?.takes]).toEqual([
      tool,
      expect.stringMatching(new RegExp(`; it is required, and ${lister} lists its values$`)),
    ]);
  }
});

it("no contract or group is required without a read that lists it", () => {
  expect(listerOf(contractArgument(z.string(), "a_list"))).toBe("a_list");
  const unmarked = [...operations].flatMap(([tool, { spec }]) =>
    Object.entries(spec.query ?? {})
      .map(([name, param]) => [name, schemaOfParam(param)] as const)
      .filter(([name, schema]) => /^(contract|group)Id$/.test(name) && !schema.safeParse(undefined).success)
      .filter(([, schema]) => listerOf(schema) === undefined)
      .map(([name]) => `${tool} ${name}`),
  );
  expect(unmarked).toEqual([]);
});

it("a list lacking contract and group is unsent, and names their read", async () => {
  const world = createWorld();
  const { refused, audited } = callsIn(world);
  expect(await refused("properties_list", {})).toEqual({
    code: "invalid_input",
    message: expect.stringMatching(/^properties_list cannot use these arguments: contractId: /),
    fields: ["contractId", "groupId"].map((name) =>
      expect.stringMatching(new RegExp(`^${name}: .*; it is required, and property_groups_list lists its values$`)),
    ),
  });
  expect(audited.join()).not.toContain('"requests":1');
});
