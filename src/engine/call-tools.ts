/** The call tools: one for each effect, which call any tool by its name, for menus that do not list every tool. */
import type { Arguments } from "../language/conduct.js";
import type { Effect } from "../language/define.js";
import { Failure, type FieldProblem, maxProblems, quoteValue } from "../language/failure.js";
import { fieldOf, isNothing, isRecord } from "../language/member.js";
import { pageTool } from "../language/server-tools.js";
import { argumentsIn, excessOf, sizeOfJson } from "../text/json-size.js";
import type { ToolEntry } from "./catalogue.js";

/** The effects of tools, as the end of a sentence. */
const effects: Readonly<Record<Effect, string>> = {
  read: "only reads",
  launch: "starts a job",
  create: "creates something",
  update: "changes something that can be changed back",
  destructive: "replaces, removes, stops or exposes something",
};

export const callToolOf = (effect: Effect): string => `operation_${effect}`;
const effectsByTool = new Map((Object.keys(effects) as Effect[]).map((effect) => [callToolOf(effect), effect]));

export const callToolNames = [...effectsByTool.keys()];

/** The effect of the tools that a call tool calls; undefined for any other name. */
export const effectOfCallTool = (name: string): Effect | undefined => effectsByTool.get(name);

/** What holds for imported operations with each effect; they have no others. */
const importedHints: Partial<Readonly<Record<Effect, ToolEntry["tool"]["annotations"]>>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  update: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/**
 * The call tools for a set of tools. The annotations of a call tool hold for every tool that it calls.
 * @param hasImported Whether they also call operations of imported definitions.
 */
export function callToolsFor(entries: readonly ToolEntry[], hasImported = false): ToolEntry[] {
  return [...effectsByTool].flatMap(([name, effect]) => {
    const declared = entries.filter((entry) => entry.effect === effect).map(({ tool }) => tool.annotations);
    const imported = hasImported ? importedHints[effect] : undefined;
    const hints = imported ? [...declared, imported] : declared;
    if (hints.length === 0) return [];
    const properties = {
      tool: { type: "string" },
      arguments: {
        type: "object",
        description: `As on its page (${pageTool})`,
        properties: {},
        additionalProperties: true,
      },
      ...(effect === "read" ? {} : { confirm: { type: "string", description: "Id of the approved plan" } }),
    };
    return {
      service: "operations",
      effect,
      tool: {
        name,
        title: `Call a tool that ${effects[effect]}`,
        description: `Calls, by its name, a tool that ${effects[effect]}.`,
        inputSchema: { type: "object", properties, required: ["tool", "arguments"] },
        annotations: {
          readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
          destructiveHint: hints.some(({ destructiveHint }) => destructiveHint),
          idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
          openWorldHint: hints.some(({ openWorldHint }) => openWorldHint),
        },
      },
    };
  });
}

/** The failure for invalid arguments of a call tool. */
export function callToolFailure(name: string, fields: readonly FieldProblem[]): Failure {
  const problems = fields.map(
    ({ field, given, takes }) => `${field}${given ? `: ${given} was given` : ""}; takes ${takes}`,
  );
  return new Failure("invalid_input", `${name}: ${problems.join(". ")}.`, {
    why: "Nothing was sent.",
    next: "Correct it and call again.",
    fields,
  });
}

/** The call that a call tool makes: the tool and its arguments, as the tool itself would receive them. */
export function innerCall(
  name: string,
  callArguments: Arguments,
): { readonly tool: string; readonly args: Arguments } | Failure {
  const {
    tool,
    arguments: toolArguments = {},
    confirm,
    max_tokens,
    ticket,
    ...more
  } = Object.fromEntries(Object.entries(callArguments).filter(([, value]) => !isNothing(value)));
  // Some clients write objects as JSON text.
  const size = typeof toolArguments === "string" ? sizeOfJson(toolArguments, true) : undefined;
  const excess = size && excessOf(size);
  if (excess) return callToolFailure(name, [{ field: "arguments", ...excess }]);
  const args = typeof toolArguments === "string" ? argumentsIn(toolArguments, size) : toolArguments;
  const problems: FieldProblem[] = Object.keys(more)
    .slice(0, maxProblems)
    .map((field) => ({
      field: fieldOf([field]),
      takes: 'nothing here: the arguments of the tool go into "arguments"',
    }));
  if (typeof tool !== "string") problems.push({ field: "tool", given: quoteValue(tool), takes: "the name of a tool" });
  if (!isRecord(args))
    problems.push({
      field: "arguments",
      given: quoteValue(toolArguments),
      takes: "an object with the arguments of the tool",
    });
  if (problems.length > 0 || typeof tool !== "string" || !isRecord(args)) return callToolFailure(name, problems);
  const controlArguments = {
    ...(confirm === undefined ? {} : { confirm }),
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(ticket === undefined ? {} : { ticket }),
  };
  return { tool, args: { ...args, ...controlArguments } };
}
