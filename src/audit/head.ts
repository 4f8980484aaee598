/** The head of a record as text to keep elsewhere: the last line of each chain, which a later verification looks for. */
import { isRecord } from "../api/member.js";
import { isAuditFile, type NamedHead } from "./files.js";

/** Whether a value names a line of a file. */
export const isNamedHead = (value: unknown): value is NamedHead & Record<string, unknown> =>
  isRecord(value) &&
  typeof value["file"] === "string" &&
  typeof value["hash"] === "string" &&
  Number.isSafeInteger(value["seq"]);

/**
 * The text of a head: one line of JSON.
 * @param chains The last line of each chain. Its sequence number is the number of the chain's lines.
 */
export const headText = (chains: readonly NamedHead[], nowMs: number): string =>
  JSON.stringify({
    version: 1,
    time: new Date(nowMs).toISOString(),
    lines: chains.reduce((sum, { seq }) => sum + seq, 0),
    chains: chains.map(({ file, seq, hash }) => ({ file, seq, hash })),
  });

/** Reads the text of a head; undefined when it is none, or a part of one. */
export function readHead(text: string): readonly NamedHead[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value["version"] !== 1 || !Array.isArray(value["chains"])) return undefined;
  const chains = value["chains"].filter(
    (one) => isNamedHead(one) && isAuditFile(one.file) && one.seq > 0 && /^[0-9a-f]{64}$/.test(one.hash),
  );
  const lines = chains.reduce((sum, { seq }) => sum + seq, 0);
  return chains.length === value["chains"].length && lines === value["lines"] ? chains : undefined;
}
