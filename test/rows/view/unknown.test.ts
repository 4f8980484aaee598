/** What a view names and the rows do not have: left out with a note where the rest is true without it, and refused elsewhere. */
import { describe, expect, it } from "vitest";
import { applied, problemsOf, rowsOf } from "./apply.js";

const rows = [
  { name: "a", hits: 3, bytes: 30 },
  { name: "b", hits: 1, bytes: 70 },
];

describe("what is left out", () => {
  it("is an unknown field, with the nearest name", () => {
    const { rows: shown, notes } = applied(rows, { fields: "name, hots" });
    expect(shown).toEqual([{ name: "a" }, { name: "b" }]);
    expect(notes).toEqual([expect.stringMatching(/^fields: "hots" is left out.*hits/)]);
  });

  it("is one of several that an order is by", () => {
    const { rows: shown, notes } = applied(rows, { sort: ["hots", "hits"] });
    expect(shown.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(notes).toEqual([expect.stringContaining('"hots" is left out')]);
    const grouped = applied(rows, { group_by: "name", sort: "hots, -name" });
    expect(grouped.rows.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(grouped.notes).toEqual([expect.stringContaining('"hots" is left out')]);
  });

  it("is one of several aggregates", () => {
    const { rows: shown, notes } = applied(rows, { aggregate: "sum(hits), max(hots)" });
    expect(shown).toEqual([{ "sum(hits)": 4 }]);
    expect(notes).toEqual([expect.stringContaining('aggregate: "hots" is left out')]);
  });
});

it.each([
  [{ fields: "hots, bites" }, "fields"],
  [{ sort: "hots" }, "sort"],
  [{ group_by: "name", sort: "hots" }, "sort"],
  [{ aggregate: "sum(hots)" }, "aggregate"],
  [{ group_by: "name, hots" }, "group_by"],
  [{ where: ["hits > 1", "hots > 1"] }, "where"],
])("unknown fields: %j is refused rather than shown in part", (view, field) => {
  const [problem] = problemsOf(rows, view);
  expect(problem?.field).toBe(field);
  expect(problem?.takes).toMatch(/name|hits/);
});

it("the names that several parts of a view could have are listed once", () => {
  const view = { where: ["hots > 1", "bites > 1"], group_by: "nome, day(nome)", aggregate: ["sum(hots)", "som(hits)"] };
  const takes = problemsOf(rows, view).map((problem) => problem.takes);
  expect(takes).toHaveLength(6);
  expect(takes.filter((one) => one.includes("name, hits, bytes"))).toHaveLength(1);
});

describe("a share without a member", () => {
  it("is that of the one sum", () => {
    const view = { group_by: "name", aggregate: "sum(hits), share", sort: "-share" };
    expect(rowsOf(rows, view)).toEqual([
      { name: "a", "sum(hits)": 3, "share(hits)": 75 },
      { name: "b", "sum(hits)": 1, "share(hits)": 25 },
    ]);
    expect(rowsOf(rows, { group_by: "name", aggregate: "total(bytes), count, share as part" })[1]).toMatchObject({
      part: 70,
    });
  });

  it("a share without a member counts rows unless there is one sum", () => {
    expect(rowsOf(rows, { group_by: "name", aggregate: "share" })[0]).toEqual({ name: "a", share: 50 });
    const { rows: shown, notes } = applied(rows, { group_by: "name", aggregate: "sum(hits), sum(bytes), share" });
    expect(shown[0]).toMatchObject({ share: 50 });
    expect(notes).toEqual(["share is of the number of rows; share(hits) is of that sum."]);
  });
});
