/**
 * The performance limits of the server over HTTP, as ratios measured in the same run; fails when one is exceeded, or could
 * not be measured. Arguments name the measurements to make; BENCH_CALLS makes that of memory shorter, for a quick look.
 */
import { type Called, type Client, type Endpoint, load, openClient, requestOf } from "./http-client.js";
import { gather } from "./http-crowd.js";
import { type Server, type Servers, startServers, startSignIn } from "./http-servers.js";
import { addressOf, median, processorMs, quantile, residentMb, start } from "./process.js";
import { startUpstream } from "./upstream.js";

interface Figure {
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  readonly isWithinLimit: boolean;
}

const read: Called = { tool: "purge_queue_get", args: { queueName: "default" } };
/** Its answer is also kept, to be computed with. */
const keptRead: Called = { tool: "events_list", args: {} };
const asked: Called = { tool: "ask", args: {} };
// Short rounds by turns: what else the machine has to do for a second or two slows down all that is compared.
const rounds = 20;
const roundMs = 500;
/** What two rates of the same loads differ by from run to run. */
const noise = 0.05;

const call = (client: Client, endpoint: Endpoint, { tool, args }: Called): Promise<string> =>
  client.ask(requestOf(endpoint, "tools/call", { name: tool, arguments: args }));

async function startFloor(args: readonly string[]): Promise<Server> {
  const child = start(args);
  process.once("exit", () => child.kill("SIGKILL"));
  return { child, url: await addressOf(child) };
}

/** Starts one of the SDK's servers with the answer of ours, which asks no upstream. */
async function startAnswering(local: Server): Promise<Server> {
  const client = await openClient(local);
  const response = await call(client, local, read);
  client.close();
  const { content, structuredContent } = JSON.parse(response.slice(response.indexOf("{"))).result;
  return startFloor(["bench/sdk-http-answer.mjs", JSON.stringify({ content, structuredContent })]);
}

/** Whether a load has lasted for a while. */
const after =
  (forMs: number) =>
  (_: number, ms: number): boolean =>
    ms >= forMs;

/** The calls a second of several loads, measured in alternating rounds. */
async function ratesOf(
  loads: readonly { readonly at: readonly Endpoint[]; readonly called: Called; readonly clients: number }[],
  times = rounds,
): Promise<readonly number[]> {
  const totals = loads.map((of) => ({ of, calls: 0, ms: 0 }));
  for (let round = 0; round < times; round += 1)
    for (const total of totals) {
      const { at, called, clients } = total.of;
      const { calls, ms } = await load(at, called, { clients, isOver: after(roundMs) });
      total.calls += calls;
      total.ms += ms;
    }
  return totals.map(({ calls, ms }) => (calls / ms) * 1000);
}

/** Has a server compile all that a call runs, which V8 does after some thousand of them, and fill its caches. */
async function warmUp(at: Endpoint, called: Called, forMs = 3_000): Promise<void> {
  await load([at], called, { clients: 16, isOver: after(forMs) });
}

/** Calls a second against those of a server whose one tool does nothing but ask the upstream. */
async function calls({ live }: Servers, asking: Server): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const clients of [1, 16, 64]) {
    const [ours = 0, floors = 0] = await ratesOf([
      { at: [live], called: read, clients },
      { at: [asking], called: asked, clients },
    ]);
    figures.push({
      name: `tools/call, clients: ${clients}`,
      measured: `${(ours / floors).toFixed(2)} x the SDK's server (${ours.toFixed(0)} a second)`,
      limit: "0.9 x",
      isWithinLimit: ours / floors >= 0.9,
    });
  }
  return figures;
}

/** What the store adds to a read, and how far a read from the emulator inside a server is from the SDK's bare answer. */
async function storedReads({ local, shared }: Servers, answering: Server): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const clients of [1, 16, 64]) {
    const [ours = 0, stored = 0, bare = 0] = await ratesOf([
      { at: [local], called: read, clients },
      { at: [shared[0]], called: read, clients },
      { at: [answering], called: asked, clients },
    ]);
    const figure = added(`a read, clients: ${clients}`, ours, stored);
    figures.push({ ...figure, measured: `${figure.measured}, ${(ours / bare).toFixed(2)} x a bare answer` });
  }
  return figures;
}

const added = (what: string, without: number, withStore: number): Figure => ({
  name: `added by the store to ${what}`,
  measured: `${((without / withStore - 1) * 100).toFixed(0)} % (${withStore.toFixed(0)} a second)`,
  limit: "25 %",
  isWithinLimit: without / withStore <= 1.25,
});

/** A read whose answer is kept. */
async function keptReads({ local, shared }: Servers): Promise<Figure> {
  const [ours = 0, stored = 0] = await ratesOf(
    [local, shared[0]].map((server) => ({ at: [server], called: keptRead, clients: 16 })),
  );
  return added("a kept read, clients: 16", ours, stored);
}

/** What the store adds to a call with `confirm`, in alternating rounds. */
async function guardedCall({ local, shared }: Servers): Promise<Figure> {
  const sides = await Promise.all(
    [local, shared[0]].map(async (server) => ({ server, client: await openClient(server), times: [] as number[] })),
  );
  for (let round = 0; round < 250; round += 1)
    for (const { server, client, times } of sides) {
      const args = { queueName: "default", body: { objects: [`https://www.example.com/${round}.jpg`] } };
      const [confirm] = /plan_[\w-]+/.exec(await call(client, server, { tool: "purge_submit", args })) ?? [];
      const startedAt = performance.now();
      const answer = await call(client, server, { tool: "purge_submit", args: { ...args, confirm } });
      if (!answer.includes('"status":201')) throw new Error(`unexpected answer: ${answer}`);
      if (round >= 50) times.push(performance.now() - startedAt);
    }
  for (const { client } of sides) client.close();
  const [without = 0, withStore = 0] = sides.map(({ times }) => median(times));
  return {
    name: "added by the store to a guarded call",
    measured: `${(withStore - without).toFixed(1)} ms (to ${without.toFixed(1)} ms)`,
    limit: "5 ms",
    isWithinLimit: withStore - without <= 5,
  };
}

/** Tells the processor's time that processes take from now on; one that ends meanwhile counts for nothing. */
function taken(processes: readonly Parameters<typeof processorMs>[0][]): () => number {
  const before = processes.map(processorMs);
  return () => processes.reduce((sum, one, at) => sum + Math.max(0, processorMs(one) - (before[at] ?? 0)), 0);
}

/**
 * Two processes against one, at reads. The clients need a part of the machine, so that two servers which share nothing
 * show what is left for a second process. Where that is less than the limit, those that share a database have to reach
 * what its own work leaves of it; and the processor's time of a call, the database's included, says how many calls two
 * free cores would make.
 */
async function twoProcesses({ shared, apart, databaseProcesses }: Servers): Promise<Figure> {
  const loads = [[shared[0]], shared, [apart[0]], apart].map((at) => ({ at, called: read, clients: 64 }));
  const [one = 0, two = 0, oneApart = 0, twoApart = 0] = await ratesOf(loads, 2 * rounds);
  const perCall = async (at: readonly Server[]) => {
    const server = taken(at.map(({ child }) => child));
    const database = taken(databaseProcesses().map((pid) => ({ pid })));
    const { calls: made } = await load(at, read, { clients: 64, isOver: after(4_500) });
    return { server: server() / made, database: database() / made };
  };
  const [alone, both] = [await perCall([shared[0]]), await perCall(shared)];
  const [ratio, possible] = [two / one, twoApart / oneApart];
  const ofDatabase = both.database / (both.server + both.database);
  // One process has a core, and the database has the other.
  const onFreeCores = (2 * alone.server) / (both.server + both.database);
  const isAsGood = ratio >= possible * (1 - ofDatabase) - noise;
  return {
    name: "two processes, reads",
    measured: `${ratio.toFixed(2)} x one (sharing nothing: ${possible.toFixed(2)} x; the database: ${(ofDatabase * 100).toFixed(0)} % of a call; on free cores ${onFreeCores.toFixed(2)} x)`,
    limit: "1.6 x",
    isWithinLimit: ratio >= 1.6 || (possible < 1.6 && isAsGood && onFreeCores >= 1.6),
  };
}

/** The growth of memory over many calls. Before them two fifths as many are made: so long V8 lets its heap grow. */
async function memory({ child, ...endpoint }: Server): Promise<Figure> {
  const calls = Number(process.env["BENCH_CALLS"] ?? 100_000);
  const residentAfter = async (count: number): Promise<number> => {
    const samples: number[] = [];
    const isOver = (made: number): boolean => {
      // The last part, because a collection of garbage takes memory for a moment.
      if (made > count * 0.8 && made % 100 === 0) samples.push(residentMb(child));
      return made >= count;
    };
    await load([endpoint], read, { clients: 16, isOver });
    return median(samples);
  };
  const before = await residentAfter(calls * 0.4);
  const after = await residentAfter(calls);
  return {
    name: `memory over ${calls} calls`,
    measured: `${((after / before - 1) * 100).toFixed(1)} % more (${before.toFixed(0)} to ${after.toFixed(0)} MB)`,
    limit: "5 %",
    isWithinLimit: after / before <= 1.05,
  };
}

/** A client that calls while others take up connections and read slowly. */
async function inACrowd({ shared: [server], otherToken }: Servers): Promise<Figure> {
  const p95 = async (): Promise<number> => {
    // A new one, because a connection on which nothing was said while the others came is closed for them.
    const client = await openClient(server);
    const times: number[] = [];
    const stopAt = performance.now() + 3_000;
    while (performance.now() < stopAt) {
      const startedAt = performance.now();
      await call(client, server, read);
      times.push(performance.now() - startedAt);
    }
    client.close();
    return quantile(times, 0.95);
  };
  const times = { alone: [] as number[], crowded: [] as number[] };
  let closed = 0;
  for (let round = 0; round < 3; round += 1) {
    times.alone.push(await p95());
    const crowd = await gather({ url: server.url, token: otherToken });
    times.crowded.push(await p95());
    closed = crowd.closed();
    crowd.leave();
  }
  const [alone, crowded] = [median(times.alone), median(times.crowded)];
  return {
    name: "p95 beside 2,050 other connections",
    measured: `${(crowded / alone).toFixed(2)} x alone (${crowded.toFixed(1)} ms; ${closed} of them closed)`,
    limit: "3 x",
    isWithinLimit: crowded / alone < 3,
  };
}

/** What the verification of a person's token costs a read, against a token of the file on the same server, in alternating rounds. */
async function signIn(): Promise<Figure> {
  const { server, token, close } = await startSignIn();
  const endpoints = [server, { url: server.url, token }];
  for (const endpoint of endpoints) await warmUp(endpoint, read, 2_000);
  const [file = 0, person = 0] = await ratesOf(endpoints.map((at) => ({ at: [at], called: read, clients: 64 })));
  await close();
  return {
    name: "added by sign-in to a read, clients: 64",
    measured: `${((file / person - 1) * 100).toFixed(0)} % (${person.toFixed(0)} a second)`,
    limit: "20 %",
    isWithinLimit: file / person <= 1.2,
  };
}

const upstream = await startUpstream();
const servers = await startServers(upstream.origin);
const asking = await startFloor(["bench/sdk-http.mjs", upstream.origin]);
const answering = await startAnswering(servers.local);
for (const server of [servers.live, ...servers.shared, ...servers.apart]) await warmUp(server, read);
for (const server of [asking, answering]) await warmUp(server, asked);
const measures: Readonly<Record<string, () => Promise<Figure | readonly Figure[]>>> = {
  calls: () => calls(servers, asking),
  stored: () => storedReads(servers, answering),
  kept: () => keptReads(servers),
  guarded: () => guardedCall(servers),
  processes: () => twoProcesses(servers),
  "sign-in": signIn,
  crowd: () => inACrowd(servers),
  memory: () => memory(servers.shared[1]),
};
const named = process.argv.slice(2);
const verdicts: boolean[] = [];
for (const [of, measure] of Object.entries(measures)) {
  if (named.length > 0 && !named.includes(of)) continue;
  for (const { name, measured, limit, isWithinLimit } of [await measure()].flat()) {
    const verdict = isWithinLimit ? "kept" : "MISSED";
    console.log(`${verdict.padEnd(7)} ${name.padEnd(44)} ${measured.padEnd(48)} limit ${limit}`);
    verdicts.push(isWithinLimit);
  }
}
for (const { child } of [asking, answering]) child.kill("SIGKILL");
upstream.close();
await servers.close();
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
