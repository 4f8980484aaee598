/** Golden exchanges of live streaming: XML both ways, elements in the document's order, lists of one, text for numbers. */
import type { GoldenText } from "./goldens.js";

const xml = "application/xml";
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const root = "/config-media-live/v1/live";
const domain = `${root}/live.shop.example`;
const stream = `${domain}/stream/201044`;
const done = `${head}<response-message><message>«text»</message></response-message>`;

export const liveGoldens: readonly GoldenText[] = [
  {
    name: "elements in the document's order, whatever the order of the call, with text that is escaped",
    tool: "live_domain_create",
    args: {
      body: {
        "domain-versions": {
          "domain-version": [
            {
              author: "a@shop.example",
              security: { "securehd-policy-editor": "Disabled", "hd-flash": { "geo-blocking": "Enabled" } },
              "delivery-formats": { "apple-hls": "Enabled", "hd-flash-1.0": "Disabled" },
            },
          ],
        },
        "fms-backup-option": "Disabled",
        "advanced-configuration": "Enabled",
        "archive-configuration": { "archive-cpcode": "70003", "archive-name": 'a<b> & "c"' },
        "configuration-details": {
          "reporting-cpcode": "12345",
          hostname: "new.shop.example",
          "configuration-name": "Neue Kollektion – ü",
        },
      },
    },
    request: `POST ${root}`,
    accept: xml,
    contentType: xml,
    body: `${head}<domain><configuration-details><configuration-name>Neue Kollektion – ü</configuration-name><hostname>new.shop.example</hostname><reporting-cpcode>12345</reporting-cpcode></configuration-details><archive-configuration><archive-name>a&lt;b&gt; &amp; &quot;c&quot;</archive-name><archive-cpcode>70003</archive-cpcode></archive-configuration><advanced-configuration>Enabled</advanced-configuration><fms-backup-option>Disabled</fms-backup-option><domain-versions><domain-version><delivery-formats><hd-flash-1.0>Disabled</hd-flash-1.0><apple-hls>Enabled</apple-hls></delivery-formats><security><hd-flash><geo-blocking>Enabled</geo-blocking></hd-flash><securehd-policy-editor>Disabled</securehd-policy-editor></security><author>a@shop.example</author></domain-version></domain-versions></domain>`,
    answer: { status: 200, contentType: xml, body: done },
    data: { message: "text" },
  },
  {
    name: "one version is a list, and numbers are text with their zeros",
    tool: "live_domain_get",
    args: { domain: "events.shop.example" },
    request: `GET ${root}/events.shop.example`,
    accept: xml,
    answer: {
      status: 200,
      contentType: xml,
      body: `${head}<domain><configuration-details><configuration-name>E &amp; V</configuration-name><hostname>events.shop.example</hostname><reporting-cpcode>0067892</reporting-cpcode></configuration-details><domain-versions><domain-version><version>01</version><advanced-configuration><hd-flash-advanced-config><live-delay>1e5</live-delay></hd-flash-advanced-config></advanced-configuration><production-deployment-status>Activated</production-deployment-status><activate-environment>Production</activate-environment></domain-version></domain-versions></domain>`,
    },
    data: {
      "configuration-details": {
        "configuration-name": "E & V",
        hostname: "events.shop.example",
        "reporting-cpcode": "0067892",
      },
      "domain-versions": {
        "domain-version": [
          {
            version: "01",
            "advanced-configuration": { "hd-flash-advanced-config": { "live-delay": "1e5" } },
            "production-deployment-status": "Activated",
            "activate-environment": "Production",
          },
        ],
      },
    },
    isEmulated: false,
  },
  {
    name: "no stream is an empty list",
    tool: "live_streams_list",
    args: { domain: "live.shop.example" },
    request: `GET ${domain}/stream`,
    accept: xml,
    answer: { status: 200, contentType: "text/xml;charset=UTF-8", body: '<?xml version="1.0"?><streams/>' },
    data: { stream: [] },
    isEmulated: false,
  },
  {
    name: "a stream, which the answer shows with its id and entry points",
    tool: "live_stream_create",
    args: {
      domain: "live.shop.example",
      body: {
        "dvr-settings": { "dvr-window": "030", dvr: "Enabled" },
        "encoder-settings": { password: "]]>&<", "primary-encoder-ip": "203.0.113.9" },
        "notification-email": "operations@shop.example",
        "stream-name": "a",
        "stream-type": "HD iPhone/iPad Live",
      },
    },
    request: `POST ${domain}/stream`,
    accept: xml,
    contentType: xml,
    body: `${head}<stream><stream-type>HD iPhone/iPad Live</stream-type><stream-name>a</stream-name><notification-email>operations@shop.example</notification-email><encoder-settings><primary-encoder-ip>203.0.113.9</primary-encoder-ip><password>]]&gt;&amp;&lt;</password></encoder-settings><dvr-settings><dvr>Enabled</dvr><dvr-window>030</dvr-window></dvr-settings></stream>`,
    answer: {
      status: 200,
      contentType: xml,
      body: `${head}<stream><stream-id>«text»</stream-id><stream-type>HD iPhone/iPad Live</stream-type><stream-name>a</stream-name><notification-email>operations@shop.example</notification-email><status>Pending</status><encoder-settings><username>«text»</username><primary-encoder-ip>203.0.113.9</primary-encoder-ip></encoder-settings><dvr-settings><dvr>Enabled</dvr><dvr-window>030</dvr-window></dvr-settings></stream>`,
    },
    data: { "stream-id": "text", status: "Pending", "dvr-settings": { dvr: "Enabled", "dvr-window": "030" } },
  },
  {
    name: "one entry point is a list",
    tool: "live_stream_get",
    args: { domain: "live.shop.example", streamId: "0042" },
    request: `GET ${domain}/stream/0042`,
    accept: xml,
    answer: {
      status: 200,
      contentType: xml,
      body: `${head}<stream><stream-id>0042</stream-id><entrypoints><entrypoint><type>Primary</type><domain-name>p.example</domain-name></entrypoint></entrypoints></stream>`,
    },
    data: { "stream-id": "0042", entrypoints: { entrypoint: [{ type: "Primary", "domain-name": "p.example" }] } },
    isEmulated: false,
  },
  {
    name: "an ISO time as the API writes it, month first, in UTC and with twelve hours",
    tool: "live_event_update",
    args: {
      domain: "live.shop.example",
      streamId: "201044",
      eventName: "spring-show",
      body: {
        "backup-event": { "delete-time": "" },
        "primary-event": { "delete-time": "2026-12-18T01:34:56+01:00" },
      },
    },
    request: `PUT ${stream}/event/spring-show`,
    accept: xml,
    contentType: xml,
    body: `${head}<event><primary-event><delete-time>12/18/2026 12:34:56 AM</delete-time></primary-event><backup-event><delete-time/></backup-event></event>`,
    answer: { status: 200, contentType: xml, body: done },
    data: { message: "text" },
  },
  {
    name: "one event is a list, and what has not happened is empty",
    tool: "live_events_list",
    args: { domain: "live.shop.example", streamId: "201044" },
    request: `GET ${stream}/event`,
    accept: xml,
    answer: {
      status: 200,
      contentType: xml,
      body: `${head}<event-list>\n  <event>\n    <event-name>e 1</event-name>\n    <primary-event><on-air-time>12/18/2019 12:34:56 AM</on-air-time><off-air-time></off-air-time></primary-event>\n  </event>\n</event-list>`,
    },
    data: {
      event: [
        { "event-name": "e 1", "primary-event": { "on-air-time": "12/18/2019 12:34:56 AM", "off-air-time": "" } },
      ],
    },
    isEmulated: false,
  },
  {
    name: "a version, whose nested elements have names with dots",
    tool: "live_version_create",
    args: {
      domain: "live.shop.example",
      body: {
        "advanced-configuration": { "apple-hls-advanced-config": { "hls-segment-duration": "06" } },
        "delivery-formats": { "hd-flash-1.0": "Enabled" },
      },
    },
    request: `POST ${domain}/version`,
    accept: xml,
    contentType: xml,
    body: `${head}<domain-version><delivery-formats><hd-flash-1.0>Enabled</hd-flash-1.0></delivery-formats><advanced-configuration><apple-hls-advanced-config><hls-segment-duration>06</hls-segment-duration></apple-hls-advanced-config></advanced-configuration></domain-version>`,
    answer: { status: 200, contentType: xml, body: done },
    data: { message: "text" },
  },
  {
    name: "a PUT without a body, whose environment stands in the query",
    tool: "live_version_activate",
    args: { domain: "live.shop.example", versionId: 2, environment: "Production" },
    request: `PUT ${domain}/version/2/activation?environment=Production`,
    accept: xml,
    answer: { status: 200, contentType: xml, body: done },
    data: { message: "text" },
  },
  {
    name: "the one list with a path of its own, in JSON where that is asked for",
    tool: "live_archive_locations_list",
    args: { format: "json" },
    request: "GET /config-media-live/v1/api/live/utils/archivelocation",
    answer: { status: 200, body: '{"repSetList":[{"id":1,"name":"US East"}]}' },
    isEmulated: false,
  },
  {
    name: "a list inside a list's element of the same meaning, each of them a list of one",
    tool: "live_cpcodes_list",
    args: {},
    request: `GET ${root}/utils/cpcode`,
    accept: xml,
    answer: {
      status: 200,
      contentType: xml,
      body: `${head}<cpcode><reporting-cpcode-list><cpcode-list><cpcode>0123</cpcode><cpcode-name>live</cpcode-name></cpcode-list></reporting-cpcode-list><netstorage-cpcode-list/></cpcode>`,
    },
    data: {
      "reporting-cpcode-list": { "cpcode-list": [{ cpcode: "0123", "cpcode-name": "live" }] },
      "netstorage-cpcode-list": { "cpcode-list": [] },
    },
    isEmulated: false,
  },
  {
    name: "a deletion",
    tool: "live_stream_delete",
    args: { domain: "live.shop.example", streamId: "201045" },
    request: `DELETE ${domain}/stream/201045`,
    accept: xml,
    answer: { status: 200, contentType: xml, body: done },
    data: { message: "text" },
  },
];
