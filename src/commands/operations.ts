/** `edgewise operations`: which rows of the operations table are covered, by which tools, and which other tools there are. */
import { argumentsSchema } from "../api/arguments.js";
import type { GuardKind } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { effectOf, guardOf } from "../api/effect.js";
import { schemaOfParam } from "../api/media.js";
import type { Service } from "../api/service.js";
import type { Standing } from "../api/standing.js";
import { z } from "../api/z.js";
import { effectOfWorkflow, isChange } from "../calls/workflow.js";
import { loadCatalogue } from "../mcp/catalogue.js";
import { menuOf, readMenuChoice } from "../mcp/menu.js";
import { allServices } from "../tools/index.js";
import { allWorkflows } from "../workflows/index.js";
import { compositionOf } from "../workflows/workflow-page.js";
import { type Command, print } from "./command.js";

/** One covered row of the operations table. */
export interface OperationRow {
  readonly tool: string;
  readonly service: string;
  readonly document: string;
  readonly method: string;
  readonly path: string;
  readonly effect: string;
  readonly guard: GuardKind | null;
  /** Whether the vendor still runs it. */
  readonly standing: Standing;
  readonly query: readonly { readonly name: string; readonly required: boolean }[];
  /** The arguments that pick this row where one tool serves several. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** The values of an enumeration, which one tool serves and the table writes as rows. */
function valuesOf(operation: AnyOperation, name: string): readonly string[] {
  const schema = argumentsSchema(operation).shape[name] as z.ZodType | undefined;
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function rowsOf(tool: string, operation: AnyOperation, service: Service): readonly OperationRow[] {
  const [method = "", path = ""] = operation.route.split(" ");
  const query = Object.entries(operation.spec.query ?? {}).map(([name, param]) => ({
    name,
    required: !schemaOfParam(param).safeParse(undefined).success,
  }));
  const row = {
    tool,
    service: service.name,
    document: service.document,
    method,
    path,
    effect: effectOf(operation),
    guard: guardOf(operation)?.kind ?? null,
    standing: operation.spec.standing ?? service.standing,
    query,
    fixed: {},
  };
  const over = [operation.spec.rowsOver ?? []].flat();
  return over.reduce<readonly OperationRow[]>(
    (rows, name) =>
      rows.flatMap((one) =>
        valuesOf(operation, name).map((value) => ({
          ...one,
          path: one.path.replace(`{${name}}`, value),
          fixed: { ...one.fixed, [name]: value },
        })),
      ),
    [row],
  );
}

/** Every covered row, in the order of the documents. */
export const operationRows = (all: readonly Service[]): OperationRow[] =>
  all.flatMap((service) =>
    Object.entries(service.operations).flatMap(([tool, operation]) => rowsOf(tool, operation, service)),
  );

export const operations: Command = async ({ values }, words) => {
  const services = await allServices();
  const catalogue = loadCatalogue();
  const { tools } = menuOf(
    catalogue,
    readMenuChoice(values, () => catalogue),
  );
  const isListed = (tool: string, effect: string) => tools.has(tool) && (!values["read-only"] || effect === "read");
  const rows = operationRows(services).filter(({ tool, effect }) => isListed(tool, effect));
  if (words.includes("--json")) {
    print(JSON.stringify(rows, null, 2));
    return 0;
  }
  const byName = new Map(services.flatMap((service) => Object.entries(service.operations)));
  const others = (await allWorkflows()).flatMap(([tool, declared]) => {
    const effect = effectOfWorkflow(declared, (name) => byName.get(name));
    const made = isChange(declared) ? byName.get(declared.makes) : undefined;
    return isListed(tool, effect) ? [[tool, effect, (made && guardOf(made)?.kind) ?? "", compositionOf(declared)]] : [];
  });
  // The order of the list of tools: workflows and composed changes, and then the operations.
  const lines = [
    ...others,
    ...rows.map(({ tool, effect, guard, method, path }) => [tool, effect, guard ?? "", `${method} ${path}`]),
  ];
  const widthOf = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const widths = [0, 1, 2].map(widthOf);
  for (const line of lines) print(line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" "));
  return 0;
};
