/** What is left out is refused by name and by what left it out, and is read all the same where a guard would be blind. */
import { expect, it } from "vitest";
import { isMadeAnyway, type Offer, refusalOf } from "../../src/calls/offer.js";

const offer: Offer = {
  tools: new Map(),
  leftOut: (tool) => (tool === "dns_zone_get" ? { by: "--tools", why: "It names other tools" } : undefined),
};

it("a tool that is left out is refused with the reason", () => {
  const failure = refusalOf(offer, "dns_zone_get");
  expect([failure?.code, failure?.message]).toEqual([
    "not_allowed",
    "dns_zone_get is left out here by --tools, so it cannot be called.",
  ]);
  expect(failure?.detail.why).toBe("It names other tools. Nothing was sent.");
  expect(failure?.detail.next).toMatch(/^Do not try again: use a tool that is offered/);
});

it("names the tool that would have called it, where that is another one", () => {
  const [itself, another] = ["dns_zone_get", "look"].map((through) => refusalOf(offer, "dns_zone_get", through));
  expect(itself?.message).toMatch(/so it cannot be called\.$/);
  expect(another?.message).toBe("dns_zone_get is left out here by --tools, so look cannot call it.");
});

it("a tool that is left out still reads for a guard", () => {
  for (const purpose of ["state", "check", "account"] as const)
    expect([purpose, isMadeAnyway(purpose, true), isMadeAnyway(purpose, false)]).toEqual([purpose, true, false]);
  for (const purpose of ["step", "wait", "resource", "completion", "subscription", undefined] as const)
    expect([purpose, isMadeAnyway(purpose, true)]).toEqual([purpose, false]);
});
