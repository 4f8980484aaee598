/** Answers and arguments that are not as they were declared, over the wire of a built server. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../../src/language/define.js";
import { holdsForEach } from "../../lab/laws.js";
import { mechanismsOf, sampled } from "../../lab/mechanisms.js";
import { servicesOfProject } from "../../lab/project.js";
import { wrong } from "../../lab/wrong-arguments.js";
import { scripted } from "../scripted.js";
import { json } from "../upstream.js";

// All operations are tested on the sources; here one for each form of a request.
const ofRequests = /^request /;

const { upstream, against } = await scripted();

it("a note tells of an answer that is not as it was declared", async () => {
  const { call } = await against((response) => json(response, 200, { queueLength: "many" }));
  const { structuredContent } = await call("purge_queue_get", { queueName: "default" });
  expect(structuredContent).toMatchObject({ status: 200, data: { queueLength: "many" } });
  const notes = structuredContent["notes"] as string[];
  expect(notes.filter((note) => note.includes("declare"))).toHaveLength(1);
});

it("wrong arguments name the field, and nothing is sent", async () => {
  const operations = (await servicesOfProject()).flatMap(
    (service) => Object.entries(service.operations) as [string, AnyOperation][],
  );
  const few = sampled(operations, ([, operation]) => mechanismsOf(operation).filter((word) => ofRequests.test(word)));
  const { call } = await against((response) => json(response, 200, {}));
  await holdsForEach(few, async (name, operation) => {
    for (const [what, args, field] of wrong(operation)) {
      const { isError, structuredContent, content } = await call(name, args);
      expect([what, isError, structuredContent["error"]]).toEqual([what, true, "invalid_input"]);
      const fields = (structuredContent["fields"] as { field: string }[]).map((one) => one.field).join(" ");
      expect(fields, what).toContain(field);
      expect(content[0]?.text.length, what).toBeLessThan(6_000);
    }
  });
  expect(upstream.received).toEqual([]);
});
