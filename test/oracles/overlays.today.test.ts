/** Which operations of today are overlays on their definitions, and which state facts again that the box has. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { facts, plain, services } from "./facts.js";

/** An overlay takes its answers from the definition when they are first asked for. */
const isOverlay = ({ spec }: AnyOperation): boolean =>
  Object.getOwnPropertyDescriptor(spec, "returns")?.get !== undefined;

it("each route of the box is declared by an overlay, but for two services", () => {
  const declared: Record<string, number> = {};
  for (const { name, operations } of services)
    for (const operation of Object.values<AnyOperation>(operations))
      if (facts.has(plain(operation.route)) && !isOverlay(operation)) declared[name] = (declared[name] ?? 0) + 1;
  // They carry the operations of the documents over to today, one line for each, and convert former arguments by the same schemas.
  expect(declared).toEqual({ "properties-v1": 34, "users-v3": 40 });
});
