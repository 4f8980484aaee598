/** Shows where the rollout of an include or of several properties stands, and prepares its next call; it only reads. */
import { workflow } from "../calls/workflow.js";
import { defined } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { NotifyEmails, place } from "../tools/properties/ids.js";
import { bulkRollout } from "./bulk-rollout.js";
import { includeRollout } from "./include-rollout.js";
import { incompleteNotes, startSteps, stepsInBrief } from "./steps.js";

const tool = "property_rollout_run";
const maxCalls = 1_000;
const Named = z.string().min(1).max(100);
const JobId = z.int().positive().optional();

export const propertyRollout = workflow({
  title: "Properties: roll out an include or several",
  does: "Shows how far an include, properties or a bulk job are rolled out, and the next call.",
  input: z.strictObject({
    include: Named.optional(),
    properties: z.array(Named).min(1).max(100).optional().describe("Or ids; @3: version 3"),
    ...{ bulkSearchId: JobId, bulkPatchId: JobId, bulkActivationId: JobId },
    ...place,
    notifyEmails: NotifyEmails,
    acknowledgeWarnings: z.array(z.string().min(1).max(80)).optional(),
  }),
  steps: [
    "For an include, read its versions and activations, and the properties that use it.",
    "For properties, find them by name or in the bulk job, and read the versions and activations of each.",
    "Of a version that is not active on production, read the rules with their errors and warnings, and for a property the hostnames; compare with what is active: the rules of an include, the hostnames of a property.",
    "If all are active on staging, look up hostnames there by diagnostics, and name the calls that request them.",
    "Name the next call: an activation of all on staging, then on production, or the same call again while one is under way.",
  ],
  example: { properties: ["www.shop.example", "api.shop.example"], notifyEmails: ["operations@shop.example"] },
  isFrontLine: false,

  async run(args, context) {
    const { include, properties, bulkSearchId, bulkPatchId, bulkActivationId, contractId, groupId } = args;
    const ids = { bulkSearchId, bulkPatchId, bulkActivationId };
    const isBulk = properties !== undefined || Object.values(ids).some((id) => id !== undefined);
    if (isBulk === (include !== undefined))
      throw invalidInput(tool, [
        { field: "include", takes: "an id or name here, or else properties or the id of a bulk job" },
      ]);
    const steps = startSteps(context, maxCalls);
    const request = {
      place: defined({ contractId, groupId }),
      notifyEmails: args.notifyEmails,
      acknowledged: args.acknowledgeWarnings ?? [],
    };
    const again = new NextCall(tool, defined(args));
    const { findings, ...rest } =
      include === undefined
        ? await bulkRollout(steps, { properties: properties ?? [], ids }, request, again)
        : await includeRollout(steps, include, request, again);
    return {
      findings: [...findings, ...incompleteNotes(steps, "the picture is incomplete")],
      ...rest,
      steps: stepsInBrief(steps),
    };
  },
});
