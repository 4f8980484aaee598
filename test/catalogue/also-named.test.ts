/** Law: an argument given under the name that its header or its stamp has elsewhere is refused with the name that it has here. */
import { expect, it } from "vitest";
import { checkArguments, checkValues, headerArguments } from "../../src/arguments/index.js";
import { isChange } from "../../src/calls/workflow.js";
import type { AnyOperation } from "../../src/language/define.js";
import { pathTo } from "../../src/language/member.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { refusalOf } from "../lab/checked.js";
import { holdsForEach } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";

const operations = new Map(operationsIn(await allServices()));

/** The names elsewhere of an operation's header arguments: those of the headers, and of the member that a stamp is read from. */
const namesOf = (operation: AnyOperation): (readonly [argument: string, elsewhere: string])[] =>
  headerArguments(operation).flatMap(([header, { argument }]) => {
    const { lock } = operation.spec;
    const member = lock?.field === argument ? lock.at?.split(".").at(-1) : undefined;
    return [header, header.toLowerCase(), ...(member === undefined ? [] : [member, member.toUpperCase()])].map(
      (name) => [argument, name] as const,
    );
  });

const locked = [...operations].filter(([, operation]) => headerArguments(operation).length > 0);
const composed = (await allWorkflows()).flatMap(([name, one]) => {
  if (!isChange(one)) return [];
  const made = operations.get(one.makes);
  const names = made === undefined ? [] : namesOf(made).filter(([argument]) => argument in one.input.shape);
  return names.length === 0 ? [] : [[name, one.input, names] as const];
});

it("an argument of a header is named where it is given under another name", async () => {
  expect([locked.length > 8, composed.length > 0]).toEqual([true, true]);
  type Check = [tool: string, names: ReturnType<typeof namesOf>, check: (args: object) => unknown];
  const checks: Check[] = [
    ...locked.map(([tool, one]): Check => [tool, namesOf(one), (args) => checkArguments(tool, one, args)]),
    ...composed.map(([tool, input, names]): Check => [tool, names, (args) => checkValues(tool, input, args)]),
  ];
  await holdsForEach(checks, (_, names, check) => {
    for (const [argument, elsewhere] of names)
      expect(refusalOf(() => check({ [elsewhere]: "x" }))?.detail.fields).toContainEqual(
        expect.objectContaining({
          field: pathTo("", elsewhere),
          takes: expect.stringContaining(`did you mean "${argument}"?`),
        }),
      );
  });
});
