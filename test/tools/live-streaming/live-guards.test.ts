/** What a person reads before live streams are changed, deleted or activated, on the emulator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config.js";
import { createEngine } from "../../../src/engine/index.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { liveStreaming } from "../../../src/tools/live-streaming/index.js";
import { caller } from "../../lab/made-up.js";

let engine: Awaited<ReturnType<typeof createEngine>>;
const begin = async () => {
  const config = readConfig(["--emulator", "--state-dir", "memory"], {});
  engine = await createEngine(config, catalogueOf(await allServices("documents")), () => undefined);
};
beforeAll(begin);
afterAll(() => engine.close());

async function previewOf(tool: string, args: Record<string, unknown>) {
  const outcome = await engine.calls.call(tool, args, caller);
  if (outcome.kind !== "preview") throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  return { tier: outcome.plan.tier, id: outcome.plan.id, ...outcome.preview };
}
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
const noPassword = "The encoders' password is left out, and it is not documented whether the present one stays.";
const ambiguous =
  "Public clients disagree whether the month or the day comes first in this time; it is sent month first. Check the event afterwards with live_event_get.";

it.each<[string, Record<string, unknown>, string, readonly string[], string]>([
  [
    "live_domain_delete",
    domain,
    'DELETE live-streaming configuration live.shop.example ("Shop live") with versions 1, 2 and the streams shop-show, workshop. This cannot be undone.',
    ["Version 1 is active on PRODUCTION: viewers of its streams lose them."],
    "live.shop.example",
  ],
  [
    "live_stream_delete",
    show,
    'DELETE stream shop-show (201044) of live.shop.example ("Universal Streaming Live", Provisioned), which has the events spring-show, evening-show: encoders can no longer send it and viewers lose it. This cannot be undone.',
    ["Event evening-show is on air now: its viewers lose it."],
    "shop-show (201044) of live.shop.example",
  ],
  [
    "live_stream_delete",
    { ...domain, streamId: "999" },
    "DELETE stream 999 of live.shop.example: encoders can no longer send it and viewers lose it. This cannot be undone.",
    ["live_stream_get finds nothing: it no longer exists, or an id is wrong."],
    "999 of live.shop.example",
  ],
  [
    "live_stream_update",
    {
      ...show,
      body: {
        ...settings,
        "notification-email": "else@other.example",
        "encoder-settings": { "primary-encoder-ip": "203.0.113.99", password: "hunter2" },
      },
    },
    "REPLACE the settings of stream shop-show (201044) of live.shop.example: it is live immediately.",
    [
      "The primary encoder's address changes from 203.0.113.41 to 203.0.113.99: one that sends from another address is refused immediately.",
      "The backup encoder's address 203.0.113.42 is removed: an encoder there can no longer send.",
      "The encoders' password is replaced: they cannot send until they have the new one.",
      'Notifications would go to "else@other.example" and no longer to "operations@shop.example".',
    ],
    "shop-show (201044) of live.shop.example",
  ],
  [
    "live_stream_update",
    { ...show, body: { ...settings, "stream-type": "HD iPhone/iPad Live" } },
    "REPLACE the settings of stream shop-show (201044) of live.shop.example: it is live immediately.",
    [
      noPassword,
      'The type changes from "Universal Streaming Live" to "HD iPhone/iPad Live": encoders have to send it.',
    ],
    "shop-show (201044) of live.shop.example",
  ],
  [
    "live_event_update",
    { ...spring, body: { "primary-event": { "delete-time": "2100-06-01T12:00:00Z" } } },
    'DELETE the primary recording on 1 June 2100, 12:00:00 UTC: event "spring-show" of stream 201044 of live.shop.example.',
    [ambiguous],
    "spring-show of stream 201044",
  ],
  [
    "live_event_update",
    {
      ...evening,
      body: { "primary-event": { "delete-time": "" }, "backup-event": { "delete-time": "12/18/2100 12:34:56 AM" } },
    },
    'KEEP the primary recording and DELETE the backup recording on 18 December 2100, 00:34:56 UTC: event "evening-show" of stream 201044 of live.shop.example.',
    ["The backup recording would be deleted before it has ended."],
    "evening-show of stream 201044",
  ],
  [
    "live_event_delete",
    evening,
    'DELETE event "evening-show" of stream shop-show (201044) of live.shop.example with its primary and backup recording. This cannot be undone.',
    ["The event is on air now."],
    "evening-show of stream 201044",
  ],
  [
    "live_version_activate",
    { ...domain, versionId: 2, environment: "Production" },
    'ACTIVATE version 2 of live-streaming configuration live.shop.example ("Shop live") on PRODUCTION: it replaces version 1; it delivers apple-hls and no longer adobe-hds.',
    ["adobe-hds would no longer be delivered there: players that use it stop."],
    "live.shop.example version 2",
  ],
  [
    "live_version_activate",
    { ...domain, versionId: 1, environment: "Staging" },
    'ACTIVATE version 1 of live-streaming configuration live.shop.example ("Shop live") on STAGING: it is already active there.',
    ["This version is already active there."],
    "live.shop.example version 1",
  ],
])("preview of %s %j", async (tool, args, summary, warnings, target) => {
  const preview = await previewOf(tool, args);
  expect(preview).toMatchObject({ summary, warnings, target });
  expect(preview.lines.join("\n")).not.toContain("hunter2");
  const isStaging = args["environment"] === "Staging";
  expect(preview.tier).toBe(isStaging ? "guarded" : "critical");
});

describe("an approval", () => {
  beforeEach(async () => {
    await engine.close();
    await begin();
  });
  const args = { ...domain, versionId: 2, environment: "Production" };

  it("an approval is refused once another version is active", async () => {
    const { id } = await previewOf("live_version_activate", args);
    const other = { ...args, versionId: 1 };
    const { id: first } = await previewOf("live_version_activate", other);
    const made = await engine.calls.call("live_version_activate", { ...other, confirm: first }, caller);
    expect(made).toMatchObject({ kind: "answer" });
    const late = await engine.calls.call("live_version_activate", { ...args, confirm: id }, caller);
    expect(late).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
    expect((await previewOf("live_version_activate", args)).warnings).toContain(
      "Version 1 is being activated there: this may be refused.",
    );
  });

  it("change_restore takes back a change of a stream", async () => {
    const change = { ...show, body: { ...settings, "stream-name": "other" } };
    const { id } = await previewOf("live_stream_update", change);
    await engine.calls.call("live_stream_update", { ...change, confirm: id }, caller);
    const named = async () => {
      const outcome = await engine.calls.call("live_stream_get", show, caller);
      return outcome.kind === "answer" ? outcome.reply.body : outcome;
    };
    expect(await named()).toMatchObject({ "stream-name": "other" });
    const back = await engine.calls.call("change_restore", { plan: id }, caller);
    if (back.kind !== "preview") throw new Error(JSON.stringify(back));
    await engine.calls.call("change_restore", { plan: id, confirm: back.plan.id }, caller);
    expect(await named()).toMatchObject({ "stream-name": "shop-show", "dvr-settings": { "dvr-window": "30" } });
  });
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
