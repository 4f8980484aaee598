/** What a person reads before live streams are changed, deleted or activated, on the emulator. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { liveStreaming } from "../../../src/tools/live-streaming/index.js";
import { type Args, callsIn } from "../../lab/calls.js";

const { previewed } = callsIn(createWorld());

const domain = { domain: "live.shop.example" };
const show = { ...domain, streamId: "201044" };
const spring = { ...show, eventName: "spring-show" };
const evening = { ...show, eventName: "evening-show" };
const settings = {
  "stream-type": "Universal Streaming Live",
  "stream-name": "shop-show",
  "primary-contact-name": "Maria Held",
  "secondary-contact-name": "Jonas Brandt",
  "notification-email": "operations@shop.example",
  "encoder-settings": { "primary-encoder-ip": "203.0.113.41", "backup-encoder-ip": "203.0.113.42" },
  "dvr-settings": { dvr: "Enabled", "dvr-window": "30" },
};
const moved = { "primary-encoder-ip": "203.0.113.99", password: "hunter2" };
const replaced = { ...settings, "notification-email": "else@other.example", "encoder-settings": moved };
const cut = { "primary-event": { "delete-time": "" }, "backup-event": { "delete-time": "12/18/2100 12:34:56 AM" } };
const later = { "primary-event": { "delete-time": "2100-06-01T12:00:00Z" } };
const otherType = { ...settings, "stream-type": "HD iPhone/iPad Live" };

it.each<[string, Args, RegExp, readonly RegExp[]]>([
  [
    "domain_delete",
    domain,
    /with versions 1, 2 and the streams shop-show, workshop\./,
    [/^Version 1 is active on PROD/],
  ],
  ["stream_delete", show, /which has the events spring-show, evening-show: /, [/^Event evening-show is on air now/]],
  ["stream_delete", { ...domain, streamId: "999" }, /^DELETE stream 999 /, [/^live_stream_get finds nothing/]],
  [
    "stream_update",
    { ...show, body: replaced },
    /: it is live immediately\.$/,
    [
      /^The primary .* from 203\.0\.113\.41 to 203\.0\.113\.99: /,
      /^The backup .* is removed/,
      /password is repl/,
      /^Notif/,
    ],
  ],
  ["stream_update", { ...show, body: otherType }, /^REPLACE/, [/password is left out/, /^The type .* "HD iPhone/]],
  [
    "event_update",
    { ...spring, body: later },
    /^DELETE the primary recording on 1 June 2100, 12:00:00 UTC: event "spring-show"/,
    [/the month or the day comes first .*it is sent month first/],
  ],
  [
    "event_update",
    { ...evening, body: cut },
    /^KEEP the primary recording and DELETE the backup recording on 18 December 2100, 00:34:56 UTC: /,
    [/^The backup recording would be deleted before it has ended/],
  ],
  ["event_delete", evening, /with its primary and backup recording\./, [/^The event is on air now\.$/]],
  [
    "version_activate",
    { ...domain, versionId: 2, environment: "Production" },
    /on PRODUCTION: it replaces version 1; it delivers apple-hls and no longer adobe-hds\.$/,
    [/^adobe-hds would no longer be delivered/],
  ],
  [
    "version_activate",
    { ...domain, versionId: 1, environment: "Staging" },
    /on STAGING: it is already active there\.$/,
    [/already active/],
  ],
])("preview of live_%s %j", async (tool, args, summary, warnings) => {
  const preview = await previewed(`live_${tool}`, args);
  expect(preview.summary).toMatch(summary);
  expect(preview.warnings).toEqual(warnings.map((one) => expect.stringMatching(one)));
  expect(preview.text).not.toContain("hunter2");
  expect(preview.plan.tier).toBe(args["environment"] === "Staging" ? "guarded" : "critical");
});

describe("an activation that is waited for", () => {
  const { isReady, failure, follow } = liveStreaming.operations.live_version_activate.spec.awaits ?? {};
  const given = { ...domain, versionId: 2, environment: "Production" };
  const answered = (status: string | undefined, other = "Activated") => ({
    status: 200,
    headers: {},
    body: { version: "2", "production-deployment-status": status, "staging-deployment-status": other },
  });

  it.each([
    ["Pending", false, false],
    ["Activated", true, false],
    ["ACTIVATED", true, false],
    [undefined, false, false],
    ["Failed", false, true],
  ])("activation with status %s: over %s, failed %s", (status, isOver, hasFailed) => {
    expect(isReady?.(answered(status), given)).toBe(isOver);
    expect(failure?.(answered(status, "Failed"), given) !== undefined).toBe(hasFailed);
    expect(follow?.(answered(status), given)).toEqual({ ...domain, versionId: 2 });
  });
});
