/** The schema of the database: what a migration may do while programs of the version before it are running. */
import { describe, expect, it } from "vitest";
import { migrations } from "../../src/state/postgres/migrations.js";

describe.each(migrations.map((text, at) => [at + 1, text] as const))("migration %i", (_, text) => {
  it("only adds, so that the program before it continues to work", () => {
    const statements = text.replaceAll("on delete cascade", "");
    expect(statements).not.toMatch(/\b(drop|rename|truncate|delete|alter\s+column|set\s+not\s+null)\b/i);
    for (const [, added = ""] of text.matchAll(/add\s+column\s+([^,;]+)/gi))
      if (/not\s+null/i.test(added)) expect(added).toMatch(/default/i);
  });
});

it("there are never fewer migrations than were released", () => {
  expect(migrations.length).toBeGreaterThanOrEqual(1);
});
