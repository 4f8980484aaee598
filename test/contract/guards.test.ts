/** Laws over all guarded operations: a preview can only show what a write does when its declaration says it. */
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/api/arguments.js";
import { returnedSchemas } from "../../src/api/choice.js";
import type { AnyOperation } from "../../src/api/define.js";
import { guardOf } from "../../src/api/effect.js";
import { formsAt, formsOf, isOpen } from "../../src/api/shape.js";
import type { z } from "../../src/api/z.js";
import { allServices } from "../../src/tools/index.js";

const services = await allServices();
const operations = services.flatMap((service) => Object.entries<AnyOperation>(service.operations));
const byName = new Map(operations);
const guarded = operations.filter(([, { spec }]) => spec.guard !== undefined);

const formsAtPath = (schemas: readonly z.ZodType[], path: readonly string[]): readonly z.ZodType[] =>
  path.reduce(formsAt, schemas.flatMap(formsOf));

describe.each(guarded)("%s", (_, operation) => {
  const { spec } = operation;
  const guard = guardOf(operation);

  it("says what it writes over, where it overwrites or changes a credential with a body", () => {
    const isWrite = spec.body !== undefined && (guard?.kind === "overwrite" || guard?.kind === "credential");
    if (isWrite) expect(guard?.replaces).toBeDefined();
    if (guard?.write !== undefined) expect(guard.replaces).toBeDefined();
  });

  it("names arguments that it has", () => {
    const schema = argumentsSchema(operation);
    const critical = (guard?.critical ?? []).map(({ argument }) => argument);
    for (const name of [guard?.counts, guard?.network, guard?.replaces, ...critical])
      if (name !== undefined) expect([name, formsAtPath([schema], name.split(".")).length > 0]).toEqual([name, true]);
  });

  it("takes the harmless value of an argument that makes it critical otherwise", () => {
    for (const { argument, unless } of guard?.critical ?? []) {
      const forms = formsAtPath([argumentsSchema(operation)], argument.split("."));
      expect([argument, forms.some((form) => form.safeParse(unless).success)]).toEqual([argument, true]);
    }
  });

  it("writes over something that the operation named by shownBy shows", () => {
    if (guard?.replaces === undefined) return;
    const reader = byName.get(spec.shownBy ?? "");
    const schemas = reader ? returnedSchemas(reader) : [];
    const [first, ...place] = guard.replaces.split(".");
    const forms = formsAtPath(schemas, first === "body" ? place : guard.replaces.split("."));
    expect(forms.filter((form) => !isOpen(form))).not.toEqual([]);
  });
});

it("looks at replacements and merges", () => {
  const writes = guarded.map(([, operation]) => guardOf(operation)).filter((guard) => guard?.replaces !== undefined);
  expect(writes.some((guard) => guard?.write === "merge")).toBe(true);
  expect(writes.some((guard) => guard?.write !== "merge")).toBe(true);
});
