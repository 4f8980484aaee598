/** The glossary's forbidden phrases, held against what people and models read: messages, documentation and comments. */
import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { holdsForEach } from "../lab/laws.js";

const glossary = readFileSync("docs/glossary.md", "utf8");
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = ""]) => row.split("|").map((cell) => cell.trim()));
const [terms = "", phrases = ""] = glossary.split("\n## Phrases");
const forbidden = [
  ...rowsOf(terms).flatMap(([, , not = ""]) => not.split(", ")),
  ...rowsOf(phrases).flatMap(([instead = ""]) => [...instead.matchAll(/`([^`]+)`/g)].map(([, phrase = ""]) => phrase)),
].filter((phrase) => /^[a-z]/.test(phrase));
const pattern = new RegExp(String.raw`\b(?:${forbidden.join("|")})\b`, "gi");

const found = (where: string, text: string): string[] =>
  [...text.replace(/\s+\*?\s*/g, " ").matchAll(pattern)].map(
    ({ 0: phrase, index, input }) => `${where}: "${phrase}" in "…${input.slice(Math.max(0, index - 50), index + 60)}…"`,
  );

/** The texts of a source: its comments, and the strings and templates that have more than one word. */
function textsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const { program, comments } = parseSync(file, source);
  const texts = comments.map(({ value }) => value);
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (node !== null && typeof node === "object") {
      const { type, value } = node as { readonly type?: string; readonly value?: unknown };
      if (type === "Literal" && typeof value === "string" && value.includes(" ")) texts.push(value);
      if (type === "TemplateElement") texts.push((value as { readonly cooked: string }).cooked);
      for (const inner of Object.values(node)) visit(inner);
    }
  };
  visit(program);
  return texts;
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`);

/** Synonyms and stop words of the search are words, not sentences. */
const notOurs = ["src/search/query.ts", "src/search/terms.ts"];
/** Stored plans contain this text as the emulator's host. */
const stored = "emulator: nothing real is read or changed";

it("has phrases to look for", () => expect(forbidden.length).toBeGreaterThan(40));

it("every source uses the glossary's words", () =>
  holdsForEach(
    filesIn("src", ".ts").filter((file) => !notOurs.includes(file)),
    (file) => {
      expect(textsOf(file).flatMap((text) => (text === stored ? [] : found(file, text)))).toEqual([]);
    },
  ));

/** Without quotations: the titles of tests, and the results that third-party clients received when they were tried. */
const withoutQuotations = (page: string): string =>
  page.replace(/^ *- `test\/.*(?:\n +(?!- ).*)*$/gm, "").replace(/Seen: `[^`]*`/g, "");

const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...filesIn("docs", ".md")];

it("every page uses the glossary's words", () =>
  holdsForEach(
    pages.filter((page) => page !== "docs/glossary.md"),
    (page) => {
      expect(found(page, withoutQuotations(readFileSync(page, "utf8")))).toEqual([]);
    },
  ));
