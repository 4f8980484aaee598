/** One record of a zone, changed by real clients: with confirm, and by a user who is asked. */
import { expect, it } from "vitest";
import { connect, type Session } from "../../lab/session.js";

const www = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.99"], ttl: 60 };

async function addressesIn(session: Session): Promise<unknown[]> {
  const { structuredContent } = await session.call("dns_zone_get", { zone: "example.com" });
  const { zone } = structuredContent["data"] as { zone: { a: { name: string; target: string }[] } };
  return zone.a.filter(({ name }) => name === "www").map(({ target }) => target);
}

it("is previewed, confirmed and then there, and setting it again changes nothing", async () => {
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
    const { structuredContent: page } = await session.call("operation_describe", { tool: "dns_record_set" });
    expect(page["page"]).toContain("composes a call of dns_zone_write");
  } finally {
    await session.close();
  }
});

it.each(["v2 2026 http", "v1 stdio"] as const)(
  "is asked of the user, and changed when they say yes: %s",
  async (kind) => {
    const questions: string[] = [];
    const session = await connect(kind, {
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
  },
);

it.each(["v2 2025 stdio", "v2 2026 http"] as const)("is not there on a read-only server: %s", async (kind) => {
  const session = await connect(kind, { flags: ["--read-only"] });
  try {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("dns_record_set");
    expect((await session.call("dns_record_set", www)).structuredContent).toMatchObject({ error: "not_allowed" });
  } finally {
    await session.close();
  }
});
