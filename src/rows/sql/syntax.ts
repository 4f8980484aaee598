/** Finds the problem of a query, from the engine's syntax tree or its error, whose text is not passed on. */
import type { QueryProblem } from "./messages.js";

type Node = Readonly<Record<string, unknown>>;

/** The functions that produce rows from their arguments only. All others may read files, settings or the catalog. */
const tableFunctions = new Set(["range", "generate_series", "unnest"]);

/** Functions that reveal or affect the process. */
const refusedFunctions = new Set([
  "current_setting",
  "getvariable",
  "getenv",
  "write_log",
  "nextval",
  "currval",
  "sleep_ms",
  "pg_sleep",
  "current_query",
  "json_serialize_plan",
  "json_execute_serialized_sql",
]);

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const textAt = (node: Node, name: string): string => {
  const value = node[name];
  return typeof value === "string" ? value : "";
};
/** The engine ignores case in names. */
export const foldCase = (name: string): string => name.toLowerCase();

/** The names that a node's WITH clause defines, which are visible only below this node. */
function namedQueries(node: Node): string[] {
  const map = isNode(node["cte_map"]) ? node["cte_map"]["map"] : undefined;
  return Array.isArray(map) ? map.flatMap((entry: Node) => (textAt(entry, "key") ? [textAt(entry, "key")] : [])) : [];
}

function problemOf(node: Node, known: ReadonlySet<string>): QueryProblem | undefined {
  const functionName = textAt(node, "function_name");
  if (refusedFunctions.has(foldCase(functionName))) return { kind: "function", word: functionName };
  switch (node["type"]) {
    case "TABLE_FUNCTION": {
      const name = isNode(node["function"]) ? textAt(node["function"], "function_name") : "";
      return tableFunctions.has(foldCase(name)) ? undefined : { kind: "tableFunction", word: name };
    }
    case "BASE_TABLE": {
      const table = textAt(node, "table_name");
      if (textAt(node, "schema_name") || textAt(node, "catalog_name")) return { kind: "catalog", word: table };
      return known.has(foldCase(table)) ? undefined : { kind: "table", word: table };
    }
    case "SHOW_REF":
      return isNode(node["query"]) ? undefined : { kind: "statement" };
    default:
      return undefined;
  }
}

/**
 * The problem of a query; undefined if it is allowed.
 * @param tree The engine's `json_serialize_sql` of it.
 * @param tables The names of the given tables.
 * @param reserved The names of the engine's own views, under which a WITH query could pass for a table.
 */
export function syntaxProblem(
  tree: Node,
  tables: readonly string[],
  reserved: ReadonlySet<string>,
): QueryProblem | undefined {
  if (tree["error"] === true) {
    const [, word] = /at or near "([^"]+)"/.exec(textAt(tree, "error_message")) ?? [];
    return tree["error_type"] === "parser"
      ? { kind: "syntax", ...(word === undefined ? {} : { word }) }
      : { kind: "statement" };
  }
  const { statements } = tree;
  if (!Array.isArray(statements) || statements.length !== 1) return { kind: "statement" };
  const visit = (value: unknown, known: ReadonlySet<string>): QueryProblem | undefined => {
    if (!isNode(value)) return undefined;
    const named = Array.isArray(value) ? [] : namedQueries(value);
    const taken = named.find((name) => reserved.has(foldCase(name)));
    if (taken !== undefined) return { kind: "catalog", word: taken };
    const within = named.length === 0 ? known : new Set([...known, ...named.map(foldCase)]);
    const problem = problemOf(value, within);
    if (problem) return problem;
    for (const member of Object.values(value)) {
      const inside = visit(member, within);
      if (inside) return inside;
    }
    return undefined;
  };
  return visit(statements[0], new Set(tables.map(foldCase)));
}

/** The engine's messages about a word of the query, or about a kind of mistake; the first match counts. */
const errorPatterns: readonly (readonly [RegExp, QueryProblem["kind"]])[] = [
  [/Referenced (?:column|table) "([^"]+)" not found/, "column"],
  [/does not have a column named "([^"]+)"/, "column"],
  [/Ambiguous reference to column name "([^"]+)"/, "ambiguous"],
  [/(?:Function|Macro) with name "?([\w.]+)"? does not exist/, "unknownFunction"],
  [/No function matches the given name and argument types '(\w+)/, "arguments"],
  [/function call "([^"(]+)\(/, "arguments"],
  [/column "([^"]+)" must appear in the GROUP BY/, "grouping"],
  [/must appear in the GROUP BY|aggregate function calls cannot|cannot contain aggregates/, "grouping"],
  [/at or near "([^"]+)"/, "syntax"],
  [/Parser Error|syntax error/, "syntax"],
  [/Out of Memory|failed to allocate|memory limit/i, "memory"],
  [/Conversion Error|Could not convert|Could not parse|Invalid Input Error/, "conversion"],
  [/Out of Range Error|Overflow/, "range"],
  [/No function matches|Binder Error/, "arguments"],
];

/** Identifies an error. A word is passed on only if the query has it, so that it cannot contain anything else. */
export function problemOfError(error: unknown, sql: string): QueryProblem {
  const message = error instanceof Error ? error.message : "";
  for (const [pattern, kind] of errorPatterns) {
    const found = pattern.exec(message);
    if (!found) continue;
    const word = found[1];
    return word !== undefined && sql.toLowerCase().includes(word.toLowerCase()) ? { kind, word } : { kind };
  }
  return { kind: "other" };
}
