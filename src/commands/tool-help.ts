/** What `edgewise call TOOL --help` prints, made from the tool's declaration. */
import type { Catalogue } from "../engine/catalogue.js";
import { resolvedExample } from "../language/example.js";
import type { OperationPage } from "../pages/tool-page.js";
import { declaredTool, type FlagSchema, flagsOf, unknownTool, wordsOf } from "./arguments.js";
import { programWords, shellWords } from "./paste-line.js";
import { helpLines } from "./terminal.js";

const indent = "      ";

const words: Readonly<Record<string, string>> = {
  string: "TEXT",
  integer: "INTEGER",
  number: "NUMBER",
  object: "JSON",
  boolean: "",
};

/** The placeholder of a flag: `TEXT`, `INTEGER`, `JSON`, or its values; and whether it can be repeated. */
function takes({ schema }: FlagSchema): string {
  const { type, items } = schema;
  const isList = type === "array";
  const item = (isList ? items : schema) as Readonly<Record<string, unknown>>;
  const values = item["enum"] as readonly string[] | undefined;
  const kind = values?.join("|") ?? words[String(item["type"])] ?? "JSON";
  return isList ? `${kind === "" ? "true|false" : kind} …` : kind;
}

/** The lines of a flag: its placeholder and its description. */
function flagLines(one: FlagSchema): string[] {
  const { flag, schema, isRequired } = one;
  const standard = schema["default"];
  const said = [
    String(schema["description"] ?? ""),
    isRequired ? "required" : "",
    schema["type"] === "array" ? "can be repeated" : "",
    standard === undefined ? "" : `default ${typeof standard === "string" ? standard : JSON.stringify(standard)}`,
  ].filter(Boolean);
  const head = `  ${flag} ${takes(one)}`.trimEnd();
  return [head, ...(said.length === 0 ? [] : helpLines(said.join("; "), indent))];
}

function aboutOperation(page: OperationPage): string[] {
  const isGuarded = page.guard !== undefined;
  return [
    ...(page.needs === undefined ? [] : helpLines(page.needs, "")),
    `${page.route} (${page.service}; ${page.standing})`,
    ...(isGuarded ? ["It is guarded: it previews, and asks at a terminal before anything is changed."] : []),
  ];
}

/**
 * The help of a tool.
 * @throws Failure `unknown_tool`
 */
export async function toolHelp(tool: string, catalogue: Catalogue): Promise<string> {
  const declared = await declaredTool(tool, catalogue);
  if (!declared) throw unknownTool(tool, catalogue);
  const { page, schema } = declared;
  const flags = flagsOf(schema);
  const ordered = [...flags.filter(({ isRequired }) => isRequired), ...flags.filter(({ isRequired }) => !isRequired)];
  const example = shellWords([
    ...programWords(),
    "call",
    tool,
    ...wordsOf(resolvedExample(page.example, Date.now()), schema),
  ]);
  const hasTo = flags.some(({ flag }) => flag === "--to");
  const rules = "rules" in page ? page.rules : [];
  return [
    `edgewise call ${tool} [ARGUMENTS]`,
    "",
    ...helpLines(page.does, ""),
    ...("route" in page ? aboutOperation(page) : []),
    "",
    ...(ordered.length === 0 ? ["It takes no arguments."] : ["Arguments:", ...ordered.flatMap(flagLines)]),
    ...(rules.length === 0 ? [] : ["", "Rules:", ...rules.flatMap((rule) => helpLines(rule, "  "))]),
    "",
    "Example:",
    `  ${example}`,
    "",
    "All arguments can be one word of JSON instead, or - for JSON from stdin. --output sets the format of the result:",
    "table, json, csv or ndjson; --to FILE writes it to a file, in the format of the file's extension.",
    ...(hasTo ? [`Write that --to before ${tool}: after it, --to is the argument of this name.`] : []),
    "Edgewise's own flags, such as --section, can be anywhere; `edgewise --help` lists them.",
    `Its whole page: edgewise show operation://${tool}`,
    ...("route" in page ? [`Its responses: edgewise show operation://${tool}/answers`] : []),
  ].join("\n");
}
