/** What people say for purging content. */
import type { Said } from "../../api/said.js";
import type { purge as service } from "../purge/index.js";

export const purge = {
  service: "cache; purge; flush; invalidate; stale content on the edge",
  operations: {
    purge_queue_get:
      "how long is the purge queue; how many purges are waiting; is purging backed up or slow today; purge backlog; is it better to wait before another big purge; how busy is the queue; queue length; purge requests ahead of mine; traffic jam of purges; emergency queue depth; is it a bad moment to purge; purges pending; how backed up, congested, loaded is purging; backlog; requests in the default or emergency queue; waiting invalidations; are purges delayed; is there a jam in purging; how many folks are ahead of me in purging; is now a good time to purge",
    purge_submit:
      "clear the cache for a page; flush the cache; bust the cache; visitors still see the old image, CSS or version; kick this URL out of the CDN; refresh cached files now; invalidate a CP code; remove stale or leaked content from all edge servers; old price still shown, update did not appear for visitors; force revalidation; delete a leaked file from the edge; empty the cache of the whole site; nuke cached pages before release; staging cache too; expire objects now; get a corrected press release to readers; make visitors see the fix; take down a wrong file everywhere; content is stale, outdated, old; people see yesterday's version, prices, logo; force the edge to refetch; reload from origin; clean, drop, dump, evict, wipe cache; purge by URL, CP code, tag, ARL; cached copy wrong; remove pictures from cache; ccu; fast purge; invalidate everything; refresh pages; cache busting; after a deploy; recall a file; legal takedown; blow away the cached copy; customers keep getting an ancient version; zap everything under a cp code; pull an embarrassing picture from every server; the fix is out but nobody sees it; mark it stale; readers must see the corrected article; withdraw a file from all edges; update is not visible",
    purge_status:
      "is my purge done yet; how far is the cache flush; did the clearing of the cache finish; progress of a purge by its id; has the clearing that I asked for earlier finished; how long until my flush is through; was the content removed; check a purge id; estimated time left of a purge; be sure that the old file is gone before telling the customer; did the purge, flush, invalidation go through; purge finished, complete, in progress; check a purge request id; is the cache clear now; has it been wiped; is that purge still cooking; has the flush landed everywhere",
  },
} satisfies Said<typeof service>;
