/** What people say for all that can be found, read from beside the declarations; for what is generated and tested, never for a call. */
import { readFileSync } from "node:fs";
import { services } from "../src/tools/index.js";

type Phrases = readonly string[];

interface Worded {
  /** A service's name, or `workflows`. */
  readonly home: string;
  /** The name of a tool, `service`, `resource NAME` or `report NAME`. */
  readonly heading: string;
  readonly phrases: Phrases;
}

/** What a file says: under each heading its phrases, one a line. What stands above the first heading is about the file. */
function wordsIn(home: string, file: string): Worded[] {
  const [, ...parts] = readFileSync(file, "utf8").split(/^# /m);
  return parts.map((part) => {
    const [heading = "", ...phrases] = part.split("\n").filter((line) => line !== "");
    return { home, heading, phrases };
  });
}

/** In the order of the documents. */
export const words: readonly Worded[] = [
  ...Object.keys(services).flatMap((name) => wordsIn(name, `src/tools/${name}/words.txt`)),
  ...wordsIn("workflows", "src/workflows/words.txt"),
];

const byHeading = new Map(words.map(({ home, heading, phrases }) => [`${home} ${heading}`, phrases]));

/** What people say for one thing of a service or of the workflows. */
export const phrasesFor = (home: string, heading: string): Phrases => byHeading.get(`${home} ${heading}`) ?? [];
