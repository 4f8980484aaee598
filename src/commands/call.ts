/** `edgewise call`: one call from the shell, made like an assistant's. */
import { createInterface } from "node:readline/promises";
import { scrubbed } from "../answers/secret-forms.js";
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import type { Caller, Decision, Outcome } from "../calls/index.js";
import { menuOf, wholeMenu } from "../mcp/menu.js";
import { resultOf } from "../mcp/result.js";
import { argumentsFrom } from "./arguments.js";
import { type Command, log, print } from "./command.js";
import { secretPrompt } from "./secret-prompt.js";
import { createSurface } from "./surface.js";

/** The user's decision at the terminal, where the whole preview has room. */
async function ask({ preview, plan, needsTarget }: Question, secrets: readonly string[]): Promise<Decision> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    log(scrubbed(preview.lines.join("\n"), secrets));
    const typed = await terminal.question(
      needsTarget ? `To do this now, type: ${preview.target}\n> ` : "Do this now? (yes/no) ",
    );
    const isApproved = needsTarget ? typed === preview.target : /^y(es)?$/i.test(typed.trim());
    return { plan: plan.id, isApproved, typed };
  } finally {
    terminal.close();
  }
}

type Question = Extract<Outcome, { kind: "question" }>;

export const call: Command = async (config, [tool, json = "{}"]) => {
  if (tool === undefined)
    throw new Failure("bad_configuration", "call takes a tool and its arguments.", {
      next: 'Write: edgewise call TOOL \'{"name": "value"}\'.',
    });
  const args = argumentsFrom(json);
  const surface = await createSurface(config);
  if (!surface.catalogue.has(tool))
    throw new Failure(
      "unknown_tool",
      `There is no tool ${JSON.stringify(tool)}${didYouMean(tool, surface.catalogue.keys())}.`,
      { next: "`edgewise operations` lists the tools." },
    );
  const menu = menuOf(surface.catalogue, surface.choice ?? wholeMenu);
  const { calls, presentation, close } = await surface.engine();
  const isAttended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const caller: Caller = {
    owner: "local",
    tools: menu.tools,
    refused: menu.refusal(tool),
    signal: undefined,
    progress: async () => undefined,
    supportsElicitation: isAttended,
    ...(isAttended ? { askSecret: secretPrompt(process.stdin, process.stderr) } : {}),
    isUnattended: true,
  };
  const decided = async (question: Question): Promise<Exclude<Outcome, Question>> => {
    const decision = await ask(question, presentation.secrets);
    const outcome = await calls.call(tool, args, { ...caller, decision });
    if (outcome.kind === "question") throw new Error("A decision was answered with another question.");
    return outcome;
  };
  try {
    const first = await calls.call(tool, args, caller);
    const outcome = first.kind === "question" ? await decided(first) : first;
    const { structuredContent, isError } = resultOf(outcome, presentation);
    print(JSON.stringify(structuredContent, null, 2));
    return isError || outcome.kind === "preview" ? 1 : 0;
  } finally {
    await close();
  }
};
