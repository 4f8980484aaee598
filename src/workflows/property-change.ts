/** A change of a property put live leg by leg: each call reads where it stands, makes one change and names the next. */
import { invalidInput } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import { shown } from "../api/failure.js";
import { NextCall } from "../api/next-call.js";
import { z } from "../api/z.js";
import type { Composition, Invoke, Unchanged } from "../calls/context.js";
import { anyOperation, change } from "../calls/workflow.js";
import { problemsIn } from "../tools/properties/activation-guard.js";
import { isUnderWay } from "../tools/properties/activation-state.js";
import { NotifyEmails, PropertyId, place } from "../tools/properties/ids.js";
import { Activations, Hostnames, RuleTree, Versions } from "../tools/properties/shapes.js";
import { versionDifference } from "./property-versions.js";
import { triedOnStaging } from "./staging-check.js";
import { inShape, startSteps } from "./steps.js";

const tool = "property_change_run";
const networks = ["STAGING", "PRODUCTION"] as const;
type Network = (typeof networks)[number];

/** What the API finds wrong with the rules and the hostnames of a version, and those hostnames. */
async function problemsOf(invoke: Invoke, at: Arguments) {
  const rules = (await invoke("property_rule_tree_get", at)).body;
  const listed = (await invoke("property_hostnames_list", at)).body;
  const hostnames = inShape("property_hostnames_list", Hostnames, listed);
  const found = problemsIn({ rules: inShape("property_rule_tree_get", RuleTree, rules), hostnames });
  return { ...found, hostnames: hostnames.hostnames.items };
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
  introduction: `${tool} puts a property's change live, leg by leg.`,
  makes: anyOperation,

  async compose(
    { notifyEmails, acknowledgeWarnings = [], note, ...of },
    { invoke, progress, isConfirmed },
  ): Promise<Composition | Unchanged> {
    const versions = inShape("property_versions_list", Versions, (await invoke("property_versions_list", of)).body);
    const listed = await invoke("property_activations_list", of);
    const activations = inShape("property_activations_list", Activations, listed.body).activations.items;
    const [newest] = [...versions.versions.items].sort((a, b) => b.propertyVersion - a.propertyVersion);
    if (!newest) return { unchanged: "The property has no version." };
    const to = newest.propertyVersion;
    const pending = activations.find(isUnderWay);
    if (pending)
      return {
        unchanged: `Version ${pending.propertyVersion} is on its way to ${pending.network} (${pending.status}). Call ${tool} again when property_activation_get shows ${pending.activationId} as ACTIVE.`,
        askAgainWith: new NextCall("property_activation_get", { ...of, activationId: pending.activationId }),
      };
    const activeOn = (network: Network) =>
      versions.versions.items.find(
        (one) => (network === "STAGING" ? one.stagingStatus : one.productionStatus) === "ACTIVE",
      )?.propertyVersion;
    const [staging, production] = networks.map(activeOn);
    const isOnStaging = staging === to;
    const wasActive = activations.some(({ propertyVersion, status }) => propertyVersion === to && status !== "FAILED");
    if (production === to || (wasActive && !isOnStaging)) {
      const from = production ?? to;
      const copied = versions.versions.items.find(({ propertyVersion }) => propertyVersion === from);
      const lost =
        copied === undefined || from === to
          ? undefined
          : await versionDifference(startSteps({ invoke, progress }), of, copied, newest);
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
    const network: Network = isOnStaging ? "PRODUCTION" : "STAGING";
    const found = await problemsOf(invoke, { ...of, propertyVersion: to });
    const problems = found.errors.map(({ title, detail, errorLocation }) => ({
      field: "propertyId",
      takes: `a newest version without errors; at ${shown(errorLocation ?? "?")} of version ${to}: ${shown(detail ?? title)}`,
    }));
    const open = found.warnings.filter(({ messageId }) => !acknowledgeWarnings.includes(messageId ?? ""));
    const unread = open.map(({ messageId, title, detail }) => ({
      field: "acknowledgeWarnings",
      takes: `${shown(messageId ?? "?")} once the user accepts this warning: ${shown(detail ?? title)}`,
    }));
    if (problems.length + unread.length > 0) throw invalidInput(tool, [...problems, ...unread]);
    const checked =
      isOnStaging && !isConfirmed
        ? await triedOnStaging(found.hostnames, { invoke, progress })
        : { notes: [], warnings: [] };
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
