/** The tickets that a rule asks for: the form of a ticket, patterns of tickets, and these in words. */

/** The longest ticket, and the longest pattern of one, in characters. */
export const maxTicketChars = 64;

/** The form of every ticket: it is shown and recorded, so that nothing but an id or a short path is one. */
export const ticketForm = /^[A-Za-z0-9#][A-Za-z0-9._/#:-]{0,63}$/;
export const ticketText = `a ticket of at most ${maxTicketChars} letters, digits and . _ / # : -`;

/** The form of a pattern of tickets. */
export const ticketPatternForm = /^[A-Za-z0-9._/#:*?-]{1,64}$/;
export const ticketPatternText = `a pattern of at most ${maxTicketChars} letters, digits and . _ / : -, in which # matches a number, * any text and ? one character, such as "OPS-#"`;

interface Step {
  readonly fits: (char: string) => boolean;
  /** Whether it matches any number of characters, even none. */
  readonly isRepeated: boolean;
}

const isAny = (): boolean => true;
const isDigit = (char: string): boolean => char >= "0" && char <= "9";

const stepsOf = (pattern: string): Step[] =>
  [...pattern].flatMap((mark): Step[] => {
    if (mark === "*") return [{ fits: isAny, isRepeated: true }];
    if (mark === "?") return [{ fits: isAny, isRepeated: false }];
    if (mark !== "#") return [{ fits: (char) => char === mark, isRepeated: false }];
    return [false, true].map((isRepeated) => ({ fits: isDigit, isRepeated }));
  });

/**
 * Whether the whole ticket matches a pattern, to the letter. All places of the pattern that the text can have reached are
 * followed at once, so that nothing is tried twice: the time is the product of the two lengths at most.
 */
export function matchesTicket(pattern: string, ticket: string): boolean {
  const steps = stepsOf(pattern);
  /** With the places behind steps that may match nothing. */
  const reaching = (places: Iterable<number>): Set<number> => {
    const all = new Set<number>();
    for (let place of places) for (all.add(place); steps[place]?.isRepeated; all.add(place)) place += 1;
    return all;
  };
  let places = reaching([0]);
  for (const char of ticket)
    places = reaching(
      [...places].flatMap((place) => {
        const step = steps[place];
        if (!step?.fits(char)) return [];
        return [step.isRepeated ? place : place + 1];
      }),
    );
  return places.has(steps.length);
}

const words: Readonly<Record<string, string>> = { "#": "a number", "*": "any text", "?": "one character" };
const examples: Readonly<Record<string, string>> = { "#": "1234", "*": "x", "?": "x" };

/** The parts of a pattern: its marks, and the text between them. */
const partsOf = (pattern: string): readonly string[] => pattern.match(/[#*?]|[^#*?]+/g) ?? [];

/** A ticket that matches a pattern, as an example; undefined if that needs more than a number. */
const exampleOf = (pattern: string): string | undefined => {
  const text = partsOf(pattern)
    .map((part) => examples[part] ?? part)
    .join("");
  return ticketForm.test(text) && matchesTicket(pattern, text) ? text : undefined;
};

function patternInWords(pattern: string): string {
  const said = partsOf(pattern).map((part) => words[part] ?? JSON.stringify(part));
  const example = exampleOf(pattern);
  return `${said.join(" followed by ")}${example === undefined || example === pattern ? "" : ` (such as ${example})`}`;
}

/** What a ticket of one of the patterns is, in words: `"OPS-" followed by a number (such as OPS-1234)`. */
export const ticketInWords = (patterns: readonly string[]): string => patterns.map(patternInWords).join(", or ");
