/** The search for properties by the account's active hostnames. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";
import { onEmulator } from "../lab/emulated.js";
import { createEmulator } from "../lab/emulator.js";

it("finds a property whose id is a name that every object has", async () => {
  const world = createWorld({ frozenAt: Date.now() });
  const emulator = createEmulator({ world });
  const { client } = onEmulator(new Map(), async (request) => {
    const response = await emulator.send(request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    async function* body() {
      yield Buffer.from(text.replaceAll(/"prp_175780"/g, '"constructor"'));
    }
    const { "content-length": _, ...headers } = response.headers;
    return { ...response, headers, body: body() };
  });
  const { worked } = callsIn(world, { client });
  const found = await worked<object>("properties_find", { hostname: "www.shop.exampl" });
  expect(found).toMatchObject({ properties: [{ propertyId: "constructor" }] });
});
