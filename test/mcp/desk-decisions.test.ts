/** Decisions at the approvals desk: made once, on what was shown, by who is signed in, and by two persons where it takes two. */
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import {
  behindProxy,
  browserAt,
  deskFor,
  otherSecret,
  planAt,
  readIn,
  secret,
  ticketIn,
  twoInstances,
  usual,
} from "../lab/desk.js";
import { promise } from "../lab/rules.js";

const desk = deskFor([usual]);
const { serve } = desk;
const path = `/plans/${usual.id}`;

async function approver(by = secret) {
  const browser = await desk.signedIn(by);
  return { ...browser, open: async (at = path) => ticketIn((await browser.get(at)).text) };
}

describe("a decision", () => {
  it("a decision bears the signed-in name and a one-line reason", async () => {
    const carol = await approver();
    const fields = { ticket: await carol.open(), decision: "approve", reason: " As planned,\r\n on Friday " };
    const { status, headers } = await carol.post(path, fields);
    expect([status, headers["location"]]).toEqual([303, usual.id]);
    expect(desk.kept.acts).toEqual([`approve ${usual.id} page carol As planned, on Friday`]);
    const after = await carol.get(path);
    expect([after.status, ticketIn(after.text)]).toEqual([200, ""]);
    expect(readIn(after.text)).toMatch(
      /Approved The assistant can make the call now.*by carol at .*As planned, on Friday/,
    );
  });

  it("needs no reason, and a refusal no target either", async () => {
    await serve({ ...usual, tier: "critical" });
    const dave = await approver(otherSecret);
    expect((await dave.post(path, { ticket: await dave.open(), decision: "refuse" })).status).toBe(303);
    expect(desk.kept.acts).toEqual([`refuse ${usual.id} page dave -`]);
  });

  it("happens once for a double click, and not by going back", async () => {
    const carol = await approver();
    const fields = { ticket: await carol.open(), decision: "approve" };
    const { find } = desk.kept.review;
    let findings = 0;
    let goOn = (): void => undefined;
    const all = new Promise<void>((resolve) => (goOn = resolve));
    // All three find the plan open.
    desk.kept.review.find = async (id) => {
      const found = await find(id);
      findings += 1;
      if (findings === 3) goOn();
      await all;
      return found;
    };
    const answers = await Promise.all([
      carol.post(path, fields),
      carol.post(path, fields),
      carol.post(path, { ...fields, decision: "refuse" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect((await carol.post(path, fields)).status).toBe(409);
    expect(desk.kept.acts).toHaveLength(1);
  });

  it("never happens by GET, whatever the query says", async () => {
    const carol = await approver();
    const query = new URLSearchParams({ ticket: await carol.open(), decision: "approve" });
    expect((await carol.get(`${path}?${query}`)).status).toBe(200);
    expect(desk.kept.acts).toEqual([]);
  });

  it("needs a ticket that is whole, of this sign-in, and for this plan", async () => {
    await serve(usual, planAt(2));
    const [carol, again] = [await approver(), await approver()];
    const ticket = await carol.open();
    const [nonce = "", mac = ""] = ticket.split(":");
    const wrong = ["", nonce, `${nonce}:`, ticket.slice(0, -1), `${ticket}x`, `${nonce}x:${mac}`, await again.open()];
    for (const one of [...wrong, await carol.open(`/plans/${planAt(2).id}`)]) {
      const { status, text } = await carol.post(path, { ticket: one, decision: "approve", reason: "kept" });
      expect([one, status, text.includes(">kept</textarea>")]).toEqual([one, 403, true]);
    }
    expect(desk.kept.acts).toEqual([]);
    expect((await carol.post(path, { ticket, decision: "approve" })).status).toBe(303);
  });

  it(promise("desk-ticket", "needs a ticket for the very preview that was shown"), async () => {
    const carol = await approver();
    const ticket = await carol.open();
    desk.kept.change(usual.id, { plan: { ...usual, preview: { ...usual.preview, digest: "digest-2" } } });
    expect([(await carol.post(path, { ticket, decision: "approve" })).status, desk.kept.acts]).toEqual([403, []]);
  });

  it("needs an open plan that waits for a person", async () => {
    const carol = await approver();
    const ticket = await carol.open();
    for (const [awaits, status] of [
      ["confirm", "open"],
      ["question", "open"],
      ["person", "approved"],
      ["person", "redeemed"],
      ["person", "refused"],
      ["person", "expired"],
    ] as const) {
      desk.kept.change(usual.id, { plan: { ...usual, awaits }, status });
      const decided = await carol.post(path, { ticket, decision: "approve" });
      expect([awaits, status, decided.status, ticketIn(decided.text)]).toEqual([awaits, status, 409, ""]);
    }
    desk.kept.change(usual.id, { plan: usual, status: "open" });
    desk.pass(usual.expiresAtMs - desk.now());
    await carol.signIn();
    expect((await carol.post(path, { ticket, decision: "approve" })).status).toBe(409);
    expect(desk.kept.acts).toEqual([]);
  });

  it("is either to approve or to refuse, and nothing else", async () => {
    const carol = await approver();
    for (const decision of ["", "yes", "approve "]) {
      const fields = { ticket: await carol.open(), decision, reason: "kept" };
      const { status, text } = await carol.post(path, fields);
      expect([status, text.includes(">kept</textarea>")]).toEqual([400, true]);
    }
    expect(desk.kept.acts).toEqual([]);
  });

  it("says why it was not carried out, and keeps the reason that was typed", async () => {
    const carol = await approver();
    const ticket = await carol.open();
    desk.kept.review.approve = async () => {
      throw new Failure("approval_refused", "The plan ended <meanwhile>.", { next: "Preview again." });
    };
    const { status, text } = await carol.post(path, { ticket, decision: "approve", reason: "kept" });
    expect([status, text.includes("The plan ended &lt;meanwhile&gt;. Preview again.")]).toEqual([409, true]);
    expect(text).toContain(">kept</textarea>");
  });

  it("a critical call needs its target typed; a miss keeps the reason", async () => {
    await serve({ ...usual, tier: "critical" });
    const carol = await approver();
    const fields = { ticket: await carol.open(), decision: "approve", reason: "kept" };
    for (const target of ["", "3 Things", "3 things!", "yes"]) {
      const { status, text } = await carol.post(path, { ...fields, target });
      expect([target, status]).toEqual([target, 422]);
      expect(text).toMatch(/role="alert" id="note">The text is not the target.*>kept<\/textarea>/);
      expect(text).toMatch(/<input id="target" [^>]*aria-describedby="note" autofocus>/);
    }
    expect(desk.kept.acts).toEqual([]);
    expect((await carol.post(path, { ...fields, target: " 3 things " })).status).toBe(303);
  });
});

describe("a plan for two persons", () => {
  const forTwo = { ...usual, approvers: 2 as const };
  beforeEach(() => serve(forTwo));

  it("the list and page of a half-approved plan say who approved and why", async () => {
    const [carol, dave] = [await approver(), await approver(otherSecret)];
    await carol.post(path, { ticket: await carol.open(), decision: "approve", reason: "As planned" });
    for (const at of ["/plans", path]) {
      const text = readIn((await dave.get(at)).text);
      expect(text).toContain("1 of 2 approved");
      expect(text).toMatch(/Approved by carol at [\d:]+ UTC : As planned/);
    }
    expect(readIn((await dave.get("/plans")).text)).toContain("1 plan waits for a decision");
    await dave.post(path, { ticket: await dave.open(), decision: "approve", reason: "Agreed" });
    const text = readIn((await carol.get("/plans")).text);
    expect(text).toContain("No plan waits for a decision");
    expect(text).toMatch(/Decided lately Approved .*by carol at .*As planned.*by dave at .*Agreed/);
  });

  it("who has approved a plan can refuse it but not approve it again", async () => {
    const carol = await approver();
    await carol.post(path, { ticket: await carol.open(), decision: "approve" });
    const { text } = await carol.get(path);
    expect([text.includes('value="approve"'), text.includes('value="refuse"')]).toEqual([false, true]);
    expect(readIn(text)).toContain("You have approved this change; someone else has to approve it, too.");
    expect(readIn((await carol.get("/plans")).text)).toContain("You have approved this change");
    expect((await carol.post(path, { ticket: await carol.open(), decision: "refuse" })).status).toBe(303);
    expect(desk.kept.acts.at(-1)).toBe(`refuse ${usual.id} page carol -`);
  });

  it("offers no approval to who asked for it, and asks for no target", async () => {
    await serve({ ...forTwo, tier: "critical", requester: { subject: "carol" } });
    const { text } = await (await approver()).get(path);
    expect([text.includes('value="approve"'), text.includes('id="target"')]).toEqual([false, false]);
    expect(readIn(text)).toContain("You asked for this change, so two others have to approve it.");
    expect((await (await approver(otherSecret)).get(path)).text).toContain('value="approve"');
  });
});

describe("a plan that breaks a freeze", () => {
  const breaking = { ...usual, approvers: 2 as const, breaks: ["year-end", "<quiet>"], ticket: "OPS-<7>" };
  beforeEach(() => serve(breaking));

  it("is approved with a reason alone, and refused without one", async () => {
    const carol = await approver();
    const { text } = await carol.get(path);
    expect(readIn(text)).toContain("Reason, for the record (needed to approve)");
    for (const reason of ["", "  ", "\r\n"]) {
      const rejected = await carol.post(path, { ticket: await carol.open(), decision: "approve", reason });
      expect(rejected.status).toBe(422);
      expect(rejected.text).toMatch(/role="alert" id="note">Approving this call needs a reason/);
      expect(rejected.text).toMatch(/<textarea id="reason" [^>]*aria-describedby="note" autofocus>/);
    }
    expect(desk.kept.acts).toEqual([]);
    const fields = { ticket: await carol.open(), decision: "approve", reason: "The shop is down" };
    expect((await carol.post(path, fields)).status).toBe(303);
    const dave = await approver(otherSecret);
    expect((await dave.post(path, { ticket: await dave.open(), decision: "refuse" })).status).toBe(303);
    expect(desk.kept.acts).toEqual([
      `approve ${usual.id} page carol The shop is down`,
      `refuse ${usual.id} page dave -`,
    ]);
  });

  it("stands in the list with its ticket and its freeze", async () => {
    const { text } = await (await approver()).get("/plans");
    expect(text).toContain("ticket OPS-&lt;7&gt; · <strong>breaks year-end, &lt;quiet&gt;</strong>");
    await serve(usual);
    expect((await (await approver()).get(path)).text).toContain("Reason, for the record (optional)");
  });
});

it("instances that share keys share sessions, tickets and single use", async () => {
  const [one, other] = (await twoInstances(desk.kept.review, desk.now)).map(browserAt);
  if (!one || !other) throw new Error("There are two.");
  await one.post("/plans/sign-in", { secret }, behindProxy);
  for (const [name, value] of one.jar) other.jar.set(name, value);
  const ticket = ticketIn((await other.get(path, behindProxy)).text);
  const statuses = await Promise.all(
    [one, other].map(async (at) => (await at.post(path, { ticket, decision: "approve" }, behindProxy)).status),
  );
  expect([statuses.sort(), desk.kept.acts.length]).toEqual([[303, 409], 1]);
});
