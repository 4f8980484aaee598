/** Law: an argument given under the name that its header or its stamp has elsewhere is refused with the name that it has here. */
import { describe, expect, it } from "vitest";
import { argumentsSchema, checkArguments, checkValues, headerArguments } from "../../src/arguments/index.js";
import { isChange } from "../../src/calls/workflow.js";
import type { AnyOperation } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { pathTo } from "../../src/language/member.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";

const operations = new Map(
  (await allServices()).flatMap((service) => Object.entries<AnyOperation>(service.operations)),
);

/** The names elsewhere of an operation's header arguments: those of the headers, and of the member that a stamp is read from. */
const namesOf = (operation: AnyOperation): (readonly [argument: string, elsewhere: string])[] =>
  headerArguments(operation).flatMap(([header, { argument }]) => {
    const { lock } = operation.spec;
    const member = lock?.field === argument ? lock.at?.split(".").at(-1) : undefined;
    return [header, header.toLowerCase(), ...(member === undefined ? [] : [member, member.toUpperCase()])].map(
      (name) => [argument, name] as const,
    );
  });

function refusalOf(check: () => unknown, field: string): string | undefined {
  try {
    check();
  } catch (error) {
    return (error as Failure).detail.fields?.find((one) => one.field === field)?.takes;
  }
  return undefined;
}

const locked = [...operations].filter(([, operation]) => headerArguments(operation).length > 0);
const composed = (await allWorkflows()).flatMap(([name, one]) => {
  if (!isChange(one)) return [];
  const made = operations.get(one.makes);
  const names = made === undefined ? [] : namesOf(made).filter(([argument]) => argument in one.input.shape);
  return names.length === 0 ? [] : [[name, one.input, names] as const];
});

describe("an argument of a header", () => {
  it("is in operations and in a composed change", () => {
    expect([locked.length > 8, composed.length > 0]).toEqual([true, true]);
  });

  it("of a locked write is named where it is given under another name", () =>
    holdsForEach(locked, (tool, operation) => {
      for (const [argument, elsewhere] of namesOf(operation)) {
        const field = pathTo("", elsewhere);
        const told = refusalOf(() => checkArguments(tool, operation, { [elsewhere]: "x" }), field);
        expect([elsewhere, told]).toEqual([elsewhere, expect.stringContaining(`did you mean "${argument}"?`)]);
        expect(Object.keys(argumentsSchema(operation).shape)).toContain(argument);
      }
    }));

  it("of a composed change, too", () =>
    holdsForEach(composed, (tool, input, names) => {
      for (const [argument, elsewhere] of names) {
        const field = pathTo("", elsewhere);
        const told = refusalOf(() => checkValues(tool, input, { [elsewhere]: "x" }), field);
        expect([elsewhere, told]).toEqual([elsewhere, expect.stringContaining(`did you mean "${argument}"?`)]);
      }
    }));
});
