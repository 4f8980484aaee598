/** Certificates from the enrollment to production, and what a version of the enrollment takes. */
import { describe, expect, it } from "vitest";
import { writeZone, zoneOf } from "../../src/emulator/services/dns/zones.js";
import type { World } from "../../src/emulator/world.js";
import type { NextCall } from "../../src/language/next-call.js";
import { type Args, callsAt } from "../lab/calls.js";
import { rule } from "../lab/rules.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12));

rule("cert-missing-certificate", "takes the parameter from version 10 of the enrollment on", async () => {
  const enrollmentId = 10_001;
  const { body: read } = await held.calls.answer("cert_enrollment_get", { enrollmentId, version: "v11" });
  const args = { enrollmentId, "allow-missing-certificate-addition": true, body: read };
  for (const version of [{ version: "v9" }, {}]) {
    const { body } = await held.calls.answer("cert_enrollment_get", { enrollmentId, ...version });
    const { location: _, pendingChanges: __, ...given } = body as Args;
    expect((await held.calls.refused("cert_enrollment_update", { ...args, ...version, body: given })).fields).toEqual([
      expect.stringMatching(/^allow-missing-certificate-addition: .*v10 or v11/),
    ]);
  }
  const latest = { ...args, version: "v11" };
  // The state is read in the version of the body, so that nothing seems to change that does not.
  expect((await held.calls.previewed("cert_enrollment_update", latest)).changes).toBe(0);
  expect((await held.calls.approved("cert_enrollment_update", latest)).kind).toBe("answer");
});

describe("the status of an enrollment", () => {
  /** Publishes the records that the status asks for in the account's own zone. */
  function publish(world: World, shows: Record<string, unknown> = {}): void {
    const { dv } = shows["free-ca-challenges-completed"] as {
      dv: { challenges: { type: string; fullPath: string; responseBody: string }[] }[];
    };
    const records = dv
      .flatMap(({ challenges }) => challenges.filter(({ type }) => type === "dns-01"))
      .map(({ fullPath, responseBody }) => ({
        name: fullPath.replace(".example.com.", ""),
        ttl: 60,
        active: true,
        target: responseBody,
      }));
    const stored = zoneOf(world, "example.com");
    if (stored) writeZone(world, { ...stored.zone, txt: [...(stored.zone.txt ?? []), ...records] });
  }

  it("leads from each state to the next, until nothing is pending", async () => {
    interface Status {
      readonly findings: string[];
      readonly changes: readonly { state: string; whoseMove: string; continueWith?: NextCall[]; shows?: Args }[];
      readonly expires: { readonly production: string };
    }
    const status = () => held.calls.worked<Status>("cert_enrollment_status", { enrollmentId: 10_004 });
    const whose: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const [first] = (await status()).changes;
      if (!first) break;
      whose.push(`${first.state}: ${first.whoseMove}`);
      const [next] = first.continueWith ?? [];
      if (next) {
        await held.calls.approved(next.tool, next.arguments);
        // To report challenges does not meet them.
        publish(held.world, first.shows);
      } else held.world.advance(20 * 60_000);
    }
    expect(whose).toEqual(["awaiting-input: you, or the service by itself", "running: service"]);
    const told = await status();
    expect(told.findings).toEqual([expect.stringContaining("Nothing is pending")]);
    expect(told.expires.production).toMatch(/^2027-05-20T/);
  });
});
