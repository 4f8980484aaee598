/** `edgewise call`: one call from the shell, made like an assistant's. */
import { createInterface } from "node:readline/promises";
import { Failure } from "../api/failure.js";
import { isRecord } from "../api/member.js";
import { didYouMean } from "../api/nearest.js";
import type { Caller, Outcome } from "../calls/index.js";
import { approvalMessage } from "../mcp/approval.js";
import { resultOf } from "../mcp/result.js";
import { type Command, log, print } from "./command.js";
import { createSurface } from "./surface.js";

function argumentsFrom(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isRecord(value))
    throw new Failure("bad_configuration", "The arguments are not a JSON object.", {
      next: 'Write them as one quoted word, such as \'{"queueName":"default"}\'.',
    });
  return value;
}

/** Asks the user at the terminal. */
async function ask(message: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    log(message);
    return /^y(es)?$/i.test((await terminal.question("Do this now? (yes/no) ")).trim());
  } finally {
    terminal.close();
  }
}

type Question = Extract<Outcome, { kind: "question" }>;
const atTerminal = "Run the same command at a terminal: it shows the preview there and asks whether to go on.";

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
  const { calls, presentation, close } = await surface.engine();
  const caller: Caller = {
    owner: "local",
    signal: undefined,
    progress: async () => undefined,
    supportsElicitation: process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
  const decided = async ({ preview, plan }: Question): Promise<Exclude<Outcome, Question>> => {
    const isApproved = await ask(approvalMessage(preview, presentation.secrets));
    const outcome = await calls.call(tool, args, { ...caller, decision: { plan: plan.id, isApproved } });
    if (outcome.kind === "question") throw new Error("A decision was answered with another question.");
    return outcome;
  };
  try {
    const first = await calls.call(tool, args, caller);
    const outcome = first.kind === "question" ? await decided(first) : first;
    const { structuredContent, isError } = resultOf(outcome, presentation);
    // A plan lives only as long as its process, so a later command could not confirm it.
    const { confirm, expiresAt, ...shown } = structuredContent;
    print(JSON.stringify(outcome.kind === "preview" ? { ...shown, next: atTerminal } : structuredContent, null, 2));
    return isError || outcome.kind === "preview" ? 1 : 0;
  } finally {
    await close();
  }
};
