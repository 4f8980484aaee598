/** `edgewise operations`: the tools and what each does, and as JSON the rows of the operations table that they cover. */
import { loadCatalogue } from "../engine/catalogue.js";
import { Failure } from "../language/failure.js";
import { allServices } from "../tools/index.js";
import { type Command, log, logFailure, print } from "./command.js";
import { countsInWords, countsOf, operationRows } from "./operation-rows.js";
import { programWords, shellWords } from "./paste-line.js";
import { columnsOfTerminal } from "./terminal.js";
import { effectInList, firstSentence, offeredTools, toolLines } from "./tool-lines.js";

/** Whether a text has each of some words, in whatever case. */
const hasAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()));

export const operations: Command = async ({ values }, line) => {
  const words = line.filter((word) => word !== "--json");
  const services = await allServices();
  const catalogue = loadCatalogue();
  const all = operationRows(services);
  const requests = new Map<string, string>();
  for (const { tool, method, path } of all) requests.set(tool, `${requests.get(tool) ?? ""}\n${method} ${path}`);
  const listed = offeredTools(values, catalogue).filter(({ service, of = "", tool: { name, description } }) =>
    hasAll([name, service, of, description, requests.get(name) ?? ""].join("\n"), words),
  );
  if (listed.length === 0) {
    logFailure(
      new Failure("not_found", `No tool has ${words.length > 1 ? "all the words" : "the word"} ${words.join(", ")}.`, {
        next: `\`${shellWords([...programWords(), "search", ...words])}\` finds tools by what they do.`,
      }),
    );
    return 1;
  }
  if (line.includes("--json")) {
    const names = new Set(listed.map(({ tool }) => tool.name));
    const rows = all.filter(({ tool }) => names.has(tool));
    print(JSON.stringify(rows, null, 2));
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
      ? countsInWords(countsOf(services, catalogue))
      : `${listed.length} of ${catalogue.size} tools ${isOne ? "is" : "are"} listed.`,
  );
  return 0;
};
