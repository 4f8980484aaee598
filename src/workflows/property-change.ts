/**
 * Rolls out a property change step by step: each call reads the present state, previews one change and names the next.
 */
import type { Composition, Invoke, NoChange } from "../calls/context.js";
import { anyOperation, type ComposedChange, composedChange, type WorkflowContext } from "../calls/workflow.js";
import type { Arguments } from "../language/conduct.js";
import { quoteValue } from "../language/failure.js";
import { NextCall } from "../language/next-call.js";
import { introduction } from "../language/reading.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { problemsIn } from "../tools/properties/activations.js";
import { activeVersionAmong, type PropertyNetwork } from "../tools/properties/guards.js";
import { NotifyEmails, PropertyId, place } from "../tools/properties/ids.js";
import { Activations, Hostnames, RuleTree, Versions } from "../tools/properties/shapes.js";
import { isUnderWay, reachesNetwork } from "../tools/properties/states.js";
import { lookups } from "./lookups.js";
import { versionDifference } from "./property-versions.js";
import { noTrial, type Probes, tryOnStaging } from "./staging-trial.js";
import { parseShape, startSteps } from "./steps.js";

// The parts of a response that the check on staging needs.
const Debug = z.looseObject({
  urlDebug: z.looseObject({
    httpResponse: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    logs: z.array(z.looseObject({ fields: z.record(z.string(), z.unknown()) })).catch([]),
  }),
});

/** The response of one edge server, in words: its fields, the CP code, and whether it is an error. */
function describeResponse({ urlDebug: { httpResponse, logs } }: z.output<typeof Debug>) {
  const members = httpResponse.map(({ name, value }) => `${quoteValue(name)}: ${quoteValue(value)}`);
  const code = logs.map(({ fields }) => fields["CP code"]).find((value) => value !== undefined && value !== "-");
  const isError = httpResponse.some(({ name, value }) => /code|status/i.test(name) && /^[45]\d\d$/.test(value));
  return { words: [...members, ...(code === undefined ? [] : [`CP code ${quoteValue(code)}`])].join(", "), isError };
}

/** The diagnostics of the documents, which request a URL from staging at once. */
export const probes: Probes = {
  ...lookups,
  async request(steps, url, edgeIp) {
    const debug = await steps.call(url, "diag_url_debug_get", { url, edgeIp }, Debug);
    if (debug === undefined) return undefined;
    const { words, isError } = describeResponse(debug);
    const line = `On staging (${edgeIp}), ${quoteValue(url)} returned ${words}.`;
    return isError ? { warnings: [line] } : { notes: [line] };
  },
};

const tool = "property_change_run";

/** The API's errors and warnings for the rules and hostnames of a version, and those hostnames. */
async function problemsOf(invoke: Invoke, at: Arguments) {
  const rules = (await invoke("property_rule_tree_get", at)).body;
  const listed = (await invoke("property_hostnames_list", at)).body;
  const hostnames = parseShape("property_hostnames_list", Hostnames, listed);
  const found = problemsIn({ rules: parseShape("property_rule_tree_get", RuleTree, rules), hostnames });
  return { ...found, hostnames: hostnames.hostnames.items };
}

type Versioned = z.output<typeof Versions>["versions"]["items"][number];

/** The version that is active on a network. */
const activeOn = (versions: readonly Versioned[], network: PropertyNetwork): number | undefined =>
  activeVersionAmong(versions, network)?.propertyVersion;

/**
 * The step that creates a new version, because the newest is or was active; it names what the copy does not include.
 */
async function newVersion(
  of: Arguments,
  versions: readonly Versioned[],
  newest: Versioned,
  context: Pick<WorkflowContext, "invoke" | "progress">,
): Promise<Composition> {
  const to = newest.propertyVersion;
  const from = activeOn(versions, "PRODUCTION") ?? to;
  const copied = versions.find(({ propertyVersion }) => propertyVersion === from);
  const lost =
    copied === undefined || from === to ? undefined : await versionDifference(startSteps(context), of, copied, newest);
  return {
    tool: "property_version_create",
    args: { ...of, body: { createFromVersion: from } },
    notes: [
      `Version ${to} is or was active and cannot be changed: this creates version ${to + 1} from version ${from}.`,
      ...(lost === undefined
        ? []
        : [
            `The copy does not include these changes of version ${to} since version ${from}:`,
            ...lost.rules,
            ...lost.hostnames,
          ]),
      `Next: change it with property_rule_tree_update or property_hostnames_replace, then call ${tool} again.`,
    ],
  };
}

/**
 * The hostnames of a version that can be activated.
 * @throws Failure `invalid_input` if it has errors, or unacknowledged warnings.
 */
async function activatable(
  invoke: Invoke,
  at: Arguments & { readonly propertyVersion: number },
  acknowledged: readonly string[],
) {
  const content = await problemsOf(invoke, at);
  const problems = content.errors.map(({ title, detail, errorLocation }) => ({
    field: "propertyId",
    takes: `a newest version without errors; at ${quoteValue(errorLocation ?? "?")} of version ${at.propertyVersion}: ${quoteValue(detail ?? title)}`,
  }));
  const open = content.warnings.filter(({ messageId }) => !acknowledged.includes(messageId ?? ""));
  const unread = open.map(({ messageId, title, detail }) => ({
    field: "acknowledgeWarnings",
    takes: `${quoteValue(messageId ?? "?")} once the user accepts this warning: ${quoteValue(detail ?? title)}`,
  }));
  if (problems.length + unread.length > 0) throw invalidInput(tool, [...problems, ...unread]);
  return content.hostnames;
}

const input = z.strictObject({
  propertyId: PropertyId,
  ...place,
  notifyEmails: NotifyEmails,
  acknowledgeWarnings: z.array(z.string().min(1).max(80)).optional().describe("Ids of warnings that the user accepts"),
  note: z.string().max(2_000).optional(),
});

/** The next step of a rollout, from the versions and activations of the property. */
export async function nextStep(
  diagnostics: Probes,
  { notifyEmails, acknowledgeWarnings = [], note, ...of }: z.output<typeof input>,
  {
    invoke,
    progress,
    isConfirmed,
  }: Pick<Parameters<ComposedChange["compose"]>[1], "invoke" | "progress" | "isConfirmed">,
): Promise<Composition | NoChange> {
  const listing = parseShape("property_versions_list", Versions, (await invoke("property_versions_list", of)).body);
  const { items } = listing.versions;
  const listed = await invoke("property_activations_list", of);
  const activations = parseShape("property_activations_list", Activations, listed.body).activations.items;
  const [newest] = [...items].sort((a, b) => b.propertyVersion - a.propertyVersion);
  if (!newest) return { unchanged: "The property has no version." };
  const to = newest.propertyVersion;
  const pending = activations.find(isUnderWay);
  if (pending)
    return {
      unchanged: `Version ${pending.propertyVersion} is being activated on ${pending.network} (${pending.status}). Call ${tool} again when property_activation_get shows ${pending.activationId} as ACTIVE.`,
      askAgainWith: new NextCall("property_activation_get", { ...of, activationId: pending.activationId }),
    };
  const isOnStaging = activeOn(items, "STAGING") === to;
  const wasActive = activations.some((one) => one.propertyVersion === to && reachesNetwork(one));
  if (activeOn(items, "PRODUCTION") === to || (wasActive && !isOnStaging))
    return newVersion(of, items, newest, { invoke, progress });
  const network: PropertyNetwork = isOnStaging ? "PRODUCTION" : "STAGING";
  const hostnames = await activatable(invoke, { ...of, propertyVersion: to }, acknowledgeWarnings);
  const trialResult =
    isOnStaging && !isConfirmed
      ? await tryOnStaging(hostnames, startSteps({ invoke, progress }), diagnostics)
      : noTrial;
  const next = isOnStaging
    ? "Next: nothing; the change is live once the activation is ACTIVE."
    : `Next: when it is ACTIVE there, call ${tool} again: it tests the hostnames on staging by diagnostics and prepares production.`;
  return {
    tool: "property_version_activate",
    args: {
      ...of,
      body: {
        propertyVersion: to,
        network,
        notifyEmails,
        ...(note === undefined ? {} : { note }),
        ...(acknowledgeWarnings.length === 0 ? {} : { acknowledgeWarnings }),
      },
    },
    notes: [...trialResult.notes, next],
    warnings: trialResult.warnings,
  };
}

/** The rollout with diagnostics of a generation. */
export const propertyChangeBy = (diagnostics: Probes, onStaging: string) =>
  composedChange({
    title: "Properties: roll out a change",
    does: "Advances the rollout of a property's newest version by one step: new version, staging, production. Each call previews one step and names the next.",
    input,
    steps: [
      "Read the versions and the activations of the property.",
      "If the newest version is or was active, create a new one from the version on production.",
      "If it never was, compare it with the active one, and activate it on staging; errors and open warnings stop this.",
      `If it is active on staging, ${onStaging}, compare it with the version on production, and activate it there.`,
    ],
    example: { propertyId: "prp_175780", notifyEmails: ["operations@shop.example"] },
    introduction: introduction`${tool} rolls out a property's change, step by step.`,
    makes: anyOperation,

    compose: (asked, context) => nextStep(diagnostics, asked, context),
  });

export const propertyChange = propertyChangeBy(probes, "test its hostnames there by diagnostics");
