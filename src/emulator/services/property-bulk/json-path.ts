/** The JSONPath that the emulated bulk search knows: members, descents, indexes, and filters of conditions joined by `&&`. */
import { isRecord, memberAt } from "../../../language/member.js";
import { pointerTo } from "../../../schema/json-pointer.js";
import { badRequest } from "../../reply.js";

interface PathMatch {
  readonly at: string;
  readonly value: unknown;
}

const step =
  /^(?:(?<descent>\.\.)|\.)(?<name>[\w:-]+|\*)|^\[(?:'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<index>\d+)|(?<all>\*)|\?\((?<filter>(?:"[^"]*"|'[^']*'|[^"')])*)\))\]/;
const comparison = /==|!=|\bn?in\b/;

function* childrenOf({ at, value }: PathMatch): Generator<readonly [string, PathMatch]> {
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield [String(index), { at: pointerTo(at, index), value: inner }];
  else if (isRecord(value))
    for (const [name, inner] of Object.entries(value)) yield [name, { at: pointerTo(at, name), value: inner }];
}

function* descendants(place: PathMatch): Generator<PathMatch> {
  yield place;
  for (const [, child] of childrenOf(place)) yield* descendants(child);
}

/** What a side of a condition means: a member of the value, the value itself, or a literal. */
function operandValue(text: string, value: unknown): unknown {
  const operand = text.trim();
  if (operand.startsWith("@")) return operand === "@" ? value : memberAt(value, operand.slice(2));
  try {
    return JSON.parse(operand.replaceAll("'", '"'));
  } catch {
    throw badRequest(`${operand} is no value of a condition`);
  }
}

function isTrue(text: string, value: unknown): boolean {
  const match = comparison.exec(text);
  if (match === null) return operandValue(text, value) !== undefined;
  const [sign] = match;
  const [leftValue, rightValue] = [text.slice(0, match.index), text.slice(match.index + sign.length)].map((side) =>
    operandValue(side, value),
  );
  const isIn = Array.isArray(rightValue) && rightValue.includes(leftValue);
  if (sign === "in" || sign === "nin") return isIn === (sign === "in");
  return (leftValue === rightValue) === (sign === "==");
}

type Groups = Readonly<Record<string, string | undefined>>;

function* takeStep(place: PathMatch, { name, single, double, index, filter }: Groups): Generator<PathMatch> {
  const wanted = name ?? single ?? double ?? index;
  for (const [key, child] of childrenOf(place))
    if (filter === undefined) {
      if (wanted === undefined || wanted === "*" || wanted === key) yield child;
    } else if (filter.split("&&").every((one) => isTrue(one, child.value))) yield child;
}

/** The JSON Pointers of all places in a value that match a path. */
export function matchesOf(root: unknown, path: string): readonly string[] {
  if (!path.startsWith("$")) throw badRequest("A path begins with $");
  let places: PathMatch[] = [{ at: "", value: root }];
  for (let rest = path.slice(1); rest !== ""; ) {
    const found = step.exec(rest);
    if (!found?.groups) throw badRequest(`${rest} is no step of a path`);
    const { groups } = found;
    const from = groups["descent"] === undefined ? places : places.flatMap((place) => [...descendants(place)]);
    places = from.flatMap((place) => [...takeStep(place, groups)]);
    rest = rest.slice(found[0].length);
  }
  return [...new Set(places.map(({ at }) => at))];
}
