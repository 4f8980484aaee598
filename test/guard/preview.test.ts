/** A preview tells the person what would change, all of it, in a size that a person can read. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/api/arguments.js";
import type { AnyOperation } from "../../src/api/define.js";
import { describe as preview } from "../../src/guard/preview.js";
import { approvalMessage } from "../../src/mcp/approval.js";
import { credentials } from "../../src/tools/credentials.js";
import { dns } from "../../src/tools/dns.js";
import { purge } from "../../src/tools/purge/index.js";
import { noAnswers } from "../checked.js";

const request = { method: "POST", url: new URL("https://h.example/a?b=1"), headers: {}, answers: noAnswers };
const shownFor = (tool: string, operation: AnyOperation, args: object, current?: unknown) =>
  preview(tool, operation, checkArguments(tool, operation, args), request, "the account", current);

const soa = { serial: 2, ttl: 300, originserver: "a.example.", contact: "b.example.", active: true };
const bounds = { refresh: 3_600, retry: 600, expire: 604_800, minimum: 300 };
const zone = { name: "example.com", soa: { ...soa, ...bounds } };
const update = {
  openIdentityId: "x",
  credentialId: 7,
  body: { status: "INACTIVE", expiresOn: "2027-11-01T00:00:00Z" },
};

describe("a preview", () => {
  it("shows that the records which a whole zone leaves out would go", () => {
    const txt = [{ name: "t", ttl: 300, active: true, target: "x" }];
    const args = { zone: "example.com", body: { token: "t", zone } };
    expect(
      shownFor("dns_zone_write", dns.operations.dns_zone_write, args, { token: "t", zone: { ...zone, txt } }).changes,
    ).toEqual([{ at: "txt", addedCount: 0, removedCount: 1, added: [], removed: txt }]);
  });

  it("does not say that members go which a body does not speak of", () => {
    const current = { ...update.body, status: "ACTIVE", clientToken: "t" };
    const operation = credentials.operations.credential_update;
    expect(shownFor("credential_update", operation, update, current).changes).toEqual([
      { at: "status", from: "ACTIVE", to: "INACTIVE" },
    ]);
  });

  it("shows the body itself where there is no state to compare it with", () => {
    const operation = credentials.operations.credential_update;
    expect(shownFor("credential_update", operation, update).arguments["body"]).toEqual(update.body);
  });

  it("counts all objects of a purge and shows ten of them, in the preview and in the question", () => {
    const objects = Array.from({ length: 1_000 }, (_, index) => `https://www.example.com/${index}`);
    const args = { queueName: "default", body: { objects } };
    const made = shownFor("purge_submit", purge.operations.purge_submit, args, { queueLength: 0 });
    expect(made).toMatchObject({ count: 1_000, sample: objects.slice(0, 10), network: "production" });
    expect(made.summary).toContain(" 1000 objects ");
    const question = approvalMessage(made, []);
    expect(question).toContain("network: production\n");
    expect(question).toContain("Objects: 1000\n");
    expect(question).toContain('"https://www.example.com/9"');
    expect(question).not.toContain('"https://www.example.com/10"');
  });
});

describe("the question to a person", () => {
  it("holds no mark that turns or hides what follows it", () => {
    const objects = ["https://www.example.com/\u202egpj.\u200b\u0007exe"];
    const args = { queueName: "default", body: { objects } };
    const question = approvalMessage(shownFor("purge_submit", purge.operations.purge_submit, args, "\u2066\u009b"), []);
    expect(question.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(question).toContain("gpj.");
  });

  it("leads with what would change, however long the rest is, and says that it was shortened", () => {
    const a = Array.from({ length: 5 }, (_, index) => ({ name: `n${index}`, ttl: 300, target: "192.0.2.1" }));
    const current = { token: "t", zone: { ...zone, a, txt: [{ target: "x".repeat(5_000) }] } };
    const made = shownFor(
      "dns_zone_write",
      dns.operations.dns_zone_write,
      { zone: "example.com", body: { token: "t", zone } },
      current,
    );
    const question = approvalMessage(made, []);
    expect(question.startsWith(made.summary)).toBe(true);
    expect(question).toContain('Change at {"at":"a","addedCount":0,"removedCount":5');
    expect(question.length).toBeLessThanOrEqual(1_500);
    expect(question).toMatch(/… \(shortened\)$/);
  });

  it.each(["", "x"])("is cut between two characters after %j", (before) => {
    const operation = credentials.operations.credential_get;
    const question = approvalMessage(
      shownFor("x", operation, { openIdentityId: "x", credentialId: 7 }, before + "😀".repeat(2_000)),
      [],
    );
    expect(question.isWellFormed()).toBe(true);
  });
});
