/** Whatever is called on a read-only server, or by a read-only client, no request of a change is sent. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { batchTool } from "../../src/language/server-tools.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { createRecorder } from "../adversary/recorder.js";
import { type Args, callsIn } from "../lab/calls.js";
import { isDeep } from "../lab/depth.js";
import { onEmulator } from "../lab/emulated.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { apis, catalogueOfProject, servicesOfProject } from "../lab/project.js";

const tools = await catalogueOfProject();
const workflows = await allWorkflows(apis);
const changes = sampled(
  (await servicesOfProject())
    .flatMap(({ operations }) => Object.entries<AnyOperation>(operations))
    .filter(([, operation]) => !isRead(operation)),
  ([, operation]) => mechanismsOf(operation),
);

const exampleOf = (example: Args | undefined): Args => resolvedExample(example ?? {}, Date.now());
/** Each change with its example, also with a forged approval and in a batch, and every workflow. */
const attempts: readonly (readonly [tool: string, args: Args])[] = [
  ...changes.flatMap(([tool, { spec }]) =>
    [{}, { confirm: "plan_AAAAAAAAAAAAAAAAAAAAAA" }].map(
      (more) => [tool, { ...exampleOf(spec.example), ...more }] as const,
    ),
  ),
  ...workflows.map(([tool, { example }]) => [tool, exampleOf(example)] as const),
  ...changes.map(([tool, { spec }]) => [batchTool, { tool, arguments: [exampleOf(spec.example)] }] as const),
];

it.each([
  ["server", { isReadOnly: true }, caller, 1],
  // Both are refused in one place.
  ["client", {}, { ...caller, isReadOnly: true }, isDeep ? 1 : 4],
] as const)("a read-only %s sends no request of a change", async (_, options, by, step) => {
  const recorder = createRecorder();
  const { calls } = callsIn(createWorld(), { ...onEmulator(tools, recorder.emulator.send), ...options });
  const offenders: string[] = [];
  let refused = 0;
  for (const [tool, args] of attempts.filter((__, at) => at % step === 0)) {
    const outcome = await calls.call(tool, args, by);
    if (outcome.kind === "failure" && outcome.failure.code === "not_allowed") refused += 1;
    else if (changes.some(([change]) => change === tool)) offenders.push(`${tool} is not refused: ${outcome.kind}`);
  }
  const left = await recorder.changes();
  expect([...offenders, ...left.map(({ method, url }) => `${method} ${url.pathname} has left`)]).toEqual([]);
  expect(refused).toBeGreaterThan((3 * changes.length) / step - 5);
});
