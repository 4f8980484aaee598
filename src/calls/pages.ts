/** Pagination: one page with how to get the next, or all pages up to a limit. */
import { isDeepStrictEqual } from "node:util";
import { mostRecords, type Paging } from "../language/conduct.js";
import { memberAt, withMember } from "../language/member.js";
import type { ValidatedArguments } from "../schema/arguments.js";
import type { Reply } from "../wire/index.js";
import type { Progress } from "./context.js";

type ReadPage = (checked: ValidatedArguments) => Promise<Reply>;

const recordsOf = ({ items }: Paging, { body }: Reply): readonly unknown[] | undefined => {
  const found = items === undefined ? body : memberAt(body, items);
  return Array.isArray(found) ? found : undefined;
};

/** The start of a page and its maximum size. */
function pageBounds(paging: Paging, { query }: ValidatedArguments): { readonly start: number; readonly size: number } {
  return { start: Number(query[paging.start] ?? 0), size: Number(query[paging.size] ?? paging.defaultSize) };
}

interface NextPage {
  readonly start: number;
  /** Whether the API reports that there are more; a full page can also be the last. */
  readonly isCertain: boolean;
}

/** The page after one that begins at `start`; undefined if that page was the last. */
function pageAfter(paging: Paging, reply: Reply, start: number, size: number): NextPage | undefined {
  const records = recordsOf(paging, reply);
  if (records === undefined || records.length === 0) return undefined;
  const before = paging.counts === "records" ? start : start * size;
  const total = paging.total === undefined ? undefined : memberAt(reply.body, paging.total);
  const more = paging.more === undefined ? undefined : memberAt(reply.body, paging.more);
  const hasMore =
    typeof more === "boolean" ? more : typeof total === "number" ? before + records.length < total : undefined;
  const isCertain = hasMore !== undefined;
  if (!(hasMore ?? records.length >= size)) return undefined;
  return { start: paging.counts === "records" ? start + records.length : start + 1, isCertain };
}

/** Reads one page, with a note on how to get the next. */
async function readPage(paging: Paging, checked: ValidatedArguments, read: ReadPage): Promise<Reply> {
  const reply = await read(checked);
  const { start, size } = pageBounds(paging, checked);
  const next = pageAfter(paging, reply, start, size);
  if (next === undefined) return reply;
  const note = `There ${next.isCertain ? "is" : "may be"} more: the next page has ${paging.start} ${next.start}, or set allPages to true.`;
  return { ...reply, notes: [...reply.notes, note] };
}

/** Reads page after page and combines their records, up to the limit. */
async function readAllPages(
  paging: Paging,
  checked: ValidatedArguments,
  read: ReadPage,
  progress: Progress,
): Promise<Reply> {
  const { start: from, size } = pageBounds(paging, checked);
  const all: unknown[] = [];
  let latest: readonly unknown[] = [];
  let pages = 0;
  const combine = (reply: Reply, more: string): Reply => {
    const body = paging.items === undefined ? all : withMember(reply.body, paging.items.split("."), all);
    return { ...reply, body, notes: [...reply.notes, `${all.length} records of ${pages} page(s)${more}.`] };
  };
  for (let start = from; ; ) {
    const reply = await read({ ...checked, query: { ...checked.query, [paging.start]: start } });
    const records = recordsOf(paging, reply);
    // A body without the list is returned unchanged.
    if (records === undefined) return reply;
    if (records.length > 0 && isDeepStrictEqual(records, latest))
      return combine(
        reply,
        `; the API returned the same page again for ${paging.start} ${start}, so reading stopped there`,
      );
    all.push(...records);
    latest = records;
    pages += 1;
    const next = pageAfter(paging, reply, start, size);
    if (next === undefined) return combine(reply, "");
    if (all.length >= mostRecords(paging))
      return combine(reply, `; there ${next.isCertain ? "are" : "may be"} more from ${paging.start} ${next.start} on`);
    await progress(pages, `${all.length} records of ${pages} page(s) read`);
    start = next.start;
  }
}

/**
 * Reads a paged list as its arguments request it.
 * @param progress Called for every page except the last.
 */
export const readPages = (
  paging: Paging,
  checked: ValidatedArguments,
  read: ReadPage,
  progress: Progress,
): Promise<Reply> =>
  checked.allPages ? readAllPages(paging, checked, read, progress) : readPage(paging, checked, read);
