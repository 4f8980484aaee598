/** Conditions written as short texts choose the rows that a reader would choose. */
import { expect, it } from "vitest";
import { applied, problemsOf, rowsOf } from "./apply.js";

const rows = [
  {
    id: 1,
    name: "shop-eu",
    type: "A",
    hits: "900",
    status: 404,
    start: "2026-04-30T23:00:00Z",
    tags: ["a", "b"],
    end: null,
  },
  { id: 2, name: "Shop-US", type: "AAAA", hits: "1000", status: 200, start: "2026-05-01T00:00:00Z", tags: [], end: "" },
  {
    id: 3,
    name: "blog",
    type: "MX",
    hits: "20000",
    status: 404,
    start: "2026-05-01T23:59:59Z",
    tags: ["b"],
    end: "05/03/2026",
  },
  { id: 4, name: "terms and conditions", type: "a", hits: "n/a", status: 500, start: "2026-05-02T00:00:00Z" },
];
const idsOf = (where: string | string[], zone?: string) =>
  rowsOf(rows, { where, ...(zone ? { time_zone: zone } : {}) }).map(({ id }) => id);

it.each([
  ["status = 404", [1, 3]],
  ["status == 404.0", [1, 3]],
  ["status != 404", [2, 4]],
  // As text, "900" would come after "1000" and "20000".
  ["hits >= 1000", [2, 3]],
  ["hits < 1000", [1]],
  ["hits<=900", [1]],
  ["name contains shop", [1, 2]],
  ["name not contains shop", [3, 4]],
  ["name starts with s", [1, 2]],
  ["name ends with 'us'", [2]],
  ["type in A,AAAA", [1, 2, 4]],
  ["type not in (A, 'AAAA')", [3]],
  ["type is MX", [3]],
  ["end is empty", [1, 2, 4]],
  ["end is not null", [3]],
  ["tags = b", [1, 3]],
  ["tags is empty", [2, 4]],
  // A date is the whole day.
  ["start = 2026-05-01", [2, 3]],
  ["start >= 2026-05-01", [2, 3, 4]],
  ["start > 2026-05-01", [4]],
  ["start <= 2026-05-01", [1, 2, 3]],
  ["start < 2026-05-01", [1]],
  ["start >= 2026-05-02T02:00:00+02:00", [4]],
  ["end < 2026-05-04", [3]],
  ["hour(start) = 23", [1, 3]],
  ["weekday(start) in Saturday", [4]],
  ["name = terms and conditions", [4]],
  ["status = 404 and hits > 1000", [3]],
  ['`name` = "blog"', [3]],
])("%s", (where, ids) => {
  expect(idsOf(where)).toEqual(ids);
});

it("conditions combine, and a note says how many rows match", () => {
  const { rows: left, notes } = applied(rows, { where: ["status = 404", "type = A"] });
  expect(left).toEqual([rows[0]]);
  expect(notes).toContain("where matches 1 of 4 rows.");
});

it("has days and times without an offset in the time zone", () => {
  // 1 May in Berlin lasts from 22:00 to 22:00 UTC.
  expect(idsOf("start = 2026-05-01", "Europe/Berlin")).toEqual([1, 2]);
  expect(idsOf("start >= 2026-05-01T02:00", "Europe/Berlin")).toEqual([2, 3, 4]);
});

it("where: epoch seconds and milliseconds match written times and now", () => {
  const logs = [{ t: 1_785_542_400 }, { t: "1785542399999" }, { t: 1_785_628_800_000 }];
  expect(rowsOf(logs, { where: "t >= 2026-08-01" })).toEqual([logs[0], logs[2]]);
  const nowMs = Date.UTC(2026, 7, 1, 12);
  expect(rowsOf(logs, { where: "t < now+12h" }, { nowMs })).toEqual([logs[0], logs[1]]);
  expect(rowsOf(logs, { where: "t >= now" }, { nowMs })).toEqual([logs[2]]);
});

it("compares integers exactly that a number would round", () => {
  const large = [{ n: "9007199254740993" }, { n: "9007199254740992" }];
  expect(rowsOf(large, { where: "n = 9007199254740993" })).toEqual([large[0]]);
  expect(rowsOf(large, { where: "n > 9007199254740992" })).toEqual([large[0]]);
});

it("where: refuses text that is no condition, and alternatives by or", () => {
  expect(problemsOf(rows, { where: "everything" })[0]).toMatchObject({ field: "where", given: '"everything"' });
  expect(problemsOf(rows, { where: "status =" })).toHaveLength(1);
  expect(problemsOf(rows, { where: "status = 404 or status = 500" })[0]?.takes).toContain("use in");
});

it("where: an unknown field is answered with the nearest and all", () => {
  expect(problemsOf(rows, { where: "statsu = 404" })).toEqual([
    {
      field: "where",
      given: '"statsu"',
      takes: 'a field of the rows: id, name, type, hits, status, start, tags, end (did you mean "status"?)',
      mends: [{ at: ["where"], from: "statsu", to: "status" }],
    },
  ]);
});

it("knows no inherited member, and changes no prototype", () => {
  const hostile = JSON.parse('[{"a": 1, "__proto__": {"polluted": 1}}, {"a": 2}]') as Record<string, unknown>[];
  expect(problemsOf(rows, { where: "constructor is not empty" })).toHaveLength(1);
  expect(problemsOf(rows, { fields: "toString" })).toHaveLength(1);
  expect(rowsOf(hostile, { where: "__proto__.polluted = 1", fields: ["a"] })).toEqual([{ a: 1 }]);
  const [row] = rowsOf(hostile, { fields: ["__proto__"] });
  expect(Object.keys(row ?? {})).toEqual(["__proto__"]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  const grouped = rowsOf(hostile, { group_by: "__proto__", aggregate: "sum(a) as constructor" });
  expect(grouped.map((one) => [Object.getPrototypeOf(one) === Object.prototype, Object.keys(one)])).toEqual([
    [true, ["__proto__", "constructor"]],
    [true, ["__proto__", "constructor"]],
  ]);
});
