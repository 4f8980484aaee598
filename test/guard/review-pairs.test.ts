/**
 * Pairs of documents in the vendor's forms: each differs by one planted change, and by noise of a fixed seed. What is noise
 * is listed with the documents, and not taken from the tables that are tested.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DifferenceLine, ReviewForm } from "../../src/language/conduct.js";
import { changesIn, differenceLines } from "../../src/language/difference-lines.js";
import { isRecord, memberAt } from "../../src/language/member.js";
import { definitionForm } from "../../src/tools/alerts-v2/index.js";
import { recordForm } from "../../src/tools/dns/guard.js";
import { changeLinesOf, differenceOf, setsIn } from "../../src/tools/dns/set-notation.js";
import { configurationForm } from "../../src/tools/log-delivery/guards.js";
import { listForm } from "../../src/tools/network-lists/index.js";
import { ruleForm } from "../../src/tools/policy-manager/rules.js";
import { treeForm } from "../../src/tools/properties/difference.js";
import { itemForm } from "../../src/tools/threat-protection/kinds.js";

interface Planted {
  readonly at: string;
  readonly to?: unknown;
  readonly drop?: number;
  readonly add?: unknown;
  readonly move?: readonly [from: number, to: number];
  readonly line: string;
  readonly effect?: string;
}
interface VendorDocument {
  readonly form: keyof typeof forms | "record sets";
  readonly body: unknown;
  readonly planted: readonly Planted[];
  readonly sets: readonly string[];
  readonly ids?: readonly string[];
  readonly stamps?: readonly string[];
  /** The defaults that a record with the member `defaultsOf` may have written out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly defaultsOf?: string;
}

const forms = {
  ...{ tree: treeForm, zone: recordForm, rules: ruleForm, list: listForm },
  ...{ items: itemForm, delivery: configurationForm, alert: definitionForm },
} satisfies Record<string, ReviewForm>;
const documents: Readonly<Record<string, VendorDocument>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "review-documents.json"), "utf8"),
);
const pairs = Object.entries(documents).flatMap(([name, document]) =>
  document.planted.map((planted) => ({ name, document, planted })),
);

/** Numbers from 0 to 1 that follow from a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Members = Record<string, unknown>;

/** A copy of the document with noise and the planted change, and the number of differences that the noise has made. */
function mutated(
  { body, sets, ids = [], stamps = [], defaults = {}, defaultsOf }: VendorDocument,
  planted: Planted,
  random: () => number,
) {
  const root = { "": structuredClone(body) };
  const at = planted.at === "" ? [""] : ["", ...planted.at.split(".")];
  const [holder, last, target] = [memberAt(root, at.slice(0, -1)) as Members, at.at(-1) ?? "", memberAt(root, at)];
  const plantedItem = Array.isArray(target) ? target[planted.drop ?? 0] : undefined;
  const shuffled: { readonly list: unknown[]; readonly order: readonly unknown[] }[] = [];
  const noisy: object[] = [];
  const disturb = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) disturb(item, "");
      if (!sets.includes(name) || value.length < 2) return;
      shuffled.push({ list: value, order: [...value] });
      const by = 1 + Math.floor(random() * (value.length - 1));
      value.push(...value.splice(0, by));
      return;
    }
    if (!isRecord(value)) return;
    const members = value as Members;
    for (const key of Object.keys(members)) {
      if (![...ids, ...stamps].includes(key)) {
        disturb(members[key], key);
        continue;
      }
      noisy.push(members);
      members[key] =
        typeof members[key] === "number" ? Number(members[key]) + 7 : `other-${Math.floor(random() * 1e9)}`;
    }
    if (defaultsOf === undefined || !Object.hasOwn(members, defaultsOf)) return;
    for (const [key, usual] of Object.entries(defaults)) {
      if (Object.hasOwn(members, key) || random() < 0.5) continue;
      noisy.push(members);
      members[key] = structuredClone(usual);
    }
  };
  disturb(root[""], "");
  if (planted.drop !== undefined) (target as unknown[]).splice((target as unknown[]).indexOf(plantedItem), 1);
  else if (planted.add !== undefined) (target as unknown[]).push(planted.add);
  else if (planted.move !== undefined) {
    const [from, to] = planted.move;
    (target as unknown[]).splice(to, 0, ...(target as unknown[]).splice(from, 1));
  } else holder[last] = planted.to;
  const reachable = new Set<unknown>();
  const reach = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    reachable.add(value);
    Object.values(value).forEach(reach);
  };
  reach(root);
  const reordered = shuffled.filter(({ list, order }) => {
    const staying = list.filter((item) => order.includes(item));
    return (
      reachable.has(list) && order.filter((item) => list.includes(item)).some((item, place) => item !== staying[place])
    );
  });
  return { after: root[""], noise: noisy.filter((one) => reachable.has(one)).length + reordered.length };
}

function linesOf({ form, body }: VendorDocument, after: unknown): readonly DifferenceLine[] {
  if (form !== "record sets") return differenceLines(body, after, forms[form]);
  const [before, now] = [body, after].map((sets) => setsIn({ sets }, "sets"));
  return changeLinesOf(differenceOf("shop.example", before ?? [], now ?? []));
}

it("a planted change is the only one shown, and all noise is counted", () => {
  const faults: string[] = [];
  const places: number[] = [];
  let ignored = 0;
  for (const [index, { name, document, planted }] of pairs.entries()) {
    const seed = 4_600 + index;
    const { after, noise } = mutated(document, planted, seeded(seed));
    const lines = linesOf(document, after);
    const place = lines.findIndex(({ text }) => text === planted.line);
    const counted = lines.filter(({ verb }) => verb === "ignored").length;
    const heading = lines.slice(0, place).findLast(({ verb }) => verb === undefined)?.text;
    const isRight =
      place >= 0 &&
      place < 10 &&
      changesIn(lines) === 1 &&
      counted === noise &&
      heading?.toLowerCase() === (planted.effect && `${planted.effect}:`);
    places.push(place);
    ignored += counted;
    if (!isRight)
      faults.push(
        [`${name}, seed ${seed}, noise ${noise}: ${planted.line}`, ...lines.map(({ text }) => text)].join("\n  "),
      );
  }
  process.stdout.write(
    `${pairs.length - faults.length} of ${pairs.length} pairs: the planted change at line ${Math.max(...places) + 1} at most, ${ignored} differences left out and counted.\n`,
  );
  expect(faults).toEqual([]);
  expect(pairs).toHaveLength(25);
  expect(ignored).toBeGreaterThan(100);
});

it("a setting that is named like an id or a set is a change", () => {
  const rule = (change: object) => ({ name: "default", behaviors: [{ name: "a", uuid: "u", options: { ...change } }] });
  const tree = (before: object, after: object) => changesIn(differenceLines(rule(before), rule(after), treeForm));
  expect(tree({ uuid: 1 }, { uuid: 2 })).toBe(1);
  expect(tree({ steps: { values: [1, 2] } }, { steps: { values: [2, 1] } })).toBe(1);
  expect(tree({ values: [1, 2] }, { values: [2, 1] })).toBe(0);
  const redirect = (match: object) => ({ matchRules: [{ name: "r", matches: [{ matchType: "m", ...match }] }] });
  const rules = (before: object, after: object) =>
    changesIn(differenceLines(redirect(before), redirect(after), ruleForm));
  const range = (...value: readonly number[]) => ({ objectMatchValue: { type: "range", value } });
  expect(rules(range(1, 25), range(25, 1))).toBeGreaterThan(0);
  const named = (...value: readonly string[]) => ({
    objectMatchValue: { type: "object", name: "n", options: { value } },
  });
  expect(rules(named("a", "b"), named("b", "a"))).toBe(0);
  expect(rules({ at: { location: "a" } }, { at: { location: "b" } })).toBe(1);
  const delivery = (value: string) => ({ deliveryDetails: { value } });
  expect(changesIn(differenceLines(delivery("a"), delivery("b"), configurationForm))).toBe(1);
});
