/** No argument, whatever it holds, can make a call reach another operation: every string is refused or stays one segment. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { allServices } from "../../src/tools/index.js";
import { resolveRequest, templateOf } from "../../src/wire/request.js";
import { checkedWith } from "../lab/checked.js";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";

const target = { origin: "https://host.example", vendor: "akamai" };
const operations = (await allServices())
  .flatMap(({ operations: own }) => Object.entries(own) as [string, AnyOperation][])
  .filter(([, { spec }]) => spec.path);

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."./\\%2eE5cfF?#;&@: aZ09-\u0000\n\r\u2024\uff0e\uff0f\u202e"), maxLength: 12 }),
  fc.constantFrom(
    ...["..", ".", "...", "%2e%2e", "%2E.", "..%2f..%2fx", "a/../b", "a\\b", "//evil", "/\\evil", "a?x=1", "a#b"],
    ...["a;x=1", "", " ", "\t", ".. ", " .", "s@123 ", "．．", "@evil.example", "s@123"],
  ),
);

it(promise("value-in-segment", "a value in a path is refused or stays in its segment"), async () => {
  let kept = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), hostile, async ([tool, operation], value) => {
      const names = Object.keys(operation.spec.path ?? {});
      const path = Object.fromEntries(names.map((name) => [name, value]));
      const args = checkedWith({ path });
      let url: URL;
      try {
        ({ url } = await resolveRequest(tool, operation, args, target));
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        refused += 1;
        return;
      }
      kept += 1;
      const template = templateOf(operation).path.split("/");
      const segments = url.pathname.split("/");
      expect(url.origin).toBe(target.origin);
      expect(segments).toHaveLength(template.length);
      template.forEach((part, index) => {
        expect(decodeURIComponent(segments[index] ?? "")).toBe(part.startsWith("{") ? value : part);
      });
    }),
    { numRuns: runs(400) },
  );
  expect(kept).toBeGreaterThan(10);
  expect(refused).toBeGreaterThan(100);
});
