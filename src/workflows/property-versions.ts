/** The difference between two versions of a property, in words: rules by their path, hostnames, and settings. */
import { workflow } from "../calls/workflow.js";
import type { Arguments, DifferenceLine } from "../language/conduct.js";
import { changesIn, differenceLines, limitLines, lineTexts } from "../language/difference-lines.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { hostnameDifference, treeDifference } from "../tools/properties/difference.js";
import { versionsIn, whereActive } from "../tools/properties/guards.js";
import { PropertyId, PropertyVersion, place } from "../tools/properties/ids.js";
import { Hostnames, RuleTree, Versions } from "../tools/properties/shapes.js";
import { type Steps, startSteps } from "./steps.js";

const tool = "property_versions_compare";
const [rulesTool, hostnamesTool] = ["property_rule_tree_get", "property_hostnames_list"] as const;

type Version = ReturnType<typeof versionsIn>[number];

/** The fields of a version other than its rules and hostnames, and those that always differ. */
const settingsOf = ({ productId, ruleFormat, note }: Version, comments: string | undefined) => ({
  ...{ productId, ruleFormat, note: note || undefined, comments: comments || undefined },
});

const shownVersion = (version: Version) => ({
  version: version.propertyVersion,
  is: whereActive(version),
  updatedByUser: version.updatedByUser,
  updatedDate: version.updatedDate,
});

/** The two versions to compare: by default the one active on production, and the newest. */
function chosen(
  versions: readonly Version[],
  input: { readonly from?: number | undefined; readonly to?: number | undefined },
) {
  const all = versions.map(({ propertyVersion }) => propertyVersion);
  const active = versions.find(({ productionStatus }) => productionStatus === "ACTIVE")?.propertyVersion;
  const versionFrom = (field: "from" | "to", number: number | undefined, unknown: string): Version => {
    const version = versions.find(({ propertyVersion }) => propertyVersion === number);
    if (version !== undefined) return version;
    const known = `one of the property's versions: ${all.slice(0, 20).join(", ")}`;
    const problem = number === undefined ? { takes: `${known}; ${unknown}` } : { given: String(number), takes: known };
    throw invalidInput(tool, [{ field, ...problem }]);
  };
  const from = versionFrom("from", input.from ?? active, "none is active on PRODUCTION");
  const to = versionFrom("to", input.to ?? all[0], "it has none");
  if (from === to)
    throw invalidInput(tool, [
      {
        field: input.to === undefined ? "from" : "to",
        given: String(to.propertyVersion),
        takes: `a version other than the one it is compared with: ${all.slice(0, 20).join(", ")}`,
      },
    ]);
  return { from, to };
}

/** The difference of two versions in one respect; unknown if it could not be read. */
const linesOr = (lines: readonly DifferenceLine[] | undefined, nothing: string): readonly string[] =>
  lines === undefined
    ? ["Unknown, because it could not be read; see steps for the reason."]
    : lineTexts(limitLines(lines, nothing));

async function readBoth<T>(
  [from, to]: readonly [Version, Version],
  read: (version: Version) => Promise<T | undefined>,
): Promise<readonly [T, T] | undefined> {
  const [before, after] = [await read(from), await read(to)];
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** The difference of two versions, line by line, removals first; unreadable parts are reported as unknown. */
export async function versionDifference(steps: Steps, of: Arguments, from: Version, to: Version) {
  const at = ({ propertyVersion }: Version) => ({ ...of, propertyVersion });
  const trees = await readBoth([from, to], (one) =>
    steps.call(`rules of version ${one.propertyVersion}`, rulesTool, { ...at(one), validateRules: false }, RuleTree),
  );
  const names = await readBoth([from, to], (one) =>
    steps.call(`hostnames of version ${one.propertyVersion}`, hostnamesTool, at(one), Hostnames),
  );
  const rules = trees && treeDifference(trees[0].rules, trees[1].rules);
  const hostnames = names && hostnameDifference(names[0].hostnames.items, names[1].hostnames.items);
  const settings = differenceLines(settingsOf(from, trees?.[0].comments), settingsOf(to, trees?.[1].comments));
  const leftOut = [...(rules ?? []), ...(hostnames ?? []), ...settings].filter(({ verb }) => verb === "ignored");
  const counts = [
    `${rules ? changesIn(rules) : "an unknown number"} in the rules`,
    `${hostnames ? changesIn(hostnames) : "an unknown number"} in the hostnames`,
    `${changesIn(settings)} in the settings`,
  ];
  return {
    findings: [
      `From version ${from.propertyVersion} to version ${to.propertyVersion}, differences: ${counts.join(", ")}.`,
    ],
    rules: linesOr(rules, "The rules are the same."),
    hostnames: linesOr(hostnames, "The hostnames are the same."),
    settings: linesOr(settings, "The settings are the same."),
    ...(leftOut.length > 0 && { leftOut: limitLines(leftOut, "").map(({ text }) => text.trim()) }),
  };
}

export const propertyComparison = workflow({
  title: "Properties: compare two versions",
  does: "Compares two versions of a property: rules by path, hostnames, settings.",
  input: z.strictObject({
    propertyId: PropertyId,
    ...place,
    from: PropertyVersion.optional().describe("Default active on PRODUCTION"),
    to: PropertyVersion.optional().describe("Default newest"),
  }),
  steps: [
    "List the versions of the property, to find those to compare.",
    "Read the rule tree and the hostnames of both.",
    "Compare them, removals first; values of hidden variables are compared and not shown.",
  ],
  example: { propertyId: "prp_175780", from: 2, to: 3 },
  isFrontLine: false,

  async run({ from, to, ...of }, context) {
    const steps = startSteps(context);
    const body = await steps.call("the versions", "property_versions_list", of, Versions);
    const versions = versionsIn(body);
    if (body === undefined)
      return { findings: ["The versions could not be listed; see steps for the reason."], steps: steps.record };
    const both = chosen(versions, { from, to });
    const difference = await versionDifference(steps, of, both.from, both.to);
    return {
      property: body.propertyName,
      from: shownVersion(both.from),
      to: shownVersion(both.to),
      ...difference,
      steps: steps.record,
    };
  },
});
