/** `edgewise search`: searches tools, like `operation_search` for an assistant. */
import { loadCatalogue, readSearchIndex } from "../engine/catalogue.js";
import { Failure } from "../language/failure.js";
import { offeredTools } from "../mcp/menu.js";
import { nothingFound } from "../own-tools/catalogue.js";
import { openSearch } from "../search/index.js";
import { type Command, flagValue, log, logFailure, print, printJson, refuse } from "./command.js";
import { programWords, shellWords } from "./paste-line.js";
import { columnsOfTerminal, effectInList, firstSentence, toolLines } from "./terminal.js";

const limits = { usual: 10, most: 100 };

/** @throws Failure `bad_configuration` for a limit that is not a number within bounds. */
function limitIn(flags: readonly string[]): number {
  const given = flagValue(flags, "--limit");
  if (given === undefined) return limits.usual;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= limits.most) return limit;
  refuse(
    `--limit takes a whole number, not ${JSON.stringify(given)}.`,
    `Set --limit between 1 and ${limits.most}, or leave it out for ${limits.usual}.`,
  );
}

export const search: Command = async ({ values }, line) => {
  const flags = line.filter((word) => word.startsWith("--"));
  const query = line.filter((word) => !word.startsWith("--")).join(" ");
  if (query.trim() === "")
    refuse("search takes a task in a few words.", "Write: edgewise search clear the cache of a page.");
  const limit = limitIn(flags);
  const offered = new Map(offeredTools(values, loadCatalogue()).map((entry) => [entry.tool.name, entry]));
  const { tools, reports, resources } = openSearch(readSearchIndex()).find(query, limit, (tool) => offered.has(tool));
  if (tools.length + reports.length + resources.length === 0) {
    const { code, message, detail } = nothingFound(query);
    const next = `${detail.next} \`edgewise operations\` lists all tools.`;
    logFailure(new Failure(code, message, { ...detail, next }));
    return 1;
  }
  if (flags.includes("--json")) {
    printJson({ tools, reports, resources });
    return 0;
  }
  const lines = [
    ...tools.map(({ tool, effect, guarded = false, does }) => ({
      tool,
      effect: effectInList(effect, { destructiveHint: guarded }),
      does: firstSentence(does),
    })),
    ...reports.map(({ report, measures }) => ({ tool: report, effect: "report", does: measures })),
    ...resources.map(({ resource, title }) => ({ tool: resource, effect: "resource", does: title })),
  ];
  toolLines(lines, columnsOfTerminal(process.stdout)).forEach(print);
  const [best] = tools;
  const [readable] = resources;
  if (best) log(`\nNext: ${shellWords([...programWords(), "call", best.tool, "--help"])}`);
  else if (readable) log(`\nNext: ${shellWords([...programWords(), "show", readable.resource])}`);
  return 0;
};
