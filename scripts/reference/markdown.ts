/** Pieces of Markdown: text that is shown as it is, code, and blocks that nothing in them can end. */

const backticks = /`[^`]*`/g;

/** Prose as it is shown: what looks like a tag, such as `<vendor>`, is no HTML. */
export function prose(text: string): string {
  const codes = text.match(backticks) ?? [];
  return text
    .split(backticks)
    .map((part, at) => part.replaceAll("<", "&lt;") + (codes[at] ?? ""))
    .join("");
}

/** Text in a cell of a table. */
export const cell = (text: string): string =>
  prose(text)
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");

/** Text as code in a line. */
export const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Text as a block of code, with a fence that the text does not have. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
