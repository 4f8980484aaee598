/** What people say for media analytics. */
import type { Said } from "../../language/guide.js";
import type { mediaAnalytics as service } from "./index.js";

export const mediaAnalytics = {
  service: "media analytics; video audience; viewers, plays, rebuffering, quality of experience; downloads",
  resources: {
    "media-report-packs": "report packs of a media family as a document",
    "media-report-pack": "dimensions and metrics of a media report pack as a document",
  },
  operations: {
    media_report_packs_list:
      "which media reports do we have; report packs for audience, quality of service or downloads; which analytics packs are there; audience, QoS and download packs; ids of packs; report packs, QoS, audience, download analytics: list; which media reports are there; pack ids; media dashboards; what video dashboards do we have; video analytics packages; which packs for audience, quality, viewers or downloads; pack ids; where do I start with media numbers; enumerate media packs; start of video statistics",
    media_report_pack_get:
      "what can I measure in this report pack; metrics and dimensions of video reports, with their ids; columns of a pack; ids of metrics and dimensions such as country or device; find the id of a metric before running a media report; one report pack by id: metrics, dimensions, sources; what is inside a pack; which dimensions, custom dimensions does a pack have; contents of a pack; what can be measured in a video dashboard; what can a pack report; its dimensions, metrics, filters and stores; inside one pack; custom dimensions; info on a pack; available numbers",
    media_data_stores_list:
      "which metrics and dimensions go together; how far back and how finely does the media data go; retention of data stores; data stores of a pack; valid combinations of metrics and dimensions; retention and granularity of each store; data stores of a pack; which dimensions, metrics can be combined; how long is media data kept; list stores; compatible combinations; which figures can go in one query; how old may video figures be; which numbers combine in a pack; stores with their dimensions and metrics; breakdowns that go together; enumerate stores of a pack; compatible metrics",
    media_data_store_get:
      "one data store of a report pack; its dimensions, metrics and period; how long does one data store keep its data; one store's columns and history; one data store by id: dimensions, metrics, retention; read a store; what does store 12 hold, for how long; one store's metrics, retention and longest query; how long is media data kept; its aggregation; info on a store; retention days",
    media_data_sources_list:
      "which streams or players does the report pack have data of; data sources of media reports; where does a report pack get its data from; players, beacons or streams behind a pack; data sources of a pack: streams, players, beacons; what feeds a pack; where does the data come from; list sources; which players send figures; players or streams that report into a pack; where do the numbers come from; feeds of a pack; enumerate sources of a pack; which players report",
    media_data_get:
      "how many people watched the stream; viewers by country or device; rebuffering, startup time and bitrate; top videos; number of downloads; peak concurrent audience; did stream quality get better after switching the player; plays, unique viewers, watch time, errors and startup of video; audience by country, device, title; buffering over time; download completions; tell the sponsor how many watched; see if viewers left because of buffering; compare audience by country; how many people, viewers watched the stream last night; audience, plays, concurrent viewers, watch time, rebuffering, bitrate, startup time, errors, downloads; viewing figures; ratings; by device, country, browser, title; video quality statistics; run a media report; did downloads complete; how did the show do; did people bail because of spinning; how many tuned in; which phone do they watch on; how many finished the download; did viewers have trouble; how long did people watch; which country watched the most; plays, viewers, startup time, rebuffering, downloads; video numbers by country, device or title; how did the stream do; audience peak; completion rate; video statistics; watch time; concurrent viewers; bitrate; startup failures",
    media_viewer_data_get:
      "why did one viewer have bad video; sessions of a single viewer; a customer complains about buffering, look at that person; a subscriber complains about stalls, look at the sessions; what did one viewer watch; quality for a single subscriber; support case of one person; answer a complaint by one customer about video quality; one viewer, subscriber, person: sessions, buffering, quality, what he saw; viewer complains; viewer id; playback problem of a single viewer; individual viewer diagnostics; one guy says video keeps spinning; what went wrong for this subscriber; a single subscriber's playback; what went wrong for one viewer; his stalls, errors, sessions; customer complains about video; one viewer's session; troubleshooting his playback",
  },
} satisfies Said<typeof service>;
