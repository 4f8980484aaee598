/** A law over all tools: an answer of another shape than the declared one leads to no fault inside, whoever reads it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createWorld } from "../../src/emulator/world.js";
import { secretFiles } from "../../src/secrets/files.js";
import { createClient } from "../../src/wire/index.js";
import { examples, fewExamples } from "../adversary/targets.js";
import { callsIn } from "../lab/calls.js";
import { folder } from "../lab/files.js";

const presentation = { upstream: "the upstream", secrets: [], maxTokens: 10_000 };
// The examples of calls that set a password name these files.
const directory = folder();
for (const name of ["current-password-1", "new-password-1"])
  writeFileSync(join(directory, name), "not-A-secret-1\n", { mode: 0o600 });

// Nothing reaches it: every answer is made up.
const world = createWorld({ frozenAt: Date.now() });

/** Nested as deep as an answer may be, and one level deeper. */
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const answers = ["null", '{"items":null,"data":[null]}'];
// How deep an answer may be is decided where it is read, and by what its mechanisms then do with it.
const deepAnswers = [nested(64), nested(65)];
const ofEachMechanism: ReadonlySet<unknown> = new Set(fewExamples);

it("an answer of another shape causes no internal error", async () => {
  const faults: unknown[] = [];
  let answer = "";
  const client = createClient({
    send: async () => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: (async function* () {
        yield new TextEncoder().encode(answer);
      })(),
    }),
    target: { origin: "https://host.example", vendor: "akamai" },
    authorize: () => ({}),
    maxResponseBytes: 10_000,
  });
  const { call } = callsIn(world, {
    client,
    secretFiles: secretFiles(directory),
    callTimeoutMs: 1_000,
    onFault: (error) => faults.push(error),
  });
  // Each operation has its own functions over an answer.
  for (const one of examples) {
    const [tool, args] = one;
    for (answer of ofEachMechanism.has(one) ? [...answers, ...deepAnswers] : answers) {
      const outcome = await call(tool, args);
      if (outcome.kind !== "question") resultOf(outcome, presentation);
      expect([tool, answer.slice(0, 40), faults]).toEqual([tool, answer.slice(0, 40), []]);
    }
  }
});
