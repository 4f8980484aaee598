/** What the emulated service finds wrong with a version: errors keep it from being activated, warnings are acknowledged. */
import { createHash } from "node:crypto";
import { memberAt } from "../../../api/member.js";
import type { Rule } from "../../../tools/properties/shapes.js";
import type { World } from "../../world.js";
import { isCertified } from "./edge-hostnames.js";
import { type Property, stateOf, type Version } from "./world.js";

export const behaviorNames = [
  "caching",
  "cpCode",
  "denyAccess",
  "downstreamCache",
  "gzipResponse",
  "modifyIncomingRequestHeader",
  "modifyOutgoingResponseHeader",
  "origin",
  "redirect",
  "rewriteUrl",
  "siteShield",
  "tieredDistribution",
] as const;
export const criterionNames = [
  "contentType",
  "fileExtension",
  "hostname",
  "path",
  "requestHeader",
  "requestMethod",
  "userLocation",
  "wildcard",
] as const;

const maxNesting = 6;

export interface Found {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errorLocation: string;
  readonly behaviorName?: string;
  readonly messageId: string;
}
const problem = (id: string, title: string, detail: string, errorLocation: string, behaviorName?: string): Found => ({
  type: `/papi/v0/errors/validation.${id}`,
  title,
  detail,
  errorLocation,
  ...(behaviorName === undefined ? {} : { behaviorName }),
  messageId: `msg_${createHash("sha1").update(`${id} ${errorLocation} ${detail}`).digest("hex")}`,
});

const missing = (name: string, title: string): Found =>
  problem(
    "required_behavior",
    "Missing required behavior in default rule",
    `In order for this property to work correctly behavior ${title} needs to be present in the default section`,
    "#/rules",
    name,
  );

/** Every rule of a tree with its location and its depth. */
function* rulesIn(rule: Rule, at = "#/rules", depth = 0): Generator<readonly [Rule, string, number]> {
  yield [rule, at, depth];
  for (const [index, child] of (rule.children ?? []).entries())
    yield* rulesIn(child, `${at}/children/${index}`, depth + 1);
}

/** The errors and the warnings of a version. */
export function validate(
  world: World,
  { productId }: Property,
  { rules, hostnames }: Version,
): { errors: Found[]; warnings: Found[] } {
  const errors: Found[] = [];
  const warnings: Found[] = [];
  for (const [index, entry] of hostnames.entries())
    if (!isCertified(world, entry)) {
      const detail = `The certificate of ${entry.cnameTo} does not name ${entry.cnameFrom}`;
      warnings.push(problem("certificate_names", "Hostname not in the certificate", detail, `#/hostnames/${index}`));
    }
  const inDefault = (name: string) => (rules.behaviors ?? []).some((one) => one.name === name);
  if (!inDefault("cpCode")) errors.push(missing("cpCode", "Content Provider Code"));
  if (!inDefault("origin")) errors.push(missing("origin", "Origin"));
  const { cpCodes } = stateOf(world);
  for (const [rule, at, depth] of rulesIn(rules)) {
    if (depth > maxNesting)
      errors.push(problem("nesting", "Rules nested too deep", `Rules nest at most ${maxNesting} levels deep`, at));
    if (depth > 0 && (rule.criteria ?? []).length === 0)
      warnings.push(
        problem(
          "no_criteria",
          "Rule without criteria",
          `The rule ${rule.name ?? "without a name"} matches every request`,
          at,
        ),
      );
    for (const [index, { name, options }] of (rule.behaviors ?? []).entries()) {
      const location = `${at}/behaviors/${index}`;
      if (!behaviorNames.some((known) => known === name))
        errors.push(problem("unknown_behavior", "Unknown behavior", `There is no behavior ${name}`, location, name));
      if (name !== "cpCode") continue;
      const id = String(memberAt(options, "value.id"));
      const cpCode = cpCodes.get(`cpc_${id}`);
      if (!cpCode) errors.push(problem("cpcode", "Unknown CP code", `There is no CP code ${id}`, location, name));
      else if (cpCode.productId !== productId)
        warnings.push(
          problem(
            "cpcode_product",
            "CP code of another product",
            `The CP code ${id} is of ${cpCode.productId}, and the property of ${productId}`,
            location,
            name,
          ),
        );
    }
    for (const [index, { name }] of (rule.criteria ?? []).entries())
      if (!criterionNames.some((known) => known === name))
        errors.push(
          problem("unknown_criterion", "Unknown criterion", `There is no criterion ${name}`, `${at}/criteria/${index}`),
        );
  }
  return { errors, warnings };
}
