/** What an activation does by the documents' APIs, which have neither a traffic report nor a list of active hostnames. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";

it("by the documents' APIs hostnames and certificates are known", async () => {
  const { previewed } = callsIn(createWorld({ frozenAt: Date.now() }));
  const body = { propertyVersion: 3, network: "PRODUCTION", notifyEmails: ["operations@shop.example"] };
  const { forecast } = await previewed("property_version_activate", { propertyId: "prp_175780", body });
  expect(forecast).toEqual({
    hostnames: { total: 2, names: ["www.shop.example", "www.example.com"], added: 0, removed: 0, changed: 2 },
    traffic: { unknown: "the APIs in use have no traffic report" },
    certificates: expect.objectContaining({ covered: 1, uncovered: ["www.example.com"] }),
    pending: [],
  });
});
