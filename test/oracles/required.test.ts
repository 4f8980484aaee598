/** What a call may not leave out: a contract and a group, which are refused unsent, with where their values are. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { contractArgument, listerOf } from "../../src/language/defaults.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { Failure, type FieldProblem } from "../../src/language/failure.js";
import { schemaOfParam } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { allServices } from "../../src/tools/index.js";
import { callsIn } from "../lab/calls.js";
import { checkFully } from "../lab/checked.js";

const operations = new Map(
  (await allServices("documents")).flatMap(({ operations }) => Object.entries<AnyOperation>(operations)),
);
/** The fields that a call is refused for when it leaves one argument of its example out. */
function refusedWithout(tool: string, operation: AnyOperation, name: string): readonly FieldProblem[] {
  const { [name]: _, ...rest } = resolvedExample(operation.spec.example, Date.now());
  try {
    checkFully(tool, operation, rest);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.detail.fields ?? [];
  }
}

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
