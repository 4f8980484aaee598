/**
 * What an imported operation does, only from its method and the words of its path: a definition is text from outside,
 * which may raise a guard and never lower it.
 */
import type { GuardKind } from "../language/conduct.js";
import { reviewedReads } from "./reviewed-reads.js";

/** Whether it only reads, or the kind of its guard. */
export type ImportedEffect = "read" | GuardKind;

/** The words of a path, without its keys, in lower case. */
const wordsOfPath = (path: string): string[] =>
  path
    .split("?")[0]
    ?.split("/")
    .filter((segment) => segment !== "" && !segment.startsWith("{"))
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/))
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase()) ?? [];

/** The words of the last segment that is not a key. */
const lastWords = (path: string): string[] => {
  const segments = (path.split("?")[0] ?? "").split("/").filter((one) => one !== "" && !one.startsWith("{"));
  return wordsOfPath(segments.at(-1) ?? "");
};

// With these as its last word a GET may change something; "generate-key" is one.
const changing =
  /^(?:generate|regenerate|reset|rotate|renew|activate|deactivate|delete|remove|revoke|purge|invalidate|cancel|abort|start|stop|restart|enable|disable|unlock|logout|execute|trigger|send|resend|submit|approve|reject|accept|create|update|acknowledge)$/;

/** Kinds by the words that choose them, in the order in which they are looked for. */
const kinds: readonly (readonly [GuardKind, RegExp])[] = [
  ["purge", /^(?:purge|invalidate|ccu|eccu|flush)$/],
  ["credential", /^(?:credentials?|keys?|secrets?|passwords?|tokens?|rotate|certificates?|mfa|tfa)$/],
  ["cancel", /^(?:cancel|abort|terminate)$/],
  ["delete", /^(?:delete|remove|decommission|deprovision|purges?|clear)$/],
  ["suspend", /^(?:suspend|deactivate|deactivations?|disable|lock|pause|stop|block)$/],
  ["activate", /^(?:activate|activations?|deploy|deployments?|publish|rollback|reactivate)$/],
  ["access", /^(?:roles?|grants?|permissions?|acl|authorizations?|access)$/],
];

const methodsThatRead = new Set(["GET", "HEAD"]);

/** The kind of guard of a change, which its words choose and never prevent. */
function kindOf(method: string, path: string): GuardKind {
  const [all, last] = [wordsOfPath(path), lastWords(path)];
  const isIn = (words: readonly string[], wanted: GuardKind) =>
    kinds.some(([kind, pattern]) => kind === wanted && words.some((word) => pattern.test(word)));
  if (isIn(all, "purge")) return "purge";
  if (method === "DELETE") return isIn(last, "credential") ? "credential" : isIn(last, "access") ? "access" : "delete";
  const found = kinds.find(([kind]) => isIn(last, kind))?.[0];
  return found ?? (isIn(all, "credential") ? "credential" : "overwrite");
}

/**
 * The effect of an operation.
 * @param route Method and full path.
 * @param digest The digest of its definition: a reviewed POST reads only if the definition is the one that was reviewed.
 */
export function effectOfRoute(route: string, digest: string): ImportedEffect {
  const [method = "", path = ""] = route.split(" ");
  if (methodsThatRead.has(method)) {
    const isChanging = lastWords(path).some((word) => changing.test(word));
    return isChanging ? kindOf(method, path) : "read";
  }
  return method === "POST" && reviewedReads(digest).includes(path) ? "read" : kindOf(method, path);
}
