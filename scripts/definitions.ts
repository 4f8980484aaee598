/**
 * Compiles a folder of the vendor's definitions to the facts in the box, which are part of the tree, so that the build needs
 * no definition, and prints what that changes: `node scripts/run.mjs scripts/definitions.ts FOLDER DATE`.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Definition } from "../src/definitions/definition.js";
import { type GivenNames, importDefinitions } from "../src/definitions/import.js";
import { givenBy } from "../src/definitions/store.js";
import { allServices } from "../src/tools/index.js";
import { boxedDefinitions, boxFolder, declaredRoutes } from "./box.js";
import { linesOfChanges } from "./definition-changes.js";
import { writeDefinitionTypes } from "./definition-types.js";

/** A definition with an operation and a shape on each line, so that changes can be reviewed. */
function linesOf({ shapes, operations, ...head }: Definition): string {
  const list = (lines: readonly string[]) => lines.join(",\n");
  const heads = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const named = Object.entries(operations).map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}`);
  return `{\n${list(heads)},\n"shapes": [\n${list(shapes.map((one) => JSON.stringify(one)))}\n],\n"operations": {\n${list(named)}\n}\n}\n`;
}

const [folder, dated] = process.argv.slice(2);
if (folder === undefined || dated === undefined)
  throw new Error("usage: node scripts/run.mjs scripts/definitions.ts FOLDER YYYY-MM-DD");
const services = await allServices();
const tools = new Set(services.flatMap(({ operations }) => Object.keys(operations)));
const before = boxedDefinitions();
const given: GivenNames = givenBy(before);
const { definitions, findings } = importDefinitions([folder], {
  given,
  isTool: (name) => tools.has(name),
  isService: (id) => services.some((service) => service.id === id),
  withDescriptions: false,
});
for (const line of linesOfChanges(before, definitions, await declaredRoutes())) console.log(line);
mkdirSync(boxFolder, { recursive: true });
for (const file of readdirSync(boxFolder)) if (file.endsWith(".json")) rmSync(join(boxFolder, file));
for (const definition of definitions)
  writeFileSync(join(boxFolder, `${definition.id}.json`), linesOf({ ...definition, dated }));
writeDefinitionTypes();
for (const { at, why } of findings) console.log(`${at}: ${why}`);
const count = definitions.reduce((sum, { operations }) => sum + Object.keys(operations).length, 0);
console.log(`${definitions.length} APIs, ${count} operations`);
