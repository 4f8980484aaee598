/** Says what was changed in threat protection and is not live, which deployment makes it live, and what is under way. */
import { workflow } from "../calls/workflow.js";
import { memberAt } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { deploymentOf, type Pending, pendingIn } from "../tools/threat-protection/pending.js";
import { type Steps, startSteps } from "./steps.js";

// What the findings need of each answer; the rest is evidence, in whatever shape it has.
const Ids = z.array(z.int());
const Changes = z.looseObject({ changes: z.array(z.unknown()) });
const Deployments = z.array(z.looseObject({ id: z.int(), status: z.string() }));
const isUnderWay = (status: string): boolean => !/^(COMPLETED|FAILED|ABORTED)$/.test(status);

/** The deployments of a list of them that have not ended, with the call that shows how far each is. */
async function underWay(steps: Steps, configId: number, lister: string, reader: string, argument: string) {
  const all = (await steps.call("what is being deployed", lister, { configId }, Deployments)) ?? [];
  return all
    .filter(({ status }) => isUnderWay(status))
    .map(({ id, status, ...one }) => ({
      id,
      status,
      progressPct: memberAt(one, "progressPct") ?? null,
      askAgainWith: new NextCall(reader, { configId, [argument]: id }),
    }));
}

const maxNamed = 10;
// What the API takes of a comment.
const maxComment = 1_000;
const named = (pending: readonly Pending[]): string =>
  [
    ...pending.slice(0, maxNamed).map(({ thing, done }) => `${thing} ${done}`),
    ...(pending.length > maxNamed ? ["and more"] : []),
  ].join("; ");

/** The deployments of a configuration: one for the changes of each person, so that none takes another's work live. */
function deploymentsOf(configId: number, pending: readonly Pending[]): NextCall[] {
  const authors = new Set(pending.map(({ by }) => by));
  return [...authors].map((author) => {
    const own = pending.filter(({ by }) => by === author);
    const comment = named(own).slice(0, maxComment);
    return new NextCall("threat_deployment_launch", { configId, body: { comment, ...deploymentOf(own) } });
  });
}

async function stateOf(steps: Steps, configId: number) {
  const read = (step: string, tool: string) => steps.call(step, tool, { configId }, Changes);
  const [changes, listChanges] = [
    await read("changes of the configuration", "threat_changes_list"),
    await read("changes of custom lists", "threat_list_changes_list"),
  ];
  const deploying = [
    ...(await underWay(steps, configId, "threat_deployments_list", "threat_deployment_get", "configDeploymentId")),
    ...(await underWay(
      steps,
      configId,
      "threat_list_deployments_list",
      "threat_list_deployment_get",
      "listDeploymentId",
    )),
  ];
  const [pending, lists] = [pendingIn(changes), pendingIn(listChanges)];
  const deployWith = [
    ...deploymentsOf(configId, pending ?? []),
    ...(lists ?? []).flatMap(({ id }) =>
      id === undefined ? [] : [new NextCall("threat_list_deployment_launch", { configId, body: { id } })],
    ),
  ];
  const all = [...(pending ?? []), ...(lists ?? [])];
  const isUnread = pending === undefined || lists === undefined;
  return {
    configId,
    finding: isUnread
      ? "Not all changes could be read; steps says why."
      : all.length === 0
        ? "Everything that was written is deployed."
        : `Not deployed: ${named(all)}.`,
    deployWith,
    underWay: deploying,
    changes: { configuration: changes?.changes ?? null, lists: listChanges?.changes ?? null },
  };
}

export const threatUndeployed = workflow({
  title: "Threat protection: what is not deployed",
  does: "Lists the changes of threat protection that are not live, with the calls that deploy those of each user, and the deployments under way. Changes nothing.",
  input: z.strictObject({
    configId: z.int().positive().optional().describe("Default all"),
  }),
  steps: [
    "List the configurations, unless one is named.",
    "Read what was changed since the last deployment of the configuration, and of each custom list.",
    "Read which deployments are under way.",
  ],
  example: { configId: 1100 },

  async run({ configId }, context) {
    const steps = startSteps(context);
    const found =
      configId === undefined ? await steps.call("the configurations", "threat_configs_list", {}, Ids) : [configId];
    const configurations = [];
    for (const id of found ?? []) configurations.push(await stateOf(steps, id));
    const findings = found
      ? configurations.map((one) => `Configuration ${one.configId}: ${one.finding}`)
      : ["The configurations could not be listed; steps says why."];
    return { findings, configurations, steps: steps.record };
  },
});
