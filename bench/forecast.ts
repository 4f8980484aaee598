/** How long a purge's preview takes with what the purge does to the site, if the API is as far away as it is, or silent. */
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { addressOf, lines, median, message, start } from "./process.js";

/** What the API usually takes for an answer. */
const delayMs = 300;
const reports = "/reporting-api/";

/** A server in front of the emulator that waits before each request, and keeps those of reports if it is silent. */
async function startDelay(target: string, isSilent: () => boolean) {
  const server = createServer((incoming, response) => {
    if (isSilent() && incoming.url?.startsWith(reports)) return;
    setTimeout(() => {
      const { method, headers, url } = incoming;
      const forwarded = request(new URL(url ?? "", target), { method, headers }, (answer: IncomingMessage) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(forwarded);
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface Answer {
  readonly result: { readonly content: readonly { readonly text: string }[] };
}

/** The milliseconds of a preview with a forecast that is not kept from before, and of one whose reports do not come. */
export async function forecastTimes(): Promise<{ readonly answeredMs: number; readonly silentMs: number }> {
  let isSilent = false;
  const emulator = start(["dist/server.js", "emulator", "--port", "0"]);
  const { server, origin } = await startDelay(await addressOf(emulator), () => isSilent);
  const ours = start(["dist/server.js", "--upstream", origin, "--state-dir", "memory", "--apis", "today"]);
  const ask = lines(ours);
  const timed = async (cpCode: number, expected: string): Promise<number> => {
    const given = { action: "invalidate", kind: "cpcode", network: "production", body: { objects: [cpCode] } };
    const startedAt = performance.now();
    const answer = await ask(message(1, "tools/call", { name: "purge_submit", arguments: given }));
    const ms = performance.now() - startedAt;
    const { content } = (JSON.parse(answer) as Answer).result;
    if (!content.some(({ text }) => text.includes(expected))) throw new Error(`not forecast: ${answer.slice(0, 800)}`);
    return ms;
  };
  // Each with another CP code, because what was read is kept for minutes.
  await timed(12_346, "Traffic: ");
  const answered: number[] = [];
  for (const cpCode of [12_345, 67_890, 67_891]) answered.push(await timed(cpCode, "Traffic: "));
  isSilent = true;
  const silentMs = await timed(67_892, "For context, unknown: ");
  for (const child of [ours, emulator]) child.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
  return { answeredMs: median(answered), silentMs };
}
