/** Everything that can be wrong with arguments is refused with its field, and nothing is sent. */
import { expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { argumentsSchema } from "../../src/arguments/index.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { mediaList } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { bare } from "../../src/schema/shape.js";
import { callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { operationsIn, servicesOfProject } from "../lab/project.js";
import { wrong } from "../lab/wrong-arguments.js";

const services = await servicesOfProject();
const operations = operationsIn(services);

/** The types of the members of an object, which is what their check goes by. */
const typesIn = (schema: z.ZodType, at: string): string[] => {
  const object = bare(schema);
  if (!(object instanceof z.ZodObject)) return [`${at} ${object.type}`];
  return Object.values(object.shape).map((member) => `${at} ${bare(member as z.ZodType).type}`);
};
const formsOf = (operation: AnyOperation): string[] => [
  ...typesIn(argumentsSchema(operation), "argument"),
  ...mediaList(operation.spec.body).flatMap(({ schema }) => typesIn(schema, "member")),
  ...mechanismsOf(operation).filter((word) => /^(method|request|style) /.test(word)),
];

it("every operation: bad input names its field and sends nothing", () => {
  const { call, audited } = callsIn(createWorld(), { callTimeoutMs: 60_000 });
  return holdsForEach(
    sampled(operations, ([, operation]) => formsOf(operation)),
    async (tool, operation) => {
      for (const [what, args, field] of wrong(operation)) {
        const outcome = await call(tool, args);
        expect([what, outcome]).toMatchObject([what, { kind: "failure", failure: { code: "invalid_input" } }]);
        if (outcome.kind !== "failure") continue;
        const fields = outcome.failure.detail.fields?.map((one) => one.field).join(" ");
        expect(fields, what).toContain(field);
        const { content } = resultOf(outcome, { upstream: "the upstream", secrets: [], maxTokens: 8_000 });
        expect(JSON.stringify(content).length, what).toBeLessThan(6_000);
      }
      expect(audited.filter((line) => line.includes('"requests":1'))).toEqual([]);
    },
  );
});
