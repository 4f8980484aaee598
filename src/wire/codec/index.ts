/** Encoding and decoding of every medium; all codecs except JSON are loaded on first use. */
import type { CsvRows, Media } from "../../language/media.js";
import { CodecError } from "../../language/wire.js";
import { decodeJson, encodeJson } from "./json.js";

/**
 * Encodes a value in a medium; undefined for a medium without a body.
 * @throws CodecError for a value that the medium cannot represent.
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
    case "text":
      if (typeof value !== "string") throw new CodecError("This body is a text.");
      return new TextEncoder().encode(value);
    case "empty":
      return undefined;
  }
}

/** @throws CodecError for bytes that are not text. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CodecError("The bytes are not UTF-8 text.");
  }
}

const readRows = ({ fromRows }: Media, rows: CsvRows): unknown => (fromRows ? fromRows(rows) : rows);

/**
 * Decodes bytes in a medium, as far as they have the declared shape.
 * @param onText Called with the count of the numbers of JSON that are returned as text, if there are any.
 * @throws CodecError for bytes that are not valid in the medium.
 */
export async function decode(media: Media, bytes: Uint8Array, onText?: (count: number) => void): Promise<unknown> {
  switch (media.codec) {
    case "json":
      return decodeJson(bytes, onText);
    case "xml":
      return (await import("./xml.js")).decodeXml(bytes, media.schema);
    case "csv":
      return readRows(media, (await import("../../rows/csv-reader.js")).decodeCsv(bytes));
    case "form":
      throw new CodecError("No operation responds with a form.");
    case "text":
      return decodeText(bytes);
    case "empty":
      return undefined;
  }
}
