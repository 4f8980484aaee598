/** `edgewise operations`: lists the tools and, as JSON, the rows of the operations table that they cover. */
import { apisOf, areImportsOffered, type Config, menuSettingsOf } from "../config.js";
import { type Catalogue, loadCatalogue, unlistedNames } from "../engine/catalogue.js";
import { menuWith, offeredTools } from "../engine/menu.js";
import type { AnyOperation } from "../language/define.js";
import { effectOf, guardOf } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import { isWrittenOut, schemaOfParam } from "../language/media.js";
import type { Service } from "../language/service.js";
import { z } from "../language/z.js";
import { argumentsSchema } from "../schema/arguments.js";
import { allServices } from "../tools/index.js";
import { type Command, log, logFailure, print, printJson } from "./command.js";
import { programLine } from "./paste-line.js";
import { columnsOfTerminal, effectInList, firstSentence, toolLines } from "./terminal.js";

/** The values of an enumeration that one tool covers and the table lists as separate rows. */
function valuesOf(operation: AnyOperation, name: string): readonly string[] {
  const schema = argumentsSchema(operation).shape[name] as z.ZodType | undefined;
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

/** The rows of the operations table that a tool covers. */
function rowsOf(tool: string, operation: AnyOperation, service: Service) {
  const [method = "", path = ""] = operation.route.split(" ");
  const { stage: _, ...standing } = operation.spec.standing ?? service.standing;
  const query = Object.entries(operation.spec.query ?? {}).map(([name, param]) => ({
    name,
    required: !schemaOfParam(param).safeParse(undefined).success,
  }));
  const row = {
    tool,
    service: service.name,
    document: operation.spec.document ?? service.document,
    method,
    path,
    does: operation.spec.does,
    effect: effectOf(operation),
    guard: guardOf(operation)?.kind ?? null,
    /** Whether the vendor still runs it. */
    standing,
    query,
    /** The arguments that select this row, if one tool covers several. */
    fixed: {} as Readonly<Record<string, string>>,
  };
  const over = Object.entries(operation.spec.path ?? {}).filter(([, param]) => isWrittenOut(param));
  return over.reduce(
    (rows, [name]) =>
      rows.flatMap((baseRow) =>
        valuesOf(operation, name).map((value) => ({
          ...baseRow,
          path: baseRow.path.replace(`{${name}}`, value),
          fixed: { ...baseRow.fixed, [name]: value },
        })),
      ),
    [row],
  );
}

/** Every covered row, in the order of the documents. */
export const operationRows = (all: readonly Service[]) =>
  all.flatMap((service) =>
    Object.entries(service.operations).flatMap(([tool, operation]) => rowsOf(tool, operation, service)),
  );

export type OperationRow = ReturnType<typeof rowsOf>[number];

/** The numbers of operations and of tools, by kind. */
export function catalogueCounts(services: readonly Service[], catalogue: Catalogue) {
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

export type CatalogueCounts = ReturnType<typeof catalogueCounts>;

/** Sentences that explain how the number of tools follows from that of operations, and the same for guarded ones. */
export function countsInWords(counts: CatalogueCounts): string {
  const { services, operations, guardedOperations, tools, guardedTools, operationTools } = counts;
  return [
    `${tools} tools cover ${operations} operations of ${services} services.`,
    `${operationTools} of them make one call each; some choose among several operations by an argument, which adds the other ${operations - operationTools}.`,
    `${counts.workflows} are workflows that combine operations, and ${counts.generalTools} work with all tools: they search, describe, batch and restore, and read plans and kept results.`,
    `${guardedOperations} operations are guarded, and so are ${guardedTools} tools: those that make them, and ${guardedTools - counts.guardedOperationTools} that combine such calls.`,
  ].join(" ");
}

/** Whether a text contains each of the words, ignoring case. */
const hasAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()));

/** The operations of imported definitions that are offered and not declared, as rows. */
async function importedRows(config: Config, words: readonly string[]): Promise<readonly object[]> {
  if (!areImportsOffered(config)) return [];
  const { offeredCatalogue } = await import("../engine/imported.js");
  const { tools } = menuWith(menuSettingsOf(config), offeredCatalogue(config));
  return unlistedNames(tools).names.flatMap((name) => {
    const { imported, service, effect } = tools.get(name) ?? {};
    if (!imported || !hasAll([name, service, imported.route].join("\n"), words)) return [];
    if (config.values["read-only"] && effect !== "read") return [];
    const [method = "", path = ""] = imported.route.split(" ");
    return [{ tool: name, service, method, path, does: imported.title, effect, origin: "imported" }];
  });
}

export const operationsCommand: Command = async (config, words, flags) => {
  const { apis } = apisOf(config);
  const services = await allServices(apis);
  const catalogue = loadCatalogue(apis);
  const allRows = operationRows(services);
  const requests = new Map<string, string>();
  for (const { tool, method, path } of allRows) requests.set(tool, `${requests.get(tool) ?? ""}\n${method} ${path}`);
  const listed = offeredTools(menuSettingsOf(config), catalogue).filter(
    ({ service, of = "", tool: { name, description } }) =>
      hasAll([name, service, of, description, requests.get(name) ?? ""].join("\n"), words),
  );
  if (listed.length === 0) {
    logFailure(
      new Failure("not_found", `No tool has ${words.length > 1 ? "all the words" : "the word"} ${words.join(", ")}.`, {
        next: `\`${programLine("search", ...words)}\` searches tools by their purpose.`,
      }),
    );
    return 1;
  }
  if (flags.includes("--json")) {
    const names = new Set(listed.map(({ tool }) => tool.name));
    const rows = allRows.filter(({ tool }) => names.has(tool)).map((row) => ({ ...row, origin: "declared" }));
    printJson([...rows, ...(await importedRows(config, words))]);
    return 0;
  }
  const lines = listed.map(({ effect, tool: { name, description, annotations } }) => ({
    tool: name,
    effect: effectInList(effect, annotations),
    does: firstSentence(description),
  }));
  toolLines(lines, columnsOfTerminal(process.stdout)).forEach(print);
  const isWhole = listed.length === catalogue.size;
  const isOne = listed.length === 1;
  log(
    isWhole
      ? countsInWords(catalogueCounts(services, catalogue))
      : `${listed.length} of ${catalogue.size} tools ${isOne ? "is" : "are"} listed.`,
  );
  return 0;
};
