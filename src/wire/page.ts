/**
 * The text of a web page that arrives in place of an API's answer. A page of a few kilobytes, of which only the words
 * count, does not need one of the libraries for that, which bring a parser of HTML.
 */

const namedEntities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The character of an entity, or the entity itself if there is none. */
function characterOf(entity: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return namedEntities[name.toLowerCase()] ?? entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : entity;
}

const maxText = 500;
const reference = /\b(?:reference|incident|request)\s*(?:id|no\.?|number)?\s*[:#]*\s*#?([\w.-]*\d[\w.-]*)/i;

/** How the edge refers to a request that it has denied, also in plain text. */
export const edgeReference = /\bReference\s?#\d+\.[\da-f]+\./i;

/** Whether a text is the beginning of a page, whatever its content type says. */
export const isPageText = (text: string): boolean =>
  /^[\s\uFEFF]*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html|head|title|body)\b/i.test(
    text,
  );

/** The words of a page on one line: at most 500 characters, and the reference number wherever it is. */
export function pageText(html: string): string {
  const text = html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replaceAll(/<(script|style|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replaceAll(/<[^>]*(?:>|$)/g, " ")
    .replaceAll(/&(#?\w{1,10});/g, characterOf)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (text.length <= maxText) return text;
  const start = `${text.slice(0, maxText).toWellFormed()}…`;
  const [found] = reference.exec(text) ?? [];
  return found === undefined || start.includes(found) ? start : `${start} ${found}`;
}
