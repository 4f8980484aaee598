/** The bound of the requests for one hostname, whatever its property, its zone and the account are like. */
import { expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { documentsGeneration } from "../../src/site/generation.js";
import { cardOfHostname } from "../../src/workflows/hostname-card.js";
import { workWith } from "../lab/options.js";

const place = { propertyId: "prp_1", propertyName: "shop", contractId: "ctr_C-1", groupId: "grp_1" };
const found = { versions: { items: [{ ...place, propertyVersion: 1, productionStatus: "ACTIVE" }] } };

it("at most 30 requests are made, and what they did not reach is unknown", async () => {
  let requests = 0;
  const context = workWith(async (tool) => {
    requests += 1;
    if (tool === "property_version_find") return { body: found } as never;
    if (tool === "dns_zone_get") return { body: {} } as never;
    throw new Failure("not_found", "There is none.", { next: "Go on." });
  });
  const site = {
    ...documentsGeneration,
    zone: () => ({
      key: "a zone of many parts",
      load: async (read: (tool: string, args: object) => Promise<unknown>) => {
        for (let part = 0; part < 40; part += 1) await read("dns_zone_get", { part });
        return { zone: "shop.example", sets: [] };
      },
    }),
  } as never;
  const card = await cardOfHostname("www.shop.example", context, { site: async () => site }, false);
  expect(requests).toBe(30);
  expect(card).toMatchObject({
    card: {
      property: place,
      unknown: { dns: "It was not read: at most 30 requests are made for a hostname." },
    },
  });
});

it("the age of what is shown is also that of the property's place", async () => {
  const placeAgeMs = 600_000;
  const atMs = Date.now() - placeAgeMs;
  const kept = { value: [place], atMs, untilMs: atMs + 2 * placeAgeMs, size: 9, apis: ["papi"], of: {} };
  const work = workWith(async () => {
    throw new Failure("not_found", "There is none.", { next: "Go on." });
  });
  const context = {
    ...work,
    changesSince: () => [],
    results: { ...work.results, recall: async () => ({ "owners www.shop.example": kept }) as never },
  };
  const found = await cardOfHostname("www.shop.example", context, { site: async () => documentsGeneration }, false);
  expect(found).toMatchObject({ card: { oldestReadingSeconds: 600 } });
});
