/** The performance limits of Edgewise, as ratios to baselines measured in the same run; fails when one is exceeded. */
import { execFileSync } from "node:child_process";
import { freshStamp, sign } from "../src/wire/sign.js";
import { forecastTimes } from "./forecast.js";
import { hostnameCost } from "./hostname.js";
import { processorInFlight } from "./in-flight.js";
import { lines, median, message, residentMb, start } from "./process.js";
import { reportCosts } from "./reports.js";
import { ruleTreeCost } from "./rule-tree.js";
import { type Added, addedByShaping } from "./shaping.js";
import { packedBytes } from "./sizes.js";
import { startUpstream } from "./upstream.js";

interface Figure {
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  readonly isWithinLimit: boolean;
}

async function coldStart(): Promise<Figure[]> {
  const times = { floor: [] as number[], edgewise: [] as number[], session: [] as number[] };
  const memory: number[] = [];
  const memoryInUse: number[] = [];
  const session = async (): Promise<void> => {
    const startedAt = performance.now();
    const child = start(["dist/server.js"]);
    const ask = lines(child);
    await ask(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
      }),
    );
    child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await ask('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}');
    times.session.push(performance.now() - startedAt);
    await ask(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: { name: "purge_queue_get", arguments: { queueName: "default" } },
      }),
    );
    memoryInUse.push(residentMb(child));
    child.kill("SIGKILL");
  };
  // By turns, because a machine is slower at some times than at others.
  for (let round = 0; round < 21; round += 1) {
    for (const name of ["floor", "edgewise"] as const) {
      const startedAt = performance.now();
      const child = start(name === "floor" ? ["bench/floor.mjs"] : ["dist/server.js"]);
      await lines(child)(message(1, "tools/list"));
      times[name].push(performance.now() - startedAt);
      if (name === "edgewise") memory.push(residentMb(child));
      child.kill("SIGKILL");
    }
    await session();
  }
  const ratioOf = (values: readonly number[]) => median(values) / median(times.floor);
  const figure = (name: string, values: readonly number[], limit: number): Figure => ({
    name,
    measured: `${ratioOf(values).toFixed(2)} x a bare process (${median(values).toFixed(0)} ms)`,
    limit: `${limit} x`,
    isWithinLimit: ratioOf(values) <= limit,
  });
  const memoryFigure = (name: string, values: readonly number[]): Figure => ({
    name,
    measured: `${median(values).toFixed(0)} MB`,
    limit: "75 MB",
    isWithinLimit: median(values) <= 75,
  });
  return [
    figure("cold start to tools/list", times.edgewise, 1.5),
    // Here the library has to be loaded first: two messages and a session later, with a limit of our own.
    figure("cold start, 2025 session", times.session, 2.7),
    memoryFigure("resident memory then", memory),
    memoryFigure("resident memory after a call", memoryInUse),
  ];
}

/** The round trip of a call over stdio, in alternating rounds with a server that does nothing but ask the upstream. */
async function callOverStdio(origin: string): Promise<Figure> {
  const measured = (args: readonly string[], name: string, given: object) => {
    const child = start(args);
    return { child, ask: lines(child), params: { name, arguments: given }, times: [] as number[] };
  };
  const ours = measured(["dist/server.js", "--upstream", origin], "purge_queue_get", { queueName: "default" });
  const floor = measured(["bench/sdk-stdio.mjs", origin], "ask", {});
  for (let round = 0; round < 1_200; round += 1)
    for (const { ask, params, times } of [ours, floor]) {
      const startedAt = performance.now();
      const answer = await ask(message(round, "tools/call", params));
      if (!answer.includes('"status":200')) throw new Error(`unexpected answer: ${answer}`);
      if (round >= 200) times.push(performance.now() - startedAt);
    }
  for (const { child } of [ours, floor]) child.kill("SIGKILL");
  const ratio = median(ours.times) / median(floor.times);
  return {
    name: "call over stdio, median",
    measured: `${ratio.toFixed(2)} x the SDK's server (${median(ours.times).toFixed(2)} ms)`,
    limit: "1.75 x",
    isWithinLimit: ratio <= 1.75,
  };
}

/** The processor's time of a call over stdio while others are in flight. */
async function processorOverStdio(origin: string): Promise<Figure> {
  const { perCallMs, ofLoop, ofSdk } = await processorInFlight(origin);
  return {
    name: "processor, 32 calls in flight",
    measured: `${ofSdk.toFixed(2)} x the SDK's server, ${ofLoop.toFixed(3)} x a bare loop (${perCallMs.toFixed(2)} ms)`,
    limit: "0.33 x, 0.07 x",
    isWithinLimit: ofSdk >= 0.33 && ofLoop >= 0.07,
  };
}

function signing(): Figure {
  const keys = { clientToken: "akab-client", clientSecret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ=", accessToken: "akab-access" };
  const request = {
    method: "POST",
    url: new URL("https://host.luna.akamaiapis.net/ccu/v2/queues/default"),
    headers: {},
    body: new Uint8Array(1_024).fill(97),
  };
  const rounds: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const startedAt = performance.now();
    for (let index = 0; index < 500; index += 1) sign(request, keys, freshStamp(Date.now()));
    rounds.push(((performance.now() - startedAt) / 500) * 1_000);
  }
  return {
    name: "signing 1 KB",
    measured: `${median(rounds).toFixed(1)} µs`,
    limit: "40 µs",
    isWithinLimit: median(rounds) <= 40,
  };
}

/** What shaping adds to parsing 16 MB, for the shape where it adds most. */
function shaping(): Figure[] {
  const added = addedByShaping();
  const figure = (name: string, what: "time" | "memory", limit: number): Figure => {
    const worst = added.reduce((most: Added, one) => (one[what] > most[what] ? one : most));
    return {
      name,
      measured: `+${worst[what].toFixed(2)} x JSON.parse (${worst.shape})`,
      limit: `${limit} x`,
      isWithinLimit: worst[what] <= limit,
    };
  };
  return [figure("shaping 16 MB, time", "time", 1), figure("shaping 16 MB, peak memory", "memory", 0.5)];
}

/** A rule tree of a megabyte, outlined, previewed and written. */
async function ruleTree(): Promise<Figure[]> {
  const { ms, ratio, growth, residentMb: resident } = await ruleTreeCost();
  return [
    {
      name: "a rule tree of 1 MB, changed",
      measured: `${ms.toFixed(0)} ms (${ratio.toFixed(1)} x the SDK's server)`,
      limit: "1500 ms, 16 x",
      isWithinLimit: ms <= 1_500 && ratio <= 16,
    },
    {
      name: "memory over 20 such changes",
      measured: `${growth.toFixed(2)} x (${resident.toFixed(0)} MB)`,
      limit: "1.2 x",
      isWithinLimit: growth <= 1.2,
    },
  ];
}

const millisecondsFigure = (name: string, ms: number, limitMs: number): Figure => ({
  name,
  measured: `${ms.toFixed(0)} ms`,
  limit: `${limitMs} ms`,
  isWithinLimit: ms <= limitMs,
});

/** Everything about a hostname of an account of a thousand properties. */
async function hostname(): Promise<Figure[]> {
  const { coldMs, warmMs } = await hostnameCost();
  return [
    millisecondsFigure("a hostname of 1,000, first", coldMs, 10_000),
    millisecondsFigure("the same, kept, median", warmMs, 50),
  ];
}

/** A purge's preview with its effect on the site, with an API that is far away, or whose reports do not answer. */
async function forecasts(): Promise<Figure[]> {
  const { answeredMs, silentMs } = await forecastTimes();
  // A forecast takes two seconds at most, and the preview has its own work.
  return [
    millisecondsFigure("effect before approval", answeredMs, 2_000),
    millisecondsFigure("the same without reports", silentMs, 2_200),
  ];
}

/** The files of ours that a confirmed purge enters, and the rooms that they are in. */
function road(): Figure {
  const printed = execFileSync(process.execPath, ["scripts/run.mjs", "bench/road.ts"], { encoding: "utf8" });
  const files = printed.trim().split("\n");
  const rooms = new Set(files.map((path) => path.split("/")[1]));
  return {
    name: "files that a confirmed purge enters",
    measured: `${files.length}, in ${rooms.size} rooms`,
    limit: "125",
    isWithinLimit: files.length <= 125,
  };
}

/** What a user downloads. */
function sizes(): Figure[] {
  const { npm, bundle } = packedBytes();
  const figure = (name: string, bytes: number, limit: number): Figure => ({
    name,
    measured: `${(bytes / 1e6).toFixed(2)} MB`,
    limit: `${limit} MB`,
    isWithinLimit: bytes <= limit * 1e6,
  });
  // Both settings of APIs are in the package, each with its lists, search index and pages.
  return [figure("npm package", npm, 3), figure("MCP bundle", bundle, 5)];
}

/** A CSV report of a million rows, stored and queried. */
async function reports(): Promise<Figure[]> {
  const [small, middle, large] = await reportCosts();
  const growth = Math.max(middle.serverMb, large.serverMb) / small.serverMb;
  const ratio = large.parserMs / large.storedMs;
  const figure = (name: string, measured: string, limit: string, isWithinLimit: boolean): Figure => ({
    name,
    measured,
    limit,
    isWithinLimit,
  });
  const peaks = [small, middle, large].map(({ serverMb }) => serverMb.toFixed(0)).join(", ");
  return [
    figure(
      "CSV of 1,000,000 rows, stored",
      `${ratio.toFixed(2)} x csv-parse (${large.storedMs.toFixed(0)} ms)`,
      "1 x",
      ratio >= 1,
    ),
    figure("stored and grouped into ten", `${large.groupedMs.toFixed(0)} ms`, "3000 ms", large.groupedMs <= 3_000),
    figure("server's peak, 10k 100k 1M rows", `${peaks} MB`, "150 MB", large.serverMb <= 150),
    figure("growth of that peak", `${growth.toFixed(2)} x that of 10,000 rows`, "1.25 x", growth <= 1.25),
    figure("engine's peak, 1,000,000 rows", `${large.engineMb.toFixed(0)} MB`, "300 MB", large.engineMb <= 300),
  ];
}

const upstream = await startUpstream();
const figures = [
  ...(await coldStart()),
  await callOverStdio(upstream.origin),
  await processorOverStdio(upstream.origin),
  signing(),
  ...(await ruleTree()),
  ...(await hostname()),
  ...(await forecasts()),
  ...shaping(),
  ...sizes(),
  road(),
  ...(await reports()),
];
upstream.close();
for (const { name, measured, limit, isWithinLimit } of figures)
  console.log(`${isWithinLimit ? "kept" : "MISSED"}  ${name.padEnd(30)} ${measured.padEnd(48)} limit ${limit}`);
process.exitCode = figures.every(({ isWithinLimit }) => isWithinLimit) ? 0 : 1;
