/** What everything about a hostname takes in an account of a thousand properties: at first, and once it has been read. */
import { createEmulator } from "../src/emulator/index.js";
import { serveEmulator } from "../src/emulator/serve.js";
import { createWorld } from "../src/emulator/world.js";
import { waitFor } from "../src/time/durations.js";
import { growSites } from "../test/site/grown.js";
import { lines, median, message, start } from "./process.js";

const [properties, rounds] = [1_000, 200];
/** How long the upstream takes for each answer, as one on another continent does. */
const answerMs = 150;

/** The time of the first answer and the median of the later ones, in milliseconds. */
export async function hostnameCost(): Promise<{ readonly coldMs: number; readonly warmMs: number }> {
  const world = createWorld();
  const hostname = growSites(world, properties)[properties / 2]?.hostname;
  const emulator = createEmulator({ world });
  const slow: typeof emulator = {
    ...emulator,
    async handle(request) {
      await waitFor(answerMs, undefined);
      return emulator.handle(request);
    },
  };
  const upstream = await serveEmulator({ host: "127.0.0.1", port: 0, emulator: slow });
  const server = start(["dist/server.js", "--upstream", upstream.url, "--state-dir", "memory"]);
  const ask = lines(server);
  const timed = async () => {
    const startedAt = performance.now();
    const answer = await ask(
      message(1, "tools/call", {
        name: "operation_read",
        arguments: { tool: "properties_find", arguments: { hostname } },
      }),
    );
    if (!answer.includes("leadsToEdge")) throw new Error(`unexpected answer: ${answer.slice(0, 500)}`);
    return performance.now() - startedAt;
  };
  const coldMs = await timed();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed());
  server.kill("SIGKILL");
  await upstream.close();
  return { coldMs, warmMs: median(times) };
}
