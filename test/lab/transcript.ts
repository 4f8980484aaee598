/**
 * Transcripts: calls as lines of text, each followed by what was sent to change something and what is read of the outcome,
 * which `npx vitest run FILE -u` writes anew. A line that is not indented is one of
 *
 *     # A title                begins a world of its own, whose clock stands still
 *     > tool {…}               a call that nothing is approved of
 *     >> tool {…}              the same, with what differs in its preview, or with the body of its answer
 *     ! tool {…}               a call, and its approval, by a plan that is $plan afterwards
 *     wait 60000               moves the clock
 *     let name {…}             a value for later lines: $name, or $name.member.member
 *     get name tool {…}        the same, read by a call
 *
 * In a value, {"...": $name, "-": ["x"], "y": 1} is another one without x and with y.
 */
import { readFileSync } from "node:fs";
import { onTestFinished, vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createWorld } from "../../src/emulator/world.js";
import type { Failure } from "../../src/language/failure.js";
import { memberAt } from "../../src/language/member.js";
import type { Send } from "../../src/language/wire.js";
import { secretFiles } from "../../src/secrets/files.js";
import { type Args, callsIn } from "./calls.js";
import { onEmulator } from "./emulated.js";
import { createEmulator } from "./emulator.js";
import { answerOf } from "./outcome.js";
import { catalogueOfProject } from "./project.js";
import { secretDirectory } from "./secret-files.js";

const now = Date.UTC(2026, 4, 20, 12, 30);
const tools = await catalogueOfProject();
const signer = async () => demoCredentials.clientToken;
const options = { callTimeoutMs: 60_000, secretFiles: secretFiles(secretDirectory()), signer };

function freshWorld() {
  const world = createWorld({ frozenAt: now });
  vi.setSystemTime(now);
  const emulator = createEmulator({ world });
  const sent: string[] = [];
  const send: Send = (request) => {
    if (!["GET", "HEAD"].includes(request.method)) sent.push(`sent ${request.method} ${request.url.pathname}`);
    return emulator.send(request);
  };
  return { world, sent, calls: callsIn(world, { ...onEmulator(tools, send), ...options }) };
}

function refusalIn({ code, message, detail: { fields = [], corrected } }: Failure): string[] {
  if (corrected) return [`${code}, instead ${corrected.tool} ${JSON.stringify(corrected.arguments)}`];
  if (fields.length === 0) return [`${code}: ${message}`];
  return fields.map(({ field, given, takes }) => `${code}: ${field}${given ? ` ${given}` : ""} takes ${takes}`);
}

/** Lines that say what differs, and how it is taken back: neither the arguments nor the whole present state. */
const isTelling = (line: string): boolean => /^( |[-+~] |Note: |Undo: |From |Changes: )|→/.test(line);

/** Calls that are made at once are counted in any order. */
const inOrder = (name: string, value: unknown): unknown =>
  name === "done" && typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** What is read of an outcome. */
export function linesOf(outcome: Outcome, isWhole: boolean): string[] {
  if (outcome.kind === "failure") return refusalIn(outcome.failure);
  if (outcome.kind === "workflow") return [JSON.stringify(outcome.result, inOrder)];
  if (outcome.kind === "answer") {
    const { status, body, notes } = outcome.reply;
    // A plan has another id in each run.
    return [`${status}${isWhole ? ` ${JSON.stringify(body)}` : ""}`, ...notes.filter((one) => !one.includes("plan_"))];
  }
  const { summary, warnings, lines, target, actsOn } = outcome.preview;
  const whole = [`of ${[target, ...actsOn].join(" on ")}`, ...lines.slice(1).filter(isTelling)];
  return [`${outcome.plan.tier}: ${summary}`, ...warnings.map((one) => `! ${one}`), ...(isWhole ? whole : [])];
}

/** Reads a value in which $name, or $name.member, is one of the named values. */
export function valueIn(text: string, named: Readonly<Record<string, unknown>>): Args {
  const whole = text.replaceAll(/\$([a-z]\w*(?:\.\w+)*)/g, (_, at: string) =>
    JSON.stringify(memberAt(named, at.split("."))),
  );
  return JSON.parse(whole, merged) as Args;
}

const merged = (_: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("..." in value)) return value;
  const { "...": base, "-": without = [], ...more } = value as Args;
  const kept = Object.entries(base as object).filter(([name]) => !(without as readonly string[]).includes(name));
  return { ...Object.fromEntries(kept), ...more };
};

/** Lines below a call, without what differs in each run: the ids of plans and the paths of files. */
export const indented = (lines: readonly string[]): string[] =>
  lines.map(
    (one) =>
      `    ${one.replaceAll(/plan_[\w-]{20,}/g, "(its plan)").replaceAll(/"[^"]*[/\\]folder-[^"]*"/g, "(a file)")}`,
  );

/** A transcript as it is when its calls are made anew. */
export async function replay(path: string): Promise<string> {
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  const named: Record<string, unknown> = {};
  const read = (text: string): Args => valueIn(text, named);
  let { world, sent, calls } = freshWorld();
  const lines: string[] = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, mark, word = "", given = ""] = /^(#|let|get|>>?|!|wait) (\S+) ?(.*)$/.exec(line) ?? [];
    if (line === "" || mark !== undefined) lines.push(line);
    if (mark === "#") ({ world, sent, calls } = freshWorld());
    else if (mark === "let") named[word] = read(given);
    else if (mark === "wait") {
      world.advance(Number(word));
      vi.setSystemTime(world.now());
    } else if (mark === "get") {
      const [, tool = "", args = ""] = /^(\S+) (.*)$/.exec(given) ?? [];
      const outcome = await calls.call(tool, read(args));
      named[word] = outcome.kind === "workflow" ? outcome.result : answerOf(outcome).body;
    } else if (mark !== undefined) {
      const args = read(given);
      const first = await calls.call(word, args);
      const isApproved = mark === "!" && first.kind === "preview";
      const outcome = isApproved ? await calls.call(word, { ...args, confirm: first.plan.id }) : first;
      if (isApproved) named["plan"] = first.plan.id;
      lines.push(...indented([...sent.splice(0), ...linesOf(outcome, mark === ">>")]));
    }
  }
  return lines.join("\n");
}
