/** What stands out of many things is what has a value that few of them have. */
import { expect, it } from "vitest";
import { unusualFirst, usualness } from "../../src/guard/preview/leaves.js";

const things = (values: readonly (readonly [string, string])[][]) => values;
const hosts = (...names: string[]) => things(names.map((name) => [["host", name]]));

it("has the share of the rarest of its values", () => {
  expect(usualness(hosts("a", "a", "a", "b"))).toEqual([0.75, 0.75, 0.75, 0.25]);
  const two = things([
    [
      ["host", "a"],
      ["verb", "x"],
    ],
    [
      ["host", "a"],
      ["verb", "x"],
    ],
    [
      ["host", "b"],
      ["verb", "x"],
    ],
    [
      ["host", "b"],
      ["verb", "y"],
    ],
  ]);
  expect(usualness(two)).toEqual([0.5, 0.5, 0.5, 0.25]);
});

it("is not told by a name whose values nearly all differ", () => {
  expect(usualness(hosts("a", "b", "c", "c"))).toEqual([1, 1, 1, 1]);
  expect(usualness([])).toEqual([]);
});

it("is told by a value that is missing", () => {
  expect(usualness(things([[["a", "1"]], [["a", "1"]], [["a", "1"]], []]))).toEqual([0.75, 0.75, 0.75, 0.25]);
});

it("comes first, and all others stay in their order", () => {
  expect(unusualFirst(hosts("a", "a", "b", "a"))).toEqual([2, 0, 1, 3]);
  expect(unusualFirst(hosts("a", "b", "c"))).toEqual([0, 1, 2]);
});
