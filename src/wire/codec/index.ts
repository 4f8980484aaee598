/** Bytes and values for every medium; all but JSON are loaded on first use. */
import type { CsvRows, Media } from "../../language/media.js";
import { CodecError } from "../../language/wire.js";
import { decodeJson, encodeJson } from "./json.js";

/**
 * Writes a value in a medium; undefined for a medium without a body.
 * @throws CodecError for a value that the medium cannot hold.
 */
export async function encode(media: Media, value: unknown): Promise<Uint8Array | undefined> {
  switch (media.codec) {
    case "json":
      return encodeJson(value);
    case "form":
      return (await import("./form.js")).encodeForm(value, media);
    case "xml":
      return (await import("./xml.js")).encodeXml(media.root ?? "root", value);
    case "csv":
      throw new CodecError("No operation sends CSV.");
    case "empty":
      return undefined;
  }
}

const readRows = ({ fromRows }: Media, rows: CsvRows): unknown => (fromRows ? fromRows(rows) : rows);

/**
 * Reads bytes in a medium into the shape that it declares, as far as the bytes have it.
 * @throws CodecError for bytes that are not of the medium.
 */
export async function decode(media: Media, bytes: Uint8Array): Promise<unknown> {
  switch (media.codec) {
    case "json":
      return decodeJson(bytes);
    case "xml":
      return (await import("./xml.js")).decodeXml(bytes, media.schema);
    case "csv":
      return readRows(media, (await import("../../rows/csv-reader.js")).decodeCsv(bytes, media.table));
    case "form":
      throw new CodecError("No operation answers with a form.");
    case "empty":
      return undefined;
  }
}
