/** An outcome in the terms of a shell: next steps are lines to paste instead of an assistant's calls. */
import type { FinalOutcome } from "../calls/index.js";
import type { Config } from "../config.js";
import type { Menu } from "../engine/menu.js";
import { manualUndoCalls, type Plan, type Preview } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import { isRecord, omitted, withEach } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import type { NamedCall } from "../language/sentence.js";
import { failureAtShell } from "./command.js";
import { givenWords, pasteLines, programLine } from "./paste-line.js";

/** A call, and its field: `readMore`, or `changes.readMore` for one of the rows of `changes`. */
interface OfferedCall {
  readonly at: string;
  readonly call: NextCall;
}

function withoutNextCalls(value: unknown, at: readonly string[], offered: OfferedCall[]): unknown {
  if (value instanceof NextCall) {
    offered.push({ at: at.join("."), call: value });
    return omitted;
  }
  if (!Array.isArray(value) && !isRecord(value)) return value;
  const rest = withEach(value, (member, key) =>
    withoutNextCalls(member, typeof key === "number" ? at : [...at, key], offered),
  ) as object;
  // A list of only calls has nothing left to show.
  return Array.isArray(value) && value.length > 0 && (rest as unknown[]).length === 0 ? omitted : rest;
}

/** An outcome without the calls that it offers, and these calls in order. */
export function withoutOffers(outcome: FinalOutcome) {
  const offered: OfferedCall[] = [];
  const withoutOffered = <T>(value: T): T => withoutNextCalls(value, [], offered) as T;
  if (outcome.kind === "answer") {
    const { reply } = outcome;
    return { outcome: { ...outcome, reply: { ...reply, offers: withoutOffered(reply.offers ?? {}) } }, offered };
  }
  if (outcome.kind !== "workflow") return { outcome, offered };
  return { outcome: { ...outcome, result: withoutOffered(outcome.result) }, offered };
}

/** A line to paste, and its purpose. */
export interface NextLine {
  readonly label: string;
  readonly line: string;
}

/** The purpose of a call, from its field: `changes.readMore` is "Read more (changes)". */
function labelOf(at: string): string {
  const steps = at.split(".");
  const words = (steps.pop() ?? "").replace(/With$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return steps.length === 0 ? label : `${label} (${steps.join(".")})`;
}

/** A result without notes that repeat the lines below it or, if its reader has seen that, its preview. */
function withoutRepeats(outcome: FinalOutcome, next: readonly NextLine[], wasAsked: boolean): FinalOutcome {
  if (outcome.kind !== "answer") return outcome;
  const { repeated = [] } = outcome;
  const notes = outcome.reply.notes
    .filter((note) => !wasAsked || !repeated.includes(note))
    .map((note) => next.reduce((text, { line }) => text.replace(`\`${line}\``, "the line below"), note));
  return { ...outcome, reply: { ...outcome.reply, notes } };
}

/** Converts outcomes to those of a shell, for calls of one profile. */
export function shellTerms(config: Config, menu: Menu, profile: string | undefined, secrets: readonly string[]) {
  const lineOf = pasteLines(config, menu, profile, secrets);
  const stateWords = givenWords(config, (name) => name !== "state-dir" || config.given.get(name) !== "line");

  /** Texts with a line for each call that they name. */
  async function withLines(texts: readonly string[], names: readonly NamedCall[] = []): Promise<readonly string[]> {
    const lines = await Promise.all(names.map(async ({ words, call }) => [words, await lineOf(call)] as const));
    return texts.map((text) =>
      lines.reduce(
        (said, [words, line]) => (line === undefined ? said : said.replace(words, () => `run \`${line}\``)),
        text,
      ),
    );
  }

  async function inTerms(outcome: FinalOutcome): Promise<FinalOutcome> {
    if (outcome.kind === "failure") return { kind: "failure", failure: failureAtShell(outcome.failure) };
    if (outcome.kind === "answer") {
      const { reply, names, repeated = [] } = outcome;
      const notes = await withLines(reply.notes, names);
      return { ...outcome, reply: { ...reply, notes }, repeated: await withLines(repeated, names) };
    }
    if (outcome.kind !== "workflow" || typeof outcome.result["undo"] !== "string") return outcome;
    const [undo] = await withLines([outcome.result["undo"]], outcome.names);
    return { ...outcome, result: { ...outcome.result, undo } };
  }

  /** The lines of a preview, in which the undo can name calls. */
  const previewLines = ({ lines }: Pick<Preview, "lines">, { before }: Pick<Plan, "before">) =>
    withLines(lines, manualUndoCalls(before));

  return {
    /** An outcome with its sentences in the terms of a shell; its calls stay as they are sent, for programs. */
    inTerms,
    /**
     * The same without the calls that it offers, and these as lines.
     * @param wasAsked Whether its reader has just read its preview.
     */
    async forReader(
      ended: FinalOutcome,
      wasAsked = false,
    ): Promise<{ readonly outcome: FinalOutcome; readonly next: readonly NextLine[] }> {
      if (ended.kind === "failure") {
        const { code, message, detail } = ended.failure;
        const { corrected, ...others } = detail;
        const line = corrected && (await lineOf(corrected));
        const label = "Corrected, if this is what you meant";
        return {
          outcome: { kind: "failure", failure: new Failure(code, message, others) },
          next: line === undefined ? [] : [{ label, line }],
        };
      }
      if (ended.kind === "preview") {
        const { ranked } = ended.preview;
        const texts = await previewLines({ lines: ranked.map(({ text }) => text) }, ended.plan);
        const preview = {
          ...ended.preview,
          ranked: ranked.map((line, at) => ({ ...line, text: texts[at] ?? line.text })),
        };
        return { outcome: { ...ended, preview }, next: [] };
      }
      const { outcome, offered } = withoutOffers(ended);
      const lines = await Promise.all(
        offered.map(async ({ at, call }) => ({ label: labelOf(at), line: await lineOf(call) })),
      );
      const next = lines.flatMap(({ label, line }) => (line === undefined ? [] : [{ label, line }]));
      return { outcome: withoutRepeats(outcome, next, wasAsked), next };
    },
    /** How to approve a plan that waits for a person. */
    howToApprove: (id: string): string =>
      config.values["state-dir"] === "memory"
        ? "Run the same line at a terminal, where you are asked: with --state-dir memory no plan outlives its command."
        : `Approve it at a terminal with \`${programLine(...stateWords, "approve", id)}\`; then run the same line again, which executes it once.`,
    previewLines,
  };
}
