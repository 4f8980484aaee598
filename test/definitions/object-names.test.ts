/** Names that every object has, such as `constructor`, wherever a name from outside can stand: they are names like any other. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { importDefinitions } from "../../src/definitions/import.js";
import { definitionFiles } from "../../src/definitions/store.js";
import { changesBetween } from "../../src/language/difference.js";
import { rowLines } from "../../src/rows/row-text.js";
import { caller } from "../lab/made-up.js";
import { folderOf, importing } from "./boxed.js";
import { hostileDefinitions, objectNames as names, own } from "./object-names.js";

const { definitions, findings } = importDefinitions([folderOf(hostileDefinitions())], {
  given: {},
  isTool: () => false,
  isService: () => false,
  withDescriptions: true,
});

let made: Awaited<ReturnType<typeof importing>>;
beforeAll(async () => {
  made = await importing(definitionFiles(definitions, new Map(), {}));
});
afterAll(() => made.engine.close());

/** What is wrong with the outcome of some calls: a crash, or a failure of the program itself. */
async function faultsOf(calls: readonly (readonly [tool: string, args: object])[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [tool, args] of calls) {
    const found = await made.engine.calls
      .call(tool, { ...args }, caller)
      .then((one) => (one.kind === "failure" ? one.failure.code : one.kind))
      .catch((error: unknown) => `threw ${String(error)}`);
    if (/^(?:internal|threw .*)$/.test(found)) faults.push(`${tool} ${JSON.stringify(args)}: ${found}`);
  }
  return faults;
}

const operations = definitions.flatMap((one) => Object.entries(one.operations));

it("names of object members import, except keys that calls cannot give", () => {
  expect(operations.length).toBeGreaterThanOrEqual(names.length * 5);
  expect(new Set(operations.map(([name]) => name)).size).toBe(operations.length);
  expect(findings.filter(({ why }) => why.includes("its path has the key"))).toHaveLength(names.length);
  expect(findings.filter(({ why }) => why.startsWith("it has no argument for"))).toHaveLength(names.length);
});

it("operations with object member names are described and called", async () => {
  const calls = definitions.flatMap(({ base, operations: all }) => {
    const name = base.split("/")[1] ?? "";
    return Object.entries(all).flatMap(([tool, { path = {}, body }]): (readonly [string, object])[] => {
      const args = Object.hasOwn(path, "id") ? { id: name } : {};
      return [
        ["operation_describe", { tool }],
        ["operation_describe", { tool: `${tool}#/${name}` }],
        ["operation_describe", { tool: `${tool}#/body/${name}` }],
        [tool, args],
        [tool, { ...args, ...own(name, name) }],
        [tool, { ...args, ...(body ? { body: own(name, name) } : {}) }],
      ];
    });
  });
  expect(await faultsOf(calls)).toEqual([]);
  expect(calls.length).toBeGreaterThan(300);
});

it("a difference and a row have such a member only if the input has it", () => {
  const changes = names.flatMap((name) => [
    changesBetween(own(name, "x"), {}),
    changesBetween({}, own(name, "x")),
    changesBetween(own(name, own(name, "x")), own(name, {})),
  ]);
  expect(changes.flat()).toEqual(
    names.flatMap((name) => [
      { path: [name], from: "x" },
      { path: [name], to: "x" },
      { path: [name, name], from: "x" },
    ]),
  );
  expect(rowLines("csv", names, [{}])).toEqual([names.join(","), ",".repeat(names.length - 1)]);
});
