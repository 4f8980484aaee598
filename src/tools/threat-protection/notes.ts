/** Sentences that several operations share: which deployment makes a change live, and what a refusal means. */

/** Document C: changes of sites, policies, emergency lists and honeypots are deployed with the configuration. */
const deployed =
  "Not live yet: threat_deployment_launch makes it live; threat_changes_list shows all that waits for it.";
/** Document C: changes of custom lists are deployed list by list. */
const listDeployed =
  "Not live yet: threat_list_deployment_launch makes it live; threat_list_changes_list shows all that waits for it.";
export const liveByDeployment = { 200: deployed, 201: deployed, 204: deployed } as const;
export const liveByListDeployment = { 200: listDeployed, 201: listDeployed, 204: listDeployed } as const;

export const nameTaken = { 409: "The name is taken: choose another one." } as const;
/** The errors of a write with a stamp, which the operation that reads the thing shows. */
export const stale = (reader: string) =>
  ({
    412: `Somebody changed it meanwhile, or it is one that nobody can change, such as the site of unidentified addresses: read it again with ${reader}.`,
  }) as const;
export const noSuch = (lister: string) => ({ 404: `It is not there: ${lister} shows all.` }) as const;
