/**
 * The guide of a service as Markdown: its purpose, its objects, their life cycles as diagrams, its approvals and
 * limits.
 */
import { liveAddressTemplate } from "../calls/live-address.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { aboutDestinations, effectOf, guardOf, isAboutDestinations } from "../language/effect.js";
import { type Guide, type Life, statesOf } from "../language/guide.js";
import { hintFor, standingAdvice, standingInWords } from "../language/hint.js";
import { isRecord, withMember } from "../language/member.js";
import type { Prompt } from "../language/prompt.js";
import type { Service } from "../language/service.js";
import { criticalArguments, networkArgument, tierOf, wideAbove } from "../policy/tier.js";
import { argumentsSchema } from "../schema/arguments.js";
import { jsonSchemaOf } from "../schema/json-schema.js";
import { guideOf, promptOf } from "../tools/guides.js";
import { serviceOf, services } from "../tools/index.js";
import { section } from "./tool-page.js";

/** The statuses of a refusal because of a limit: too large, too frequent, full, unavailable. */
const tooMuch = [413, 429, 503, 507];

const formattedCount = (count: number): string => count.toLocaleString("en-US");

type FieldBound = readonly [path: string, bound: string];

/** The limits of lists and numbers in a schema, each with the path of its field. */
function boundsIn(schema: unknown, path: string): FieldBound[] {
  if (!isRecord(schema)) return [];
  const { maxItems, maximum, minimum, properties, items } = schema;
  // An unlimited integer is listed with the largest one that a number can represent.
  const isBound = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER;
  const least = typeof minimum === "number" && minimum > 0 ? `${formattedCount(minimum)} to ` : "at most ";
  return [
    ...(typeof maxItems === "number"
      ? [[path, `at most ${formattedCount(maxItems)} item${maxItems === 1 ? "" : "s"}`] as const]
      : []),
    ...(isBound ? [[path, `${least}${formattedCount(maximum)}`] as const] : []),
    ...(isRecord(properties)
      ? Object.entries(properties).flatMap(([name, member]) => boundsIn(member, path === "" ? name : `${path}.${name}`))
      : []),
    ...boundsIn(items, path),
  ];
}

/** The limits of the arguments of a service's operations; the same limit in the same tools is listed once. */
function argumentBounds(operations: readonly (readonly [string, AnyOperation])[]): string[] {
  const toolsOf = new Map<string, string[]>();
  for (const [tool, operation] of operations)
    for (const fieldBound of boundsIn(jsonSchemaOf(argumentsSchema(operation), "input"), "")) {
      const key = JSON.stringify(fieldBound);
      toolsOf.set(key, [...(toolsOf.get(key) ?? []), tool]);
    }
  const pathsOf = new Map<string, string[]>();
  for (const [key, tools] of toolsOf) {
    const [path, bound] = JSON.parse(key) as FieldBound;
    const [first, ...others] = [...new Set(tools)];
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const where = `${bound} (\`${first}\`${more}).`;
    pathsOf.set(where, [...(pathsOf.get(where) ?? []), `\`${path}\``]);
  }
  return [...pathsOf].map(([where, paths]) => `${paths.join(", ")}: ${where}`);
}

/** The meanings of refusals because of limits, each once. */
function limitRefusals(operations: readonly (readonly [string, AnyOperation])[]): string[] {
  const lines = operations.flatMap(([, { spec }]) =>
    tooMuch.flatMap((status) => {
      const hint = hintFor(spec, status);
      return hint === undefined ? [] : [`HTTP ${status}: ${hint}`];
    }),
  );
  return [...new Set(lines)];
}

/** Every limit in the declarations of a service, in sentences, after those that its guide names. */
export function limitsOf({ rules, operations }: Service, { limits = [] }: Guide): string[] {
  const all = Object.entries(operations);
  const named = limits.flatMap((name) => rules[name] ?? operations[name]?.spec.note ?? []);
  return [...named, ...limitRefusals(all), ...argumentBounds(all)];
}

/** The object of a tool, from its name: the words between its service's id and its verb, in the singular. */
export function nounOf(tool: string, id: string): string {
  const parts = tool.split("_").slice(0, -1);
  const [first = id, ...rest] = parts;
  const words = rest.length === 0 ? [first === id ? id : first] : rest;
  return words
    .join(" ")
    .replace(/ies$/, "y")
    .replace(/(?<!s)s$/, "");
}

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");

/** The objects of a service with the tools for each, in the order of the declarations. */
function objectsTable({ id }: Service, { objects }: Guide, tools: readonly string[]): string {
  const byNoun = new Map<string, string[]>();
  for (const tool of tools) {
    const noun = nounOf(tool, id);
    byNoun.set(noun, [...(byNoun.get(noun) ?? []), tool]);
  }
  const rows = [...byNoun].map(([noun, own]) => `| ${noun} | ${objects[noun] ?? ""} | ${code(own)} |`);
  return ["| Object | What it is | Tools |", "|---|---|---|", ...rows].join("\n");
}

/** A name that is a valid state in Mermaid: letters, digits and underscores. */
const nameOf = (state: string): string => state.replaceAll(/\W/g, "_");

/** A life cycle as a state diagram in Mermaid. */
export function diagramOf(life: Life): string {
  const renamedStates = statesOf(life).filter((state) => nameOf(state) !== state);
  const place = (state: string | undefined): string => (state === undefined ? "[*]" : nameOf(state));
  const moves = life.moves.map(({ from, to, by, when }) => {
    const because = [by, when].filter((part) => part !== undefined).join(", ");
    return `  ${place(from)} --> ${place(to)} : ${because}`;
  });
  return ["stateDiagram-v2", ...renamedStates.map((state) => `  state "${state}" as ${nameOf(state)}`), ...moves].join(
    "\n",
  );
}

const lifeOf = (life: Life): string =>
  [
    `### The life cycle of ${life.of}`,
    life.shown === undefined
      ? "The API does not report these states."
      : `\`${life.shown.by}\` shows the state in \`${life.shown.at}\`.`,
    `\`\`\`mermaid\n${diagramOf(life)}\n\`\`\``,
  ].join("\n\n");

/** The argument that names the network with a value, or the list of which each item names it. */
function networkValue(argument: string | undefined, network: string): [path: string | undefined, value: unknown] {
  const [path, ofItem] = argument?.split("[].") ?? [];
  return [path, ofItem === undefined ? network : [{ [ofItem]: network }]];
}

/** The arguments with which a guarded call is the mildest, or the gravest, according to its declaration. */
function extremeArguments(operation: AnyOperation, isGravest: boolean): Arguments {
  const guard = guardOf(operation);
  const values: [path: string | undefined, value: unknown][] = [
    [guard?.counts, [1]],
    networkValue(guard && networkArgument(guard), isGravest ? "production" : "staging"),
    ...(guard ? criticalArguments(guard) : []).map(({ argument, unless }): [string, unknown] => [
      argument,
      isGravest ? unless === false : unless,
    ]),
  ];
  return values.reduce<unknown>(
    (args, [path, value]) => (path === undefined ? args : withMember(args, path.split("."), value)),
    { body: {}, ...operation.spec.example },
  ) as Arguments;
}

/** The tier of a guarded call: critical even in its mildest form, or under which conditions. */
function tierInWords(operation: AnyOperation): string {
  const guard = guardOf(operation);
  if (isAboutDestinations(operation)) return `guarded, ${aboutDestinations}`;
  const mildest = tierOf(operation, extremeArguments(operation, false));
  if (mildest.tier === "critical") return `critical: ${mildest.because.join("; ")}`;
  const gravest = tierOf(operation, extremeArguments(operation, true));
  const because = [
    ...(gravest.tier === "critical" ? gravest.because : []),
    ...(guard?.counts === undefined ? [] : [`it affects more than ${wideAbove} objects`]),
    ...(guard?.critical?.some((one) => typeof one === "function") ? ["its preview finds a reason in the state"] : []),
  ];
  return because.length === 0 ? "guarded" : `guarded, and critical if one of these applies: ${because.join("; ")}`;
}

/** Which calls need an approval, and when they are critical. */
const approvals = ({ operations }: Service): string[] =>
  Object.entries(operations).flatMap(([tool, operation]) => {
    const guard = guardOf(operation);
    return guard === undefined ? [] : [`\`${tool}\` (${guard.kind}): ${tierInWords(operation)}.`];
  });

/** The calls that start a job and can wait for its end. */
const launches = ({ operations }: Service): string[] =>
  Object.entries(operations).flatMap(([tool, { spec }]) => {
    if (spec.awaits?.status === undefined) return [];
    const { status, result } = spec.awaits;
    const poll = `poll \`${status}\`${result === undefined ? "" : `, then call \`${result}\``}`;
    return [`\`${tool}\` with \`wait\` set to true returns when it has ended; without it, ${poll}.`];
  });

/** The URIs of live state. */
const liveAddresses = ({ operations }: Service): string[] =>
  Object.keys(operations).flatMap((tool) => {
    const form = liveAddressTemplate(tool, operations);
    return form === undefined ? [] : [`\`${form}\` has its state; subscribers are notified of changes.`];
  });

/** The URI of a service's guide. */
export const guideAddress = (service: string): string => `guide://${service}`;

/**
 * A guide as Markdown.
 * @param tools The names of the service's tools that can be called here, workflows included.
 */
function guideMarkdown(service: Service, guide: Guide, prompt: Prompt | undefined, tools: readonly string[]): string {
  const { id, name, title, about, document, standing, operations, resources = [] } = service;
  const changes = Object.values(operations).filter((operation) => effectOf(operation) !== "read").length;
  const facts = [
    `\`${guideAddress(name)}\``,
    `tools \`${id}_…\``,
    `${Object.keys(operations).length} operations, ${changes} of which make changes`,
    `document ${document}`,
    standingInWords(standing),
  ];
  const lines = [
    `# ${title}`,
    facts.join(" · "),
    [about, guide.purpose, standingAdvice(standing)].filter(Boolean).join(" "),
    "## Objects",
    objectsTable(service, guide, tools),
    "## Life cycle",
    ...guide.lives.map(lifeOf),
    ...section("Long-running work", launches(service)),
    ...section("Live state", liveAddresses(service)),
    ...section("Approvals", approvals(service)),
    ...section(
      "Rules",
      Object.entries(service.rules).flatMap(([name, rule]) => (guide.limits?.includes(name) ? [] : rule)),
    ),
    ...section("Limits", limitsOf(service, guide)),
    ...section("Also", [
      ...resources.map(({ address, description }) => `\`${address}\`: ${description}`),
      ...(prompt ? [`Prompt \`${prompt.name}\`: ${prompt.description}`] : []),
    ]),
  ];
  return `${lines.join("\n\n")}\n`;
}

type Tools = ReadonlyMap<string, { readonly service: string }>;

/** The names of the services whose guides can be read: those with a tool that can be called. */
export const guidesFor = (tools: Tools): string[] => {
  const offered = new Set([...tools.values()].map(({ service }) => service));
  return Object.keys(services).filter((name) => offered.has(name));
};

/**
 * Writes the guide of a service.
 * @param tools All tools that can be called here, by name.
 * @returns undefined if there is no such service, or none of its tools can be called.
 */
export async function guidePage(name: string, tools: Tools): Promise<string | undefined> {
  if (!guidesFor(tools).includes(name)) return undefined;
  const [service, guide, prompt] = await Promise.all([serviceOf(name), guideOf(name), promptOf(name)]);
  if (!service || !guide) return undefined;
  const serviceTools = [...tools].filter(
    ([tool, entry]) => entry.service === name || tool.startsWith(`${service.id}_`),
  );
  const operations = Object.entries(service.operations).filter(
    ([tool, { spec }]) => spec.document !== "today" || tools.has(tool),
  );
  return guideMarkdown(
    { ...service, operations: Object.fromEntries(operations) },
    guide,
    prompt,
    serviceTools.map(([tool]) => tool),
  );
}
