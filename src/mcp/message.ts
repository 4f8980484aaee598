/** Messages as they arrive over stdio and HTTP: limits on their size, and errors for what is not a message. */
import { isUtf8 } from "node:buffer";
import { INVALID_REQUEST, PARSE_ERROR } from "@modelcontextprotocol/server";
import { isNothing, isRecord, memberAt, omitted, withEach } from "../language/member.js";
import type { Log } from "../telemetry/log.js";
import { excessOfMessage, idOfMessage, sizeOfJson, withMarks } from "../text/json-size.js";
import { parsedJson } from "../text/parsed-json.js";

export const maxMessageBytes = 4 * 1024 * 1024;

/** The error for input that is not a message, with the id of its request if it has one. */
export interface MessageProblem {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
  /** Whether it is a message that is too large. */
  readonly isTooLarge?: true;
}

export const tooManyBytes = (maxBytes = maxMessageBytes): string => `A message can have at most ${maxBytes} bytes.`;

const noJson = (message: string): MessageProblem => ({ id: null, code: PARSE_ERROR, message });
export const notUtf8 = noJson("The message is not UTF-8.");

/** A message without null or empty arguments, and without null arguments of a prompt: the protocol has no null there. */
function withoutNothings<M>(message: M): M {
  const params = memberAt(message, "params");
  const given = memberAt(params, "arguments");
  const isOfPrompt = memberAt(message, "method") === "prompts/get" && isRecord(given);
  if (!isRecord(params) || (!isOfPrompt && !isNothing(given))) return message;
  const { arguments: _, ...others } = params;
  const left = isOfPrompt ? { arguments: withEach(given, (value) => (value === null ? omitted : value)) } : {};
  return { ...message, params: { ...others, ...left } };
}

/**
 * Reads a message, or a batch of them: its value, in which a mark replaces each number of a call's arguments that would be
 * rounded; or the error for a text that is not a message, or that is larger than any call needs.
 */
export function readMessage(text: string): { readonly value: object } | MessageProblem {
  const json = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const size = sizeOfJson(json);
  const excess = excessOfMessage(size);
  if (excess)
    return {
      id: idOfMessage(json, size),
      code: INVALID_REQUEST,
      message: `The message has ${excess.given} and can have ${excess.takes}. It was not read, and nothing was sent. Split the call into several, or leave out what it does not need.`,
      isTooLarge: true,
    };
  const value = parsedJson(withMarks(json, size));
  if (value === undefined) return noJson("The message is not JSON.");
  return typeof value === "object" && value !== null
    ? { value: Array.isArray(value) ? value.map(withoutNothings) : withoutNothings(value) }
    : { id: null, code: INVALID_REQUEST, message: "A message is a JSON object." };
}

const byteOrderMark = "\ufeff";

/** Creates the log of input that is not a plain message: each kind is logged once, without its content. */
export function createNoiseLog(log: Log): (text: string, problem?: MessageProblem) => void {
  const seen = new Set<string>();
  const once = (what: string): void => {
    if (!seen.has(what)) log(`edgewise: ${what} (logged once)`, "warn");
    seen.add(what);
  };
  return (text, problem) => {
    if (text.startsWith(byteOrderMark)) once("a byte order mark before a message was skipped");
    if (problem && !problem.isTooLarge) once(`what a client sent was refused: ${problem.message}`);
  };
}

const newline = 0x0a;

/**
 * Splits what arrives over stdio into lines, each of which is a message; blank ones are skipped.
 * @param receive Takes the text of each line.
 * @param refuse Called for each line that is too long or not UTF-8, which is skipped.
 */
export function createLineSplitter(
  receive: (line: string) => void,
  refuse: (problem: MessageProblem) => void,
): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    // Of a longer line only the length is kept.
    if (bytes > maxMessageBytes) pieces = [];
    else pieces.push(piece);
  };
  const end = (): void => {
    const [first, ...others] = pieces;
    const line = first && others.length === 0 ? first : Buffer.concat(pieces);
    const isTooLarge = bytes > maxMessageBytes;
    pieces = [];
    bytes = 0;
    if (isTooLarge) refuse({ id: null, code: INVALID_REQUEST, message: tooManyBytes(), isTooLarge });
    else if (!isUtf8(line)) refuse(notUtf8);
    else {
      const text = line.toString("utf8").trimEnd();
      if (/\S/.test(text)) receive(text);
    }
  };
  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, at + 1));
      end();
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}
