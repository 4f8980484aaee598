/** The search phrases of everything that can be found, read from the text files next to the declarations, for the build and the tests. */
import { existsSync, readFileSync } from "node:fs";
import { services } from "../src/tools/index.js";

type Phrases = readonly string[];

interface Worded {
  /** A service's name, or `workflows`. */
  readonly home: string;
  /** The name of a tool, `service`, `resource NAME` or `report NAME`. */
  readonly heading: string;
  /** How often people need it, by the stars after the heading: none, or one to three. */
  readonly stars: number;
  readonly phrases: Phrases;
}

/** The phrases of a file, one per line under each heading; text above the first heading is ignored. */
function wordsIn(home: string, file: string): Worded[] {
  const [, ...parts] = readFileSync(file, "utf8").split(/^# /m);
  return parts.map((part) => {
    const [first = "", ...phrases] = part.split("\n").filter((line) => line !== "");
    return { home, heading: first.replace(/ \*+$/, ""), stars: / (\*+)$/.exec(first)?.[1]?.length ?? 0, phrases };
  });
}

const fileOf = (name: string): string => `src/tools/${name}/words.txt`;

/** In the order of the documents. A service of today's APIs shares those of the service that it replaces. */
export const words: readonly Worded[] = [
  ...Object.keys(services)
    .filter((name) => existsSync(fileOf(name)))
    .flatMap((name) => wordsIn(name, fileOf(name))),
  ...wordsIn("workflows", "src/workflows/words.txt"),
];

const byHeading = new Map(words.map((one) => [`${one.home} ${one.heading}`, one]));

/** The phrases for one heading of a service or the workflows. */
export const phrasesFor = (home: string, heading: string): Phrases =>
  byHeading.get(`${home} ${heading}`)?.phrases ?? [];

/** How often people need a tool of a service or the workflows, from zero to three. */
export const starsOf = (home: string, heading: string): number => byHeading.get(`${home} ${heading}`)?.stars ?? 0;
