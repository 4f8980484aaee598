/** What people say for live streaming. */
import type { Said } from "../../api/said.js";
import type { liveStreaming as service } from "../live-streaming/index.js";

export const liveStreaming = {
  service: "live stream; live video; broadcast; encoder; ingest; recording",
  operations: {
    live_domains_list:
      "which live streaming setups do we have; all live configurations and their versions; all streaming domains; inventory of live setups; streaming hostnames",
    live_domain_create:
      "set up live streaming for a new channel; new live configuration; start from scratch with live video; live streaming on a new domain; hostname for live video; new streaming configuration; get a fresh live domain",
    live_domain_get:
      "show one live configuration; which version of the live setup is active on staging or production; configuration of one streaming domain; versions of one live setup and where they run",
    live_domain_delete:
      "delete a live streaming configuration; get rid of an old live setup; we quit broadcasting, take the streaming domain away; drop a streaming configuration with all versions",
    live_streams_list:
      "which live streams run under a configuration; all channels; stream ids; stream number of a camera on a domain; feeds of a domain; channels in a live setup; feeds and ids",
    live_stream_create:
      "new live stream; get an ingest URL for the encoder; add a channel to broadcast a match; new channel or camera; entry point for OBS; prepare a broadcast; another stream on a live domain; be ready to broadcast a match; tell the encoder team where to send video",
    live_stream_get:
      "entry points, ingest URL and status of a stream; is the stream provisioned; where does the encoder push to; encoder and settings of one feed; publishing point, backup, status of a channel; find the address for the encoder",
    live_stream_update:
      "change the encoder's IP address or settings of a live stream; edit a channel; backup ingest of a stream; rejig a feed; encoder has a new IP; other format, contact or recording settings of a channel",
    live_stream_delete:
      "delete a live stream; shut down a channel for good; drop a channel; one stream of a live domain",
    live_events_list:
      "which broadcasts were on air on this stream; past shows and recordings of a stream; shows lined up on a feed; events on a stream; past broadcasts; recordings on a channel; when were we on air",
    live_event_get:
      "when was one show on air; one broadcast's recording and its deletion date; one named broadcast of a stream; one show's times and recording",
    live_event_update:
      "keep a recording longer; change when a show's archive is deleted; recordings expire later; change a broadcast event on a stream; shift show times; longer retention of a recording; other deletion date; keep last week's show for another month",
    live_event_delete:
      "delete a recorded show; remove a broadcast and its archive, recordings now; broadcast was cancelled, take its event off the stream; erase a recording; free archive space; make room in the archive",
    live_version_create:
      "new version of the live configuration; draft with another format or security setting; copy before editing live setup; change live delivery settings without touching the version on air; editable revision of a live setup; new version of a live domain",
    live_version_get:
      "what is in version 2 of the live configuration; formats, token security and geo blocking of a version; token auth, geo rules and formats of one live revision; what a version of a streaming domain contains",
    live_activation_get:
      "is the live configuration version active; progress of a live activation on staging or production; is a version of the streaming domain activated; watch its activation; state of a live rollout; is a live revision out",
    live_version_activate:
      "put the live configuration version live on production or staging; activate live streaming settings; release a live revision; ship to staging or production; let viewers get new live settings",
    live_archive_locations_list:
      "where can recordings be stored; storage locations for archives; NetStorage for DVR; region to keep recordings of broadcasts; storage for recordings; NetStorage groups to choose",
    live_contacts_list:
      "who can be the contact for a stream; people to call about a live stream; persons to name for a channel; whom to call in a broadcast",
    live_countries_list:
      "country codes for geo blocking of live video; which countries can be allowed or blocked for a stream; countries to allow or block in live video",
    live_cpcodes_list:
      "which CP codes can a live configuration use; free CP codes for reporting and archives of streams; CP codes to choose for live; unused for archive, others for reports",
    live_delivery_formats_list:
      "output formats for players: HLS, DASH, HDS; how are live streams delivered; player formats to choose",
    live_ingest_formats_list:
      "input formats from encoders: RTMP, HLS, DASH; how are live streams taken in; what can be fed into the entry point; encoder formats to choose; RTMP supported",
  },
} satisfies Said<typeof service>;
