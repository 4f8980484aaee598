/** From a response with a declared status to a decoded reply, with its medium, its schema, and notes. */
import { typePattern } from "../language/choice.js";
import type { UpstreamAnswer } from "../language/conduct.js";
import type { AnyOperation, Media } from "../language/define.js";
import { isRead, readerOf } from "../language/effect.js";
import { Failure } from "../language/failure.js";
import { meaningOf } from "../language/hint.js";
import { memberAt } from "../language/member.js";
import type { CallOffers } from "../language/next-call.js";
import { CodecError, type WireResponse } from "../language/wire.js";
import { essence, isJson, isPageType, isXml } from "./body.js";
import { notesOnText } from "./charset.js";
import { decode } from "./codec/index.js";
import { type CsvParts, csvOf, type ReceivedBody, readSafely } from "./csv-body.js";
import { requestIdOf, unknownOutcome } from "./failures.js";
import { type ResolvedRequest, type Target, translationFor } from "./request.js";
import { notesOnMembers, quotedPath, refuseFailure } from "./sentences.js";

/** The result of a call that succeeded. */
export interface Reply extends UpstreamAnswer, CsvParts, CallOffers {
  /** The whole body, if `body` is only the viewed part of it. */
  readonly whole?: unknown;
  /** Notes about the body, in plain sentences. */
  readonly notes: readonly string[];
  /** The upstream's id of the request, if it sent one. */
  readonly requestId?: string;
}

/** The declared medium that matches a content type; undefined if none does. */
function mediumOf(media: readonly Media[], contentType: string, vendor: string): Media | undefined {
  const exact = media.find((one) => typePattern(one, vendor).test(contentType));
  if (exact) return exact;
  if (contentType === "") return media[0];
  if (isJson(contentType)) return media.find((one) => one.codec === "json");
  if (isXml(contentType)) return media.find((one) => one.codec === "xml");
  return undefined;
}

/** The headers that the operation declares as part of its result, by the field that shows each. */
function answerHeaders({ spec }: AnyOperation, { headers }: WireResponse): Record<string, string> {
  const entries = Object.entries(spec.answerHeaders ?? {}).flatMap(([member, name]) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[member, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The operation's explanation of a success status. */
function notesOnStatus({ spec }: AnyOperation, status: number): readonly string[] {
  const meaning = status < 400 ? meaningOf(spec, status) : undefined;
  return meaning === undefined ? [] : [meaning];
}

const noBody = "The response has no body, although the operation declares one.";

/** A note on numbers that JSON would round. */
const noteOnText = (count: number): readonly string[] =>
  count === 0
    ? []
    : [`${count === 1 ? "A number that" : `${count} numbers that`} JSON would round: shown as text, with all digits.`];

const isNumeral = (value: unknown): boolean => typeof value === "string" && /^-?\d[\d.eE+-]*$/.test(value);

/** A note if a response differs from its declaration; a number that is shown as text is no difference. */
function noteOnDrift({ schema }: Media, body: unknown, hasText: boolean): readonly string[] {
  const issues = (schema.safeParse(body).error?.issues ?? []).filter(
    (issue) =>
      !(
        hasText &&
        issue.code === "invalid_type" &&
        issue.expected === "number" &&
        isNumeral(memberAt(body, issue.path))
      ),
  );
  if (issues.length === 0) return [];
  const places = issues.slice(0, 3).map(({ path }) => quotedPath(schema, path));
  return [`The response differs from its declared schema at ${places.join(", ")}; it is returned unchanged.`];
}

/**
 * The note on a completed change whose response is damaged: reporting a failure would invite a second one.
 * @param media What the response claims to be; without it, it is perhaps not from the API, whatever its status.
 * @throws Failure `bad_reply` for a read, and `outcome_unknown` for a change without a medium.
 */
function noteOnUnread(
  tool: string,
  operation: AnyOperation,
  media: Media | undefined,
  status: number,
  error: CodecError,
): string {
  const what = media
    ? `${tool} succeeded with ${status}, but the response is not valid ${media.codec}.`
    : `${tool} received ${status} with a content type that it does not declare.`;
  const notFromApi = "a proxy or a wrong host can send a page or a message instead.";
  if (!isRead(operation)) {
    if (!media)
      throw unknownOutcome(tool, operation, `The response is perhaps not from the API: ${notFromApi}`, { status });
    return `${what} The change was made; ${readerOf(operation)?.by ?? "no operation"} shows the result.`;
  }
  throw new Failure("bad_reply", what, {
    why: media ? error.message : `The response is not from the API: ${notFromApi}`,
    next: "Retry; if it persists, check the upstream host with `edgewise doctor`.",
    status,
  });
}

/**
 * Reads and decodes a response whose status the operation declares.
 * @param read Reads the body, and its table if it is CSV.
 */
export async function readReply(
  tool: string,
  operation: AnyOperation,
  { answers }: ResolvedRequest,
  response: WireResponse,
  read: (table: Media["table"]) => Promise<ReceivedBody>,
  target: Target,
): Promise<Reply> {
  const declaredMedia = answers.byStatus[response.status] ?? [];
  const { toDocuments } = translationFor(operation, target);
  const location = response.headers["location"];
  const noteOnStatus = notesOnStatus(operation, response.status);
  const headers = answerHeaders(operation, response);
  const commonParts = {
    status: response.status,
    headers,
    ...(location === undefined ? {} : { location: toDocuments(location) }),
    ...requestIdOf(response.headers),
  };
  const isHead = operation.route.startsWith("HEAD ");
  const isBodyless = isHead || declaredMedia.every((media) => media.codec === "empty");
  const type = essence(response.headers["content-type"]);
  const media = mediumOf(declaredMedia, type, target.vendor);
  const { bytes, rows, problem } = await readSafely(() => read(media?.table));
  if (bytes.byteLength === 0 && problem === undefined) {
    const isExpected = isBodyless || declaredMedia.some(({ schema }) => schema.safeParse(undefined).success);
    return { ...commonParts, body: undefined, notes: isExpected ? noteOnStatus : [...noteOnStatus, noBody] };
  }
  if (isBodyless && !isPageType(type))
    return {
      ...commonParts,
      body: undefined,
      notes: ["The response has a body, although the operation declares none; it was left out."],
    };
  try {
    if (problem) throw problem;
    if (!media) throw new CodecError("The content type is not one that the operation declares.");
    let numbersAsText = 0;
    const body = toDocuments(
      await decode(media, bytes, (count) => {
        numbersAsText = count;
      }),
    );
    const drift = [...noteOnText(numbersAsText), ...noteOnDrift(media, body, numbersAsText > 0)];
    refuseFailure(tool, operation, response.status, body);
    const csv = await csvOf(media, { bytes, rows }, body);
    const notes = [...noteOnStatus, ...notesOnMembers(operation, body), ...drift, ...notesOnText(response, bytes)];
    return { ...commonParts, body, ...csv, notes };
  } catch (error) {
    await rows?.discard();
    if (!(error instanceof CodecError)) throw error;
    return { ...commonParts, body: undefined, notes: [noteOnUnread(tool, operation, media, response.status, error)] };
  }
}
