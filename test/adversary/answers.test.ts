/** Whatever a client makes of a question, and whatever the model calls then, nothing is sent before a person says yes. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it } from "vitest";
import type { Surface } from "../../src/engine/surface.js";
import { memoryPlanStorage } from "../../src/guard/plans/storage.js";
import type { Arguments } from "../../src/language/conduct.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import { serverFactory } from "../../src/mcp/server.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { noResultStore } from "../../src/rows/result-store.js";
import { allServices } from "../../src/tools/index.js";
import { surfaceOf } from "../lab/client.js";
import { inDepth } from "../lab/depth.js";
import { sampled } from "../lab/mechanisms.js";
import { clientsOf, startHttp, token } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { memoryState } from "../lab/state.js";
import { type Era, failing, httpPeer, type Peer, type Raw, silence, streamPeer } from "../system/raw-peer.js";
import { begin, type Desk } from "./model.js";
import { type Target, targets, tools } from "./targets.js";

const services = await allServices("documents");
const readings = await readingsOf(services);
const yes = { action: "accept", content: { approve: true } };

/** An answer to a question other than yes: as the reply of 2025, and as what comes back with the call in 2026. */
interface No {
  readonly is: string;
  readonly user: Peer["user"];
  /** Undefined where the call never comes back. */
  readonly back: object | undefined;
}
const answer = (is: string, user: object): No => ({ is, user, back: { inputResponses: { approval: user } } });
const error = (code: number, message: string, back: object): No => ({
  is: message,
  user: failing(code, message),
  back,
});

const noes: readonly No[] = [
  { is: "silence", user: silence, back: undefined },
  error(-1, "User rejected", {}),
  error(-32_603, "Internal error", { inputResponses: {} }),
  error(-32_601, "Method not found", { inputResponses: { approval: { error: { code: -32_601, message: "no" } } } }),
  error(-32_001, "Request timed out", { inputResponses: { other: yes } }),
  error(-32_042, "Not here", { inputResponses: { approval: { result: yes } } }),
  answer("a refusal that has a yes in it", { action: "decline", content: { approve: true } }),
  answer("a closed question", { action: "cancel", content: { approve: true } }),
  answer("an acceptance of nothing", { action: "accept" }),
  answer("an acceptance with a no", { action: "accept", content: { approve: false } }),
  answer("a yes as text", { action: "accept", content: { approve: "true" } }),
  answer("a yes one level down", { action: "accept", content: { approve: { approve: true } } }),
  answer("a yes in a list", { action: "accept", content: [{ approve: true }] }),
  answer("an unknown action", { action: "approve", content: { approve: true } }),
  answer("a yes without an action", { content: { approve: true } }),
  answer("nothing at all", { approve: true }),
];

const surfaceAt = ({ calls, plans }: Desk): Surface => {
  const presentation = { upstream: "the recorder", secrets: [], maxTokens: 100_000 };
  const nothing = async () => undefined;
  const own = { calls, plans, presentation, results: noResultStore, account: "a", plan: nothing, close: nothing };
  const engine = { ...own, state: memoryState(), runtimeFor: async () => own, check: nothing };
  return surfaceOf({ catalogue: tools, readings, isEmulated: false, engine: async () => engine as never });
};

interface Served {
  /** A connection that the client makes. */
  connect(hasForms: boolean): Promise<Peer>;
  close(): Promise<void>;
}

/** Over a pipe a process has one client, so that another connection is another process. */
async function overPipe(era: Era, desks: readonly Desk[]): Promise<Served> {
  const ends: (() => Promise<void>)[] = [];
  const left = [...desks];
  return {
    async connect(hasForms) {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      const build = serverFactory(surfaceAt(left.shift() as Desk));
      const handle = serveStdio(build, { transport: new StdioServerTransport(stdin, stdout) });
      const peer = await streamPeer(era, hasForms, { stdin, stdout, gone: once(stdin, "finish") });
      ends.push(async () => {
        await peer.close();
        await handle.close();
      });
      return peer;
    },
    close: async () => void (await Promise.all(ends.map((end) => end()))),
  };
}

async function overHttp(era: Era, [desk]: readonly [Desk, Desk]): Promise<Served> {
  const build = serverFactory(surfaceAt(desk));
  const { url, close } = await startHttp({ build, clients: clientsOf("alice"), allowsWrites: true });
  return { connect: (hasForms) => httpPeer(era, hasForms, url.href, token("alice")), close };
}

/** The same client, which declares for one call that it cannot ask. */
const withoutForms = (peer: Peer): Peer => ({
  ...peer,
  async call(...call) {
    const said = peer.hasForms;
    peer.hasForms = false;
    const made = peer.call(...call);
    peer.hasForms = said;
    return made;
  },
});

/** Has the question put and answered; returns what the model is told, and the state that it could send again. */
async function asked(peer: Peer, tool: string, args: Arguments, { user, back }: Omit<No, "is">) {
  peer.user = user;
  const first = await peer.call(tool, args);
  if (peer.era === "2025") return { told: first, state: undefined };
  expect(first?.inputRequests).toBeDefined();
  const { requestState: state } = first ?? {};
  return { told: back && (await peer.call(tool, args, { requestState: state, ...back })), state: back && state };
}

const idsIn = (raw: Raw | undefined): string[] => JSON.stringify(raw ?? {}).match(/plan_[\w-]{22}/g) ?? [];

type Call = readonly [tool: string, args: Arguments];

/** Makes every call that a model can make with what it has seen: with every id of a plan, and by other tools. */
async function tryAll(peer: Peer, calls: readonly Call[], seen: Map<string, Call>) {
  for (const [tool, args] of calls) for (const id of idsIn(await peer.call(tool, args))) seen.set(id, [tool, args]);
  for (const [confirm, [tool, args]] of [...seen]) await peer.call(tool, { ...args, confirm });
  for (const plan of [...seen.keys()].slice(0, 1))
    for (const confirm of idsIn(await peer.call(restoreTool, { plan })))
      await peer.call(restoreTool, { plan, confirm });
}

const isOperation = new Set(services.flatMap((service) => Object.keys(service.operations)));
const inBatch = (tool: string, args: Arguments): Call => [batchTool, { tool, arguments: [args] }];

const eras = ["2025", "2026"] as const;
const transports = ["a pipe", "HTTP"] as const;
// Every mechanism of an operation, and each composed change.
const single = sampled(
  targets.filter(({ tool }) => tool !== batchTool && tool !== restoreTool),
  ({ mechanisms, tool }) => (mechanisms.includes("composed") ? [...mechanisms, tool] : mechanisms),
);
const whole = noes.flatMap((no) => eras.flatMap((era) => transports.map((over) => ({ no, era, over }))));
// Each answer once, each era over each transport, because one place reads all answers. In depth, all combinations.
const runs = inDepth(
  whole,
  whole.filter((_, at) => at % 4 === (at >> 2) % 4),
).map((run, at) => ({ ...run, target: single[(at * 7) % single.length] as Target }));

describe(promise("no-yes-no-change", "after a question that was answered with anything but yes"), () => {
  it.each(runs.map((run) => [run.no.is, run.era, run.over, run.target.name, run] as const))(
    "%s, in %s over %s: %s",
    async (_is, era, over, _name, { no, target }) => {
      const storage = memoryPlanStorage();
      // That a question is ignored is only known once its time is over, and with it that of its plan.
      const isOverdue = no.user === silence && era === "2025";
      const { desks, recorder } = begin({}, storage, isOverdue ? 100 : 60_000);
      const { connect, close } = await (over === "HTTP" ? overHttp : overPipe)(era, desks);
      const peer = await connect(true);
      const other = await connect(false);
      const { tool } = target;
      const args = await target.prepare(async () => "");
      const call: Call = [tool, args];
      const seen = new Map<string, Call>();
      // Before the question the model may have had a preview that its confirm would have approved.
      const quiet = era === "2026" ? withoutForms(peer) : other;
      for (const one of [quiet, other]) for (const id of idsIn(await one.call(...call))) seen.set(id, call);

      const { told, state } = await asked(peer, tool, args, no);
      if (told !== undefined)
        // The model is told how a person can still say yes, and nothing that it could confirm by itself.
        expect([told.structuredContent?.["next"], told.structuredContent?.["confirm"]]).toEqual([
          expect.stringMatching(/asks them again|`edgewise approve plan_/),
          undefined,
        ]);
      for (const id of [...idsIn(told), ...(await storage.entries()).map((entry) => entry.id)]) seen.set(id, call);
      const sent = async () => (await recorder.changes()).map(({ method, url }) => `${method} ${url.pathname}`);
      expect(await sent()).toEqual([]);

      const [altered = args] = await target.alter(args);
      const same = [call, ...(isOperation.has(tool) ? [inBatch(tool, args)] : [])];
      const any: readonly Call[] = [...same, [tool, altered]];
      peer.user = failing(-1, "User rejected");
      await tryAll(peer, same, seen);
      if (state !== undefined) await peer.call(tool, args, { requestState: state, inputResponses: { approval: yes } });
      if (quiet !== other) await tryAll(quiet, any, seen);
      // Another process may have another client with another user, so it takes no confirm for what was asked about.
      await tryAll(other, over === "a pipe" ? same : any, seen);
      expect(await sent()).toEqual([]);

      if (!isOverdue) {
        await asked(peer, tool, args, { user: yes, back: { inputResponses: { approval: yes } } });
        expect(await sent()).not.toEqual([]);
      }
      await close();
    },
  );
});
