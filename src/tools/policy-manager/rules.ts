/** The rules of a version as previews compare them: by name, without the members that the API sets itself. */
import type { DifferenceLine, ReviewForm } from "../../language/conduct.js";
import { differenceLines } from "../../language/difference-lines.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";

type Rules = readonly Readonly<Record<string, unknown>>[];

/** The name of a rule, or the URL or the first value that it matches. */
function nameOf(rule: Readonly<Record<string, unknown>>): string {
  const [match] = Array.isArray(rule["matches"]) ? (rule["matches"] as readonly unknown[]) : [];
  const words = [rule["name"], rule["matchURL"], memberAt(match, "matchValue"), rule["type"]];
  return String(words.find((word) => typeof word === "string" && word !== "") ?? "without a name");
}

const ofRedirect = [
  "redirectURL",
  "statusCode",
  "useRelativeUrl",
  "useIncomingQueryString",
  "useIncomingSchemeAndHost",
];
const ofMatch = ["matches", "matchURL", "matchesAlways", "disabled", "start", "end"];

/** How rules are reviewed: their order matters, that of their conditions does not, and each version has other ids. */
export const ruleForm: ReviewForm = {
  ignores: { vendorRuleId: "id", akaRuleId: "id", id: "id", location: "stamp" },
  sets: ["matches", "objectMatchValue.value", "objectMatchValue.options.value"],
  // The two ends of a range; all other values are texts.
  ordered: (list) => list.every((value) => typeof value === "number"),
  // The time 0 is no bound.
  usual: { "*": null, start: 0, end: 0 },
  nouns: { "": "rule", matchRules: "rule", matches: "match" },
  title: (list, item) =>
    list === "matches" ? [item["matchType"]] : ["", "matchRules"].includes(list) ? [nameOf(item)] : undefined,
  titled: ["name", "matchType"],
  joint: " › ",
  effects: {
    ...Object.fromEntries(ofRedirect.map((name) => [name, "redirects" as const])),
    ...Object.fromEntries(ofMatch.map((name) => [name, "holder" as const])),
    forwardSettings: "origin",
    allowDeny: "security",
  },
};

/** The rules of a version, in their order; undefined if they are unknown. */
export function rulesOf(version: unknown): Rules | undefined {
  if (!isRecord(version)) return undefined;
  const rules = version["matchRules"];
  if (rules === null) return [];
  return Array.isArray(rules) ? rules.filter(isRecord) : undefined;
}

/** The name of each rule, as a word of a sentence. */
export const ruleNames = (rules: Rules): readonly string[] => rules.map((rule) => plainOrQuoted(nameOf(rule)));

/** The rules of a version in words that follow "has": the names of the first ones and the number of the others. */
export function rulesInWords(version: unknown): string {
  const rules = rulesOf(version);
  if (rules === undefined) return "rules that could not be read";
  if (rules.length === 0) return "no rules";
  return `the ${rules.length === 1 ? "rule" : "rules"} ${listInWords(ruleNames(rules))}`;
}

/**
 * How the rules of one version differ from those of another; undefined if either could not be read.
 * @param isEnd Whether the rules stop instead.
 */
export const rulesBetween = (
  before: Rules | undefined,
  after: Rules | undefined,
  isEnd = false,
): readonly DifferenceLine[] | undefined =>
  before && after && differenceLines(isEnd ? after : before, isEnd ? [] : after, ruleForm);
