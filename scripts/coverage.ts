/** The tables on coverage: every system, what of it is covered, and what the vendor still runs. */
import { type CatalogueCounts, countsInWords, type OperationRow, operationRows } from "../src/commands/operations.js";
import { type ApiStanding, standingInWords } from "../src/language/hint.js";
import type { Service } from "../src/language/service.js";

const states = ["alive", "superseded", "retired", "unknown"] as const satisfies readonly ApiStanding["state"][];

const countOf = (rows: readonly OperationRow[], state: ApiStanding["state"]): number =>
  rows.filter(({ standing }) => standing.state === state).length;

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

/** The tables in Markdown; an operation that is gone while its service lives is counted by its own state. */
export function coverageTables(services: readonly Service[], counts: CatalogueCounts): string {
  const rows = operationRows(services);
  const known = states.filter((state) => state !== "unknown");
  const totals = known.map((state) => `${countOf(rows, state)} ${state}`).join(", ");
  const systems = services.map((service) => {
    const own = rows.filter((row) => row.service === service.name);
    return line([
      `[${service.title}](reference/${service.name}.md)`,
      service.document,
      own.length,
      new Set(own.map(({ tool }) => tool)).size,
      ...states.map((state) => countOf(own, state) || ""),
      standingInWords(service.standing),
      service.standing.successor ?? "",
    ]);
  });
  const others = rows.filter(({ service, standing }) => {
    const state = services.find(({ name }) => name === service)?.standing.state;
    return standing.state !== state;
  });
  return [
    countsInWords(counts),
    "",
    `By what the vendor's public notices said on 2026-11-21, the operations are: ${totals}. Of ${countOf(rows, "unknown")} no notice says whether the vendor still runs them (unknown).`,
    "",
    line(["System", "Document", "Operations", "Tools", ...states, "At the vendor", "Successor"]),
    line(Array.from({ length: 10 }, () => "---")),
    ...systems,
    "",
    "Some operations have another state than their service:",
    "",
    line(["Tool", "Operation", "At the vendor"]),
    line(["---", "---", "---"]),
    ...others.map(({ tool, method, path, standing }) =>
      line([`\`${tool}\``, `\`${method} ${path}\``, standingInWords(standing)]),
    ),
  ].join("\n");
}
