/** Every imported operation of the box is called on the emulator: reads answer, and every change previews first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { caller } from "../calls/made-up.js";
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

it("answers every read, and previews every change without sending it", async () => {
  const wrong: string[] = [];
  const kinds = { answer: 0, preview: 0, refused: 0 };
  for (const tool of tools()) {
    const outcome: Outcome = await made.engine.calls.call(tool.name, argumentsFor(tool), caller);
    const { refused } = tool.facts().compiled;
    const wanted = refused !== undefined ? "failure" : tool.effect === "read" ? "answer" : "preview";
    if (outcome.kind !== wanted)
      wrong.push(`${tool.name}: ${outcome.kind === "failure" ? outcome.failure.message : outcome.kind}`);
    else if (outcome.kind === "failure") kinds.refused += 1;
    else if (outcome.kind === "answer" || outcome.kind === "preview") kinds[outcome.kind] += 1;
  }
  expect(made.lines.filter((line) => line.startsWith("edgewise"))).toEqual([]);
  expect(wrong).toEqual([]);
  expect(kinds.answer).toBeGreaterThan(700);
  expect(kinds.preview).toBeGreaterThan(500);
}, 60_000);
