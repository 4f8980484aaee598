/** The rules of a version as previews compare them: by name, without the members that the API sets itself. */
import { itemDifference, type NamedItem } from "../../language/line-difference.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";

// Ids and addresses differ in each version, and the name is shown as the rule's title.
const uncomparedMembers = new Set(["vendorRuleId", "akaRuleId", "id", "location", "name"]);

/** Whether a member has a value: null means that it has none, and the time 0 that there is no bound. */
const hasValue = ([name, value]: [string, unknown]): boolean =>
  !uncomparedMembers.has(name) && value !== null && !((name === "start" || name === "end") && value === 0);

/** The name of a rule, or the URL or the first value that it matches. */
function nameOf(rule: Readonly<Record<string, unknown>>): string {
  const [match] = Array.isArray(rule["matches"]) ? (rule["matches"] as readonly unknown[]) : [];
  const words = [rule["name"], rule["matchURL"], memberAt(match, "matchValue"), rule["type"]];
  return plainOrQuoted(words.find((word) => typeof word === "string" && word !== "") ?? "without a name");
}

/** The rules of a version, in their order; undefined if they are unknown. */
export function namedRules(version: unknown): readonly NamedItem[] | undefined {
  if (!isRecord(version)) return undefined;
  const rules = version["matchRules"];
  if (rules === null) return [];
  return Array.isArray(rules)
    ? rules
        .filter(isRecord)
        .map((rule) => ({ name: nameOf(rule), value: Object.fromEntries(Object.entries(rule).filter(hasValue)) }))
    : undefined;
}

/** The rules of a version in words that follow "has": the names of the first ones and the number of the others. */
export function rulesInWords(version: unknown): string {
  const rules = namedRules(version);
  if (rules === undefined) return "rules that could not be read";
  if (rules.length === 0) return "no rules";
  return `the ${rules.length === 1 ? "rule" : "rules"} ${listInWords(rules, ({ name }) => name)}`;
}

/**
 * How the rules of one version differ from those of another; undefined if either could not be read.
 * @param isEnd Whether the rules stop instead.
 */
export const rulesBetween = (
  before: ReturnType<typeof namedRules>,
  after: ReturnType<typeof namedRules>,
  isEnd = false,
): readonly string[] | undefined =>
  before && after && itemDifference("rule", isEnd ? after : before, isEnd ? [] : after, { isOrdered: true });
