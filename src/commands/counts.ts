/** How many operations and tools there are, how many of them are guarded, and the sentences that explain the numbers. */
import type { Service } from "../api/service.js";
import type { Catalogue } from "../mcp/catalogue.js";
import { type OperationRow, operationRows } from "./operation-rows.js";

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
