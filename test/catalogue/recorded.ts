/** Every tool of the setting called with its example, once for all laws about what is sent and answered. */
import { vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { lazily } from "../../src/language/once-for.js";
import { resolvedExample } from "../../src/pages/example.js";
import { secretFiles } from "../../src/secrets/files.js";
import type { Client } from "../../src/wire/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { callsIn } from "../lab/calls.js";
import { onEmulator } from "../lab/emulated.js";
import { createEmulator } from "../lab/emulator.js";
import { apis, catalogueOfProject, operationsIn, servicesOfProject } from "../lab/project.js";
import { now } from "../lab/raw.js";
import { secretDirectory } from "../lab/secret-files.js";

/** The time at which all examples are called. */
export const recordedAt = now;

/** A decoded answer with the tool that it is of, before anything in it is masked or chosen. */
interface RecordedReply {
  readonly tool: string;
  readonly reply: Awaited<ReturnType<Client["call"]>>;
  readonly isOfPreview: boolean;
}

interface RecordedCall {
  readonly tool: string;
  readonly args: Arguments;
  readonly replies: readonly RecordedReply[];
  readonly preview?: Extract<Outcome, { kind: "preview" }>;
  /** Of the approved call, where an approval was needed. */
  readonly outcome: Outcome;
}

const operations = lazily(async () => operationsIn(await servicesOfProject()));

/** Makes calls in a world, each with its approved call after a preview. */
async function recorderIn(world: ControlledWorld, secrets: string) {
  let replies: RecordedReply[] = [];
  let isOfPreview = true;
  // The date is another object each time that it is set.
  const emulator = createEmulator({ world, wallNow: () => Date.now() });
  const { client } = onEmulator(await catalogueOfProject(), emulator.send);
  const calls = callsIn(world, {
    client: {
      ...client,
      async call(tool, ...rest) {
        const reply = await client.call(tool, ...rest);
        replies.push({ tool, reply, isOfPreview });
        return reply;
      },
    },
    secretFiles: secretFiles(secrets),
    callTimeoutMs: 60_000,
  });
  return async (tool: string, args: Arguments): Promise<RecordedCall> => {
    replies = [];
    isOfPreview = true;
    const first = await calls.call(tool, args);
    if (first.kind !== "preview") return { tool, args, replies, outcome: first };
    isOfPreview = false;
    const outcome = await calls.call(tool, { ...args, confirm: first.plan.id });
    return { tool, args, replies, preview: first, outcome };
  };
}

const begin = (secrets: string) => recorderIn(createWorld({ frozenAt: recordedAt }), secrets);
const shared = lazily(async () => {
  const secrets = secretDirectory();
  return { secrets, read: await begin(secrets) };
});

/** Calls a tool at that time, in a world of its own, or in one that all reads share. */
export async function record(tool: string, args: Arguments, isReading: boolean): Promise<RecordedCall> {
  const { secrets, read } = await shared();
  const call = isReading ? read : await begin(secrets);
  vi.setSystemTime(recordedAt);
  try {
    return await call(tool, args);
  } finally {
    vi.useRealTimers();
  }
}

/** The call of each operation; each worker makes them once for a setting. */
export const recorded = lazily(async () => {
  const calls: (RecordedCall & { readonly operation: AnyOperation })[] = [];
  for (const [tool, operation] of await operations()) {
    const args = resolvedExample(operation.spec.example as Arguments, recordedAt);
    calls.push({ ...(await record(tool, args, isRead(operation))), operation });
  }
  return calls;
});

/** The call of each workflow. */
export const recordedWorkflows = lazily(async () => {
  const calls: RecordedCall[] = [];
  for (const [tool, { example }] of await allWorkflows(apis))
    calls.push(await record(tool, resolvedExample(example, recordedAt), false));
  return calls;
});
