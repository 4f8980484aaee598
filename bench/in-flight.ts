/**
 * The processor's time of calls over stdio, many of them in flight, against a bare loop that makes the same requests, and
 * against a server of the SDK whose one tool makes them.
 */
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

/** What a call takes of the processor, and the shares of it that the loop and the SDK's server need for the same request. */
export async function processorInFlight(
  origin: string,
): Promise<{ readonly perCallMs: number; readonly ofLoop: number; readonly ofSdk: number }> {
  const ours = start(["dist/server.js", "--upstream", origin]);
  const sdk = start(["bench/sdk-stdio.mjs", origin]);
  const loop = start(["bench/undici-loop.mjs", origin, String(inFlight)]);
  const ask = lines(loop);
  const schemaOf = (at: number) => ({ schemaName: `schema-${at}.json` });
  const runs = [
    { child: ours, run: callMany(ours, "edgelogic_schema_get", schemaOf), times: [] as number[] },
    { child: sdk, run: callMany(sdk, "ask", schemaOf), times: [] as number[] },
    { child: loop, run: async (count: number) => void (await ask(String(count))), times: [] as number[] },
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
  const [perCallMs = 0, sdkMs = 0, loopMs = 0] = runs.map(({ times }) => median(times));
  return { perCallMs, ofLoop: loopMs / perCallMs, ofSdk: sdkMs / perCallMs };
}
