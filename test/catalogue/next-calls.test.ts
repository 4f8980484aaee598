/** A law over the catalogue: every call that a result offers as the next one is accepted as it is, on every surface. */
import { describe, expect, it } from "vitest";
import { isRecord } from "../../src/language/member.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { clientOf } from "../lab/client.js";
import { runs } from "../lab/depth.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { offeringExamples } from "../lab/offering-examples.js";
import { operationsIn } from "../lab/project.js";
import { fastForwarded } from "../lab/time.js";
import { services, surfaceWith } from "../profiles/two.js";

type Args = Readonly<Record<string, unknown>>;
interface Call {
  readonly tool: string;
  readonly arguments: Args;
}
interface Answer {
  readonly isError: boolean;
  readonly content: Args;
  readonly text: string;
}

/** The workflows whose results offer calls; `npm run test:deep` tries all of them. */
const offeringWorkflows = [
  ...["call_batch", "cert_enrollment_status", "change_timeline", "expiry_report", "property_change_run"],
  "threat_undeployed_changes_list",
];

/** Examples in which each kind of offer is, or those with some names; all of them where tests go deep. */
async function triedOnes(names: readonly string[] | undefined) {
  const operations = operationsIn(services);
  const examples = offeringExamples(operations, await allWorkflows());
  if (names) return examples.filter(([tool]) => names.includes(tool));
  if (runs(1) > 1) return examples;
  const byName = new Map(operations);
  const ofOffers = /^(guard undo |awaits result)/;
  return sampled(examples, ([tool]) => {
    const operation = byName.get(tool);
    if (operation) return mechanismsOf(operation).filter((word) => ofOffers.test(word));
    return offeringWorkflows.includes(tool) ? [tool] : [];
  });
}

/** The patience of a client whose clock runs ahead of the work that it waits for. */
const longestMs = 2 ** 31 - 1;

/** Connects a client to a server of its own; which tools are listed is the same for each of one surface. */
async function connect(
  flags: readonly string[],
  surface: "all" | "core" | "catalogue",
  known: ReadonlySet<string> | undefined,
) {
  const served = await surfaceWith(["--emulator", ...flags], { surface });
  const { client } = await clientOf({ ...served.surface, isReadOnly: flags.includes("--read-only") });
  const listed = known ?? new Set((await client.listTools()).tools.map(({ name }) => name));
  async function call(name: string, args: Args): Promise<Answer> {
    const made = (await client.callTool({ name, arguments: { ...args } }, { timeout: longestMs })) as unknown as {
      isError?: boolean;
      structuredContent: Args;
      content: { text?: string }[];
    };
    const text = made.content.map((one) => one.text ?? "").join("\n");
    return { isError: made.isError === true, content: made.structuredContent, text };
  }
  return {
    call,
    listed,
    /** A call of a tool as a client makes it that knows the list alone. */
    async made(tool: string, args: Args, own: Args): Promise<Answer> {
      const effect = served.surface.catalogue.get(tool)?.effect;
      return listed.has(tool)
        ? call(tool, { ...args, ...own })
        : call(`operation_${effect}`, { tool, arguments: args, ...own });
    },
    close: async () => (await served.engine()).close(),
  };
}

/** The calls that a result offers, each with the member that has it; a correction is no next call. */
function offeredIn(value: unknown, at: string): readonly (readonly [string, Call])[] {
  if (Array.isArray(value)) return value.flatMap((item) => offeredIn(item, at));
  if (!isRecord(value)) return [];
  if (Object.keys(value).sort().join() === "arguments,tool" && isRecord(value["arguments"]))
    return [[at, value as unknown as Call]];
  return Object.entries(value).flatMap(([name, member]) => (name === "data" ? [] : offeredIn(member, name)));
}

const scalarsIn = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsIn) : [value];

/** Whether a reader of the text can repeat a call: it is there as it is sent, or all its values are in the columns. */
const isReadable = (text: string, next: Call): boolean =>
  text.includes(JSON.stringify(next)) ||
  (!Object.values(next.arguments).some((value) => typeof value === "object") &&
    scalarsIn(next).every((value) => text.includes(String(value))));

/** A result, of the call itself where it was only previewed, and whether the preview had promised a way back. */
async function performed({ made }: Awaited<ReturnType<typeof connect>>, tool: string, args: Args, own: Args) {
  const first = await made(tool, args, own);
  const { confirm } = first.content;
  if (typeof confirm !== "string") return { result: first, isUndoable: false };
  const result = await made(tool, args, { ...own, confirm });
  return { result, isUndoable: /^Undo: change_restore prepares/m.test(first.text) && !result.isError };
}

// A call that may only follow once something has happened is accepted, and the upstream then says that it has not.
const isRefusal = ({ isError, content }: Answer): boolean => isError && content["status"] === undefined;

const reads = ["askAgainWith", "readMore"];
const all = [...reads, "undoWith", "continueWith", "deployWith"];
// How a surface or a profile writes an offer depends on nothing but the call that is offered.
const oneOfEach = [
  ...["property_version_activate", "change_timeline", "cert_enrollment_status"],
  "threat_undeployed_changes_list",
];

describe.each([
  ["all", [], {}, [...all, "resultWith"], undefined],
  ["core", [], {}, all, oneOfEach],
  ["catalogue", ["--profiles", "one,two"], { profile: "two" }, all, oneOfEach],
  ["all", ["--read-only"], {}, ["readMore"], oneOfEach],
] as const)("on the surface %s with %j", (surface, flags, own, expected, names) => {
  it("every call that a result offers is accepted as it is", async () => {
    const members = new Set<string>();
    const refused: unknown[] = [];
    const unreadable: unknown[] = [];
    const withoutUndo: unknown[] = [];
    let listed: ReadonlySet<string> | undefined;
    for (const [tool, args] of await triedOnes(names)) {
      // What is waited for is not waited for long enough.
      const patience = args["wait"] ? ["--call-timeout-ms", "1500"] : [];
      const server = await connect([...flags, ...patience], surface, listed);
      listed = server.listed;
      const work = () => performed(server, tool, args, own);
      const { result, isUndoable } = await (args["wait"] ? fastForwarded(work) : work());
      const offered = offeredIn(result.content, "");
      if (isUndoable && !offered.some(([member]) => member === "undoWith")) withoutUndo.push([tool, result.text]);
      for (const [member, next] of offered) {
        members.add(member);
        const answer = await server.call(next.tool, next.arguments);
        if (isRefusal(answer)) refused.push([tool, member, next, answer.content]);
        if ("profile" in own && answer.content["profile"] !== own.profile) refused.push([tool, member, next]);
        if (!isReadable(result.text, next)) unreadable.push([tool, member, next]);
      }
      await server.close();
    }
    expect({ refused, unreadable, withoutUndo }).toEqual({ refused: [], unreadable: [], withoutUndo: [] });
    expect([...members]).toEqual(expect.arrayContaining([...expected]));
  });
});
