/** An owner is a principal, in a session of theirs where there are sessions; from either the principal is known again. */
import { expect, it } from "vitest";
import { ownerOfPlans, principalOf } from "../../src/guard/plan.js";

it("is the principal alone where there is no session", () => {
  expect(ownerOfPlans("client:ann", undefined)).toBe("client:ann");
  expect([principalOf("client:ann"), principalOf("local")]).toEqual(["client:ann", "local"]);
});

it("an owner differs by session, and the principal stays the same", () => {
  const sessions = ["1", "2", "", "undefined", "/session:", "a/session:b"];
  const owners = sessions.map((session) => ownerOfPlans("client:ann", session));
  expect(new Set([...owners, "client:ann"]).size).toBe(sessions.length + 1);
  expect(new Set(owners.map(principalOf))).toEqual(new Set(["client:ann"]));
});

it("is nobody whose name begins alike", () => {
  expect(principalOf(ownerOfPlans("client:ann", "1"))).not.toBe(principalOf(ownerOfPlans("client:anna", "1")));
  expect(ownerOfPlans("client:ann", "a1")).not.toBe(ownerOfPlans("client:anna", "1"));
});
