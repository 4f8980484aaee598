/** What people call the APIs whose definitions are known: their prefixes, titles and words, in our own. */
import data from "./known-apis.json" with { type: "json" };
import { singular, wordsIn } from "./names.js";

/** An API as it is named here. */
interface KnownApi {
  /** The prefix of its operations' names. */
  readonly id: string;
  readonly title: string;
  /** What it manages, in one sentence. */
  readonly about: string;
  /** What people call it and do with it. */
  readonly words: readonly string[];
  /** What people call its objects: by words of its paths. */
  readonly objects?: Readonly<Record<string, string>>;
}

/** By the base path. */
const apis: Readonly<Record<string, KnownApi>> = data;

/** The API behind a base path; undefined if it is not known. */
export const knownApi = (base: string): KnownApi | undefined => (Object.hasOwn(apis, base) ? apis[base] : undefined);

/** A prefix and a title for an API, made of its base path if it is not known. */
export function apiAt(base: string, isTaken: (id: string) => boolean): Pick<KnownApi, "id" | "title"> {
  const api = knownApi(base);
  if (api) return api;
  const words = base
    .split("/")
    .flatMap(wordsIn)
    .filter((word) => word !== "api");
  const version = words.filter((word) => /^v\d+$/.test(word)).at(-1) ?? "";
  const nameWords = words.filter((word) => word !== version).slice(0, 3);
  const id = [...nameWords.slice(0, -1), ...nameWords.slice(-1).map(singular)].join("_").slice(0, 24) || "api";
  const title = nameWords.join(" ") || "API";
  const versioned = version === "" ? `${id}_api` : `${id}_${version}`;
  return { id: isTaken(id) ? versioned : id, title: `${title.charAt(0).toUpperCase()}${title.slice(1)}` };
}
