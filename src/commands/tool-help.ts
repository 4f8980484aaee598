/** What `edgewise call TOOL --help` prints, made from the tool's declaration. */
import type { Catalogue } from "../engine/catalogue.js";
import { resolvedExample } from "../pages/example.js";
import type { OperationPage } from "../pages/tool-page.js";
import type { JsonSchema } from "../schema/json-schema.js";
import {
  argumentWords,
  declaredTool,
  type FlagSchema,
  flagsOf,
  memberNames,
  placeholderOf,
  unknownTool,
  valuesIn,
} from "./arguments.js";
import { programLine } from "./paste-line.js";
import { helpLines } from "./terminal.js";

const indent = "      ";

/** The names of the members of a list's items, which a flag cannot name. */
function itemMembers({ type, items }: JsonSchema): string {
  const names = type === "array" ? memberNames((items ?? {}) as JsonSchema) : [];
  return names.length === 0 ? "" : `each with ${names.join(", ")}`;
}

/** The lines of a flag: its placeholder and its description. */
function flagLines(flagSchema: FlagSchema): string[] {
  const { flag, schema, isRequired } = flagSchema;
  const standard = schema["default"];
  const values = valuesIn(schema);
  const remarks = [
    String(schema["description"] ?? ""),
    itemMembers(schema),
    isRequired ? "required" : "",
    schema["type"] === "array" || values ? "can be repeated" : "",
    standard === undefined ? "" : `default ${typeof standard === "string" ? standard : JSON.stringify(standard)}`,
  ].filter(Boolean);
  const word = values ? `${flag}.NAME ${placeholderOf({ schema: values })}` : `${flag} ${placeholderOf(flagSchema)}`;
  return [`  ${word}`.trimEnd(), ...(remarks.length === 0 ? [] : helpLines(remarks.join("; "), indent))];
}

const aboutOperation = ({ needs, route, service, standing, guard }: OperationPage): string[] => [
  ...(needs === undefined ? [] : helpLines(needs, "")),
  `${route} (${service}; ${standing})`,
  ...(guard === undefined ? [] : ["It is guarded: it previews, and asks at a terminal before anything is changed."]),
];

/**
 * The help of a tool.
 * @throws Failure `unknown_tool`
 */
export async function toolHelp(tool: string, catalogue: Catalogue): Promise<string> {
  const declared = await declaredTool(tool, catalogue);
  if (!declared) throw unknownTool(tool, catalogue);
  const { page, schema } = declared;
  const flags = flagsOf(schema).sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const example = programLine("call", tool, ...argumentWords(resolvedExample(page.example, Date.now()), schema));
  const hasTo = flags.some(({ flag }) => flag === "--to");
  const rules = "rules" in page ? page.rules : [];
  return [
    `edgewise call ${tool} [ARGUMENTS]`,
    "",
    ...helpLines(page.does, ""),
    ...("route" in page ? aboutOperation(page) : []),
    "",
    ...(flags.length === 0 ? ["It takes no arguments."] : ["Arguments:", ...flags.flatMap(flagLines)]),
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
