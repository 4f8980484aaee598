/** When an activation of edge logic is over: by the states of the activations that belong to the launch, and of no other. */
import { describe, expect, it } from "vitest";
import { edgeLogic } from "../../../src/tools/edge-logic/index.js";

const answered = (body: unknown) => ({ status: 200, body, headers: {} });
const { edgelogic_policy_version_activate: policy, edgelogic_origin_activate: origin } = edgeLogic.operations;

describe("of a policy", () => {
  const given = { policyId: 1, version: 2, body: { network: "prod" } };
  const one = (network: string, version: number, status: string) => ({
    network,
    policyInfo: { policyId: 1, name: "p", version, status },
    propertyInfo: { name: "a.example", version: 1, groupId: 1, status: "active" },
  });
  const { isReady, failure, follow } = policy.spec.awaits ?? {};

  it.each<[boolean, readonly object[]]>([
    [false, []],
    [false, [one("prod", 2, "pending"), one("prod", 2, "active")]],
    [false, [one("prod", 1, "active"), one("staging", 2, "active")]],
    [true, [one("prod", 2, "ACTIVE"), one("staging", 2, "pending")]],
    [true, [one("prod", 2, "active"), one("prod", 3, "pending"), one("prod", 2, "deactivated")]],
  ])("is over: %s, %j", (expected, body) => {
    expect(isReady?.(answered(body), given)).toBe(expected);
  });

  it("a policy's activation fails with one of its own properties", () => {
    const others = [one("prod", 2, "pending"), one("prod", 1, "failed"), one("staging", 2, "failed")];
    expect(failure?.(answered(others), given)).toBeUndefined();
    expect(failure?.(answered([...others, one("prod", 2, "FAILED")]), given)).toContain("failed");
  });

  it("a policy's activation is not over by an answer of another shape", () => {
    expect(follow?.(answered([]), given)).toEqual({ policyId: 1 });
    expect(isReady?.(answered({ state: "active" }), given)).toBe(false);
  });
});

describe("of an origin", () => {
  const given = { originId: "a", body: { network: "PRODUCTION", version: 2 } };
  const one = (network: string, version: number, status: string) => ({
    originId: "a",
    network,
    version,
    status,
    activatedBy: "b",
    activatedDate: "2026-05-20T12:00:00Z",
  });
  const { isReady, failure, follow } = origin.spec.awaits ?? {};

  it.each<[boolean, readonly object[]]>([
    [false, []],
    [false, [one("PRODUCTION", 2, "pending"), one("PRODUCTION", 2, "deactivated")]],
    [false, [one("STAGING", 2, "active"), one("PRODUCTION", 1, "active")]],
    [true, [one("production", 2, "ACTIVE"), one("PRODUCTION", 2, "failed")]],
  ])("is over: %s, %j", (expected, body) => {
    expect(isReady?.(answered(body), given)).toBe(expected);
  });

  it("an origin's newest activation counts, and no dry run is awaited", () => {
    const failed = [one("PRODUCTION", 2, "failed"), one("PRODUCTION", 2, "active")];
    expect(failure?.(answered(failed), given)).toContain("failed");
    expect(failure?.(answered(failed.toReversed()), given)).toBeUndefined();
    expect(follow?.(answered({ dryrun: true }), given)).toBeUndefined();
    expect(follow?.(answered({ dryrun: false }), given)).toEqual({ originId: "a" });
  });
});
