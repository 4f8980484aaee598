/** What people say for purging content. */
import type { Said } from "../../api/said.js";
import type { purge as service } from "../purge/index.js";

export const purge = {
  service: "cache; purge; flush; invalidate; stale content on the edge",
  operations: {
    purge_queue_get:
      "how long is the purge queue; how many purges are waiting; is purging backed up or slow today; purge backlog",
    purge_submit:
      "clear the cache for a page; flush the cache; bust the cache; visitors still see the old image, CSS or version; kick this URL out of the CDN; refresh cached files now; invalidate a CP code; remove stale or leaked content from all edge servers",
    purge_status:
      "is my purge done yet; how far is the cache flush; did the clearing of the cache finish; progress of a purge by its id",
  },
} satisfies Said<typeof service>;
