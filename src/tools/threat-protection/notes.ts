/** What several operations share: which deployment makes a change live, what a refusal means, and all that kinds have alike. */
import { empty, json } from "../../language/define.js";
import type { z } from "../../language/z.js";
import { stamped } from "./shapes.js";

/** Document C: changes of sites, policies, emergency lists and honeypots are deployed with the configuration. */
const deployed =
  "Not live yet: threat_deployment_launch makes it live; threat_changes_list shows all that waits for it.";
/** Document C: changes of custom lists are deployed list by list. */
const listDeployed =
  "Not live yet: threat_list_deployment_launch makes it live; threat_list_changes_list shows all that waits for it.";
export const liveByDeployment = { 200: deployed, 201: deployed, 204: deployed } as const;
export const liveByListDeployment = { 200: listDeployed, 201: listDeployed, 204: listDeployed } as const;

const nameTaken = { 409: "The name is taken: choose another one." } as const;
/** The errors of a write with a stamp, which the operation that reads the thing shows. */
const stale = (reader: string) =>
  ({
    412: `Somebody changed it meanwhile, or it is one that nobody can change, such as the site of unidentified addresses: read it again with ${reader}.`,
  }) as const;
export const noSuch = (lister: string) => ({ 404: `It is not there: ${lister} shows all.` }) as const;

/**
 * What the operations on things of one kind have in common.
 * @param schema A thing as it is read; a write may answer with it or without a body.
 * @param lister The operation that lists the things.
 * @param reader The operation that reads one, with its stamp.
 * @param live What makes a change of them live.
 */
export function kindOf<S extends z.ZodType, const R extends string>(
  schema: S,
  lister: string,
  reader: R,
  live: typeof liveByDeployment | typeof liveByListDeployment,
) {
  const answer = json(schema.optional());
  const errors = { ...noSuch(lister), ...stale(reader) };
  const lock = { field: "ifMatch", from: reader, at: "headers.etag" } as const;
  const written = { lock, returns: { 200: answer, 204: empty } } as const;
  return {
    read: { answerHeaders: stamped, returns: { 200: json(schema) }, means: noSuch(lister) },
    creation: { answerHeaders: stamped, returns: { 200: answer, 201: answer }, means: { ...live, ...nameTaken } },
    update: { ...written, answerHeaders: stamped, means: { ...live, ...errors, ...nameTaken } },
    deletion: { ...written, means: { ...live, ...errors } },
    lock,
    errors,
  } as const;
}
