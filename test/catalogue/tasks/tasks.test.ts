/**
 * Tasks of people who run sites, done by the calls that an assistant makes: few of them, small, and with the right figures.
 * What a workflow does has tests of its own.
 */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, expect, it, vi } from "vitest";
import { resultOf } from "../../../src/answers/outcome.js";
import { createWorld } from "../../../src/emulator/world.js";
import { tools } from "../../adversary/targets.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { apis } from "../../lab/project.js";
import { paragraphsOf } from "../../lab/tables.js";
import { figures } from "./figures.js";

const mostCalls = 3;
const mostTokens = 4_000;
/** The tasks of the setting as persons set them; the text `CONFIRM` in a call stands for the plan that the call before named. */
const tasks = paragraphsOf("catalogue/tasks/tasks.txt").flatMap(
  ({ heading: question, lines: [first = "", ...lines] }) => {
    const ofToday = lines.filter((line) => line.startsWith("today "));
    // Today's APIs may lack the job, or do it by the same calls.
    if (apis === "today" && ofToday.includes("today nothing")) return [];
    const own = apis === "today" && ofToday.length > 0 ? ofToday : lines.filter((line) => !ofToday.includes(line));
    const calls = own.map((line) => {
      const [, tool = "", args = ""] = /^(?:today )?(\S+) (.*)$/.exec(line) ?? [];
      return [tool, JSON.parse(args) as Args] as const;
    });
    return { question, seed: Number(first.replace("seed ", "")), calls };
  },
);
type Task = (typeof tasks)[number];
const nowMs = Date.UTC(2026, 4, 20, 12, 10);

afterEach(() => void vi.useRealTimers());

/** Does a task: the texts of its answers, and what they cost whoever is shown these or the structured contents. */
async function done({ seed, calls: made }: Task) {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  const calls = callsIn(createWorld({ seed, frozenAt: nowMs }), { callTimeoutMs: 60_000 });
  const texts: string[] = [];
  let tokens = 0;
  let confirm = "";
  for (const [tool, args] of made) {
    const given = JSON.parse(JSON.stringify(args).replaceAll("CONFIRM", confirm)) as Args;
    const outcome = await calls.call(tool, given);
    if (outcome.kind === "question") throw new Error(`${tool} asked.`);
    const result = resultOf(outcome, { upstream: "the emulator", secrets: [], maxTokens: 8_000 }, () => "a-handle");
    const text = result.content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
    expect(result.isError, text).toBeFalsy();
    const json = JSON.stringify(result.structuredContent);
    confirm = String(result.structuredContent["confirm"]);
    tokens += Math.max(encode(text).length, encode(json).length);
    texts.push(text);
  }
  return { calls, texts, tokens };
}

/** Whether a text has a figure, and not only as a part of another one. */
function has(text: string, figure: string | number): boolean {
  const escaped = String(figure).replaceAll(/[.*+?^$()|[\]\\{}]/g, "\\$&");
  return new RegExp(`(?<![\\d.])${escaped}(?!\\d|\\.\\d)`).test(text);
}

/** The arguments that name something: whoever asks has to have said it, or the tool's listing or an answer before. */
function named(args: unknown, name = ""): string[] {
  if (Array.isArray(args)) return args.flatMap((one) => named(one, name));
  if (typeof args === "object" && args !== null)
    return Object.entries(args).flatMap(([member, value]) => (member === "view" ? [] : named(value, member)));
  const isName = /(ids?|codes?|names?|metrics|dimensions|report|domain|zone|family|url|type)$/i.test(name);
  return isName && typeof args !== "boolean" ? [String(args)] : [];
}

const ofViews =
  /\b(?:sum|mean|min|max|count|share|hour|weekday|day)\((?<of>[^()]*)\)|^-?(?:sum|mean|min|max|count|share)$/;
/** The members that a view names. */
const membersOf = ({ view = {} }: Args): string[] =>
  Object.entries(view as Args)
    .filter(([part]) => /^(group_by|aggregate|sort|fields)$/.test(part))
    .flatMap(([, given]) => [given].flat().map(String))
    .flatMap((one) => (ofViews.test(one) ? (ofViews.exec(one)?.groups?.["of"] ?? []) : one));

const listing = (tool: string): string => JSON.stringify(tools.get(tool)?.tool ?? {});

/** What a call names without having been told. */
function notCovered({ question, calls }: Task, texts: readonly string[]): string[] {
  return calls.flatMap(([tool, args], at) => {
    const own = Object.entries(args).filter(([name]) => name === "metrics" || name === "dimensions");
    // Whoever makes a batch has the listing of the tool that it is of.
    const listings = [tool, args["tool"]].map((one) => listing(String(one)));
    const said = [question, ...listings, ...texts.slice(0, at)].join("\n").toLowerCase();
    const isSaid = (text: string, where = said) => where.includes(text.toLowerCase());
    const names = named(args).filter((name) => !isSaid(name) && !isSaid(name.replace(/^[a-z]{3}_/, "")));
    const members = membersOf(args).filter((name) => !isSaid(name, said + JSON.stringify(own).toLowerCase()));
    return [...names, ...members].map((name) => `${tool}: ${name}`);
  });
}

it.each(tasks.map((task) => [task.question, task] as const))("%s", async (_, task) => {
  expect(task.calls.length).toBeLessThanOrEqual(mostCalls);
  const { calls, texts, tokens } = await done(task);
  const all = texts.join("\n");
  const raw = async (tool: string, args: Args = {}) => (await calls.answer(tool, args)).body;
  const known = figures[task.seed] ?? expect.fail("It has no figures.");
  const wanted = await (apis === "today" ? (known.today ?? known.documents) : known.documents)(raw);
  expect(wanted.length).toBeGreaterThan(0);
  const missing = wanted.filter((figure) => !has(all, figure));
  expect(missing, all).toEqual([]);
  expect(tokens).toBeLessThanOrEqual(mostTokens);
  expect(notCovered(task, texts)).toEqual([]);
});

it("tasks use tools that are offered with the setting", () => {
  const called = tasks.flatMap(({ calls }) => calls.flatMap(([tool, { tool: of = tool }]) => [tool, String(of)]));
  const isOffered = (tool: string) => tools.get(tool)?.retired === undefined && tools.has(tool);
  expect([...new Set(called)].filter((tool) => !isOffered(tool))).toEqual([]);
});

it("figures are found whole, not as part of a longer one", () => {
  expect(has("peak 167323 at 19:00", 67_323)).toBe(false);
  expect(has("peak 167323.5", 167_323)).toBe(false);
  expect(has("12345,5xx,14384,63518", "12345,5xx,14384,6351")).toBe(false);
  expect(has("peak 167323, 19:00", 167_323)).toBe(true);
});
