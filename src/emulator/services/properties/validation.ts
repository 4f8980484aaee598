/** What the emulated service finds wrong with a version: errors keep it from being activated, warnings are acknowledged. */
import { createHash } from "node:crypto";
import { memberAt } from "../../../language/member.js";
import type { TreeRule } from "../../../tools/properties/shapes.js";
import type { World } from "../../world.js";
import { isCertified } from "./edge-hostnames.js";
import { type Property, type StoredPropertyVersion, stateOf } from "./world.js";

export const behaviorNames: readonly string[] = (
  "caching cpCode denyAccess downstreamCache edgeRedirector forwardRewrite gzipResponse include " +
  "modifyIncomingRequestHeader modifyOutgoingResponseHeader origin redirect rewriteUrl siteShield tieredDistribution"
).split(" ");
export const criterionNames: readonly string[] =
  "contentType fileExtension hostname path requestHeader requestMethod userLocation wildcard".split(" ");

const maxNesting = 6;

interface ContentProblem {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errorLocation: string;
  readonly behaviorName?: string;
  readonly messageId: string;
}
const problem = (
  id: string,
  title: string,
  detail: string,
  errorLocation: string,
  behaviorName?: string,
): ContentProblem => ({
  type: `/papi/v0/errors/validation.${id}`,
  title,
  detail,
  errorLocation,
  ...(behaviorName === undefined ? {} : { behaviorName }),
  messageId: `msg_${createHash("sha1").update(`${id} ${errorLocation} ${detail}`).digest("hex")}`,
});

const missing = (name: string, title: string): ContentProblem =>
  problem(
    "required_behavior",
    "Missing required behavior in default rule",
    `In order for this property to work correctly behavior ${title} needs to be present in the default section`,
    "#/rules",
    name,
  );

/** Every rule of a tree with its location and its depth. */
export function* rulesIn(rule: TreeRule, at = "#/rules", depth = 0): Generator<readonly [TreeRule, string, number]> {
  yield [rule, at, depth];
  for (const [index, child] of (rule.children ?? []).entries())
    yield* rulesIn(child, `${at}/children/${index}`, depth + 1);
}

interface Findings {
  readonly errors: ContentProblem[];
  readonly warnings: ContentProblem[];
}

/** Finds what is wrong with where a rule stands. */
function checkPlace(
  { name = "without a name", criteria = [] }: TreeRule,
  at: string,
  depth: number,
  found: Findings,
): void {
  if (depth > maxNesting)
    found.errors.push(problem("nesting", "Rules nested too deep", `Rules nest at most ${maxNesting} levels deep`, at));
  if (depth > 0 && criteria.length === 0)
    found.warnings.push(problem("no_criteria", "Rule without criteria", `The rule ${name} matches every request`, at));
}

/** Finds what is wrong with the behaviors of a rule. */
function checkBehaviors(
  world: World,
  productId: string,
  { behaviors = [] }: TreeRule,
  at: string,
  findings: Findings,
): void {
  const { cpCodes } = stateOf(world);
  for (const [index, { name, options }] of behaviors.entries()) {
    const location = `${at}/behaviors/${index}`;
    if (!behaviorNames.includes(name))
      findings.errors.push(
        problem("unknown_behavior", "Unknown behavior", `There is no behavior ${name}`, location, name),
      );
    if (name !== "cpCode") continue;
    const id = String(memberAt(options, "value.id"));
    const cpCodeProductId = cpCodes.get(`cpc_${id}`)?.productId;
    const detail = `The CP code ${id} is of ${cpCodeProductId}, and the property of ${productId}`;
    if (cpCodeProductId === undefined)
      findings.errors.push(problem("cpcode", "Unknown CP code", `There is no CP code ${id}`, location, name));
    else if (cpCodeProductId !== productId)
      findings.warnings.push(problem("cpcode_product", "CP code of another product", detail, location, name));
  }
}

/** Finds what is wrong with when a rule applies. */
function checkCriteria({ criteria = [] }: TreeRule, at: string, found: Findings): void {
  for (const [index, { name }] of criteria.entries())
    if (!criterionNames.includes(name)) {
      const location = `${at}/criteria/${index}`;
      found.errors.push(problem("unknown_criterion", "Unknown criterion", `There is no criterion ${name}`, location));
    }
}

/** The errors and the warnings of rules, wherever they are used. */
export function validateRules(world: World, { productId }: Property, { rules }: StoredPropertyVersion): Findings {
  const found: Findings = { errors: [], warnings: [] };
  for (const [rule, at, depth] of rulesIn(rules)) {
    checkPlace(rule, at, depth, found);
    checkBehaviors(world, productId, rule, at, found);
    checkCriteria(rule, at, found);
  }
  return found;
}

/** The errors and the warnings of a property's version. */
export function validate(world: World, property: Property, version: StoredPropertyVersion): Findings {
  const { rules, hostnames } = version;
  const findings: Findings = { errors: [], warnings: [] };
  for (const [index, entry] of hostnames.entries())
    if (!isCertified(world, entry)) {
      const detail = `The certificate of ${entry.cnameTo} does not name ${entry.cnameFrom}`;
      findings.warnings.push(
        problem("certificate_names", "Hostname not in the certificate", detail, `#/hostnames/${index}`),
      );
    }
  const inDefault = (name: string) => (rules.behaviors ?? []).some((one) => one.name === name);
  if (!inDefault("cpCode")) findings.errors.push(missing("cpCode", "Content Provider Code"));
  if (!inDefault("origin")) findings.errors.push(missing("origin", "Origin"));
  const inRules = validateRules(world, property, version);
  return { errors: [...findings.errors, ...inRules.errors], warnings: [...findings.warnings, ...inRules.warnings] };
}
