/** Threat protection as it is called: what a person reads before a change, what is refused, and how a deployment is waited for. */
import { beforeEach, expect, it } from "vitest";
import { accountConfiguration } from "../../src/emulator/services/threat-protection/store.js";
import { createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";

const world = createWorld();
const { approved, worked } = callsIn(world);
beforeEach(() => world.reset());

interface Undeployed {
  readonly findings: string[];
  readonly configurations: {
    readonly deployWith: { readonly tool: string; readonly arguments: Record<string, unknown> }[];
    readonly underWay: object[];
  }[];
}

const told = () => worked<Undeployed>("threat_undeployed_changes_list", {});

it("threat deployments are offered per user, taking no one else's live", async () => {
  const { sites } = accountConfiguration(world);
  const [own, added] = [sites.get(101), sites.get(103)];
  if (!own || !added) throw new Error("The seed has no such sites.");
  // Every write of a world is by its one user, so that another's can only be put there.
  sites.add({ ...own, description: "Changed", modifiedBy: "akowalski" });
  const nothing = { created: {}, modified: {}, deleted: {} };
  const { deployWith } = (await told()).configurations[0] ?? { deployWith: [] };
  expect(deployWith.map(({ arguments: args }) => args["body"])).toEqual([
    { comment: expect.stringMatching(/modified by akowalski/), ...nothing, modified: { sites: [{ id: 101 }] } },
    { comment: expect.stringMatching(/added by mheld$/), ...nothing, created: { sites: [{ id: 103 }] } },
    { id: 4541 },
  ]);
  const [first] = deployWith;
  await approved(first?.tool ?? "", first?.arguments ?? {});
  expect((await told()).findings).toEqual([
    expect.stringMatching(/^Configuration 1100: Not deployed: site "Munich office" \(103\)/),
  ]);
});
