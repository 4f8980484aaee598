/** What an approval of an activation is bound to, and what is said of the way back where the places are unknown. */
import { expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { type Sentence, sentenceText } from "../../../src/language/sentence.js";
import { undoOf } from "../../../src/tools/policy-manager/guards.js";
import { callsIn } from "../../lab/calls.js";

const { call, previewed, answer } = callsIn(createWorld());
const balancer = { originId: "shopBalancer" };

it("ends an approval when what would be replaced has changed since", async () => {
  const args = { ...balancer, body: { network: "STAGING", version: 2 } };
  const { plan } = await previewed("edgelogic_origin_activate", args);
  await answer("edgelogic_origin_version_create", { ...balancer, body: { balancingType: "WEIGHTED" } });
  expect(await call("edgelogic_origin_activate", { ...args, confirm: plan.id })).toMatchObject({
    failure: { code: "approval_refused" },
  });
});

it("undo names each version that was active if places are unknown", () => {
  const version = (id: number) => ({ id, policyName: "queue", version: id });
  const active = [
    {
      name: "www",
      fileId: 1,
      assetId: 2,
      policies: [
        {
          policyName: "queue",
          versions: [
            { version: "1", policyVersionId: 1 },
            { version: "2", policyVersionId: 2 },
          ],
        },
      ],
    },
  ];
  const how = {
    call: (ids: readonly number[]) => ({ tool: "activate", arguments: { ids } }),
    list: "activations_list",
  };
  const read = new Map([[3, version(3)]]);
  const choice = undoOf([3], read, active, how);
  expect(sentenceText(choice as Sentence)).toContain('call activate with {"ids":[1]}, or activate with {"ids":[2]}.');
  expect(undoOf([3], new Map(), active, how)).toContain("activations_list with historyOnly true");
  expect(undoOf([3], read, undefined, how)).toContain("activations_list with historyOnly true");
});
