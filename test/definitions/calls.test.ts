/** Every imported operation of the box is called on the emulator: reads answer, and every change previews first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { operationRows } from "../../src/commands/operations.js";
import type { ImportedTool } from "../../src/definitions/library.js";
import { allServices } from "../../src/tools/index.js";
import { caller } from "../lab/made-up.js";
import { promise } from "../lab/rules.js";
import { argumentsFor, importing } from "./boxed.js";

let made: Awaited<ReturnType<typeof importing>>;
beforeAll(async () => {
  made = await importing();
});
afterAll(() => made.engine.close());

const tools = () =>
  made.library
    .summaries()
    .flatMap(({ operations }) => Object.keys(operations).flatMap((name) => made.library.find(name) ?? []));

const patterns = operationRows(await allServices()).map(
  ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/[.?]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
);
/** Whether the emulator of a declared service answers an imported read, or the read of the state before a change. */
const isOfDeclared = (tool: ImportedTool): boolean => {
  const { shownBy = tool.name } = tool.facts().compiled;
  const { route = tool.route } = made.library.find(shownBy) ?? {};
  return [tool.route, route].some((one) => patterns.some((pattern) => pattern.test(one)));
};

it(
  promise("imported-changes-preview", "answers every read, and previews every change without sending it"),
  async () => {
    const wrong: string[] = [];
    const kinds = { answer: 0, preview: 0, refused: 0, byDeclared: 0 };
    for (const tool of tools()) {
      const outcome: Outcome = await made.engine.calls.call(tool.name, argumentsFor(tool), caller);
      const { refused } = tool.facts().compiled;
      const wanted = refused !== undefined ? "failure" : tool.effect === "read" ? "answer" : "preview";
      // The emulator of a declared service answers for itself: it knows none of the made-up ids, and has rules.
      const { status = 0 } = outcome.kind === "failure" ? outcome.failure.detail : {};
      if ([400, 403, 404].includes(status) && isOfDeclared(tool)) {
        kinds.byDeclared += 1;
        continue;
      }
      if (outcome.kind !== wanted)
        wrong.push(`${tool.name}: ${outcome.kind === "failure" ? outcome.failure.message : outcome.kind}`);
      else if (outcome.kind === "failure") kinds.refused += 1;
      else if (outcome.kind === "answer" || outcome.kind === "preview") kinds[outcome.kind] += 1;
    }
    expect(made.lines.filter((line) => line.startsWith("edgewise"))).toEqual([]);
    expect(wrong).toEqual([]);
    expect(kinds.answer + kinds.byDeclared).toBeGreaterThan(700);
    expect(kinds.answer).toBeGreaterThan(600);
    expect(kinds.preview).toBeGreaterThan(500);
  },
);
