/** `edgewise call`: one call from the shell, through the same server that assistants speak to. */
import { createInterface } from "node:readline/promises";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { Failure } from "../api/failure.js";
import { serverFactory } from "../mcp/server.js";
import { type Command, log, print } from "./command.js";
import { createSurface } from "./surface.js";

function argumentsFrom(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Failure("bad_configuration", "The arguments are not a JSON object.", {
      next: 'Write them as one quoted word, such as \'{"queueName":"default"}\'.',
    });
  return value as Record<string, unknown>;
}

/** Asks the person at the terminal. */
async function ask(message: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    log(message);
    return /^y(es)?$/i.test((await terminal.question("Do this now? (yes/no) ")).trim());
  } finally {
    terminal.close();
  }
}

export const call: Command = async (config, [tool, json = "{}", ...rest]) => {
  if (tool === undefined || rest.length > 0)
    throw new Failure("bad_configuration", "call takes a tool and its arguments.", {
      next: 'Write: edgewise call TOOL \'{"name": "value"}\'.',
    });
  const args = argumentsFrom(json);
  const surface = await createSurface(config);
  if (!surface.catalogue.has(tool)) {
    const { didYouMean } = await import("../api/nearest.js");
    throw new Failure(
      "unknown_tool",
      `There is no tool ${JSON.stringify(tool)}${didYouMean(tool, surface.catalogue.keys())}.`,
      { next: "`edgewise operations` lists the tools." },
    );
  }
  const isAtTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const client = new Client(
    { name: "edgewise-call", version: surface.version },
    { capabilities: isAtTerminal ? { elicitation: { form: {} } } : {} },
  );
  if (isAtTerminal)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const isApproved = await ask(params.message);
      return isApproved ? { action: "accept", content: { approve: true } } : { action: "decline" };
    });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(surface)().connect(theirs);
  await client.connect(ours);
  try {
    const result = await client.callTool(
      { name: tool, arguments: args },
      { timeout: config.values["total-timeout-ms"] + 600_000 },
    );
    print(JSON.stringify(result.structuredContent, null, 2));
    return result.isError ? 1 : 0;
  } finally {
    await client.close();
    await (await surface.engine()).close();
  }
};
