/** What several operations share: how a change is deployed, and what each kind of object declares. */
import type { Check } from "../../language/check.js";
import type { ReviewForm } from "../../language/conduct.js";
import { empty, type Header, json } from "../../language/define.js";
import { fieldProblem, quoteValue } from "../../language/failure.js";
import { guardsOf } from "../../language/guards.js";
import { memberAt, numberAt } from "../../language/member.js";
import { plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { config, id } from "./shapes.js";

/** Document C: changes to sites, policies, emergency lists and honeypots are deployed with the configuration. */
const deployed = "Not live yet: threat_deployment_launch makes it live; threat_changes_list shows all pending changes.";
/** Document C: changes to custom lists are deployed list by list. */
const listDeployed =
  "Not live yet: threat_list_deployment_launch makes it live; threat_list_changes_list shows all pending changes.";
export const deploymentMeanings = { 200: deployed, 201: deployed, 204: deployed } as const;
export const listDeploymentMeanings = { 200: listDeployed, 201: listDeployed, 204: listDeployed } as const;

/** A deletion takes effect only when it is deployed, so until then it does not reach visitors. */
export const deletionDelay = "the deletion takes effect with the next deployment";

/** The items of a list are known by their values, and have no order. */
export const itemForm: ReviewForm = {
  sets: "all",
  title: (_, { value }) => [value],
  titled: ["value"],
  words: { type: "" },
};

/**
 * The values of a list's first items and the number of the others; undefined if none could be read.
 * @param count The number of items, if a more reliable one is known than that of the response.
 */
export function itemsInWords(items: unknown, count?: number): string | undefined {
  const list = memberAt(items, "items");
  if (!Array.isArray(list)) return undefined;
  const named = list.slice(0, 5).map((one) => plainOrQuoted(memberAt(one, "value")));
  const more = (count ?? numberAt(items, "totalCount") ?? list.length) - named.length;
  if (named.length === 0) return "no items";
  return `${named.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en-US")} more` : ""}`;
}

export const missingMeaning = (lister: string) => ({ 404: `It does not exist: ${lister} lists all.` }) as const;

/**
 * What the operations on one kind of object share; their names contain that of the kind, in the singular or plural.
 * @param schema An object as it is read; a write may return it or no body.
 * @param headers The stamp that a write takes.
 * @param live How a change takes effect.
 * @param thing The noun for an object, if it is not that of the kind.
 */
export function objectOperations<
  S extends z.ZodType,
  const K extends string,
  const P extends string,
  const H extends Readonly<Record<string, Header>>,
>(
  schema: S,
  kind: K,
  several: P,
  headers: H,
  live: typeof deploymentMeanings | typeof listDeploymentMeanings,
  thing: string = kind,
) {
  const [argument, lister, reader] = [`${kind}Id`, `threat_${several}_list`, `threat_${kind}_get`] as const;
  const answer = json(schema.optional());
  const nameTaken = { 409: "The name is taken: choose another one." };
  const errors = {
    ...missingMeaning(lister),
    412: `It was changed meanwhile, or it cannot be changed, such as the site of unidentified addresses: read it again with ${reader}.`,
  } as const;
  const answerHeaders = { etag: "ETag" };
  const lock = { field: "ifMatch", from: reader, at: "headers.etag" } as const;
  const path = { ...config, [argument]: id } as typeof config & Record<`${K}Id`, typeof id>;
  const write = { path, headers, shownBy: reader, lock, returns: { 200: answer, 204: empty } } as const;
  const sameId: Check = ({ args }) => {
    const given = memberAt(args, "body.id");
    return given === undefined || given === args[argument]
      ? []
      : fieldProblem("body.id", given, `${quoteValue(args[argument])}, as in ${argument}, or no value`);
  };
  const nameIn = (present: unknown): string => {
    const name = memberAt(present, "name");
    return typeof name === "string" ? name : "";
  };
  return {
    list: { path: config, returns: { 200: json(z.array(schema)) }, example: { configId: 1100 } },
    read: { path, answerHeaders, returns: { 200: json(schema) }, means: missingMeaning(lister) },
    creation: {
      path: config,
      answerHeaders,
      means: { ...live, ...nameTaken },
      returns: { 200: answer, 201: answer },
      effect: "create",
      shownBy: lister,
    },
    update: {
      ...write,
      answerHeaders,
      means: { ...live, ...errors, ...nameTaken },
      effect: "update",
      guard: {
        kind: "overwrite",
        when: "asked",
        thing: `${thing} {name}`,
        replaces: "body",
        review: { sets: ["sites", "exitPoints"] },
      },
      checks: [sameId],
    },
    deletion: { ...write, means: { ...live, ...errors } },
    /** The guard of a change; an approver types the name of the object if that is one plain word, or else its id. */
    guard: guardsOf(
      thing,
      (args, present) => {
        const [name, key] = [nameIn(present), String(args[argument])];
        return `${kind} ${name === "" ? key : `${plainOrQuoted(name)} (${key})`}`;
      },
      (args, present) => {
        const name = nameIn(present);
        return plainOrQuoted(name) === name ? name : `${kind} ${String(args[argument])}`;
      },
    ),
    path,
    lock,
    errors,
  } as const;
}
