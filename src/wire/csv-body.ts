/**
 * A CSV body as it arrives: in memory while it is short, else with its rows in a file, so that memory does not grow.
 */
import type { CsvTable, Media } from "../language/media.js";
import { withMember } from "../language/member.js";
import { CodecError, type WireResponse } from "../language/wire.js";
import type { CsvText } from "../rows/csv-reader.js";
import type { RowFile, RowFiles } from "../rows/row-file.js";
import { tooLarge } from "./body.js";

export interface ReceivedBody {
  /** All of it or, if it is long, the parts around its table and the first rows. */
  readonly bytes: Uint8Array;
  /** The rows of a long body. */
  readonly rows?: PendingRowFile | undefined;
}

/** A file with all rows. */
interface PendingRowFile {
  /** Publishes the rows, with the response that has an empty list in their place. */
  finish(value: unknown): Promise<RowFile>;
  discard(): Promise<void>;
}

/** The part of any CSV body that is held in memory. */
const heldBytes = 262_144;
/** The part of a long body that is shown before its rows are requested: more than usually fits into a result. */
const shownBytes = 131_072;
/** How much is processed at a time. */
const partBytes = 65_536;

/** A part of a body in pieces of limited size. */
function* piecesOf(part: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < part.length; at += partBytes) yield part.subarray(at, at + partBytes);
}

/** Opens the file for a body whose beginning is known. */
async function openFile(files: RowFiles, table: CsvTable) {
  const { CsvScanner } = await import("../rows/csv-scanner.js");
  const scanner = new CsvScanner(table);
  const filter = files.filter();
  const writer = await files.create();
  const firstRows: Uint8Array[] = [];
  let firstSize = 0;
  const take = async (rows: Uint8Array): Promise<void> => {
    if (firstSize < shownBytes) firstRows.push(rows);
    firstSize += rows.length;
    await writer.write(rows);
  };
  return {
    async push(part: Uint8Array): Promise<void> {
      for (const piece of piecesOf(part)) await take(scanner.push(filter.push(piece)));
    },
    async end(): Promise<ReceivedBody> {
      await take(scanner.push(filter.end()));
      const { rows, table: scanned } = scanner.end();
      await take(rows);
      const { before, after, ...metadata } = scanned;
      return {
        bytes: Buffer.concat([Buffer.from(before), ...firstRows, Buffer.from(after)]),
        rows: { finish: (value) => writer.finish({ ...metadata, at: table.at, value }), discard: writer.discard },
      };
    },
    discard: writer.discard,
  };
}

/**
 * Reads a CSV body.
 * @throws Failure `too_large` if it is longer than the limit for files, or `failed` if it cannot be written;
 * SendFailure if the connection breaks; CodecError for a long body without the declared table.
 */
export async function readCsv(response: WireResponse, table: CsvTable, files: RowFiles): Promise<ReceivedBody> {
  let heldParts: Uint8Array[] = [];
  let size = 0;
  let file: Awaited<ReturnType<typeof openFile>> | undefined;
  try {
    for await (const part of response.body) {
      size += part.byteLength;
      if (size > files.maxBytes) throw tooLarge(response, files.maxBytes, "--max-csv-bytes");
      if (file === undefined) heldParts.push(part);
      else await file.push(part);
      if (file !== undefined || size <= heldBytes) continue;
      file = await openFile(files, table);
      for (const early of heldParts) await file.push(early);
      heldParts = [];
    }
    return file === undefined ? { bytes: Buffer.concat(heldParts) } : await file.end();
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** The CSV parts of a reply. */
export interface CsvParts {
  /** Its lines as they were sent; if its rows are in a file, the lines around them and the first rows. */
  readonly csv?: CsvText;
  /** All rows, of which the body contains the first. They have to be dropped unless the reply is stored. */
  readonly rows?: RowFile;
  /** The summary of all rows, once it was computed. */
  readonly summary?: Readonly<Record<string, unknown>>;
}

/** The CSV parts of a reply that was parsed as a value: its lines, and the file of its rows, if there is one. */
export async function csvOf(
  { table }: Media,
  { bytes, rows }: Pick<ReceivedBody, "bytes" | "rows">,
  value: unknown,
): Promise<CsvParts> {
  if (table === undefined) return {};
  const csv = (await import("../rows/csv-reader.js")).csvText(bytes, table);
  return rows ? { csv, rows: await rows.finish(withMember(value, table.at.split("."), [])) } : { csv };
}

/** A body, or why it is not valid in its medium: a completed change is reported as such even then. */
export const readSafely = (
  read: () => Promise<ReceivedBody>,
): Promise<ReceivedBody & { readonly problem?: CodecError }> =>
  read().catch((error: unknown) => {
    if (error instanceof CodecError) return { bytes: new Uint8Array(), problem: error };
    throw error;
  });
