/** How much a text of JSON holds, counted in one pass before anything of it is parsed. */
import { inexactMark, isExact } from "./exact-number.js";
import { parsedJson } from "./parsed-json.js";

/**
 * The most that a message and the arguments of a call can hold. The largest lists that an API takes have 10,000 items; a
 * dense rule tree of 1 MB has 82,000 values; what a call takes is at most 32 levels deep, and an error about a deeper value can
 * only name its field where the message is parsed.
 */
export const mostInJson = { levels: 512, items: 10_000, values: 100_000 } as const;

/**
 * The most of a message without the arguments of its calls, which is read more often than those: names, addresses, what a
 * client can do and says of itself. A batch has it once.
 */
const mostAround = { values: 4_000, characters: 256 * 1024 } as const;

/** What a text of JSON holds. Of a text that is not JSON, at least what precedes the first error is counted. */
export interface JsonSize {
  /** The objects and lists inside of one another. */
  readonly levels: number;
  /** The items of the longest list. */
  readonly items: number;
  /** The members of the largest object. */
  readonly members: number;
  /** All values. */
  readonly values: number;
  /** Where the numbers of a call's arguments that a double cannot hold begin and end. */
  readonly inexact: readonly (readonly [start: number, end: number])[];
}

/** What a message holds. */
export interface MessageSize extends JsonSize {
  /** What it holds without the arguments of its calls: all values, and the characters of the longest text. */
  readonly around: { readonly values: number; readonly characters: number };
  /** Where the value of its `id` begins, if it has one. */
  readonly idAt: number | undefined;
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
// Most names and values are shorter; in a longer text the search for its end by the runtime is faster.
const shortText = 48;

/** Whether a character is behind an odd number of backslashes, none of which is before `start`. */
function isEscaped(json: string, at: number, start: number): boolean {
  let before = at;
  while (before > start && json.charCodeAt(before - 1) === backslash) before -= 1;
  return (at - before) % 2 === 1;
}

/** The index of the quote that ends a text, whose first character is at `start`; the length if there is none. */
function endOfText(json: string, start: number): number {
  let at = start;
  while (at < json.length) {
    for (const pause = at + shortText; at < pause; at += 1) {
      const code = json.charCodeAt(at);
      if (code === quote) return at;
      if (code === backslash) at += 1;
    }
    const end = json.indexOf('"', at);
    if (end < 0) break;
    if (!isEscaped(json, end, at)) return end;
    at = end + 1;
  }
  return json.length;
}

/** The index of the first character from `start` that is no space. */
function afterSpace(json: string, start: number): number {
  let at = start;
  for (let code = json.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d); code = json.charCodeAt(at))
    at += 1;
  return at;
}

const [minus, plus, dot, zero, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
/** A number with fewer characters is exact, unless it has an exponent or is -0. */
const longNumber = 16;

/** The index after the number that begins at a digit or a minus. */
function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  for (let code = json.charCodeAt(at); (code >= zero && code <= nine) || code === dot; code = json.charCodeAt(at))
    at += 1;
  if ((json.charCodeAt(at) | 0x20) !== 0x65) return at;
  at += 1;
  if (json.charCodeAt(at) === plus || json.charCodeAt(at) === minus) at += 1;
  for (let code = json.charCodeAt(at); code >= zero && code <= nine; code = json.charCodeAt(at)) at += 1;
  return at;
}

/** Whether a double cannot hold the number between two indices. */
function isInexact(json: string, start: number, end: number): boolean {
  const isNegativeZero = json.charCodeAt(start) === minus && json.charCodeAt(start + 1) === zero;
  if (end - start < longNumber && !isNegativeZero && !/e/i.test(json.slice(start, end))) return false;
  return !isExact(json.slice(start, end));
}

/** Whether a text, whose quotes are at `start` and `end`, is a name. */
const isNamed = (json: string, [start, end]: readonly [start: number, end: number], name: string): boolean =>
  end === start + name.length + 1 && json.startsWith(name, start + 1);

/**
 * Counts what a text of JSON holds, in time that only grows with its length.
 * @param json A message, or a batch of them; for any other JSON, the figures about messages mean nothing.
 * @param areArguments Whether it is the arguments of a call, or a part of them, instead of a message.
 */
export function sizeOfJson(json: string, areArguments = false): MessageSize {
  // The messages of a batch are in a list, one level deeper.
  const outer = json.charCodeAt(afterSpace(json, 0)) === openList ? 1 : 0;
  // The level of a message's own members, which arguments by themselves do not have.
  const inMessage = areArguments ? Number.NaN : outer + 2;
  // The commas so far of each open object and list; what is too deep for any call is not counted.
  const commas: number[] = [];
  const isCounted = (): boolean => level > 0 && level <= mostInJson.levels;
  let [level, levels, items, members, values] = [0, 0, 0, 0, 1];
  const around = { values: 1, characters: 0 };
  let last: readonly [start: number, end: number] = [0, 0];
  let [isInParams, isInArguments] = [false, areArguments];
  const inexact: [start: number, end: number][] = [];
  let idAt: number | undefined;

  const count = (): void => {
    values += 1;
    if (!isInArguments) around.values += 1;
  };
  const open = (at: number): void => {
    level += 1;
    levels = Math.max(levels, level);
    if (isCounted()) commas[level] = 0;
    if (level === inMessage) isInParams = isNamed(json, last, "params");
    if (level === inMessage + 1) isInArguments = isInParams && isNamed(json, last, "arguments");
    const first = json.charCodeAt(afterSpace(json, at + 1));
    if (first !== closeObject && first !== closeList) count();
  };
  const close = (isList: boolean): void => {
    const found = isCounted() ? (commas[level] ?? 0) + 1 : 0;
    if (isList) items = Math.max(items, found);
    else members = Math.max(members, found);
    level -= 1;
    if (level === inMessage) isInArguments = false;
  };
  /** Takes the text that begins at a quote, and returns where it ends. */
  const text = (start: number): number => {
    const end = endOfText(json, start + 1);
    if (isInArguments) return end;
    around.characters = Math.max(around.characters, end - start - 1);
    last = [start, end];
    if (level !== 1 || !isNamed(json, last, "id")) return end;
    const next = afterSpace(json, end + 1);
    if (json.charCodeAt(next) === colon) idAt = afterSpace(json, next + 1);
    return end;
  };

  /** Takes the number that begins at a character, if one does, and returns where it ends. */
  const number = (start: number): number => {
    const code = json.charCodeAt(start);
    if (code !== minus && !(code >= zero && code <= nine)) return start;
    const end = endOfNumber(json, start);
    if (isInexact(json, start, end)) inexact.push([start, end]);
    return end - 1;
  };

  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = text(at);
        break;
      case comma:
        count();
        if (isCounted()) commas[level] = (commas[level] ?? 0) + 1;
        break;
      case openList:
      case openObject:
        open(at);
        break;
      case closeList:
        close(true);
        break;
      case closeObject:
        close(false);
        break;
      default:
        if (isInArguments) at = number(at);
    }
  }
  return { levels, items, members, values, inexact, around, idAt };
}

/** JSON with its inexact numbers as marks, for which the check of the arguments names their fields. */
export function withMarks(json: string, { inexact }: JsonSize): string {
  if (inexact.length === 0) return json;
  let [text, from] = ["", 0];
  for (const [start, end] of inexact) {
    text += json.slice(from, start) + JSON.stringify(inexactMark(json.slice(start, end)));
    from = end;
  }
  return text + json.slice(from);
}

/** The value of JSON that is the arguments of a call, or a part of them; undefined if it is none. */
export const argumentsIn = (json: string, size = sizeOfJson(json, true)): unknown => parsedJson(withMarks(json, size));

/** What is too much, and how much there can be. */
export interface Excess {
  readonly given: string;
  readonly takes: string;
}

const excess = (given: string, most: number): Excess => ({ given, takes: `at most ${most}` });

/** What a text of JSON has too much of; undefined if it can be parsed. */
export function excessOf({ levels, items, members, values }: JsonSize): Excess | undefined {
  if (levels > mostInJson.levels) return excess(`${levels} levels of objects and lists`, mostInJson.levels);
  if (items > mostInJson.items) return excess(`a list of ${items} items`, mostInJson.items);
  if (members > mostInJson.items) return excess(`an object with ${members} members`, mostInJson.items);
  return values > mostInJson.values ? excess(`${values} values in all`, mostInJson.values) : undefined;
}

/**
 * What a message has too much of; undefined if it can be parsed. A list that is too long for a call is not: an error about it
 * names its field, and all of its items are among the values.
 */
export function excessOfMessage(size: MessageSize): Excess | undefined {
  const { values, characters } = size.around;
  const inAll = excessOf({ ...size, items: 0 });
  if (values > mostAround.values)
    return inAll ?? excess(`${values} values next to the arguments of a call`, mostAround.values);
  return characters > mostAround.characters
    ? excess(`a text of ${characters} characters next to the arguments of a call`, mostAround.characters)
    : inAll;
}

const shortId = /("(?:[^"\\]|\\.){0,128}"|-?\d{1,16})\s*[,}]/y;

/** The id of a message that is too large to be parsed, so that its sender knows which one was refused; null without one. */
export function idOfMessage(json: string, { idAt }: MessageSize): string | number | null {
  if (idAt === undefined) return null;
  shortId.lastIndex = idAt;
  const [, id] = shortId.exec(json) ?? [];
  return id === undefined ? null : ((parsedJson(id) as string | number | undefined) ?? null);
}
