/** The rows of the operations table that the tools cover, one for each operation, whichever tool serves it; and how many there are of each. */
import { argumentsSchema } from "../arguments/index.js";
import type { Catalogue } from "../engine/catalogue.js";
import type { GuardKind } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { effectOf, guardOf } from "../language/effect.js";
import type { Standing } from "../language/hint.js";
import { isWrittenOut, schemaOfParam } from "../language/media.js";
import type { Service } from "../language/service.js";
import { z } from "../language/z.js";

/** One covered row of the operations table. */
export interface OperationRow {
  readonly tool: string;
  readonly service: string;
  readonly document: string;
  readonly method: string;
  readonly path: string;
  readonly does: string;
  readonly effect: string;
  readonly guard: GuardKind | null;
  /** Whether the vendor still runs it. */
  readonly standing: Omit<Standing, "stage">;
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
  const { stage: _, ...standing } = operation.spec.standing ?? service.standing;
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
    does: operation.spec.does,
    effect: effectOf(operation),
    guard: guardOf(operation)?.kind ?? null,
    standing,
    query,
    fixed: {},
  };
  const over = Object.entries(operation.spec.path ?? {}).filter(([, param]) => isWrittenOut(param));
  return over.reduce<readonly OperationRow[]>(
    (rows, [name]) =>
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

export interface Counts {
  readonly services: number;
  /** The rows of the operations table. */
  readonly operations: number;
  readonly guardedOperations: number;
  /** The tools that make those. */
  readonly guardedOperationTools: number;
  readonly tools: number;
  readonly guardedTools: number;
  /** The tools by what they are: an operation, made of several, or there for all other tools. */
  readonly operationTools: number;
  readonly workflows: number;
  readonly generalTools: number;
}

export function countsOf(services: readonly Service[], catalogue: Catalogue): Counts {
  const rows = operationRows(services);
  const guarded = rows.filter(({ guard }) => guard !== null);
  const toolsOf = (some: readonly OperationRow[]) => new Set(some.map(({ tool }) => tool)).size;
  const operationTools = toolsOf(rows);
  const entries = [...catalogue.values()];
  const generalTools = entries.filter(({ servesAllTools }) => servesAllTools === true).length;
  return {
    services: services.length,
    operations: rows.length,
    guardedOperations: guarded.length,
    guardedOperationTools: toolsOf(guarded),
    tools: entries.length,
    guardedTools: entries.filter(({ tool }) => tool.annotations.destructiveHint).length,
    operationTools,
    workflows: entries.length - operationTools - generalTools,
    generalTools,
  };
}

/** The sentences that say how the number of tools follows from that of the operations, and the guarded ones likewise. */
export function countsInWords(counts: Counts): string {
  const { services, operations, guardedOperations, tools, guardedTools, operationTools } = counts;
  return [
    `${tools} tools cover ${operations} operations of ${services} services.`,
    `${operationTools} of them make one call each; some choose among several operations by an argument, which adds the other ${operations - operationTools}.`,
    `${counts.workflows} are workflows that combine operations, and ${counts.generalTools} work with all tools: they search, describe, batch and restore, and read plans and kept results.`,
    `${guardedOperations} operations are guarded, and so are ${guardedTools} tools: those that make them, and ${guardedTools - counts.guardedOperationTools} that combine such calls.`,
  ].join(" ");
}
