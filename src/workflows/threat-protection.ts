/** What threat protection tells only by several calls: which custom lists hold an address or a domain, and what was changed and is not live. */
import { invalidInput } from "../arguments/index.js";
import { workflow } from "../calls/workflow.js";
import { shown } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { type ItemMatch, itemSought, matchOf, textInCommon } from "../tools/threat-protection/addresses.js";
import { deploymentOf, type Pending, pendingIn } from "../tools/threat-protection/pending.js";
import { Items, List } from "../tools/threat-protection/shapes.js";
import { briefly, inBatches, missing, type Steps, startSteps } from "./steps.js";

const tool = "threat_list_item_find";
const reads = "threat_list_items_list";
const Ids = z.array(z.int());
const Lists = z.array(List);
const maxShown = 100;
const largestPage = 10_000;

interface Found {
  readonly configId: number;
  readonly listId: number;
  readonly list: string;
  readonly item: string;
  readonly match: ItemMatch;
  readonly confidenceLevelId?: number | undefined;
}

const matches: Readonly<Record<ItemMatch, string>> = {
  same: "itself",
  block: "within a block",
  wildcard: "by a wildcard",
  parent: "by a parent domain, of which no source says whether it covers the domains below it",
};

/** The lists of a configuration that hold a value, and what is not sure about that. */
async function foundIn(steps: Steps, configId: number, value: string) {
  const query = { configId, search: textInCommon(value) };
  const all = await steps.call(`all lists of ${configId}`, reads, { ...query, numItemsPerPage: 1 }, Items);
  // Without an answer for all lists, each of them is asked.
  if (all?.totalCount === 0) return { found: [], doubts: [] };
  const lists = (await steps.call(`the lists of ${configId}`, "threat_lists_list", { configId }, Lists)) ?? [];
  const answers = await inBatches(lists, async ({ id, name }) => ({
    id,
    name,
    items: await steps.call(`list ${id}`, reads, { ...query, listId: id, numItemsPerPage: largestPage }, Items),
  }));
  const found = answers.flatMap(({ id, name, items }) =>
    (items?.items ?? []).flatMap(({ value: item, confidenceLevelId }): Found[] => {
      const match = matchOf(value, item);
      return match === undefined ? [] : [{ configId, listId: id, list: name, item, match, confidenceLevelId }];
    }),
  );
  const totals = answers.map(({ items }) => items?.totalCount);
  const isUnheeded = all !== undefined && lists.length > 1 && totals.every((total) => total === all.totalCount);
  const cut = answers.filter(({ items }) => items !== undefined && items.items.length < items.totalCount);
  return {
    found,
    doubts: [
      ...(isUnheeded
        ? [
            `Every list of configuration ${configId} has the same items by this API: it may not heed listId, and then the list is not known.`,
          ]
        : []),
      ...cut.map(
        ({ id, items }) =>
          `List ${id} has ${items?.totalCount} items that resemble it, and ${items?.items.length} were compared.`,
      ),
    ],
  };
}

export const threatItem = workflow({
  title: "Threat protection: find an item on custom lists",
  does: "Finds the custom lists that hold an address or a domain, also within a block or wildcard.",
  input: z.strictObject({
    value: z.string().min(1).max(2_000).describe("Or a URL"),
    configId: z.int().positive().optional().describe("Default all"),
  }),
  steps: [
    "List the configurations, unless one is named.",
    "Search the items of all custom lists of each for what the value has in common with whatever may hold it.",
    "Where there are some, search each list by itself, and compare.",
  ],
  example: { value: "tracker.example.net" },
  isFrontLine: false,

  async run({ value: given, configId }, context) {
    const value = itemSought(given);
    if (value === undefined)
      throw invalidInput(tool, [
        {
          field: "value",
          given: shown(given),
          takes: "a domain, an address, a CIDR block, or a URL, of which the host is looked for",
        },
      ]);
    const steps = startSteps(context);
    const configs =
      configId === undefined ? await steps.call("the configurations", "threat_configs_list", {}, Ids) : [configId];
    const found: Found[] = [];
    const doubts: string[] = [];
    for (const id of configs ?? []) {
      const one = await foundIn(steps, id, value);
      found.push(...one.found);
      doubts.push(...one.doubts);
    }
    const lines = found
      .slice(0, maxShown)
      .map(
        ({ list, listId, configId: id, item, match }) =>
          `List ${shown(list)} (${listId}) of configuration ${id} holds ${value} ${matches[match]}${match === "same" ? "" : `: ${shown(item)}`}.`,
      );
    return {
      value,
      findings: [
        ...(found.length === 0 ? [`No custom list that could be read holds ${value}.`] : lines),
        ...(found.length > maxShown ? [`And ${found.length - maxShown} more.`] : []),
        ...doubts,
        ...missing(steps, "a list may be missing"),
      ],
      found: found.slice(0, maxShown),
      steps: briefly(steps),
    };
  },
});

// What the findings need of each answer; the rest is evidence, in whatever shape it has.
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
