/** A CSV body as it arrives: held while it is short, and its rows in a file when it is not, so that memory does not grow. */
import type { CsvTable, Media } from "../language/media.js";
import { withMember } from "../language/member.js";
import type { WireResponse } from "../language/wire.js";
import { CodecError } from "../language/wire.js";
import type { CsvText } from "../rows/csv-reader.js";
import type { RowFile, RowFiles } from "../rows/row-file.js";
import { tooLarge } from "./body.js";

/** A body that was read. */
export interface Body {
  /** The whole of it, or of a long one the beginning: all that is around its table, and the first rows. */
  readonly bytes: Uint8Array;
  /** The rows of a long one. */
  readonly rows?: FileBegun | undefined;
}

/** A file with all rows. */
interface FileBegun {
  /** Makes them known, with the answer that has an empty list in their place. */
  finish(value: unknown): Promise<RowFile>;
  discard(): Promise<void>;
}

/** What is held in memory of any CSV body. */
const heldBytes = 262_144;
/** What is shown of a long one before its rows are asked for: more than a result usually has room for. */
const shownBytes = 131_072;
/** What is looked at and written at once. */
const partBytes = 65_536;

/** A part of a body in pieces of bounded size. */
function* piecesOf(part: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < part.length; at += partBytes) yield part.subarray(at, at + partBytes);
}

/** Opens the way to a file for a body of which the beginning is known. */
async function openFile(files: RowFiles, table: CsvTable) {
  const { CsvScanner } = await import("../rows/csv-scanner.js");
  const scanner = new CsvScanner(table);
  const filter = files.filter();
  const writer = await files.create();
  const first: Uint8Array[] = [];
  let firstSize = 0;
  const take = async (rows: Uint8Array): Promise<void> => {
    if (firstSize < shownBytes) first.push(rows);
    firstSize += rows.length;
    await writer.write(rows);
  };
  return {
    async push(part: Uint8Array): Promise<void> {
      for (const piece of piecesOf(part)) await take(scanner.push(filter.push(piece)));
    },
    async end(): Promise<Body> {
      await take(scanner.push(filter.end()));
      const { rows, table: scanned } = scanner.end();
      await take(rows);
      const { before, after, ...known } = scanned;
      return {
        bytes: Buffer.concat([Buffer.from(before), ...first, Buffer.from(after)]),
        rows: { finish: (value) => writer.finish({ ...known, at: table.at, value }), discard: writer.discard },
      };
    },
    discard: writer.discard,
  };
}

/**
 * Reads a CSV body.
 * @throws Failure `too_large` when it is longer than files may be, or `failed` where it cannot be written; SendFailure when
 * it breaks off; CodecError for a long body that is not what the table says.
 */
export async function readCsv(response: WireResponse, table: CsvTable, files: RowFiles): Promise<Body> {
  let held: Uint8Array[] = [];
  let size = 0;
  let file: Awaited<ReturnType<typeof openFile>> | undefined;
  try {
    for await (const part of response.body) {
      size += part.byteLength;
      if (size > files.maxBytes) throw tooLarge(response, files.maxBytes, "--max-csv-bytes");
      if (file === undefined) held.push(part);
      else await file.push(part);
      if (file !== undefined || size <= heldBytes) continue;
      file = await openFile(files, table);
      for (const early of held) await file.push(early);
      held = [];
    }
    return file === undefined ? { bytes: Buffer.concat(held) } : await file.end();
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** What a reply has of a CSV body. */
export interface CsvParts {
  /** Its lines as they were sent; of one whose rows are in a file, those around them and the first of them. */
  readonly csv?: CsvText;
  /** All rows, of which the body holds the first. Whoever does not keep the reply drops them. */
  readonly rows?: RowFile;
  /** What all those rows come to, once it was worked out. */
  readonly summary?: Readonly<Record<string, unknown>>;
}

/** What a reply has of a CSV body that was read as a value: its lines, and the file of its rows, if they are in one. */
export async function csvOf(
  { table }: Media,
  { bytes, rows }: Pick<Body, "bytes" | "rows">,
  value: unknown,
): Promise<CsvParts> {
  if (table === undefined) return {};
  const csv = (await import("../rows/csv-reader.js")).csvText(bytes, table);
  return rows ? { csv, rows: await rows.finish(withMember(value, table.at.split("."), [])) } : { csv };
}

/** A body, or why it is none of its medium: only a change that was made can be answered all the same. */
export const readSafely = (read: () => Promise<Body>): Promise<Body & { readonly problem?: CodecError }> =>
  read().catch((error: unknown) => {
    if (error instanceof CodecError) return { bytes: new Uint8Array(), problem: error };
    throw error;
  });
