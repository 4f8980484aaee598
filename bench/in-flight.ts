/** The processor's time of calls over stdio, many of them in flight, against a bare loop that makes the same requests. */
import { lines, median, message, processorMs, start } from "./process.js";

const inFlight = 32;
const [rounds, calls] = [5, 6_000];

/** Makes calls over stdio, so many at a time, each with other arguments: identical reads would be sent once. */
function callMany(
  child: ReturnType<typeof start>,
  tool: string,
  argsOf: (at: number) => object,
): (count: number) => Promise<void> {
  let [sent, answered, last] = [0, 0, 0];
  let done: () => void = () => undefined;
  const send = () => {
    sent += 1;
    child.stdin?.write(`${message(sent, "tools/call", { name: tool, arguments: argsOf(sent) })}\n`);
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      answered += 1;
      if (sent < last) send();
      if (answered === last) done();
    }
  });
  return (count) =>
    new Promise((resolve) => {
      done = resolve;
      last = answered + count;
      for (let at = 0; at < Math.min(count, inFlight); at += 1) send();
    });
}

/** The share of a call's processor time that the loop needs for the same request. */
export async function processorInFlight(
  origin: string,
): Promise<{ readonly ratio: number; readonly perCallMs: number }> {
  const ours = start(["dist/server.js", "--upstream", origin]);
  const floor = start(["bench/undici-loop.mjs", origin, String(inFlight)]);
  const ask = lines(floor);
  const runs = [
    {
      child: ours,
      run: callMany(ours, "edgelogic_schema_get", (at) => ({ schemaName: `schema-${at}.json` })),
      times: [] as number[],
    },
    { child: floor, run: async (count: number) => void (await ask(String(count))), times: [] as number[] },
  ] as const;
  // V8 takes some thousand calls to compile all that a call runs.
  for (const { run } of runs) await run(calls);
  for (let round = 0; round < rounds; round += 1)
    for (const { child, run, times } of runs) {
      const before = processorMs(child);
      await run(calls);
      times.push((processorMs(child) - before) / calls);
    }
  for (const { child } of runs) child.kill("SIGKILL");
  const [perCallMs, floorMs] = [median(runs[0].times), median(runs[1].times)];
  return { ratio: floorMs / perCallMs, perCallMs };
}
