/** The emulator of imported operations: what it was sent comes back as far as the definition has a place for it. */
import { expect, it } from "vitest";
import { importedEntries } from "../../src/emulator/imported.js";
import { importing, toolsOf } from "../definitions/boxed.js";
import { startRaw } from "../lab/raw.js";

it("an imported change answers no member beyond its closed definition", async () => {
  const { library } = await importing();
  const raw = startRaw({ entries: importedEntries(library) });
  const judged = toolsOf(library).flatMap(({ route, declaredBy, facts }) => {
    const { compiled, definition } = facts();
    const [method = "", path = ""] = route.split(" ");
    const [[status, media] = []] = Object.entries(compiled.returns);
    const { additionalProperties, properties = {} } = definition.shapes[media?.shape ?? -1] ?? {};
    // A declared one is answered by its service.
    if (declaredBy !== undefined) return [];
    const isClosed = additionalProperties === false && /^(POST|PUT|PATCH)$/.test(method);
    return isClosed ? [{ method, target: path.replaceAll(/\{\w+\}/g, "1"), status: Number(status), properties }] : [];
  });
  const beyond: string[] = [];
  let answered = 0;
  for (const { method, target, status, properties } of judged) {
    const answer = await raw.send(method, target, { unheardOf: 1 });
    if (answer.status !== status) continue;
    answered += 1;
    const members = Object.keys(answer.json() as object).filter((name) => !Object.hasOwn(properties, name));
    if (members.length > 0) beyond.push(`${method} ${target}: ${members.join()}`);
  }
  expect(answered).toBeGreaterThan(50);
  expect(beyond).toEqual([]);
});
