/** Each operation's example called in a world of its own, by the real client, with what the emulator answers on the wire. */
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { resolvedExample } from "../../src/pages/example.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { createEmulator } from "../lab/emulator.js";
import { servicesOfProject } from "../lab/project.js";
import { now } from "../lab/raw.js";
import { filled } from "../lab/secret-files.js";
import { sendingWithin } from "../wire/sending.js";

export type Args = Readonly<Record<string, unknown>>;
export interface Answered {
  /** Zero for arguments that the client does not send. */
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export const operations: ReadonlyMap<string, AnyOperation> = new Map(
  (await servicesOfProject()).flatMap(({ operations: own }) => Object.entries<AnyOperation>(own)),
);
export const operationOf = (tool: string): AnyOperation => {
  const found = operations.get(tool);
  if (!found) throw new Error(`There is no operation ${tool}.`);
  return found;
};
export const isRead = ({ route, spec }: AnyOperation): boolean =>
  spec.effect === "read" || (spec.effect === undefined && route.startsWith("GET "));
export const exampleOf = (tool: string, atMs = now): Args => resolvedExample(operationOf(tool).spec.example, atMs);

/** A world whose clock stands still until the test moves it, and calls in it. */
export function begin(atMs = now) {
  const world = createWorld({ frozenAt: atMs });
  const emulator = createEmulator({ world });
  const none = { status: 0, text: "", headers: {} };
  let last: Omit<Answered, "body"> = none;
  const client = createClient({
    send: async (request) => {
      const answer = await emulator.send(request);
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      last = { status: answer.status, text: bytes.toString("utf8"), headers: answer.headers };
      return {
        ...answer,
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes: 10_000_000,
    isEmulated: true,
  });
  const call = async (tool: string, args: Args): Promise<Answered> => {
    const operation = operationOf(tool);
    last = none;
    try {
      const checked = await filled(operation, validateArguments(tool, operation, { ...args }, atMs));
      const request = await client.resolve(tool, operation, checked);
      const reply = await client.call(tool, "x", operation, request, sendingWithin(60_000));
      return { ...last, body: reply.body };
    } catch (error) {
      return { ...last, text: last.status === 0 ? String(error) : last.text, body: undefined };
    }
  };
  return { world, call };
}
