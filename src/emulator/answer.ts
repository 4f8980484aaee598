/** Writes the emulator's answers: the media type that the request prefers, and the body encoded in it. */
import { XMLBuilder } from "fast-xml-parser";
import type { AnyOperation, Media } from "../language/define.js";
import { mediaList } from "../language/media.js";
import { type PossibleMedia, possibleAnswers, readType, type TextsByName } from "./media.js";
import { RequestRefusal } from "./reply.js";
import type { IncomingRequest } from "./verify.js";

/** A possible medium with its media type on the wire and the quality that the request gives it. */
export interface RankedMedia extends PossibleMedia {
  readonly type: string;
  readonly quality: number;
}

/** The quality that an Accept header gives a media type, from 0 to 1: the most specific matching range decides. */
function qualityOf(accept: string | undefined, type: string): number {
  if (accept === undefined) return 1;
  const ranges = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()));
  const lower = type.toLowerCase();
  const mostSpecificFirst = [lower, `${lower.split("/")[0]}/*`, "*/*"];
  const [deciding] = mostSpecificFirst.flatMap((name) => ranges.filter(([range]) => range === name));
  if (!deciding) return 0;
  const weight = deciding.slice(1).find((parameter) => /^q=\d(\.\d*)?$/.test(parameter));
  return weight === undefined ? 1 : Number(weight.slice(2));
}

/** A medium under the types that the request names for it, or under its own type if that has no placeholders. */
function withWireTypes({ media, chosen }: PossibleMedia, accept: string | undefined, vendor: string) {
  const mediaType = media.type.replaceAll("<vendor>", vendor);
  if (!mediaType.includes("{")) return [{ media, chosen, type: mediaType }];
  const ranges = (accept ?? "").split(",").map((range) => range.split(";")[0]?.trim() ?? "");
  return ranges.flatMap((type) => {
    const values = readType(media, vendor, type);
    return values === undefined ? [] : [{ media, chosen: { ...chosen, ...values }, type }];
  });
}

/**
 * The media of an operation's answers, in the request's order of preference; refuses a request that accepts none.
 * @param argumentTexts The values of the path and the query, which can select among the media.
 */
export function rankedMedia(
  operation: AnyOperation,
  request: IncomingRequest,
  argumentTexts: TextsByName,
  vendor: string,
): readonly RankedMedia[] {
  const { accept } = request.headers;
  const ranked = possibleAnswers(operation, argumentTexts)
    .filter(({ media }) => media.codec !== "empty")
    .flatMap((one) => withWireTypes(one, accept, vendor))
    .map((one) => ({ ...one, quality: qualityOf(accept, one.type) }))
    .sort((a, b) => b.quality - a.quality);
  if (ranked[0]?.quality === 0)
    throw new RequestRefusal(
      406,
      "Not acceptable",
      `Accept ${[...new Set(ranked.map(({ type }) => type))].join(" or ")}`,
    );
  return ranked;
}

const builder = new XMLBuilder({ ignoreAttributes: true, suppressEmptyNode: true, processEntities: true });

/** Writes a value as XML under a root element. */
export function xmlText(root: string, body: unknown): string {
  const content = JSON.parse(JSON.stringify(body), (_, value: unknown) => (value === null ? "" : value)) as unknown;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${String(builder.build({ [root]: content }))}`;
}

const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n ]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const line = (...cells: readonly unknown[]): string => cells.map(cell).join(",");
const section = (name: string, lines: readonly string[]): string =>
  [`#${name}_START`, ...lines, `#${name}_END`, ""].join("\n");

interface Report {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly summaryStatistics: Readonly<Record<string, { readonly value: string }>>;
}

/** Writes a report as the sectioned CSV of document A, "Report result". */
function reportCsv(value: unknown): string {
  const { metadata, data, summaryStatistics } = value as Report;
  const columns = (metadata["columns"] as readonly { readonly name: string; readonly label: string }[]).map(
    ({ name, label }) => (name === "groupBy" ? label : name),
  );
  const lists = (key: string) => (metadata[key] as readonly string[]).join(",");
  const metadataLine = (key: string) => line(key, metadata[key]);
  const about = [
    metadataLine("name"),
    metadataLine("version"),
    line("source", "Traffic Data"),
    `groupBy,${lists("groupBy")}`,
    metadataLine("start"),
    metadataLine("end"),
    // The vendor's own sample has a comma at the end of this line (public facts A, 1).
    ...(metadata["interval"] === undefined ? [] : [`${metadataLine("interval")},`]),
    metadataLine("availableDataEnds"),
    metadataLine("suggestedRetryTime"),
    metadataLine("rowCount"),
    metadataLine("objectType"),
    `objectIds,${lists("objectIds")}`,
    ...(metadata["filters"] as readonly { readonly name: string; readonly values: readonly string[] }[]).map(
      ({ name, values }) => line(name, ...values),
    ),
  ];
  return [
    section("METADATA", about),
    section(
      "SUMMARYSTATISTICS",
      Object.entries(summaryStatistics).map(([name, { value: statistic }]) => line(name, statistic)),
    ),
    section("COLUMNS", [line(...columns)]),
    section(
      "DATA",
      data.map((row) => line(...columns.map((name) => row[name]))),
    ),
  ].join("\n");
}

function encoded(media: Media, body: unknown): string {
  if (media.codec === "csv") return reportCsv(body);
  if (media.codec === "text") return String(body);
  return media.codec === "xml" ? xmlText(media.root ?? "root", body) : JSON.stringify(body);
}

/**
 * Writes an answer's body in the medium that the request prefers among those of the status. If the request accepts none
 * of them the answer is sent all the same, as RFC 9110 (12.5.1) allows: the behaviour has already taken effect.
 */
export function writeBody(
  operation: AnyOperation,
  status: number,
  body: unknown,
  ranked: readonly RankedMedia[],
): { readonly type?: string; readonly text: string } {
  const declared = mediaList(operation.spec.returns[status]);
  const chosen = ranked.find(({ media }) => declared.includes(media));
  return chosen === undefined || body === undefined
    ? { text: "" }
    : { type: chosen.type, text: encoded(chosen.media, body) };
}
