/** A server in this process whose tools end as they are told to, with its telemetry and a client of either transport. */
import type { CallOrigin, Outcome } from "../../src/calls/index.js";
import type { ToolEntry } from "../../src/engine/catalogue.js";
import { Failure } from "../../src/language/failure.js";
import { createTelemetry } from "../../src/telemetry/index.js";
import type { Log } from "../../src/telemetry/log.js";
import { canaryVariables } from "../lab/canary.js";
import { clientOf, surfaceOf } from "../lab/client.js";
import { readExposition } from "./exposition.js";

/** How a call ends. */
export type Ends = (args: Readonly<Record<string, unknown>>, caller: CallOrigin) => Promise<Outcome>;

const entry = (name: string, more: Partial<ToolEntry> = {}): ToolEntry => ({
  service: "things",
  effect: "read",
  tool: {
    name,
    title: name,
    description: name,
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  ...more,
});

const catalogue = new Map([
  ["thing_get", entry("thing_get")],
  ["thing_delete", entry("thing_delete", { effect: "destructive" })],
  ["secret_service_thing_get", entry("secret_service_thing_get", { imported: {} as never, service: "secret-service" })],
]);

/** Has secrets wherever a client can name something; who asks is refused with all of them. */
export async function tellSecrets(
  { client }: Pick<Awaited<ReturnType<typeof startServed>>, "client">,
  secrets: readonly string[],
) {
  const [secret = ""] = secrets;
  const args = Object.fromEntries(secrets.map((one) => [one, { deep: [one] }]));
  for (const name of ["thing_get", ...secrets]) await client.callTool({ name, arguments: args }).catch(() => undefined);
  await client.readResource({ uri: `operation://${encodeURIComponent(secret)}` }).catch(() => undefined);
  await client.getPrompt({ name: secret, arguments: { a: secrets[1] ?? "" } }).catch(() => undefined);
}

/** The canaries, and calls that are refused with them. */
export const secrets = Object.values(canaryVariables).slice(1);
export const refusing: Ends = async () => ({
  kind: "failure",
  failure: new Failure("rejected", secrets.join(), { next: secrets.join(), upstream: secrets }),
});

export const done: Outcome = { kind: "workflow", result: { done: true } };

interface Entry {
  readonly message: string;
  readonly level: string;
  readonly [field: string]: unknown;
}

export async function startServed(ends: Ends, { maxPending = 256 } = {}) {
  const lines: Entry[] = [];
  const log: Log = (message, level = "info", fields = {}) => void lines.push({ message, level, ...fields });
  const telemetry = createTelemetry("1.2.3", { hasMeters: true, log });
  const presentation = { upstream: "here", secrets: [], maxTokens: 8_000, isTextOnly: false };
  const engine = {
    presentation,
    runtimeFor: async () => ({
      presentation,
      calls: { call: (_: string, args: Record<string, unknown>, caller: CallOrigin) => ends(args, caller) },
      results: { keep: async () => undefined },
    }),
  };
  const surface = surfaceOf({
    catalogue,
    readings: { resources: [], prompts: [{ name: "thing_guide", service: "things" } as never], introductions: [] },
    version: "1.2.3",
    telemetry,
    engine: async () => engine as never,
  });
  const { client } = await clientOf(surface, maxPending);
  return {
    client,
    lines,
    families: async () => readExposition((await telemetry.meters?.text()) ?? ""),
    close: () => client.close(),
  };
}
