/** The pages that people write and read, and what stands in them: prose, links, headings, code. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const inFolder = (folder: string): string[] =>
  readdirSync(folder, { encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

/** Pages that are written by hand, at least for the most part. */
export const written = [".", "docs", "docs/decisions"].flatMap(inFolder).sort();
/** Pages that are generated as a whole. */
export const generated = [...inFolder("docs/reference"), ...inFolder("test/system/clients")].sort();

export const textOf = (page: string): string => readFileSync(page, "utf8");

export interface Block {
  readonly language: string;
  readonly text: string;
}

const fence = /^(`{3,})(\w*)\n(.*?)^\1$/gms;

/** The fenced blocks of a page; those that are indented have no language. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  const fenced = [...text.matchAll(fence)].map(([, , language = "", inside = ""]) => ({ language, text: inside }));
  // A line that is indented within a list is prose.
  const indented = [...text.replaceAll(fence, "").matchAll(/\n\n((?: {4}.*\n)+)/g)].map(([, lines = ""]) => ({
    language: "",
    text: lines.replaceAll(/^ {4}/gm, ""),
  }));
  return [...fenced, ...indented];
}

/** What stands between backticks in a page, outside its blocks. */
export const codesOf = (page: string): string[] =>
  [
    ...textOf(page)
      .replaceAll(fence, "")
      .matchAll(/(?<!`)`([^`]+)`(?!`)/g),
  ].map(([, code = ""]) => code.replaceAll(/\s+/g, " "));

/** The anchors of a page, as they are made of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  const times = new Map<string, number>();
  for (const [, heading = ""] of textOf(page)
    .replaceAll(fence, "")
    .matchAll(/^#{1,6} +(.*)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    found.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return found;
}

/** The links of a page to files of the project, pictures included, that lead nowhere. */
export function deadLinksOf(page: string): string[] {
  const prose = textOf(page)
    .replaceAll(fence, "")
    .replaceAll(/^ {4}.*$|`[^`\n]*`/gm, "");
  const links = [...prose.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)|src="(?![a-z]+:)([^"#]+)"/g)];
  return links
    .filter(([, path, anchor, source]) => {
      const target = normalize(join(dirname(page), path || source || ""));
      const file = path === "" && source === undefined ? page : target;
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    })
    .map(([link]) => `${page}: ${link}`);
}
