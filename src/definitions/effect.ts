/**
 * What an imported operation does, only from its method, the words of its path and the names of its arguments: a definition
 * is text from outside, which may raise a guard and never lower it.
 */
import type { GuardKind } from "../language/conduct.js";
import { listAt } from "../language/member.js";
import type { CompiledOperation, Parameter } from "./definition.js";
import { reviewedReads } from "./reviewed-reads.js";

/** Whether it only reads, or the kind of its guard. */
export type ImportedEffect = "read" | GuardKind;

/** The words of a text in lower case; those of names in camel case are split, also behind capitals: `URLPurge`. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());

/** The words of each segment of a path without its keys, and of each pair of the query that is fixed in it. */
const partsOf = (path: string): string[][] =>
  path
    .replaceAll(/\{[^{}]*\}/g, "")
    .split(/[/?&]/)
    .map(wordsOf)
    .filter((part) => part.length > 0);

const words = (text: string): ReadonlySet<string> => new Set(text.match(/\w+/g));

/**
 * The kinds in the order in which they are tried. With a verb, even a GET counts as a change; a noun only chooses the
 * kind of an operation that is a change by its method or by another word.
 */
const kinds: readonly (readonly [kind: GuardKind, verbs: ReadonlySet<string>, nouns: ReadonlySet<string>])[] = [
  ["purge", words("purge invalidate flush evict"), words("ccu eccu")],
  [
    "credential",
    words("rotate"),
    words(
      "credential credentials key keys secret secrets password passwords token tokens certificate certificates mfa tfa",
    ),
  ],
  ["cancel", words("cancel abort terminate kill"), words("")],
  [
    "delete",
    words(
      "delete remove decommission deprovision clear wipe erase destroy drop truncate discard expunge uninstall unregister " +
        "deregister detach unlink offboard trash empty del rm",
    ),
    words("purges"),
  ],
  [
    "suspend",
    words("suspend deactivate disable lock pause stop block shutdown halt freeze quarantine ban undeploy unpublish"),
    words("deactivation deactivations"),
  ],
  [
    "activate",
    words("activate deploy publish rollback reactivate promote failover revert"),
    words("activation activations deployment deployments"),
  ],
  ["access", words(""), words("role roles grants permission permissions acl authorization authorizations access")],
];

/** The verbs that choose no kind. */
const others = words(
  "generate regenerate reset renew start restart reboot execute exec run invoke launch trigger send resend submit approve " +
    "reject accept create update acknowledge ack enable unlock unblock resume logout merge move rename replace restore " +
    "overwrite override write save add insert append assign unassign reassign attach apply commit upgrade downgrade " +
    "migrate transfer provision register subscribe unsubscribe reload rebuild rerun retry replay reinitialize modify edit " +
    "grant revoke",
);

const verbs = new Set([...kinds.flatMap(([, own]) => [...own]), ...others]);

// Phrases in which a verb is a noun, because it cannot be done to what follows: the status of a purge, the history of a
// rollback.
const nounPhrase =
  /^(?:(?:purge|flush|rollback|reboot|restart|upgrade|failover|lock|block) (?:status|progress)|(?:rollback|reboot|restart|upgrade|failover) history)$/;

// Two words in one, such as "deleteall" and "flushcache".
const joined = new RegExp(`^(?:${[...verbs].join("|")})(?:all|now|cache)$`);

const isVerb = (word: string): boolean => verbs.has(word) || joined.test(word);

/** Whether a part of a path says that something is changed. */
const changes = (part: readonly string[]): boolean =>
  (nounPhrase.test(part.slice(-2).join(" ")) ? part.slice(0, -2) : part).some(isVerb);

const methodsThatRead = new Set(["GET", "HEAD"]);

/** The kind of guard of a change. Every change has one: the words only choose which. */
function kindOf(method: string, parts: readonly (readonly string[])[]): GuardKind {
  const [all, last] = [parts.flat(), parts.at(-1) ?? []];
  const isIn = (some: readonly string[], wanted: GuardKind) =>
    kinds.some(([kind, own, nouns]) => kind === wanted && some.some((word) => own.has(word) || nouns.has(word)));
  if (isIn(all, "purge")) return "purge";
  if (method === "DELETE") return isIn(last, "credential") ? "credential" : isIn(last, "access") ? "access" : "delete";
  const found = kinds.find(([kind]) => isIn(last, kind)) ?? kinds.find(([, own]) => all.some((word) => own.has(word)));
  return found?.[0] ?? (isIn(all, "credential") ? "credential" : "overwrite");
}

// The first words of arguments that say what a call does; those of a method, too, by which some APIs choose it.
const directing = words("action command cmd operation op do method verb httpmethod httpverb requestmethod");

// Words with which a call does more than it otherwise would.
const insisting = words("force forced bypass override overwrite confirm confirmed immediate immediately");

// Words before the verb of a flag, such as `autoDelete`.
const modal = words("and also auto can is may must please should shall then to will with");

// When something happened, such as the `updateDate` that a search begins with.
const happened = / (?:date|time|status|since|before|after|at)$/;

/** Whether an argument in the query of a GET can make it change something, by its name or the values that it takes. */
function isDirecting([name, { shape }]: readonly [string, Parameter]): boolean {
  const all = wordsOf(name);
  if ([all[0] ?? "", all.join("")].some((word) => directing.has(word))) return true;
  // `start` and `stop` may be those of a period, which are not flags.
  const isOfPeriod = (word: string) => (word === "start" || word === "stop") && shape.type !== "boolean";
  const [does = ""] = all.filter((word) => !modal.has(word));
  const isChange = all.some((word) => insisting.has(word)) || (isVerb(does) && !isOfPeriod(does));
  const values = [...listAt(shape, "enum"), ...listAt(shape, "items.enum")].map((one) => wordsOf(String(one)).join(""));
  return (isChange && !happened.test(all.join(" "))) || values.some(isVerb);
}

/** The arguments in the query that is fixed in a path. */
const fixedIn = (path: string): (readonly [string, Parameter])[] =>
  [...path.matchAll(/[?&]([^=&]+)=?([^&]*)/g)].map(([, name = "", value]) => [name, { shape: { enum: [value] } }]);

const isReviewed = (route: string, digest: string): boolean => reviewedReads(digest).includes(route);

/**
 * The effect of an operation, as far as its route shows it.
 * @param route Method and full path.
 * @param digest The digest of its definition: a reviewed route reads only if the definition is the one that was reviewed.
 */
export function effectOfRoute(route: string, digest: string): ImportedEffect {
  const [method = "", path = ""] = route.split(" ");
  const parts = partsOf(path);
  const isChange = !methodsThatRead.has(method) || parts.some(changes) || fixedIn(path).some(isDirecting);
  return isChange && !isReviewed(route, digest) ? kindOf(method, parts) : "read";
}

/**
 * The effect of an operation, with its arguments and with what its definition says of itself.
 * @param digest See `effectOfRoute`.
 */
export function importedEffectOf(
  { route, query = {}, isGuarded }: Pick<CompiledOperation, "route" | "query" | "isGuarded">,
  digest: string,
): ImportedEffect {
  const effect = effectOfRoute(route, digest);
  if (effect !== "read") return effect;
  return isGuarded || (!isReviewed(route, digest) && Object.entries(query).some(isDirecting)) ? "overwrite" : "read";
}
