/**
 * Findings that need several calls of threat protection: which custom lists contain an address or domain, and which
 * changes are not deployed.
 */
import { workflow } from "../calls/workflow.js";
import { quoteValue } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { commonText, comparableItem, type ItemMatch, matchOf } from "../tools/threat-protection/addresses.js";
import { deploymentOf, type PendingObject, pendingObjectsIn } from "../tools/threat-protection/pending.js";
import { Items, List } from "../tools/threat-protection/shapes.js";
import { inBatches, incompleteNotes, type Steps, startSteps, stepsInBrief } from "./steps.js";

const tool = "threat_list_item_find";
const reads = "threat_list_items_list";
const Ids = z.array(z.int());
const Lists = z.array(List);

/** The named configuration, or all; undefined if they could not be listed. */
const configurationIds = (steps: Steps, configId: number | undefined) =>
  configId === undefined ? steps.call("the configurations", "threat_configs_list", {}, Ids) : [configId];

const maxShown = 100;
const largestPage = 10_000;

interface ItemOnList {
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
  parent: "by a parent domain; it is not documented whether that covers its subdomains",
};

/** The lists of a configuration that contain a value, and uncertainties. */
async function listsWithItem(steps: Steps, configId: number, value: string) {
  const query = { configId, search: commonText(value) };
  const all = await steps.call(`all lists of ${configId}`, reads, { ...query, numItemsPerPage: 1 }, Items);
  // Without a response for all lists, each list is read.
  if (all?.totalCount === 0) return { found: [], doubts: [] };
  const lists = (await steps.call(`the lists of ${configId}`, "threat_lists_list", { configId }, Lists)) ?? [];
  const answers = await inBatches(lists, async ({ id, name }) => ({
    id,
    name,
    items: await steps.call(`list ${id}`, reads, { ...query, listId: id, numItemsPerPage: largestPage }, Items),
  }));
  const found = answers.flatMap(({ id, name, items }) =>
    (items?.items ?? []).flatMap(({ value: item, confidenceLevelId }): ItemOnList[] => {
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
            `Every list of configuration ${configId} has the same items in this API: it may ignore listId, and then the list is unknown.`,
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
  does: "Finds the custom lists that contain an address or a domain, also within a block or wildcard.",
  input: z.strictObject({
    value: z.string().min(1).max(2_000).describe("Or a URL"),
    configId: z.int().positive().optional().describe("Default all"),
  }),
  steps: [
    "List the configurations, unless one is named.",
    "Search the items of all custom lists of each for parts of the value.",
    "If there are any, search each list separately, and compare.",
  ],
  example: { value: "tracker.example.net" },
  isFrontLine: false,

  async run({ value: rawValue, configId }, context) {
    const value = comparableItem(rawValue);
    if (value === undefined)
      throw invalidInput(tool, [
        {
          field: "value",
          given: quoteValue(rawValue),
          takes: "a domain, an address, a CIDR block, or a URL, whose host is used",
        },
      ]);
    const steps = startSteps(context);
    const configIds = await configurationIds(steps, configId);
    const items: ItemOnList[] = [];
    const doubts: string[] = [];
    for (const id of configIds ?? []) {
      const result = await listsWithItem(steps, id, value);
      items.push(...result.found);
      doubts.push(...result.doubts);
    }
    const lines = items
      .slice(0, maxShown)
      .map(
        ({ list, listId, configId: id, item, match }) =>
          `List ${quoteValue(list)} (${listId}) of configuration ${id} contains ${value} ${matches[match]}${match === "same" ? "" : `: ${quoteValue(item)}`}.`,
      );
    return {
      value,
      findings: [
        ...(items.length === 0 ? [`No readable custom list contains ${value}.`] : lines),
        ...(items.length > maxShown ? [`And ${items.length - maxShown} more.`] : []),
        ...doubts,
        ...incompleteNotes(steps, "a list may be missing"),
      ],
      found: items.slice(0, maxShown),
      steps: stepsInBrief(steps),
    };
  },
});

// The parts of each response that the findings need; the rest is evidence, in any shape.
const Changes = z.looseObject({ changes: z.array(z.unknown()) });
const Deployments = z.array(z.looseObject({ id: z.int(), status: z.string() }));
const isUnderWay = (status: string): boolean => !/^(COMPLETED|FAILED|ABORTED)$/.test(status);

/** The tools that list and read deployments, of a configuration and of its lists, with the argument for an id. */
const deploymentTools = [
  ["threat_deployments_list", "threat_deployment_get", "configDeploymentId"],
  ["threat_list_deployments_list", "threat_list_deployment_get", "listDeploymentId"],
] as const;

/** The deployments in progress, with the call that reports the progress of each. */
async function deploymentsUnderWay(steps: Steps, configId: number) {
  const underWay = [];
  for (const [lister, reader, argument] of deploymentTools) {
    const all = (await steps.call("what is being deployed", lister, { configId }, Deployments)) ?? [];
    for (const { id, status, ...others } of all.filter((one) => isUnderWay(one.status)))
      underWay.push({
        ...{ id, status, progressPct: memberAt(others, "progressPct") ?? null },
        askAgainWith: new NextCall(reader, { configId, [argument]: id }),
      });
  }
  return underWay;
}

const maxNamed = 10;
// The API's limit of a comment.
const maxComment = 1_000;
const pendingText = (pending: readonly PendingObject[]): string =>
  [
    ...pending.slice(0, maxNamed).map(({ thing, done }) => `${thing} ${done}`),
    ...(pending.length > maxNamed ? ["and more"] : []),
  ].join("; ");

/**
 * The deployments of a configuration: separate for the changes of each user, so that no one's unfinished work goes
 * live.
 */
function deploymentsOf(configId: number, pending: readonly PendingObject[]): NextCall[] {
  const authors = new Set(pending.map(({ by }) => by));
  return [...authors].map((author) => {
    const objects = pending.filter(({ by }) => by === author);
    const comment = pendingText(objects).slice(0, maxComment);
    return new NextCall("threat_deployment_launch", { configId, body: { comment, ...deploymentOf(objects) } });
  });
}

async function stateOf(steps: Steps, configId: number) {
  const read = (step: string, tool: string) => steps.call(step, tool, { configId }, Changes);
  const [changes, listChanges] = [
    await read("changes of the configuration", "threat_changes_list"),
    await read("changes of custom lists", "threat_list_changes_list"),
  ];
  const underWay = await deploymentsUnderWay(steps, configId);
  const [pending, lists] = [pendingObjectsIn(changes), pendingObjectsIn(listChanges)];
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
      ? "Not all changes could be read; see steps for the reason."
      : all.length === 0
        ? "All changes are deployed."
        : `Not deployed: ${pendingText(all)}.`,
    deployWith,
    underWay,
    changes: { configuration: changes?.changes ?? null, lists: listChanges?.changes ?? null },
  };
}

export const threatUndeployed = workflow({
  title: "Threat protection: what is not deployed",
  does: "Lists the changes of threat protection that are not deployed, with the calls that deploy those of each user, and the deployments in progress. Changes nothing.",
  input: z.strictObject({
    configId: z.int().positive().optional().describe("Default all"),
  }),
  steps: [
    "List the configurations, unless one is named.",
    "Read the changes since the last deployment of the configuration, and of each custom list.",
    "Read the deployments in progress.",
  ],
  example: { configId: 1100 },

  async run({ configId }, context) {
    const steps = startSteps(context);
    const configIds = await configurationIds(steps, configId);
    const configurations = [];
    for (const id of configIds ?? []) configurations.push(await stateOf(steps, id));
    const findings = configIds
      ? configurations.map((one) => `Configuration ${one.configId}: ${one.finding}`)
      : ["The configurations could not be listed; see steps for the reason."];
    return { findings, configurations, steps: steps.record };
  },
});
