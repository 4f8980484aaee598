/** A strict reader of Prometheus' text format 0.0.4, by its documentation and by nothing of ours. */

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly series: readonly Series[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/;
const types = ["counter", "gauge", "histogram", "summary", "untyped"];

function labelsOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const [whole = "", name = "", value = ""] = label.exec(rest) ?? [];
    if (whole === "") throw new Error(`These are no labels: ${rest}`);
    if (name in found) throw new Error(`The label ${name} is there twice.`);
    if (name.startsWith("__")) throw new Error(`The label ${name} is reserved.`);
    found[name] = value.replaceAll(/\\(.)/g, (_, of: string) => (of === "n" ? "\n" : of));
    rest = rest.slice(whole.length);
  }
  return found;
}

function numberOf(text: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) throw new Error(`This is no value: ${text}`);
  return Number(text);
}

const suffixes: Readonly<Record<string, readonly string[]>> = { histogram: ["_bucket", "_sum", "_count"] };

/** @throws Error for a bucket that is missing, less than the one before it, or other than the count. */
function checkHistogram({ name, series }: Family): void {
  const groups = new Map<string, Series[]>();
  for (const one of series) {
    const { le: _, ...labels } = one.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((one) => one.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => numberOf(labels["le"] ?? ""));
    const counts = buckets.map(({ value }) => value);
    const rises = (all: readonly number[]) => all.every((value, at) => at === 0 || value >= (all[at - 1] ?? 0));
    const [count, ...more] = group.filter((one) => one.name === `${name}_count`);
    const sums = group.filter((one) => one.name === `${name}_sum`);
    if (!rises(bounds) || !rises(counts)) throw new Error(`The buckets of ${name}${key} do not rise.`);
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name}${key} has no last bucket.`);
    if (more.length > 0 || sums.length !== 1 || count?.value !== counts.at(-1))
      throw new Error(`${name}${key} has another count than its last bucket.`);
  }
}

/**
 * Reads a whole answer.
 * @throws Error for anything that the format does not allow.
 */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end.");
  const families = new Map<string, { name: string; type: string; help: string; series: Series[] }>();
  const seen = new Set<string>();
  let open: { name: string; type: string; help: string; series: Series[] } | undefined;
  let help: readonly [string, string] | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, comment, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (comment === "HELP") {
      if (families.has(name) || !metricName.test(name)) throw new Error(`${name} begins twice, or is no name.`);
      help = [name, rest];
    } else if (comment === "TYPE") {
      if (help?.[0] !== name || !types.includes(rest)) throw new Error(`${name} has no help, or an unknown type.`);
      open = { name, type: rest, help: help[1], series: [] };
      families.set(name, open);
    } else {
      const [, own = "", , labels = "", value = ""] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (own === "" || !open) throw new Error(`This is no sample: ${line}`);
      const names = (suffixes[open.type] ?? [""]).map((suffix) => `${open?.name}${suffix}`);
      if (!names.includes(own)) throw new Error(`${own} is within ${open.name}.`);
      const one = { name: own, labels: labelsOf(labels), value: numberOf(value) };
      const key = JSON.stringify([own, Object.entries(one.labels).sort()]);
      if (seen.has(key)) throw new Error(`${line} is there twice.`);
      seen.add(key);
      open.series.push(one);
    }
  }
  for (const family of families.values()) {
    if (family.series.length === 0) throw new Error(`${family.name} is empty.`);
    if (family.type === "histogram") checkHistogram(family);
    if (family.type === "counter" && !family.name.endsWith("_total")) throw new Error(`${family.name} is a counter.`);
  }
  return families;
}
