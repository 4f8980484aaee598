/** What a media report asks for, by name or id: sent as ids of one data store, or refused with the stores that could serve it. */
import { describe, expect, it } from "vitest";
import type { ReadByTool } from "../../../src/language/check.js";
import type { Arguments } from "../../../src/language/conduct.js";
import { resolveNames } from "../../../src/tools/media-analytics/combine.js";

const store = (id: number, aggregation: number, days: number, dimensions: object[], metrics: object[]) => ({
  id,
  name: `store_${id}`,
  dimensions,
  metrics,
  aggregation,
  purgeIntervalInDays: days,
  maxQueryDurationInMinutes: days * 1_440,
});
const time = { id: 1, name: "Time", type: "standard" };
const country = { id: 5, name: "Country", type: "standard" };
const device = { id: 6, name: "Device", type: "standard" };
const plays = { id: 40, name: "Plays" };
const viewers = { id: 41, name: "Unique Viewers" };
/** A metric whose name is the id of another one, as a response code is. */
const numbered = { id: 44, name: "41" };
const stores = [
  store(101, 300, 30, [time, device], [plays, viewers]),
  store(102, 3_600, 90, [time, country], [plays]),
  store(103, 86_400, 365, [time, device], [plays, viewers, numbered]),
];
const period = { startDate: "05/18/2026", endDate: "05/19/2026" };

async function resolve(args: Arguments, answer: unknown = stores, family?: string) {
  const asked: unknown[] = [];
  const read: ReadByTool = async (...call) => {
    asked.push(call);
    return answer;
  };
  const given = { family: "audience-analytics", reportPackId: 6831, ...period, ...args };
  return {
    asked,
    found: await resolveNames(family)({ args: given, read, medium: undefined, present: async () => undefined }),
  };
}
const problemsOf = async (args: Arguments, answer?: unknown) => {
  const { found } = await resolve(args, answer);
  if (!("problems" in found)) throw new Error("no problem was found");
  return found.problems;
};
const valuesOf = async (args: Arguments) => {
  const { found } = await resolve(args);
  if ("problems" in found) throw new Error(found.problems[0]?.takes);
  return found;
};

describe("names and ids", () => {
  it("media names become ids in columns, filters and order, in any case", async () => {
    const { asked, found } = await resolve({
      dimensions: ["time", " Device "],
      metrics: [40, "41"],
      filterParams: [{ type: "metric", id: "unique viewers", condition: "gt", values: [1] }],
      sortParams: [{ type: "metric", id: "PLAYS", order: "desc" }],
    });
    expect(asked).toEqual([["media_data_stores_list", { family: "audience-analytics", reportPackId: 6831 }]]);
    expect(found).toEqual({
      values: {
        dimensions: [1, 6],
        metrics: [40, 41],
        filterParams: [{ type: "metric", id: 41, condition: "gt", values: [1] }],
        sortParams: [{ type: "metric", id: 40, order: "desc" }],
      },
      notes: [
        'Data store 101 (store_101) serves this query in rows of 300 seconds and keeps data for 30 days; dimension "time" is 1, dimension " Device " is 6, metric "unique viewers" is 41, metric "PLAYS" is 40.',
      ],
    });
  });

  it("media names are read as viewer diagnostics if no family is given", async () => {
    const { asked } = await resolve({ family: undefined, metrics: [40] }, stores, "viewer-diagnostics");
    expect(asked).toEqual([["media_data_stores_list", { family: "viewer-diagnostics", reportPackId: 6831 }]]);
  });

  it("media names that no store has are refused with the nearest and all", async () => {
    const [first, second, ...rest] = await problemsOf({
      dimensions: ["Time", "Contry"],
      metrics: ["Plays"],
      sortParams: [{ type: "metric", id: 99, order: "asc" }],
    });
    expect(rest).toEqual([]);
    expect(first).toEqual({
      field: "dimensions[1]",
      given: '"Contry"',
      takes: expect.stringContaining('(did you mean "Country"?): 1 (Time), 6 (Device), 5 (Country)'),
    });
    expect(second).toMatchObject({ field: "sortParams[0].id", given: "99" });
  });
});

describe("the data store", () => {
  it("a data store has to serve all names: else the nearest are listed", async () => {
    const [problem, ...rest] = await problemsOf({ dimensions: ["Country"], metrics: ["Plays", "Unique Viewers"] });
    expect(rest).toEqual([]);
    expect(problem?.field).toBe("metrics");
    expect(problem?.takes).toContain('data store 102 (store_102) serves "Country", "Plays" without "Unique Viewers"');
    expect(problem?.takes).toContain('"Unique Viewers": 101 (store_101), 103 (store_103)');
    expect(problem?.takes).toContain('"Country": 102 (store_102)');
  });

  it("counts what only a filter uses, too", async () => {
    const filterParams = [{ type: "dimension", id: "Country", condition: "in", values: ["DE"] }];
    const [problem] = await problemsOf({ dimensions: ["Device"], filterParams });
    expect(problem?.field).toBe("dimensions");
  });

  it("is one that takes the period; the aggregation decides between them", async () => {
    const both = { dimensions: ["Device"], metrics: ["Plays"] };
    const long = { ...both, startDate: "03/01/2026", endDate: "05/01/2026:12:00" };
    const storeOf = async (args: Arguments) => (await valuesOf(args)).notes[0]?.slice(0, 14);
    expect(await storeOf(both)).toBe("Data store 101");
    expect(await storeOf(long)).toBe("Data store 103");
    expect(await storeOf({ ...both, aggregation: "day" })).toBe("Data store 103");
    expect(await storeOf({ ...both, aggregation: 600 })).toBe("Data store 101");
    const [tooLong] = await problemsOf({ ...both, startDate: "01/01/2025", endDate: "05/01/2026" });
    expect(tooLong).toMatchObject({
      field: "endDate",
      takes: expect.stringContaining("at most 30 days in data store 101 (store_101), 365 days in data store 103"),
    });
  });

  it("no data store is read without columns, or guessed if unreadable", async () => {
    const { asked, found } = await resolve({ sortParams: [{ type: "metric", id: 40, order: "asc" }] });
    expect(found).toMatchObject({ problems: [{ field: "metrics" }] });
    expect(asked).toEqual([]);
    for (const answer of [[], { error: "none" }, [{ id: "x" }]])
      expect(await problemsOf({ metrics: [40] }, answer)).toMatchObject([{ field: "reportPackId", given: "6831" }]);
  });
});
