/** What is left out is read all the same where a guard would be blind. */
import { expect, it } from "vitest";
import { isMadeAnyway } from "../../src/calls/offer.js";

it("a tool that is left out still reads for a guard", () => {
  for (const purpose of ["state", "check", "account"] as const)
    expect([purpose, isMadeAnyway(purpose, true), isMadeAnyway(purpose, false)]).toEqual([purpose, true, false]);
  for (const purpose of ["step", "wait", "resource", "completion", "subscription", undefined] as const)
    expect([purpose, isMadeAnyway(purpose, true)]).toEqual([purpose, false]);
});
