/** The search phrases of everything that can be found, read from the text files next to the declarations, for the build and the tests. */
import { existsSync, readFileSync } from "node:fs";
import type { Service } from "../src/language/service.js";
import { services } from "../src/tools/index.js";
import { reportTypes } from "../src/tools/reporting/catalogue.js";

type Phrases = readonly string[];

interface Worded {
  /** A service's name, or `workflows`. */
  readonly home: string;
  /** The name of a tool, `service`, `resource NAME` or `report NAME`. */
  readonly heading: string;
  /** How often people need it, by the stars after the heading: none, or one to three. */
  readonly stars: number;
  readonly phrases: Phrases;
  /** The file and the line of the heading. */
  readonly place: string;
}

/** The phrases of a file, one per line under each heading; text above the first heading is ignored. */
function wordsIn(home: string, file: string): Worded[] {
  const [before = "", ...parts] = readFileSync(file, "utf8").split(/^# /m);
  let line = before.split("\n").length;
  return parts.map((part) => {
    const place = `${file}:${line}`;
    line += part.split("\n").length - 1;
    const [first = "", ...phrases] = part.split("\n").filter((one) => one !== "");
    const stars = / (\*+)$/.exec(first)?.[1]?.length ?? 0;
    return { home, heading: first.replace(/ \*+$/, ""), stars, phrases, place };
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

/** Everything that can be found: the home and the heading of its phrases. */
export function headings(
  all: readonly Service[],
  workflows: Iterable<string>,
  resources: readonly { readonly service: string; readonly name: string }[],
): readonly (readonly [home: string, heading: string])[] {
  const replacing = all.filter(({ replaces }) => replaces !== undefined && replaces.services.length > 0);
  return [
    ...all
      .filter((service) => !replacing.includes(service))
      .flatMap(({ name, operations }) => ["service", ...Object.keys(operations)].map((one) => [name, one] as const)),
    // The phrases for a tool of today's APIs are with the service that its own replaces, which may have one of its name.
    ...replacing.flatMap(({ replaces, operations }) => {
      const home = all.find(({ name }) => name === replaces?.services[0]);
      const own = Object.keys(operations).filter((tool) => !Object.hasOwn(home?.operations ?? {}, tool));
      return home ? own.map((tool) => [home.name, tool] as const) : [];
    }),
    ...["service", ...workflows].map((one) => ["workflows", one] as const),
    ...resources.map(({ service, name }) => [service, `resource ${name}`] as const),
    ...reportTypes.map(({ name }) => ["reporting", `report ${name}`] as const),
  ];
}

/** The headings of nothing that can be found, each with file and line. */
export function foreignWords(known: ReturnType<typeof headings>, all: readonly Worded[] = words): string[] {
  const found = new Set(known.map((one) => one.join(" ")));
  return all
    .filter(({ home, heading }) => !found.has(`${home} ${heading}`))
    .map(({ home, heading, place }) => `${place}: there is no ${heading} of ${home}`);
}
