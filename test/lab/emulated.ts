/** The options of calls on an emulator, as the program has them without credentials. */
import type { CallsOptions } from "../../src/calls/index.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { operation } from "../../src/tools/index.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { workflowsFor } from "../../src/workflows/index.js";
import { unbound } from "./options.js";

/**
 * The options of calls whose requests an emulator answers.
 * @param send The emulator's, or what stands before it.
 */
export const onEmulator = (
  tools: CallsOptions["tools"],
  send: Parameters<typeof createClient>[0]["send"],
  maxResponseBytes = 1_000_000,
) => ({
  ...unbound(),
  operationOf: async (tool: string) => {
    const { service = "" } = tools.get(tool) ?? {};
    const declared = await operation(tool, { service });
    return declared && { service, declared };
  },
  tools,
  workflows: workflowsFor(tools),
  client: createClient({
    send,
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes,
  }),
  account: { section: "default", host: "emulator", isEmulated: true },
  onFault: (error: unknown) => {
    throw error;
  },
});
