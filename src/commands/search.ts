/** `edgewise search`: searches tools, like `operation_search` for an assistant. */
import { apisOf, type Config, menuSettingsOf } from "../config.js";
import { readSearchIndex, type ToolEntry } from "../engine/catalogue.js";
import { importedIndexes, offeredCatalogue } from "../engine/imported.js";
import { menuWith, offeredTools } from "../engine/menu.js";
import { Failure } from "../language/failure.js";
import { openSearch } from "../search/index.js";
import { noMatchFailure } from "../workflows/catalogue.js";
import { type Command, flagValue, log, logFailure, print, printJson, refuse } from "./command.js";
import { programLine } from "./paste-line.js";
import { columnsOfTerminal, effectInList, firstSentence, toolLines } from "./terminal.js";

const limits = { usual: 10, most: 100 };

/** @throws Failure `bad_configuration` for a limit that is not a number within bounds. */
function limitIn(flags: readonly string[]): number {
  const limitText = flagValue(flags, "--limit");
  if (limitText === undefined) return limits.usual;
  const limit = /^\d{1,4}$/.test(limitText) ? Number(limitText) : 0;
  if (limit >= 1 && limit <= limits.most) return limit;
  refuse(
    `--limit takes a whole number, not ${JSON.stringify(limitText)}.`,
    `Set --limit between 1 and ${limits.most}, or leave it out for ${limits.usual}.`,
  );
}

/** Which tools a search finds: those that are offered, of imported operations only reads if only reads are offered. */
function offeredBy(config: Config): (tool: string) => ToolEntry | undefined {
  const settings = menuSettingsOf(config);
  const catalogue = offeredCatalogue(config);
  const offered = new Map(offeredTools(settings, catalogue).map((entry) => [entry.tool.name, entry]));
  const { tools } = menuWith(settings, catalogue);
  return (tool) => {
    const found = offered.get(tool) ?? tools.get(tool);
    const isOffered = offered.has(tool) || (found?.imported && (!settings["read-only"] || found.effect === "read"));
    return isOffered ? found : undefined;
  };
}

export const searchCommand: Command = async (config, words, flags) => {
  const query = words.join(" ");
  if (query.trim() === "")
    refuse("search takes a task in a few words.", "Write: edgewise search clear the cache of a page.");
  const limit = limitIn(flags);
  const entryOf = offeredBy(config);
  const index = openSearch(readSearchIndex(apisOf(config).apis), () => importedIndexes(config));
  const { tools, imported, reports, resources } = index.find(query, limit, (tool) => entryOf(tool) !== undefined);
  if (tools.length + imported.length + reports.length + resources.length === 0) {
    const { code, message, detail } = noMatchFailure(query);
    const next = `${detail.next} \`edgewise operations\` lists all tools.`;
    logFailure(new Failure(code, message, { ...detail, next }));
    return 1;
  }
  if (flags.includes("--json")) {
    printJson({ tools, imported, reports, resources });
    return 0;
  }
  const lines = [
    ...[...tools, ...imported].flatMap(({ tool }) => {
      const entry = entryOf(tool);
      const mark = entry?.imported ? ", imported" : "";
      const does = firstSentence(entry?.tool.description ?? "");
      return entry ? [{ tool, effect: `${effectInList(entry.effect, entry.tool.annotations)}${mark}`, does }] : [];
    }),
    ...reports.map(({ report, measures }) => ({ tool: report, effect: "report", does: measures })),
    ...resources.map(({ resource, title }) => ({ tool: resource, effect: "resource", does: title })),
  ];
  toolLines(lines, columnsOfTerminal(process.stdout)).forEach(print);
  const [best] = [...tools, ...imported];
  const [readable] = resources;
  if (best) log(`\nNext: ${programLine("call", best.tool, "--help")}`);
  else if (readable) log(`\nNext: ${programLine("show", readable.resource)}`);
  return 0;
};
