import { expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { secureProvisioning } from "../../../src/tools/secure-provisioning/index.js";
import { callsIn } from "../../lab/calls.js";
import { answerOf } from "../../lab/outcome.js";

it("a provisioning request reports each job that was accepted", async () => {
  const { example } = secureProvisioning.operations.sps_request_create.spec;
  const { notes } = answerOf(await callsIn(createWorld()).approved("sps_request_create", { ...example }));
  expect(notes).toContainEqual(expect.stringMatching(/^Job \d+ was accepted \("SUCCESS"\), for enrollment \d+\.$/));
});
