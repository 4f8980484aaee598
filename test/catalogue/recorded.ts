/** Every tool of the setting called with its example, once for all laws about what is sent and answered. */
import { vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { createEmulator } from "../../src/emulator/index.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { lazily } from "../../src/language/once-for.js";
import { secretFiles } from "../../src/secrets/files.js";
import type { Client } from "../../src/wire/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { callsIn } from "../lab/calls.js";
import { onEmulator } from "../lab/emulated.js";
import { apis, catalogueOfProject, servicesOfProject } from "../lab/project.js";
import { now } from "../lab/raw.js";
import { secretDirectory } from "../lab/secret-files.js";

/** The time at which all examples are called. */
export const recordedAt = now;

type Reply = Awaited<ReturnType<Client["call"]>>;

interface RecordedCall {
  readonly tool: string;
  readonly args: Arguments;
  /** Each decoded answer with the tool that it is of, before anything in it is masked or chosen. */
  readonly replies: readonly { readonly tool: string; readonly reply: Reply; readonly isOfPreview: boolean }[];
  readonly preview?: Extract<Outcome, { kind: "preview" }>;
  /** Of the approved call, where an approval was needed. */
  readonly outcome: Outcome;
}

const operations = lazily(async () =>
  (await servicesOfProject()).flatMap(({ operations: own }) => Object.entries<AnyOperation>(own)),
);

/** Makes one call in a world, and the approved one after its preview. */
async function callIn(world: ControlledWorld, secrets: string, tool: string, args: Arguments): Promise<RecordedCall> {
  const replies: { tool: string; reply: Reply; isOfPreview: boolean }[] = [];
  let isOfPreview = true;
  const { client } = onEmulator(await catalogueOfProject(), createEmulator({ world }).send);
  const calls = callsIn(world, {
    client: {
      ...client,
      async call(called, ...rest) {
        const reply = await client.call(called, ...rest);
        replies.push({ tool: called, reply, isOfPreview });
        return reply;
      },
    },
    secretFiles: secretFiles(secrets),
    callTimeoutMs: 60_000,
  });
  const first = await calls.call(tool, args);
  if (first.kind !== "preview") return { tool, args, replies, outcome: first };
  isOfPreview = false;
  const outcome = await calls.call(tool, { ...args, confirm: first.plan.id });
  return { tool, args, replies, preview: first, outcome };
}

const shared = lazily(() => ({ world: createWorld({ frozenAt: recordedAt }), secrets: secretDirectory() }));

/** Calls a tool at that time, in a world of its own, or in one that all reads share. */
export async function record(tool: string, args: Arguments, isReading: boolean): Promise<RecordedCall> {
  const { world, secrets } = shared();
  vi.setSystemTime(recordedAt);
  try {
    return await callIn(isReading ? world : createWorld({ frozenAt: recordedAt }), secrets, tool, args);
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
