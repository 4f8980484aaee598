/** What people say for live streaming. */
import type { Said } from "../../api/said.js";
import type { liveStreaming as service } from "../live-streaming/index.js";

export const liveStreaming = {
  service: "live stream; live video; broadcast; encoder; ingest; recording",
  operations: {
    live_domains_list: "which live streaming setups do we have; all live configurations and their versions",
    live_domain_create:
      "set up live streaming for a new channel; new live configuration; start from scratch with live video",
    live_domain_get: "show one live configuration; which version of the live setup is active on staging or production",
    live_domain_delete: "delete a live streaming configuration; get rid of an old live setup",
    live_streams_list: "which live streams run under a configuration; all channels; stream ids",
    live_stream_create: "new live stream; get an ingest URL for the encoder; add a channel to broadcast a match",
    live_stream_get:
      "entry points, ingest URL and status of a stream; is the stream provisioned; where does the encoder push to",
    live_stream_update:
      "change the encoder's IP address or settings of a live stream; edit a channel; backup ingest of a stream",
    live_stream_delete: "delete a live stream; shut down a channel for good",
    live_events_list: "which broadcasts were on air on this stream; past shows and recordings of a stream",
    live_event_get: "when was one show on air; one broadcast's recording and its deletion date",
    live_event_update: "keep a recording longer; change when a show's archive is deleted; recordings expire later",
    live_event_delete: "delete a recorded show; remove a broadcast and its archive, recordings now",
    live_version_create:
      "new version of the live configuration; draft with another format or security setting; copy before editing live setup",
    live_version_get:
      "what is in version 2 of the live configuration; formats, token security and geo blocking of a version",
    live_activation_get:
      "is the live configuration version active; progress of a live activation on staging or production",
    live_version_activate:
      "put the live configuration version live on production or staging; activate live streaming settings",
    live_archive_locations_list: "where can recordings be stored; storage locations for archives; NetStorage for DVR",
    live_contacts_list: "who can be the contact for a stream; people to call about a live stream",
    live_countries_list:
      "country codes for geo blocking of live video; which countries can be allowed or blocked for a stream",
    live_cpcodes_list:
      "which CP codes can a live configuration use; free CP codes for reporting and archives of streams",
    live_delivery_formats_list: "output formats for players: HLS, DASH, HDS; how are live streams delivered",
    live_ingest_formats_list: "input formats from encoders: RTMP, HLS, DASH; how are live streams taken in",
  },
} satisfies Said<typeof service>;
