/** The page of an operation as Markdown, in as few words as tell a caller all that it needs. */
import type { Schema } from "../api/json-schema.js";
import { notationOf } from "../api/notation.js";
import { partExamples } from "../api/schema-examples.js";
import { standingInWords } from "../api/standing.js";
import type { OperationPage } from "./operation-page.js";

// Most services are, so a page has only another standing.
const alive = standingInWords({ state: "alive" });

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** The arguments of a tool, with a heading; a sentence where it takes none. */
export function argumentsSection(input: unknown): string[] {
  const text = notationOf(input as Schema);
  return ["## Arguments", text === "" ? "None." : fenced("", text)];
}

/** An example of a call, with a heading, and one of each kind where its arguments have parts of several kinds. */
export function exampleSection(example: unknown, input: unknown): string[] {
  const parts = partExamples(input as Schema).flatMap(({ at, examples }) => [
    `\`${at}\` of each kind:`,
    fenced("", examples.map((one) => JSON.stringify(one)).join("\n")),
  ]);
  return ["## Example", fenced("json", JSON.stringify(example)), ...parts];
}

/** What a call changes, and whether it is previewed first. */
export function effectInWords({ effect, guard, guardedWhere }: OperationPage): string {
  if (guard === undefined) return effect;
  const where = guardedWhere === undefined ? "" : ` ${guardedWhere}`;
  return `${effect}, guarded as ${guard}${where}: without \`confirm\` it only previews`;
}

/** Values by status, each once with all the statuses that have it. */
function byValue<T>(values: Readonly<Record<string, T>>): [statuses: string, value: T][] {
  const found = new Map<string, [string[], T]>();
  for (const [status, value] of Object.entries(values)) {
    const key = JSON.stringify(value);
    found.set(key, [[...(found.get(key)?.[0] ?? []), status], value]);
  }
  return [...found.values()].map(([statuses, value]) => [statuses.join(", "), value]);
}

/** Texts by status as a list. */
export const listByStatus = (texts: Readonly<Record<string, string>>): string[] =>
  byValue(texts).map(([statuses, text]) => `${statuses}: ${text}`);

/** What polls a launch and reads its result. */
export function pollingInWords({ awaits }: OperationPage): string[] {
  if (!awaits) return [];
  const then = awaits.result === undefined ? "" : `, then call \`${awaits.result}\` when it is ready`;
  return [`Without \`wait\`: poll \`${awaits.status}\`${then}.`];
}

const section = (title: string, texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`## ${title}`, texts.map((text) => `- ${text}`).join("\n")];

/**
 * A page as Markdown, without the rules of all operations of the service, which its guide has. The arguments come first and the example last, because a result that is over its budget is cut from
 * its end.
 */
export function asMarkdown(page: OperationPage): string {
  const standing = page.standing === alive ? [] : [page.standing];
  const lines = [
    `# ${page.tool}`,
    [`\`${page.route}\``, page.service, effectInWords(page), ...standing].join(" · "),
    [page.does, page.needs].filter(Boolean).join(" "),
    ...argumentsSection(page.input),
    ...section("Answers", [...listByStatus(page.means), ...pollingInWords(page)]),
    ...section(
      "Rules",
      page.rules.filter((rule) => !page.rulesOfAll.includes(rule)),
    ),
    ...section("Errors", listByStatus(page.errors)),
    ...(page.note === undefined ? [] : ["## Note", page.note]),
    ...exampleSection(page.example, page.input),
  ];
  return `${lines.join("\n\n")}\n`;
}

/** The answers of an operation as Markdown: what each status has in it, equal ones once. */
export function answersMarkdown({ tool, answers }: OperationPage): string {
  const each = byValue(answers).flatMap(([statuses, { media, schema }]) => {
    const text = schema === undefined ? "" : notationOf(schema as Schema, true);
    const isKnown = text !== "" && text !== "any";
    return [`**${statuses}** ${media.join(" or ")}`, ...(isKnown ? [fenced("", text)] : [])];
  });
  return `${[`# Answers of ${tool}`, ...each].join("\n\n")}\n`;
}
