/**
 * Scenarios: requests to the emulator and what each has to answer, as text that needs no knowledge of the code. A file has
 * definitions, and scenarios that begin in a new world:
 *
 *     root := /cloudlets/api/v2
 *
 *     ## a taken name is refused with the policy that has it [edgelogic-name-taken]
 *     POST $root/policies {cloudletId: 3, name: spring_redirects} -> 409
 *       . is GET $root/policies/1001
 *     PUT $root/policies/$id {name: other} -> 200 {name: other} for id in [1001, 1005]
 *       made := .location
 *     tick 29.999 s
 *
 * A request is a method, a target (encoded as a URL is) and maybe a body: YAML's flow form, sent as JSON, `form {...}` as a
 * form (a list as several fields, an object as JSON), `raw "..."` as it stands. Behind `->` are its status (2xx where none is
 * named) and maybe a part of the answer: an object that it matches, or a text in quotes that it contains. An indented line
 * that begins with a bracket goes on with the line above; others send a header (`> name: value`, which without indent holds
 * for all that follows), look at the answer (`SUBJECT VERB VALUE`) or name a part of it (`name := SUBJECT`).
 *
 * A subject is `.path.of[0].members` of the JSON or below the root of the XML, where `[]` is every item and `["a.b"]` an odd
 * name, `keys .path`, `header NAME` (null if there is none) or `text`. Verbs: `is` (equal), `like` (matches an object), `has`
 * and `lacks` (an item, or a part of a text), `~` (a regular expression), `count`. A value is YAML, or `METHOD target SUBJECT`:
 * what another answer has. `$name` stands for what was defined, `$$` for the sign, `$day(-1)` and `$time(-60)` for so many
 * days or seconds from now.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { treeOf } from "../emulator/xml.js";
import { type RawAnswer, startRaw } from "./raw.js";

type Raw = ReturnType<typeof startRaw>;
interface Line {
  readonly number: number;
  readonly text: string;
}
interface Step extends Line {
  readonly under: readonly Line[];
}
export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
/** How many brackets of a text, outside of quotes, stay open. */
const openIn = (text: string): number => {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
  return bare.replace(/[^[{]/g, "").length - bare.replace(/[^\]}]/g, "").length;
};

/** The lines of a file without comments, those of an open bracket as one. */
function joined(source: string): Line[] {
  const lines: Line[] = [];
  let open = false;
  for (const [index, text] of source.split("\n").entries()) {
    const last = lines.at(-1);
    if (last && (open || /^\s+[[{]/.test(text)))
      lines[lines.length - 1] = { ...last, text: `${last.text} ${text.trim()}` };
    else if (text.trim() !== "" && !/^\s*#(?!#)/.test(text)) lines.push({ number: index + 1, text: text.trimEnd() });
    const whole = lines.at(-1)?.text ?? "";
    open = !whole.startsWith("##") && openIn(whole) > 0;
  }
  return lines;
}

/** The scenarios of a file; the definitions above the first one belong to each. */
export function scenariosOf(source: string): Scenario[] {
  const found: { title: string; steps: { number: number; text: string; under: Line[] }[] }[] = [
    { title: "", steps: [] },
  ];
  for (const line of joined(source)) {
    if (line.text.startsWith("## ")) found.push({ title: line.text.slice(3), steps: [] });
    else if (/^\s/.test(line.text))
      found
        .at(-1)
        ?.steps.at(-1)
        ?.under.push({ ...line, text: line.text.trim() });
    else found.at(-1)?.steps.push({ ...line, under: [] });
  }
  const [shared, ...rest] = found;
  return rest.map(({ title, steps }) => ({ title, steps: [...(shared?.steps ?? []), ...steps] }));
}

const headerIn = (text: string) => {
  const [, name, value = ""] = /^> ([\w-]+): (.*)$/.exec(text) ?? [];
  return name === undefined ? [] : [[name.toLowerCase(), value] as const];
};
const flow = (text: string): unknown => parse(text, { merge: true });
const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What a path of members names: `[]` every item, and of what follows each item's. */
function at(value: unknown, path: string): unknown {
  const [, word, quoted, index, rest = ""] = /^\.?(?:([^.[\]]+)|\["(.+?)"\]|\[(-?\d*)\])(.*)$/.exec(path) ?? [];
  const key = word ?? quoted;
  if (key === undefined && index === undefined) return value;
  if (index === "") return (value as unknown[]).map((item) => at(item, rest));
  return at(
    index === undefined ? (value as Record<string, unknown>)[key ?? ""] : (value as unknown[]).at(+index),
    rest,
  );
}

/** What an answer has: JSON, or the inside of an XML document's root. */
const bodyOf = ({ text, json }: RawAnswer): unknown => (text.startsWith("<") ? Object.values(treeOf(text))[0] : json());

export function subjectOf(answer: RawAnswer, subject: string): unknown {
  const [, word, name = ""] = /^(header|text|keys|\.)\s*(.*)$/.exec(subject) ?? [];
  if (word === "header") return answer.headers[name] ?? null;
  if (word === "text") return answer.text;
  if (word === "keys") return Object.keys(at(bodyOf(answer), name) as object);
  if (word === ".") return at(bodyOf(answer), name);
  throw new Error(`"${subject}" is no subject.`);
}

const matches = (item: unknown, value: unknown): boolean => {
  if (typeof item !== "object" || typeof value !== "object") return isDeepStrictEqual(item, value);
  try {
    expect(item).toMatchObject(value as object);
    return true;
  } catch {
    return false;
  }
};
const holds = (subject: unknown, value: unknown) =>
  typeof subject === "string"
    ? subject.includes(plain(value))
    : (subject as unknown[]).some((one) => matches(one, value));

const verbs: Readonly<Record<string, (subject: unknown, value: unknown, where: string) => void>> = {
  is: (subject, value, where) => expect(subject, where).toEqual(value),
  like: (subject, value, where) => expect(subject, where).toMatchObject(value as object),
  has: (subject, value, where) => expect([subject, holds(subject, value)], where).toEqual([subject, true]),
  lacks: (subject, value, where) => expect([subject, holds(subject, value)], where).toEqual([subject, false]),
  "~": (subject, value, where) => expect(plain(subject), where).toMatch(new RegExp(plain(value))),
  count: (subject, value, where) => expect(subject, where).toHaveLength(Number(value)),
};

/** Plays a scenario in a world of its own; an error names the line. */
export async function play(file: string, { steps }: Scenario, raw: Raw = startRaw()): Promise<void> {
  const names = new Map<string, string>();
  const always = new Map<string, string>();
  const filled = (text: string): string =>
    text.replace(/\$(?:(\$)|(day|time)\((-?[\d.]+)\)|(\w+))/g, (whole, dollar, kind, number, name) => {
      if (dollar !== undefined) return "$";
      if (kind === "day") return new Date(raw.world.now() + number * 86_400_000).toISOString().slice(0, 10);
      if (kind === "time") return `${new Date(raw.world.now() + number * 1_000).toISOString().slice(0, 19)}Z`;
      const value = names.get(name);
      if (value === undefined) throw new Error(`${whole} is not defined.`);
      return value;
    });
  const request = async (text: string, under: readonly Line[]): Promise<RawAnswer> => {
    const [, method = "", target = "", way, body] = /^([A-Z]+) (\S+)(?: (?:(form|raw) )?(.+))?$/s.exec(text) ?? [];
    const type = way === "form" ? "application/x-www-form-urlencoded" : "application/json";
    const headers = under.flatMap(({ text: line }) => (line.startsWith("> ") ? headerIn(filled(line)) : []));
    const value = body === undefined ? undefined : flow(body);
    const fields = () =>
      Object.entries(value as object).flatMap(([name, given]) =>
        [given].flat().map((one): [string, string] => [name, plain(one)]),
      );
    const sent = way === "form" ? new URLSearchParams(fields()) : way === "raw" ? value : JSON.stringify(value);
    const { pathname, search } = new URL(target, "https://emulator.invalid");
    return raw.ask({
      method,
      target: pathname + search,
      headers: {
        ...(body === undefined ? {} : { "content-type": type }),
        ...Object.fromEntries(always),
        ...Object.fromEntries(headers),
      },
      ...(body === undefined ? {} : { body: String(sent) }),
    });
  };
  const valueIn = async (text: string): Promise<unknown> => {
    const [, other, subject = "."] = /^([A-Z]+ \/\S+)(?: (.+))?$/.exec(text) ?? [];
    return other === undefined ? flow(text) : subjectOf(await request(other, []), subject);
  };
  const look = async (answer: RawAnswer, line: Line): Promise<void> => {
    const text = filled(line.text);
    const where = `${file}:${line.number} ${text}\n${answer.text.slice(0, 1_500)}`;
    const [, subject = "", verb = "", value = ""] =
      /^((?:\.|header |text|keys )\S*) (is|like|has|lacks|~|count) (.+)$/.exec(text) ?? [];
    if (verb === "") throw new Error(`${where}\nThis line says nothing that can be looked at.`);
    verbs[verb]?.(subjectOf(answer, subject), verb === "~" ? value : await valueIn(value), where);
  };
  const take = async ({ number, text, under }: Step): Promise<void> => {
    const [, ms, unit = ""] = /^tick ([\d.]+) (ms|s|min|h|d)$/.exec(text) ?? [];
    if (ms !== undefined) return raw.world.advance(Number(ms) * (unitMs[unit] ?? 0));
    for (const [name, value] of headerIn(text)) return void always.set(name, value);
    const [, name, value] = /^(\w+) := (.+)$/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return void names.set(name, value);
    const [ask = "", promise = "2xx"] = text.split(" -> ");
    const answer = await request(ask, under);
    const [, status = "", part] = /^(\dxx|\d{3})(?: (.+))?$/.exec(promise) ?? [];
    const where = `${file}:${number} ${text}\n${answer.text.slice(0, 1_500)}`;
    expect(status.endsWith("xx") ? `${Math.floor(answer.status / 100)}xx` : `${answer.status}`, where).toBe(status);
    if (part?.startsWith('"')) expect(answer.text, where).toContain(flow(part));
    else if (part !== undefined) expect(bodyOf(answer), where).toMatchObject(flow(part) as object);
    for (const line of under) {
      const [, capture, subject] = /^(\w+) := (.+)$/.exec(line.text) ?? [];
      if (capture !== undefined) names.set(capture, plain(subjectOf(answer, filled(subject ?? ""))));
      else if (!line.text.startsWith("> ")) await look(answer, line);
    }
  };
  for (const step of steps) {
    const [, text = step.text, words, values] = /^(.+) for (\w+|\[[\w, ]+\]) in (\[.+\]|\$\w+)$/.exec(step.text) ?? [];
    const rows = values === undefined ? [undefined] : (flow(filled(values)) as unknown[]);
    for (const row of rows) {
      const keys = words?.match(/\w+/g) ?? [];
      for (const [index, key] of keys.entries())
        names.set(key, plain(keys.length > 1 ? (row as unknown[])[index] : row));
      await take({ ...step, text: filled(text) });
    }
  }
}

/** One test for each scenario of a folder's files that end with `.scenario`. */
export function testScenarios(folder: URL): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".scenario")))
    describe(file, () => {
      for (const scenario of scenariosOf(readFileSync(new URL(file, folder), "utf8")))
        it(scenario.title, () => play(file, scenario));
    });
}
