/** The form of stored results in the database: their bytes in a row, or the rows of a file in chunks. */
import { open } from "node:fs/promises";
import { Failure } from "../../language/failure.js";
import { type RowContext, TextDocument } from "../../rows/result-store.js";
import { RowFile, type RowFiles } from "../../rows/row-file.js";
import type { Database, SqlRunner } from "./database.js";

const mebibyte = 1024 * 1024;
/** Larger files of rows stay on the instance that stored them. */
const maxSharedBytes = 64 * mebibyte;
const chunkBytes = mebibyte;

export interface StoredRowData {
  readonly handle: string;
  readonly owner: string;
  readonly account: string;
  readonly name?: string | undefined;
  readonly context: RowContext;
  readonly kind: "json" | "bytes" | "document" | "rows" | "elsewhere";
  /** What is needed in addition to the bytes. */
  readonly beside?: unknown;
  readonly bytes: number;
  readonly content?: Buffer | undefined;
}

export interface ResultRow extends Readonly<Record<string, unknown>> {
  readonly kind: StoredRowData["kind"];
  readonly context: RowContext & { readonly beside?: unknown };
  readonly handle: string;
  readonly content: Buffer | null;
}

/** A result in the form of a row, without the rows of a file. */
export function storedResultOf(content: unknown): Pick<StoredRowData, "kind" | "beside" | "bytes" | "content"> {
  if (content instanceof RowFile) {
    const { columns, count, bytes, places, at, value } = content;
    if (bytes > maxSharedBytes) return { kind: "elsewhere", bytes: 0 };
    return { kind: "rows", beside: { columns, count, places, at, value }, bytes };
  }
  if (content instanceof Uint8Array) return { kind: "bytes", bytes: content.byteLength, content: Buffer.from(content) };
  if (content instanceof TextDocument) {
    const text = Buffer.from(content.text);
    return { kind: "document", beside: { mimeType: content.mimeType }, bytes: text.length, content: text };
  }
  const json = Buffer.from(JSON.stringify(content) ?? "null");
  return { kind: "json", bytes: json.length, content: json };
}

const unreachable = (): Failure =>
  new Failure("not_found", "The rows of this result are too long for the store.", {
    why: "They are on the instance of this server that read them, and another one answers now.",
    next: "Repeat the read, with a shorter period or a view for what is needed of it.",
  });

/** Inserts results that are kept until a time; a handle that is already there is left as it is. */
export async function insertResults(
  { run }: SqlRunner,
  all: readonly StoredRowData[],
  { holder, nowMs, expiresAtMs }: { readonly holder: string; readonly nowMs: number; readonly expiresAtMs: number },
): Promise<void> {
  await run(
    `insert into edgewise.results
       (handle, owner, account, name, kind, context, bytes, content, holder, kept_ms, expires_ms)
     select handle, owner, account, name, kind, context::json, bytes, content, $9, $10, $11
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bytea[])
       as one (handle, owner, account, name, kind, context, bytes, content)
     on conflict (handle) do nothing`,
    [
      all.map(({ handle }) => handle),
      all.map(({ owner }) => owner),
      all.map(({ account }) => account),
      all.map(({ name }) => name ?? null),
      all.map(({ kind }) => kind),
      all.map(({ context, beside }) => JSON.stringify({ ...context, ...(beside === undefined ? {} : { beside }) })),
      all.map(({ bytes }) => bytes),
      all.map(({ content }) => content ?? null),
      holder,
      nowMs,
      expiresAtMs,
    ],
  );
}

/** Writes the rows of a file in chunks, in the transaction of their result. */
export async function insertRows({ run }: SqlRunner, handle: string, path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let at = 0; ; at += 1) {
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) return;
      const values = [handle, at, chunk.subarray(0, bytesRead)];
      await run("insert into edgewise.result_chunks (handle, at, content) values ($1, $2, $3)", values);
    }
  } finally {
    await file.close();
  }
}

/** The rows of a stored result as a file of this instance. */
async function readRows(
  database: Database,
  rowFiles: Pick<RowFiles, "create">,
  { handle, context }: ResultRow,
): Promise<RowFile> {
  const { columns, count, places, at, value } = context.beside as RowFile;
  const writer = await rowFiles.create();
  try {
    for (let chunk = 0; ; chunk += 1) {
      const { rows } = await database.run<{ readonly content: Buffer }>(
        "select content from edgewise.result_chunks where handle = $1 and at = $2",
        [handle, chunk],
      );
      if (rows[0] === undefined) return await writer.finish({ columns, count, places, at, value });
      await writer.write(rows[0].content);
    }
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/**
 * The content of a stored result.
 * @throws Failure `not_found` if its rows are on another instance.
 */
export async function contentOf(
  database: Database,
  rowFiles: Pick<RowFiles, "create">,
  stored: ResultRow,
): Promise<unknown> {
  const { kind, context, content } = stored;
  const bytes = content ?? Buffer.alloc(0);
  switch (kind) {
    case "json":
      return JSON.parse(bytes.toString());
    case "bytes":
      return new Uint8Array(bytes);
    case "document":
      return new TextDocument((context.beside as { readonly mimeType: string }).mimeType, bytes.toString());
    case "rows":
      return readRows(database, rowFiles, stored);
    case "elsewhere":
      throw unreachable();
  }
}
