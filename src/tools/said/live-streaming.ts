/** What people say for live streaming. */
import type { Said } from "../../api/said.js";
import type { liveStreaming as service } from "../live-streaming/index.js";

export const liveStreaming = {
  service: "live stream; live video; broadcast; encoder; ingest; recording",
  operations: {
    live_domains_list:
      "which live streaming setups do we have; all live configurations and their versions; all streaming domains; inventory of live setups; streaming hostnames; live streaming configs, configurations, domains: all; list live setups; which live domains have we; MSL list; what live setups do we run",
    live_domain_create:
      "set up live streaming for a new channel; new live configuration; start from scratch with live video; live streaming on a new domain; hostname for live video; new streaming configuration; get a fresh live domain; new live streaming configuration, domain; set up live streaming on a hostname; start with live video; first live setup; we're getting into live video; hostname for our channel",
    live_domain_get:
      "show one live configuration; which version of the live setup is active on staging or production; configuration of one streaming domain; versions of one live setup and where they run; one live configuration by domain: versions, where active; read the configuration of a live domain; which version of a live domain is on production; what's live on this streaming hostname",
    live_domain_delete:
      "delete a live streaming configuration; get rid of an old live setup; we quit broadcasting, take the streaming domain away; drop a streaming configuration with all versions; delete, remove a live domain, configuration completely; end live streaming altogether; quit live video; we're done with live video",
    live_streams_list:
      "which live streams run under a configuration; all channels; stream ids; stream number of a camera on a domain; feeds of a domain; channels in a live setup; feeds and ids; streams, channels, feeds, cameras of a live domain; list streams; which channels run; stream ids; which channels are on this hostname; find a stream id",
    live_stream_create:
      "new live stream; get an ingest URL for the encoder; add a channel to broadcast a match; new channel or camera; entry point for OBS; prepare a broadcast; another stream on a live domain; be ready to broadcast a match; tell the encoder team where to send video; new live channel, stream, feed, camera; second stream on a domain; add a stream; ingest URL for a new broadcast; create an entry point; go live with a new show; we need a spot for the second camera; where will the encoder push for tonight's match",
    live_stream_get:
      "entry points, ingest URL and status of a stream; is the stream provisioned; where does the encoder push to; encoder and settings of one feed; publishing point, backup, status of a channel; find the address for the encoder; one stream, channel by id: RTMP entry points, ingest URL, encoder, status, settings; where do we push video; is the stream provisioned, pending; publish URL; backup entry point; primary; where do I point OBS; is the channel good to go",
    live_stream_update:
      "change the encoder's IP address or settings of a live stream; edit a channel; backup ingest of a stream; rejig a feed; encoder has a new IP; other format, contact or recording settings of a channel; change, edit a stream, channel: encoder IP, contact, format, archive; new encoder; switch DVR on; stream's settings; update a feed; the encoder moved; camera crew has new gear; tweak a channel",
    live_stream_delete:
      "delete a live stream; shut down a channel for good; drop a channel; one stream of a live domain; delete, remove a stream, channel, feed; channel discontinued; shut a stream down for good; the channel is dead",
    live_events_list:
      "which broadcasts were on air on this stream; past shows and recordings of a stream; shows lined up on a feed; events on a stream; past broadcasts; recordings on a channel; when were we on air; broadcasts, shows, events, recordings of a stream; what was on air; list past events; archive of a channel; what shows ran on the channel; which tapes do we have",
    live_event_get:
      "when was one show on air; one broadcast's recording and its deletion date; one named broadcast of a stream; one show's times and recording; one broadcast, show, event by name: on air from, to, recording; read an event of a stream; when will its recording be deleted; when did that show run; when does its tape vanish",
    live_event_update:
      "keep a recording longer; change when a show's archive is deleted; recordings expire later; change a broadcast event on a stream; shift show times; longer retention of a recording; other deletion date; keep last week's show for another month; keep, retain a recording longer, until a date; change deletion date of an event's archive; recording retention; set when a recording is deleted; don't delete the keynote's recording yet; prolong archive; the sponsor wants the tape longer; let the tape vanish sooner",
    live_event_delete:
      "delete a recorded show; remove a broadcast and its archive, recordings now; broadcast was cancelled, take its event off the stream; erase a recording; free archive space; make room in the archive; delete, erase a recording, show, event, broadcast; remove last week's recording; clear archive space; wipe the tape of a show",
    live_version_create:
      "new version of the live configuration; draft with another format or security setting; copy before editing live setup; change live delivery settings without touching the version on air; editable revision of a live setup; new version of a live domain; new version, draft, revision of a live configuration; edit live settings safely; copy of a live config to change; change live security in a new version; play with live settings without hurting the show; new rev of the live setup",
    live_version_get:
      "what is in version 2 of the live configuration; formats, token security and geo blocking of a version; token auth, geo rules and formats of one live revision; what a version of a streaming domain contains; one version of a live configuration: formats, token auth, geo; what's in a live version; settings of a version of a live domain; what's inside rev 2 of the live setup",
    live_activation_get:
      "is the live configuration version active; progress of a live activation on staging or production; is a version of the streaming domain activated; watch its activation; state of a live rollout; is a live revision out; is a live version active, activated, activating; activation status of a live configuration; live rollout progress; where is the version active; is the live rev out",
    live_version_activate:
      "put the live configuration version live on production or staging; activate live streaming settings; release a live revision; ship to staging or production; let viewers get new live settings; switch the live config version on; activate, push, deploy, release a live version to staging, production; make live settings effective; live configuration go live; get the live rev on air",
    live_archive_locations_list:
      "where can recordings be stored; storage locations for archives; NetStorage for DVR; region to keep recordings of broadcasts; storage for recordings; NetStorage groups to choose; storage locations for archives, recordings; NetStorage groups; where can recordings go; list archive locations; where can tapes be kept",
    live_contacts_list:
      "who can be the contact for a stream; people to call about a live stream; persons to name for a channel; whom to call in a broadcast; people who can be stream contacts; list contacts for live streams; whom to call; contact for a channel; who can be rung up about a channel",
    live_countries_list:
      "country codes for geo blocking of live video; which countries can be allowed or blocked for a stream; countries to allow or block in live video; countries I can geo-block, allow for a stream; country codes for live; list countries; which country codes can live video be shut off for",
    live_cpcodes_list:
      "which CP codes can a live configuration use; free CP codes for reporting and archives of streams; CP codes to choose for live; unused for archive, others for reports; CP codes usable for a live configuration, unused for archives; free cpcodes for live; list live CP codes; which cp codes are free for live",
    live_delivery_formats_list:
      "output formats for players: HLS, DASH, HDS; how are live streams delivered; player formats to choose; delivery, output, playback formats: HLS, HDS, DASH; how can streams be played; list delivery formats; what can players get",
    live_ingest_formats_list:
      "input formats from encoders: RTMP, HLS, DASH; how are live streams taken in; what can be fed into the entry point; encoder formats to choose; RTMP supported; ingest, input formats: RTMP, HLS, DASH, MPEG; what can encoders send; list ingest formats; which encoders are supported; what can cameras send",
  },
} satisfies Said<typeof service>;
