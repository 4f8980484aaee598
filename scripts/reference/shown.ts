/** Calls and answers as a page shows them: on few lines, and cut between two of them. */

const mostCharacters = 300;
const widest = 100;

/** The first lines of an answer; each row of a table is a line, so none is cut in the middle unless it is very long. */
export function shortened(text: string, most: number): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines
    .slice(0, most)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)} …` : line));
  const left = lines.length - most;
  return [...shown, ...(left > 0 ? [`… ${left} more ${left === 1 ? "line" : "lines"}`] : [])].join("\n");
}

/** A value as JSON, each part of it on one line where it fits. */
export function asJson(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length + indent.length <= widest) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => asJson(one, deeper))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${asJson(one, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}
