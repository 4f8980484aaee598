/** The page of an imported operation: its route, arguments and effect, from the facts of its definition. */
import type { Shape } from "../definitions/definition.js";
import type { ImportedTool } from "../definitions/library.js";
import { isRecord, memberAt } from "../language/member.js";
import type { Schema } from "../schema/json-schema.js";
import { notationOf } from "./notation.js";

/** The levels of a schema that a page shows, the most first: the first whose text is short enough is used. */
const depths = [6, 4, 3, 2, 1];

/** About 550 tokens, so that a page with its frame has at most 700. */
const mostCharacters = 1_700;

/** The longest closed set that a page lists. */
const mostValues = 24;

/** A schema without what is below some depth, and the pointers to the omitted parts. */
function cutAt(shape: Shape, depth: number, at: string, cut: string[]): Shape {
  const isDeep = shape.properties !== undefined || shape.items !== undefined || shape.oneOf !== undefined;
  if (depth <= 0 && isDeep) {
    cut.push(at);
    return shape.type === undefined ? {} : { type: shape.type };
  }
  const inner = (one: Shape, step: string) => cutAt(one, depth - 1, `${at}/${step}`, cut);
  const { properties, items, oneOf, additionalProperties: rest, enum: values, ...keywords } = shape;
  const isLong = values !== undefined && values.length > mostValues;
  if (isLong) cut.push(at);
  return {
    ...keywords,
    ...(values === undefined || isLong ? {} : { enum: values }),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one, name)])) }
      : {}),
    ...(items ? { items: inner(items, "items") } : {}),
    ...(oneOf ? { oneOf: oneOf.map((one, index) => inner(one, `oneOf/${index}`)) } : {}),
    ...(isRecord(rest) ? { additionalProperties: inner(rest as Shape, "*") } : {}),
  };
}

/** A part of a schema by its pointer; undefined if there is none. */
function partAt(shape: Shape, pointer: string): Shape | undefined {
  const steps = pointer.split("/").filter((step) => step !== "");
  return steps.reduce<Shape | undefined>((part, step) => {
    if (part === undefined) return undefined;
    if (step === "*") return part.additionalProperties === false ? undefined : part.additionalProperties;
    if (step === "items" && part.items) return part.items;
    if (/^\d+$/.test(step)) return part.oneOf?.[Number(step)];
    if (step === "oneOf") return part;
    return memberAt(part.properties, [step]) as Shape | undefined;
  }, shape);
}

/** The notation of a schema, as deep as fits, with the pointers to what it leaves out. */
function notationThatFits(shape: Shape, at: string): { readonly text: string; readonly cut: readonly string[] } {
  let longest = { text: "", cut: [] as string[] };
  for (const depth of depths) {
    const cut: string[] = [];
    const text = notationOf(cutAt(shape, depth, at, cut) as Schema);
    longest = { text, cut };
    if (text.length <= mostCharacters) break;
  }
  const { text, cut } = longest;
  return text.length <= mostCharacters ? longest : { text: `${text.slice(0, mostCharacters)}…`, cut };
}

const mostPointers = 6;

function moreLines(tool: string, cut: readonly string[]): string[] {
  if (cut.length === 0) return [];
  const named = cut.slice(0, mostPointers).map((pointer) => `\`${tool}#${pointer}\``);
  const more = cut.length - named.length;
  return [`More: describe ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

const guardText = (kind: string): string => `guarded as ${kind}: without \`confirm\` it only previews`;

/** The age of a definition, and what it is worth. */
const aboutDefinition = ({ summary: { title, dated } }: ImportedTool): string =>
  `${title} · imported from a definition of ${dated}, which may be out of date: a 404 or 410 may mean that the vendor no longer runs it. Arguments that do not fit it are sent with a warning.`;

/**
 * The page of an imported operation.
 * @param pointer The part of its arguments to show, such as `/body/items`; all of them by default.
 * @returns undefined if there is no such part.
 */
export function importedPage(tool: ImportedTool, pointer = ""): string | undefined {
  const { name, route, title, effect, isLowered } = tool;
  const part = partAt(tool.schema() as unknown as Shape, pointer);
  if (part === undefined) return undefined;
  const { text, cut } = notationThatFits(part, pointer);
  const fence = ["```", text === "" ? "None." : text, "```"].join("\n");
  if (pointer !== "") return `${[`# ${name}#${pointer}`, fence, ...moreLines(name, cut)].join("\n\n")}\n`;
  const { compiled } = tool.facts();
  const kind = effect === "read" ? "read" : isLowered ? "update, its guard lowered by the operator" : guardText(effect);
  const state = compiled.shownBy === undefined ? [] : [`\`${compiled.shownBy}\` shows its present state.`];
  const refused = compiled.refused === undefined ? [] : [`It cannot be called, because ${compiled.refused}.`];
  const says = compiled.says === undefined ? [] : [`The definition calls it ${JSON.stringify(compiled.says)}.`];
  const lines = [
    `# ${name}`,
    `\`${route}\` · ${kind}`,
    [`${title}.`, ...says, ...state, ...refused].join(" "),
    "## Arguments",
    fence,
    ...moreLines(name, cut),
    aboutDefinition(tool),
  ];
  return `${lines.join("\n\n")}\n`;
}
