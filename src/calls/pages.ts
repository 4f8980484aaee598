/** Lists that go on beyond one answer: one page with the way to the next, or all pages up to a bound. */
import { type CheckedArguments, maxPagedRecords } from "../api/arguments.js";
import type { Paging } from "../api/conduct.js";
import { memberAt, withMember } from "../api/member.js";
import type { Reply } from "../client/index.js";

type Page = (checked: CheckedArguments) => Promise<Reply>;

const recordsOf = ({ items }: Paging, { body }: Reply): readonly unknown[] | undefined => {
  const found = items === undefined ? body : memberAt(body, items);
  return Array.isArray(found) ? found : undefined;
};

/** Where a page begins and how many records it can have. */
function placeOf(paging: Paging, { query }: CheckedArguments): { readonly start: number; readonly size: number } {
  const { first, defaultSize } = paging;
  return { start: Number(query[paging.start] ?? first), size: Number(query[paging.size] ?? defaultSize) };
}

/** The start of the page after one that begins at `start`; undefined when that page was the last. */
function nextStart(paging: Paging, reply: Reply, start: number, size: number): number | undefined {
  const records = recordsOf(paging, reply);
  if (records === undefined || records.length === 0) return undefined;
  const before = paging.counts === "records" ? start - paging.first : (start - paging.first) * size;
  const total = paging.total === undefined ? undefined : memberAt(reply.body, paging.total);
  const hasMore = typeof total === "number" ? before + records.length < total : records.length >= size;
  if (!hasMore) return undefined;
  return paging.counts === "records" ? start + records.length : start + 1;
}

/** Reads one page, and says how the next one is asked for. */
async function readOne(paging: Paging, checked: CheckedArguments, read: Page): Promise<Reply> {
  const reply = await read(checked);
  const { start, size } = placeOf(paging, checked);
  const next = nextStart(paging, reply, start, size);
  if (next === undefined) return reply;
  const note = `There is more: the next page has ${paging.start} ${next}, or set allPages to true.`;
  return { ...reply, notes: [...reply.notes, note] };
}

/** Reads page after page and puts their records together, up to the bound. */
async function readAll(paging: Paging, checked: CheckedArguments, read: Page): Promise<Reply> {
  const { start: from, size } = placeOf(paging, checked);
  const all: unknown[] = [];
  let pages = 0;
  for (let start = from; ; pages += 1) {
    const reply = await read({ ...checked, query: { ...checked.query, [paging.start]: start } });
    all.push(...(recordsOf(paging, reply) ?? []));
    const next = nextStart(paging, reply, start, size);
    if (next !== undefined && all.length < maxPagedRecords) {
      start = next;
      continue;
    }
    const more = next === undefined ? "" : `; there is more from ${paging.start} ${next} on`;
    const body = paging.items === undefined ? all : withMember(reply.body, paging.items.split("."), all);
    return { ...reply, body, notes: [...reply.notes, `${all.length} records of ${pages + 1} page(s)${more}.`] };
  }
}

/** Reads a paged list as its arguments ask for it. */
export const readPages = (paging: Paging, checked: CheckedArguments, read: Page): Promise<Reply> =>
  checked.allPages ? readAll(paging, checked, read) : readOne(paging, checked, read);
