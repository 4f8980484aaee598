/** The rules of a version as its previews compare them: by what they are called, without what is the API's own. */
import type { NamedItem } from "../../language/line-difference.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";

// Ids and addresses are other ones in each version, and the name is what the rule is called by.
const own = new Set(["vendorRuleId", "akaRuleId", "id", "location", "name"]);

/** Whether a member says something: null says that nothing is there, and the time 0 that there is no bound. */
const isSaid = ([name, value]: [string, unknown]): boolean =>
  !own.has(name) && value !== null && !((name === "start" || name === "end") && value === 0);

/** What a rule is called: its name, or the URL or the first thing that it looks at. */
function nameOf(rule: Readonly<Record<string, unknown>>): string {
  const [match] = Array.isArray(rule["matches"]) ? (rule["matches"] as readonly unknown[]) : [];
  const words = [rule["name"], rule["matchURL"], memberAt(match, "matchValue"), rule["type"]];
  return plain(words.find((word) => typeof word === "string" && word !== "") ?? "without a name");
}

/** The rules of a version, in their order; undefined where they are not known. */
export function namedRules(version: unknown): readonly NamedItem[] | undefined {
  if (!isRecord(version)) return undefined;
  const rules = version["matchRules"];
  if (rules === null) return [];
  return Array.isArray(rules)
    ? rules
        .filter(isRecord)
        .map((rule) => ({ name: nameOf(rule), value: Object.fromEntries(Object.entries(rule).filter(isSaid)) }))
    : undefined;
}

/** The rules of a version in words that follow "has": the first by their names, and how many there are besides. */
export function rulesInWords(version: unknown): string {
  const rules = namedRules(version);
  if (rules === undefined) return "rules that could not be read";
  if (rules.length === 0) return "no rules";
  return `the ${rules.length === 1 ? "rule" : "rules"} ${listed(rules, ({ name }) => name)}`;
}
