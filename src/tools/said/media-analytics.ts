/** What people say for media analytics. */
import type { Said } from "../../api/said.js";
import type { mediaAnalytics as service } from "../media-analytics/index.js";

export const mediaAnalytics = {
  service: "media analytics; video audience; viewers, plays, rebuffering, quality of experience; downloads",
  operations: {
    media_report_packs_list:
      "which media reports do we have; report packs for audience, quality of service or downloads",
    media_report_pack_get:
      "what can I measure in this report pack; metrics and dimensions of video reports, with their ids",
    media_data_stores_list:
      "which metrics and dimensions go together; how far back and how finely does the media data go; retention of data stores",
    media_data_store_get: "one data store of a report pack; its dimensions, metrics and period",
    media_data_sources_list:
      "which streams or players does the report pack have data of; data sources of media reports",
    media_data_get:
      "how many people watched the stream; viewers by country or device; rebuffering, startup time and bitrate; top videos; number of downloads; peak concurrent audience",
    media_viewer_data_get:
      "why did one viewer have bad video; sessions of a single viewer; a customer complains about buffering, look at that person",
  },
} satisfies Said<typeof service>;
