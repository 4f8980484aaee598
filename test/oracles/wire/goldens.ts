/**
 * Golden exchanges, written from the documents and the vendor's definitions: a call, the bytes that it must put on the wire
 * (`>`), and an answer (`<`) with what it must read as (`=`) where that is not the value of its JSON. `«int»`, `«text»` and
 * `«any»` stand for made-up values in an answer, `␍` and `␊` for a carriage return and a line feed at the end of a body.
 */
import { readFileSync } from "node:fs";

interface Side {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}
export interface Golden {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Its headers by their names in lower case; what a text leaves out is not looked at. */
  readonly request: Side & { readonly method: string; readonly target: string };
  readonly answer: Side & { readonly status: number };
  readonly data: unknown;
  /** Whether the emulator, too, is held to the answer: its made-up values must fit the placeholders. */
  readonly isEmulated: boolean;
}

/** The first line of a side, and what follows: headers, and a body behind them. */
function sideOf(lines: readonly string[], mark: string): { readonly first: string } & Side {
  const from = lines.findIndex((line) => line.startsWith(mark));
  const to = lines.findIndex((line, at) => at > from && /^[<=] /.test(line) && !line.startsWith(mark));
  const own = lines.slice(from, to < 0 ? undefined : to);
  const [first = "", ...heads] = own.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const headers = Object.fromEntries(heads.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const body = own.filter((line) => !line.startsWith(mark));
  const text = body.join("\n").replaceAll("␍", "\r").replace(/␊$/, "\n");
  return { first, headers, body: body.length > 0 ? text : undefined };
}

function goldenOf(block: string): Golden {
  const [name = "", call = "", ...lines] = block.trim().split("\n");
  const [tool = "", args = ""] = call.split(/ (.*)/s);
  const { first: line, ...request } = sideOf(lines, "> ");
  const [method = "", target = ""] = line.split(" ");
  const { first: status, ...answer } = sideOf(lines, "< ");
  const notes = lines.filter((one) => one.startsWith("= ")).map((one) => one.slice(2));
  const [data = "null"] = notes.filter((one) => one !== "not emulated");
  return {
    ...{ name, tool, args: JSON.parse(args), request: { ...request, method, target } },
    ...{ answer: { ...answer, status: Number(status) }, data: JSON.parse(data) ?? undefined },
    isEmulated: !notes.includes("not emulated"),
  };
}

const goldensIn = (file: string): readonly Golden[] =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split(/^### /m)
    .slice(1)
    .map(goldenOf);

export const goldens = goldensIn("documents.txt");
export const todayGoldens = goldensIn("today.txt");
