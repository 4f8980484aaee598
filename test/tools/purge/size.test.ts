/** The length of a purge: one that the service would not take is refused before its preview, with how to split it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { callsIn } from "../../lab/calls.js";
import { runs } from "../../lab/depth.js";
import { apis } from "../../lab/project.js";

const limit = 50_000;
const calls = callsIn(createWorld());
const submitted = (objects: readonly string[]) =>
  apis === "today"
    ? { action: "invalidate", kind: "url", network: "staging", body: { objects } }
    : { queueName: "default", body: { objects, action: "invalidate", type: "arl", domain: "staging" } };
const bytesOf = (objects: readonly string[]) => Buffer.byteLength(JSON.stringify(submitted(objects).body));
const urls = fc.array(fc.stringMatching(/^https:\/\/www\.example\.com\/[a-zé"]{0,60}$/), {
  minLength: 1,
  maxLength: 50,
});

it("a body of 50,000 bytes is previewed, and one byte more refused", async () => {
  await fc.assert(
    fc.asyncProperty(urls, fc.integer({ min: 0, max: 50 }), async (some, more) => {
      const long = [...some, "x".repeat(limit - bytesOf([...some, ""]))];
      expect((await calls.previewed("purge_submit", submitted(long))).plan.id).toMatch(/\S/);
      const { code, fields } = await calls.refused("purge_submit", submitted([`x${some[0]}`, ...long.slice(1)]));
      expect({ code, field: fields[0] }).toMatchObject({
        code: "invalid_input",
        field: expect.stringMatching(/50,000 bytes/),
      });

      const all = Array.from({ length: 700 + more }, (_, index) => `${some[index % some.length]}${"y".repeat(80)}`);
      const refused = await calls.refused("purge_submit", submitted(all));
      const fitting = Number(/the first (\d+) of/.exec(refused.fields[0] ?? "")?.[1]);
      expect(bytesOf(all.slice(0, fitting))).toBeLessThanOrEqual(limit);
      expect(bytesOf(all.slice(0, fitting + 1))).toBeGreaterThan(limit);
    }),
    { numRuns: runs(5) },
  );
});

it("a single object over 50,000 bytes is refused as too long", async () => {
  const { fields } = await calls.refused("purge_submit", submitted(["x".repeat(limit)]));
  expect(fields).toEqual([expect.stringMatching(/the first object alone is too long/)]);
});
