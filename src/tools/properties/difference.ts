/** How rule trees and the hostnames of a property are reviewed: by the names of rules, behaviors, criteria and hosts. */
import type { Arguments, DifferenceLine, ReviewEffect, ReviewForm } from "../../language/conduct.js";
import { differenceLines } from "../../language/difference-lines.js";
import { isEmpty, isRecord, listAt, memberAt, withEach } from "../../language/member.js";
import { keyText, valueText } from "../../language/value-text.js";
import type { z } from "../../language/z.js";
import { applyPatch, type JsonPatch } from "../../schema/json-patch.js";
import type { TreeRule } from "./shapes.js";

/** The behaviors and criteria of each effect; all others are of none of them. */
const features: Readonly<Record<Exclude<ReviewEffect, "other">, string>> = {
  security:
    "webApplicationFirewall siteShield verifyTokenAuthorization httpStrictTransportSecurity denyAccess clientCertificateAuth enforceMtlsSettings corsSupport allowPost allowPut allowDelete allowPatch allowOptions is_secure",
  origin:
    "origin originCharacteristics conditionalOrigin baseDirectory rewriteUrl sureRoute tieredDistribution timeout connectTimeout readTimeout failAction healthDetection modifyOutgoingRequestHeader",
  redirects: "redirect redirectplus edgeRedirector",
  caching:
    "caching downstreamCache cacheError cacheId cacheKeyHostname cacheKeyIgnoreCase cacheKeyQueryParams cacheKeyRewrite cachePost cacheRedirect prefreshCache removeVary",
  logging: "cpCode report datastream logCustom",
};

/** The other members of a feature or rule, each after its name. */
const wordsOf = (value: unknown, ...others: readonly string[]): readonly string[] =>
  Object.entries(isRecord(value) ? value : {})
    .filter(([name, member]) => !others.includes(name) && !isEmpty(member))
    .map(([name, member]) => `${keyText(name)} ${valueText(member)}`);

const ids = { uuid: "id", templateUuid: "id", templateLink: "stamp" } as const;

/** What a feature has apart from its name, on one line. */
const optionWords = (feature: unknown): string =>
  [...wordsOf(memberAt(feature, "options")), ...wordsOf(feature, "name", "options", ...Object.keys(ids))].join(", ");

/** A feature on one line with its options. */
const featureWords = (feature: unknown): string =>
  [valueText(memberAt(feature, "name")), optionWords(feature)].filter(Boolean).join(" ");

/** A rule without those inside it, on one line: when it applies, its behaviors, its variables and its other fields. */
function ruleWords(rule: Arguments): string {
  const criteria = [rule["criteriaMustSatisfy"], listAt(rule, "criteria").map(featureWords).join("; ")];
  const when = criteria.filter(Boolean).join(": ");
  const content = [
    ...listAt(rule, "behaviors").map(featureWords),
    ...listAt(rule, "variables").map((one) => ["variable", ...wordsOf(one, ...Object.keys(ids))].join(" ")),
    ...wordsOf(
      rule,
      "name",
      "criteriaMustSatisfy",
      "criteria",
      "behaviors",
      "variables",
      "children",
      ...Object.keys(ids),
    ),
  ];
  return `${when === "" ? "" : ` (${when})`}${content.length === 0 ? "" : `: ${content.join("; ")}`}`;
}

const nouns: Readonly<Record<string, string>> = {
  behaviors: "behavior",
  criteria: "criterion",
  variables: "variable",
};

/** A tree with the values of its hidden variables replaced, which are compared and not shown. */
const withoutHidden = (rule: unknown): unknown =>
  isRecord(rule)
    ? withEach(rule, (member, key) => {
        if (!Array.isArray(member)) return member;
        if (key === "children") return withEach(member, withoutHidden);
        const isHidden = (one: unknown) => memberAt(one, "hidden") === true || memberAt(one, "sensitive") === true;
        return key === "variables"
          ? withEach(member, (one) => (isHidden(one) ? { ...(one as object), value: "hidden" } : one))
          : member;
      })
    : rule;

/**
 * Rule trees: the order of rules and of behaviors decides, because later ones win; that of criteria, variables and the
 * values of a criterion does not.
 */
export const treeForm: ReviewForm = {
  ignores: ids,
  sets: ["criteria", "variables", "options.values", "options.parameters"],
  usual: { criteriaMustSatisfy: "all", comments: "", options: {} },
  nouns,
  title: (list, { name }) =>
    list === "children" || Object.hasOwn(nouns, list) ? [name ?? "without a name"] : undefined,
  titled: ["name"],
  rest: (list, item) =>
    list === "children"
      ? ruleWords(item)
      : Object.hasOwn(nouns, list)
        ? optionWords(item).replace(/^(?=.)/, ": ")
        : undefined,
  apart: ["children"],
  root: "default",
  joint: " › ",
  silent: ["options"],
  effects: {
    ...Object.fromEntries(
      Object.entries(features).flatMap(([effect, names]) =>
        names.split(" ").map((name) => [name, effect as ReviewEffect] as const),
      ),
    ),
    criteria: "holder",
    criteriaMustSatisfy: "holder",
  },
  hides: withoutHidden,
};

/** How one rule tree differs from another. */
export const treeDifference = (before: TreeRule, after: TreeRule): readonly DifferenceLine[] =>
  differenceLines(before, after, treeForm);

/**
 * What a patch changes in a tree: in its format, its comments and its rules; undefined if that could not be read, or if the
 * patch does not fit it.
 */
export function patchDifference(
  schema: z.ZodType<{ readonly rules: TreeRule }>,
  present: unknown,
  patch: JsonPatch,
): readonly DifferenceLine[] | undefined {
  const result = applyPatch(present, patch, "body");
  const [before, after] = [present, "value" in result ? result.value : undefined].map(
    (one) => schema.safeParse(one).data,
  );
  if (before === undefined || after === undefined) return undefined;
  const [{ rules: old, ...former }, { rules: now, ...latter }] = [before, after];
  return [...differenceLines(former, latter), ...treeDifference(old, now)];
}

interface Entry {
  readonly cnameFrom: string;
  readonly cnameTo?: string | undefined;
  readonly edgeHostnameId?: string | undefined;
  readonly [member: string]: unknown;
}

const hostnameForm: ReviewForm = {
  sets: "all",
  usual: { cnameType: "EDGE_HOSTNAME", certProvisioningType: "CPS_MANAGED" },
  nouns: { "": "hostname" },
  title: (_, { cnameFrom }) => [cnameFrom],
  titled: ["cnameFrom"],
  words: { cnameTo: "to" },
};

/** How one version's hostnames differ from another's; an edge hostname has its id only where it has no name. */
export function hostnameDifference(before: readonly Entry[], after: readonly Entry[]): readonly DifferenceLine[] {
  const [old, now] = [before, after].map((entries) =>
    entries.map(({ edgeHostnameId, cnameTo = edgeHostnameId, ...rest }) => ({ ...rest, cnameTo })),
  );
  return differenceLines(old, now, hostnameForm);
}
