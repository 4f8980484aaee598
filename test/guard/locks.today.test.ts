/** The law of locks: a write whose definition asks for the stamp of what is there carries the one that was read. */
import { expect, it } from "vitest";
import { boxedDefinitions } from "../../scripts/box.js";
import { plainRoute } from "../../src/definitions/route.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { memberAt } from "../../src/language/member.js";
import { createRecorder } from "../adversary/recorder.js";
import { callsIn } from "../lab/calls.js";
import { onEmulator } from "../lab/emulated.js";
import { catalogueOfProject, servicesOfProject } from "../lab/project.js";

/** The routes whose definition asks for the header. */
const asking = new Set(
  boxedDefinitions()
    .flatMap(({ operations }) => Object.values(operations))
    .filter(({ headers = {} }) => Object.values(headers).some(({ wire }) => wire === "If-Match"))
    .map(({ route }) => plainRoute(route)),
);
const writes = (await servicesOfProject())
  .flatMap(({ operations }) => Object.entries<AnyOperation>(operations))
  .filter(([, operation]) => !isRead(operation) && asking.has(plainRoute(operation.route)));
const tools = await catalogueOfProject();

/** The stamp that a write of an operation's example carries, and the one of what it replaces. */
async function stampsOf(tool: string, { spec: { lock, example = {} } }: AnyOperation) {
  const { emulator, changes } = createRecorder();
  const { call, approved, answer } = callsIn(createWorld(), onEmulator(tools, emulator.send));
  const { body: _, ...place } = example;
  const etag = lock && memberAt(await answer(lock.from, place), lock.at ?? "");
  const outcome = await call(tool, example);
  if (outcome.kind === "preview") await approved(tool, example);
  return { carried: (await changes()).map(({ headers }) => headers["if-match"]), read: `"${String(etag)}"` };
}

it("each write that has to carry a stamp carries the one that was read", async () => {
  expect(writes.map(([tool]) => tool)).toHaveLength(6);
  const offenders: string[] = [];
  for (const [tool, operation] of writes) {
    const { carried, read } = await stampsOf(tool, operation);
    if (carried.join() !== read) offenders.push(`${tool} carries ${carried.join() || "none"} in place of ${read}`);
  }
  expect(offenders).toEqual([]);
});
