/** How often a search finds the tool that the writer of a prompt had in mind. */
import { readFileSync } from "node:fs";
import type { Search } from "../../src/search/index.js";

export interface Prompt {
  readonly prompt: string;
  readonly kind: "plain" | "slang" | "goal" | "typo";
  /** The tool, or every one that answers the prompt. */
  readonly tool: string | readonly string[];
}

export const promptsOf = (file: string): Prompt[] =>
  JSON.parse(readFileSync(new URL(`./${file}`, import.meta.url), "utf8"));

const toolsOf = ({ tool }: Prompt): readonly string[] => [tool].flat();

/** The share of prompts whose tool comes first, and of those whose tool is among the first five. */
export function hitRates(
  search: Search,
  prompts: readonly Prompt[],
): { readonly first: number; readonly five: number } {
  const places = prompts.map((prompt) =>
    search.find(prompt.prompt, 5, () => true).tools.findIndex(({ tool }) => toolsOf(prompt).includes(tool)),
  );
  const share = (isHit: (place: number) => boolean) => places.filter(isHit).length / prompts.length;
  return { first: share((place) => place === 0), five: share((place) => place >= 0) };
}

/** The tools that prompts name and that there are none of. */
export const unknownTools = (prompts: readonly Prompt[], isTool: (name: string) => boolean): string[] =>
  prompts.flatMap(toolsOf).filter((name) => !isTool(name));
