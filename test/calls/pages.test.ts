/** Pagination on made-up lists: what a page says about the next, and what all pages return together. */
import { expect, it } from "vitest";
import { readPages } from "../../src/calls/pages.js";
import type { Paging } from "../../src/language/conduct.js";
import { mostRecords } from "../../src/language/conduct.js";
import { checkedWith } from "../lab/checked.js";

const byRecords: Paging = { start: "offset", counts: "records", size: "limit", defaultSize: 2 };
const byPages: Paging = { start: "page", counts: "pages", size: "pageSize", defaultSize: 2 };
const told = { items: "data.items", total: "data.total" };

const unheard = async () => undefined;

/** A paged list of `count` records; `ignores` makes an API that does not know the argument for the start. */
function listOf(count: number, paging: Paging, ignores = false) {
  const asked: unknown[] = [];
  const heard: unknown[] = [];
  const records = Array.from({ length: count }, (_, id) => ({ id }));
  const read: Parameters<typeof readPages>[2] = async ({ query }) => {
    asked.push(query[paging.start]);
    const start = ignores ? 0 : Number(query[paging.start] ?? 0);
    const size = Number(query[paging.size] ?? paging.defaultSize);
    const from = paging.counts === "records" ? start : start * size;
    const items = records.slice(from, from + size);
    const body = paging.items === undefined ? items : { name: "list", data: { items, total: count } };
    return { status: 200, headers: {}, body, notes: ["of the API"] };
  };
  const get = (query: Record<string, unknown> = {}, allPages = false) =>
    readPages(paging, checkedWith({ query, allPages }), read, async (pages, message) => {
      heard.push([pages, message]);
    });
  return { asked, heard, records, get };
}

it.each<[string, Paging, number, Record<string, unknown>, string | undefined]>([
  ["the first of records", byRecords, 5, {}, "There may be more: the next page has offset 2"],
  ["a later one of records", byRecords, 5, { offset: 2 }, "There may be more: the next page has offset 4"],
  ["the last of records", byRecords, 5, { offset: 4 }, undefined],
  ["the first of pages", byPages, 5, {}, "There may be more: the next page has page 1"],
  ["the last of pages", byPages, 5, { page: 2 }, undefined],
  ["one of another size", byRecords, 5, { limit: 4 }, "There may be more: the next page has offset 4"],
  ["one before a total", { ...byRecords, ...told }, 5, {}, "There is more: the next page has offset 2"],
  ["a full one that a total ends", { ...byRecords, ...told }, 4, { offset: 2 }, undefined],
  ["a full one of pages that a total ends", { ...byPages, ...told }, 4, { page: 1 }, undefined],
  ["a full one that may be the last", byRecords, 4, { offset: 2 }, "There may be more: the next page has offset 4"],
  ["one of an empty list", byRecords, 0, {}, undefined],
  ["one beyond the end", { ...byRecords, ...told }, 4, { offset: 9 }, undefined],
])("a page says what comes next: %s", async (_, paging, count, query, note) => {
  const { get, asked } = listOf(count, paging);
  const { notes } = await get(query);
  expect(notes).toEqual(["of the API", ...(note === undefined ? [] : [`${note}, or set allPages to true.`])]);
  expect(asked).toHaveLength(1);
});

it("a page without a list is returned unchanged", async () => {
  const reply = { status: 200, headers: {}, body: { error: "none" }, notes: [] };
  for (const allPages of [false, true])
    expect(await readPages({ ...byRecords, ...told }, checkedWith({ allPages }), async () => reply, unheard)).toEqual(
      reply,
    );
});

it("all pages: progress is reported for each page except the last", async () => {
  const { get, heard } = listOf(5, byRecords);
  await get({}, true);
  const said = ["2 records of 1 page(s) read", "4 records of 2 page(s) read"];
  expect(heard).toEqual(said.map((message, at) => [at + 1, message]));
  const one = listOf(5, byRecords);
  await one.get();
  expect(one.heard).toEqual([]);
});

it.each<[string, Paging, number, readonly number[]]>([
  ["records", byRecords, 5, [0, 2, 4]],
  ["pages", byPages, 5, [0, 1, 2]],
  ["records with a total, the last page full", { ...byRecords, ...told }, 4, [0, 2]],
  ["pages with a total, the last page full", { ...byPages, ...told }, 4, [0, 1]],
  ["no records", byRecords, 0, [0]],
  ["a full page that may be the last", byRecords, 4, [0, 2, 4]],
])("all pages bring every record once: %s", async (_, paging, count, starts) => {
  const { get, asked, records } = listOf(count, paging);
  const { body, notes } = await get({}, true);
  expect(asked).toEqual(starts);
  expect(body).toEqual(paging.items === undefined ? records : { name: "list", data: { items: records, total: count } });
  expect(notes).toEqual(["of the API", `${count} records of ${starts.length} page(s).`]);
});

it("all pages begin where the caller asks", async () => {
  const { get, asked, records } = listOf(5, byPages);
  expect((await get({ page: 1 }, true)).body).toEqual(records.slice(2));
  expect(asked).toEqual([1, 2]);
});

it("all pages end at the limit, or the list's own, and say what is left", async () => {
  const paging = { ...byRecords, ...told, defaultSize: 1_000 };
  const own = { ...paging, defaultSize: 2_500, most: 7_500 };
  for (const [count, by, note] of [
    [5_001, paging, "5000 records of 5 page(s); there are more from offset 5000 on."],
    [5_000, paging, "5000 records of 5 page(s)."],
    [9_000, own, "7500 records of 3 page(s); there are more from offset 7500 on."],
  ] as const) {
    const { get, asked } = listOf(count, by);
    expect((await get({}, true)).notes.at(-1)).toBe(note);
    expect(asked).toHaveLength(mostRecords(by) / by.defaultSize);
  }
});

it("all pages: reading goes on while the API says there is more", async () => {
  const paging = { ...byRecords, items: "rows", more: "meta.hasMore" };
  const read = (lengths: readonly number[]) => {
    const asked: unknown[] = [];
    const page: Parameters<typeof readPages>[2] = async ({ query }) => {
      const length = lengths[asked.push(query["offset"]) - 1] ?? 0;
      const rows = Array.from({ length }, (_, at) => [asked.length, at]);
      const body = { rows, meta: { hasMore: asked.length < lengths.length } };
      return { status: 200, headers: {}, body, notes: [] };
    };
    return { asked, page };
  };
  const short = read([1, 2, 2]);
  const all = await readPages(paging, checkedWith({ allPages: true }), short.page, unheard);
  expect(short.asked).toEqual([0, 1, 3]);
  expect(all.notes).toEqual(["5 records of 3 page(s)."]);
  const one = await readPages(paging, checkedWith({}), read([1, 1]).page, unheard);
  expect(one.notes).toEqual(["There is more: the next page has offset 1, or set allPages to true."]);
  expect((await readPages(paging, checkedWith({}), read([2]).page, unheard)).notes).toEqual([]);
});

it.each([byRecords, byPages, { ...byRecords, ...told }])(
  "all pages: reading ends when the API ignores the start argument",
  async (paging) => {
    const { get, asked, records } = listOf(5, paging, true);
    const { body, notes } = await get({}, true);
    const shown = records.slice(0, 2);
    expect(body).toEqual(paging.items === undefined ? shown : { name: "list", data: { items: shown, total: 5 } });
    expect(asked).toHaveLength(2);
    expect(notes.at(-1)).toMatch(
      /^2 records of 1 page\(s\); the API returned the same page again for (offset 2|page 1), so reading stopped there\.$/,
    );
  },
);
