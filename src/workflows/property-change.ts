/** A change of a property put live leg by leg: each call reads where it stands, makes one change and names the next. */
import { invalidInput } from "../arguments/index.js";
import type { Composition, Invoke, Unchanged } from "../calls/context.js";
import { anyOperation, change, type WorkflowContext } from "../calls/workflow.js";
import type { Arguments } from "../language/conduct.js";
import { shown } from "../language/failure.js";
import { NextCall } from "../language/next-call.js";
import { introduction } from "../language/reading.js";
import { z } from "../language/z.js";
import { locationId } from "../tools/diagnostics/shapes.js";
import { problemsIn } from "../tools/properties/activations.js";
import { NotifyEmails, PropertyId, place } from "../tools/properties/ids.js";
import { Activations, Hostnames, RuleTree, Versions } from "../tools/properties/shapes.js";
import { isUnderWay } from "../tools/properties/states.js";
import { versionDifference } from "./property-versions.js";
import { inShape, startSteps } from "./steps.js";

// What the check needs of each answer.
const Locations = z.looseObject({ locations: z.array(z.looseObject({ id: locationId })).min(1) });
const Dig = z.looseObject({
  digInfo: z.looseObject({ answerSection: z.array(z.looseObject({ recordType: z.string(), value: z.string() })) }),
});
const Debug = z.looseObject({
  urlDebug: z.looseObject({
    httpResponse: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    logs: z.array(z.looseObject({ fields: z.record(z.string(), z.unknown()) })).catch([]),
  }),
});

/** More hostnames than these are named and not tried: diagnostics take some seconds each, and are limited a minute. */
const maxTried = 3;

/** The name that leads to staging: the zone of the edge hostname with `-staging` (edgesuite.net, edgesuite-staging.net). */
function stagingNameOf(edgeHostname: string | undefined): string | undefined {
  const [, name, zone, top] = /^(.+)\.([\w-]+)\.(\w+)\.?$/.exec(edgeHostname ?? "") ?? [];
  if (name === undefined || zone === undefined || zone.endsWith("-staging")) return undefined;
  return `${name}.${zone}-staging.${top}`;
}

/** What one edge server answered, in words: the members of the response, the CP code, and whether it is an error. */
function seen({ urlDebug: { httpResponse, logs } }: z.output<typeof Debug>) {
  const members = httpResponse.map(({ name, value }) => `${shown(name)}: ${shown(value)}`);
  const code = logs.map(({ fields }) => fields["CP code"]).find((value) => value !== undefined && value !== "-");
  const isError = httpResponse.some(({ name, value }) => /code|status/i.test(name) && /^[45]\d\d$/.test(value));
  return { words: [...members, ...(code === undefined ? [] : [`CP code ${shown(code)}`])].join(", "), isError };
}

/**
 * Tries the first hostnames of a version on staging.
 * @returns What was seen, and what speaks against production: an error that staging answers, or that nothing was seen.
 */
export async function triedOnStaging(
  entries: z.output<typeof Hostnames>["hostnames"]["items"],
  context: Pick<WorkflowContext, "invoke" | "progress">,
): Promise<{ readonly notes: readonly string[]; readonly warnings: readonly string[] }> {
  const steps = startSteps(context);
  const notes: string[] = [];
  const warnings: string[] = [];
  const found = entries.flatMap(({ cnameFrom, cnameTo }) => {
    const staging = stagingNameOf(cnameTo);
    return staging === undefined || cnameFrom.startsWith("*") ? [] : [{ host: cnameFrom, staging }];
  });
  const tried = found.slice(0, maxTried);
  if (tried.length < entries.length)
    notes.push(
      `Of ${entries.length} hostnames, ${tried.length} ${tried.length === 1 ? "is" : "are"} tried on staging.`,
    );
  if (tried.length === 0) return { notes, warnings: ["No hostname of it could be tried on staging."] };
  const list = await steps.call("choose a location", "diag_locations_list", {}, Locations);
  const from = list?.locations[0]?.id;
  const tries = tried.map(async ({ host, staging }) => {
    const dig =
      from === undefined
        ? undefined
        : await steps.call(staging, "diag_location_dig_run", { locationId: from, hostName: staging }, Dig);
    if (dig === undefined) return;
    const edgeIp = dig.digInfo.answerSection.find(({ recordType }) => /^A(AAA)?$/.test(recordType))?.value;
    if (edgeIp === undefined) return void warnings.push(`${shown(staging)}, which leads to staging, has no address.`);
    const url = `http://${host}/`;
    const debug = await steps.call(url, "diag_url_debug_get", { url, edgeIp }, Debug);
    if (debug === undefined) return;
    const { words, isError } = seen(debug);
    const line = `On staging (${edgeIp}), ${shown(url)} was answered with ${words}.`;
    (isError ? warnings : notes).push(line);
  });
  await Promise.all(tries);
  for (const { step, tool, why } of steps.record.filter(({ outcome }) => outcome !== "done"))
    warnings.push(`The check on staging is incomplete: ${tool} (${step}) failed: ${why ?? "no reason was given"}`);
  return { notes, warnings };
}

const tool = "property_change_run";
type Network = "STAGING" | "PRODUCTION";

/** What the API finds wrong with the rules and the hostnames of a version, and those hostnames. */
async function problemsOf(invoke: Invoke, at: Arguments) {
  const rules = (await invoke("property_rule_tree_get", at)).body;
  const listed = (await invoke("property_hostnames_list", at)).body;
  const hostnames = inShape("property_hostnames_list", Hostnames, listed);
  const found = problemsIn({ rules: inShape("property_rule_tree_get", RuleTree, rules), hostnames });
  return { ...found, hostnames: hostnames.hostnames.items };
}

type Versioned = z.output<typeof Versions>["versions"]["items"][number];

/** The version that is active on a network. */
const activeOn = (versions: readonly Versioned[], network: Network): number | undefined =>
  versions.find((one) => (network === "STAGING" ? one.stagingStatus : one.productionStatus) === "ACTIVE")
    ?.propertyVersion;

/** The leg that makes a new version, because the newest is or was active; it names what the copy will not have. */
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
      `Version ${to} is or was active, so it cannot be changed: this makes version ${to + 1} from version ${from}.`,
      ...(lost === undefined
        ? []
        : [`What version ${to} has beyond version ${from} is not in the copy:`, ...lost.rules, ...lost.hostnames]),
      `Next: change it with property_rule_tree_update or property_hostnames_replace, then call ${tool} again.`,
    ],
  };
}

/**
 * The hostnames of a version that may be activated.
 * @throws Failure `invalid_input` where it has errors, or warnings that nobody has acknowledged.
 */
async function activatable(
  invoke: Invoke,
  at: Arguments & { readonly propertyVersion: number },
  acknowledged: readonly string[],
) {
  const found = await problemsOf(invoke, at);
  const problems = found.errors.map(({ title, detail, errorLocation }) => ({
    field: "propertyId",
    takes: `a newest version without errors; at ${shown(errorLocation ?? "?")} of version ${at.propertyVersion}: ${shown(detail ?? title)}`,
  }));
  const open = found.warnings.filter(({ messageId }) => !acknowledged.includes(messageId ?? ""));
  const unread = open.map(({ messageId, title, detail }) => ({
    field: "acknowledgeWarnings",
    takes: `${shown(messageId ?? "?")} once the user accepts this warning: ${shown(detail ?? title)}`,
  }));
  if (problems.length + unread.length > 0) throw invalidInput(tool, [...problems, ...unread]);
  return found.hostnames;
}

export const propertyChange = change({
  title: "Properties: put a change live",
  does: "Does the next leg of putting a property's newest version live: a new version, staging, production. Each call previews one leg and names the next.",
  input: z.strictObject({
    propertyId: PropertyId,
    ...place,
    notifyEmails: NotifyEmails,
    acknowledgeWarnings: z
      .array(z.string().min(1).max(80))
      .optional()
      .describe("Ids of warnings that the user accepts"),
    note: z.string().max(2_000).optional(),
  }),
  steps: [
    "Read the versions and the activations of the property.",
    "Where the newest version is or was active, make a new one from the version that is active on production.",
    "Where it never was, compare it with the active one, and activate it on staging; errors and open warnings stop this.",
    "Where it is active on staging, try its hostnames there by diagnostics, compare it with the version on production, and activate it there.",
  ],
  example: { propertyId: "prp_175780", notifyEmails: ["operations@shop.example"] },
  introduction: introduction`${tool} puts a property's change live, leg by leg.`,
  makes: anyOperation,

  async compose(
    { notifyEmails, acknowledgeWarnings = [], note, ...of },
    { invoke, progress, isConfirmed },
  ): Promise<Composition | Unchanged> {
    const found = inShape("property_versions_list", Versions, (await invoke("property_versions_list", of)).body);
    const { items } = found.versions;
    const listed = await invoke("property_activations_list", of);
    const activations = inShape("property_activations_list", Activations, listed.body).activations.items;
    const [newest] = [...items].sort((a, b) => b.propertyVersion - a.propertyVersion);
    if (!newest) return { unchanged: "The property has no version." };
    const to = newest.propertyVersion;
    const pending = activations.find(isUnderWay);
    if (pending)
      return {
        unchanged: `Version ${pending.propertyVersion} is on its way to ${pending.network} (${pending.status}). Call ${tool} again when property_activation_get shows ${pending.activationId} as ACTIVE.`,
        askAgainWith: new NextCall("property_activation_get", { ...of, activationId: pending.activationId }),
      };
    const isOnStaging = activeOn(items, "STAGING") === to;
    const wasActive = activations.some(({ propertyVersion, status }) => propertyVersion === to && status !== "FAILED");
    if (activeOn(items, "PRODUCTION") === to || (wasActive && !isOnStaging))
      return newVersion(of, items, newest, { invoke, progress });
    const network: Network = isOnStaging ? "PRODUCTION" : "STAGING";
    const hostnames = await activatable(invoke, { ...of, propertyVersion: to }, acknowledgeWarnings);
    const checked =
      isOnStaging && !isConfirmed ? await triedOnStaging(hostnames, { invoke, progress }) : { notes: [], warnings: [] };
    const next = isOnStaging
      ? "Next: nothing; the change is live once the activation is ACTIVE."
      : `Next: when it is ACTIVE there, call ${tool} again: it tries the hostnames on staging by diagnostics and prepares production.`;
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
      notes: [...checked.notes, next],
      warnings: checked.warnings,
    };
  },
});
