/** What a person reads before live streams are changed, deleted or activated, on the emulator. */
import { describe, expect, it } from "vitest";
import { liveStreaming } from "../../../src/tools/live-streaming/index.js";

const domain = { domain: "live.shop.example" };

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
