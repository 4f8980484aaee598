/** Edge logic of today: an origin is created with its id in the body, and a call of the documents is refused with that form. */
import { expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { callsIn } from "../../lab/calls.js";

const { answer, call } = callsIn(createWorld());
const tool = "edgelogic_origin_create";
const args = { body: { originId: "apiBalancer", description: "Shop API" } };

it("creates an origin, which the operations of the documents show", async () => {
  expect(await answer(tool, args)).toMatchObject({ status: 201, body: args.body });
  expect((await answer("edgelogic_origin_get", { originId: "apiBalancer" })).body).toMatchObject(args.body);
  expect(await call(tool, args)).toMatchObject({ failure: { code: "conflict" } });
});

it("refuses the call of the documents with the one that takes its place", async () => {
  const outcome = await call(tool, { originId: "apiBalancer", body: { description: "Shop API" } });
  expect(outcome).toMatchObject({
    failure: { code: "invalid_input", detail: { corrected: { tool, arguments: args } } },
  });
});
