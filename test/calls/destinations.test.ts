/** Destinations that a call reaches without naming them: read before the policy decides, and held against its lists. */
import { describe, expect, it } from "vitest";
import { noPolicy } from "../../src/policy/index.js";
import type { Policy } from "../../src/policy/rule.js";
import { caller, start, type Upstream } from "./made-up.js";

const shop = { id: 1, name: "n", version: 1, to: { host: "logs.shop.example", mails: ["ops@shop.example"] } };
const answersWith =
  (body: object, status = 200): Upstream =>
  ({ method }) =>
    method === "GET" ? { status, body } : { status: 202, body: {} };
const limitedTo = (egress: Policy["egress"]) => ({ policy: { ...noPolicy, egress } });
const egress = { emails: ["*@shop.example"], hosts: ["*.shop.example"] };
const resume = "thing_resume";

describe("a call that sends data where an earlier one said", () => {
  it("is made where the lists have all that the answer marks", async () => {
    const { calls, sent } = start(answersWith(shop), limitedTo(egress));
    expect(await calls.call(resume, { id: 1 }, caller)).toMatchObject({ kind: "answer" });
    expect(sent).toEqual(["GET /things/1/outlet", "POST /things/1/resume"]);
  });

  it.each([
    ["a host", { ...shop.to, host: "logs.elsewhere.example" }, "hosts", "to.host of thing_outlet_get"],
    [
      "an address",
      { ...shop.to, mails: ["ops@shop.example", "x@elsewhere.example"] },
      "emails",
      "to.mails[1] of thing_outlet_get",
    ],
    [
      "an address that no schema declares",
      { ...shop.to, copyEmail: "x@elsewhere.example" },
      "emails",
      "to.copyEmail of thing_outlet_get",
    ],
  ])("is refused for %s that the lists do not have", async (_, to, list, field) => {
    const { calls, sent } = start(answersWith({ ...shop, to }), limitedTo(egress));
    const outcome = await calls.call(resume, { id: 1 }, caller);
    if (outcome.kind !== "failure") throw new Error(outcome.kind);
    const { code, message, detail } = outcome.failure;
    expect(code).toBe("not_allowed");
    expect(message).toContain(`egress.${list}`);
    expect((detail.fields ?? []).map((one) => one.field)).toEqual([field]);
    expect(sent).toEqual(["GET /things/1/outlet"]);
  });

  it("is not read for where the policy has no lists", async () => {
    const { calls, sent } = start(answersWith({ ...shop, to: { host: "logs.elsewhere.example" } }));
    expect(await calls.call(resume, { id: 1 }, caller)).toMatchObject({ kind: "answer" });
    expect(sent).toEqual(["POST /things/1/resume"]);
  });

  it("is left to the API where what has the destination is not there", async () => {
    const { calls, sent } = start(answersWith({}, 404), limitedTo(egress));
    expect(await calls.call(resume, { id: 1 }, caller)).toMatchObject({ kind: "answer" });
    expect(sent).toContain("POST /things/1/resume");
  });

  it("is not made where the destination cannot be read", async () => {
    const { calls, sent } = start(answersWith({}, 403), limitedTo(egress));
    expect(await calls.call(resume, { id: 1 }, caller)).toMatchObject({ kind: "failure" });
    expect(sent).not.toContain("POST /things/1/resume");
  });
});
