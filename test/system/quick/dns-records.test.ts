/** One record of a zone, changed by real clients: with confirm, and by a user who is asked. */
import { expect, it } from "vitest";
import { connect, type Session } from "../../lab/session.js";

const www = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.99"], ttl: 60 };

async function addressesIn(session: Session): Promise<unknown[]> {
  const { structuredContent } = await session.call("dns_zone_get", { zone: "example.com" });
  const { zone } = structuredContent["data"] as { zone: { a: { name: string; target: string }[] } };
  return zone.a.filter(({ name }) => name === "www").map(({ target }) => target);
}

it("a record is previewed, confirmed and there; again, nothing changes", async () => {
  const session = await connect("v2 2026 stdio");
  try {
    const { structuredContent: shown } = await session.call("dns_record_set", www);
    expect(shown).toMatchObject({
      approval: "required",
      preview: {
        lines: expect.arrayContaining(["  www A: TTL 300 → 60, target 203.0.113.21 → 203.0.113.99"]),
      },
    });
    expect(await addressesIn(session)).toEqual(["203.0.113.21"]);
    const confirmed = { ...www, confirm: shown["confirm"] };
    expect((await session.call("dns_record_set", confirmed)).structuredContent).toMatchObject({ status: 204 });
    expect(await addressesIn(session)).toEqual(["203.0.113.99"]);
    expect((await session.call("dns_record_set", www)).structuredContent).toMatchObject({
      done: "Nothing was changed.",
    });
  } finally {
    await session.close();
  }
});

it("a record is changed when the user who is asked says yes", async () => {
  const questions: string[] = [];
  const session = await connect("v1 stdio", {
    answer: (message) => {
      questions.push(message);
      return { action: "accept", content: { approve: questions.length > 1 } };
    },
  });
  try {
    expect((await session.call("dns_record_set", www)).structuredContent).toMatchObject({ error: "declined" });
    expect(await addressesIn(session)).toEqual(["203.0.113.21"]);
    expect((await session.call("dns_record_set", www)).structuredContent).toMatchObject({ status: 204 });
    expect(await addressesIn(session)).toEqual(["203.0.113.99"]);
    expect(questions[1]).toContain("203.0.113.99");
  } finally {
    await session.close();
  }
});
