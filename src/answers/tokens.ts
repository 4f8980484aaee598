/** An estimate of the tokens of a text, in one pass over its characters, which is rarely too low. */

/**
 * The costs of parts of a text, fitted to the o200k tokenizer on results of this server and then raised by a quarter,
 * so that the estimate is rarely too low (test/answers/tokens.test.ts compares it with the tokenizer).
 */
const raised = 1.25;
const perWord = 0.26;
const perLetter = 0.17;
// However short it is: "a b c" has a token for each.
const leastPerWord = 0.8;
const perDigitGroup = 1.22;
const digitsInGroup = 3;
const perMarkRun = 0.58;
const perMark = 0.19;
const perLineBreak = 0.85;
const perBorder = 0.4;
const perRepeatedSpace = 0.52;
const perIdeograph = 0.8;
const perOther = 0.55;
// Keys and base64 are split into short pieces.
const longRun = 24;
const perRandomCharacter = 0.7;

type Class = "letter" | "digit" | "space" | "break" | "mark" | "ideograph" | "other";

function classOf(code: number): Class {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return "letter";
  if (code >= 48 && code <= 57) return "digit";
  if (code === 32 || code === 9) return "space";
  if (code === 10 || code === 13) return "break";
  if (code < 128) return "mark";
  return code >= 0x2e80 && code < 0xfb00 ? "ideograph" : "other";
}

/** A run of letters and digits, as far as it was read. */
interface Run {
  letters: number;
  digits: number;
  words: number;
  borders: number;
  groupLength: number;
  groups: number;
}

const emptyRun = (): Run => ({ letters: 0, digits: 0, words: 0, borders: 0, groupLength: 0, groups: 0 });

function costOf({ letters, digits, words, borders, groups }: Run): number {
  const inWords = Math.max(perWord * words + perLetter * letters, leastPerWord * words);
  const parts = inWords + perDigitGroup * groups + perBorder * borders;
  const isMixed = letters > 0 && digits > 0 && letters + digits > longRun;
  return isMixed ? Math.max(parts, perRandomCharacter * (letters + digits)) : parts;
}

function addLetter(run: Run, last: Class | undefined): void {
  if (last === "digit") run.borders += 1;
  if (last !== "letter") run.words += 1;
  run.letters += 1;
}

function addDigit(run: Run, last: Class | undefined): void {
  if (last === "letter") run.borders += 1;
  run.groupLength = last === "digit" && run.groupLength < digitsInGroup ? run.groupLength + 1 : 1;
  if (run.groupLength === 1) run.groups += 1;
  run.digits += 1;
}

/** The cost of a character outside of runs. */
function costAlone(now: Class, last: Class | undefined): number {
  if (now === "mark") return perMark + (last === "mark" ? 0 : perMarkRun);
  if (now === "break") return perLineBreak;
  if (now === "space") return last === "space" ? perRepeatedSpace : 0;
  return now === "ideograph" ? perIdeograph : perOther;
}

/** The tokens of a text, as an estimate that is rather too high than too low. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = emptyRun();
  let last: Class | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const now = classOf(text.charCodeAt(index));
    const isInRun = now === "letter" || now === "digit";
    if (!isInRun && run.letters + run.digits > 0) {
      tokens += costOf(run);
      run = emptyRun();
    }
    if (now === "letter") addLetter(run, last);
    else if (now === "digit") addDigit(run, last);
    else tokens += costAlone(now, last);
    last = now;
  }
  return Math.ceil(raised * (tokens + costOf(run)));
}
