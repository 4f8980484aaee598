/** An upstream that answers as the emulator does, but with as many bytes as a test says. */
import type { Emulator } from "../../../src/emulator/index.js";
import { createRouter, findRoute } from "../../../src/emulator/router.js";
import { serviceEntries } from "../../../src/emulator/services/index.js";
import { typePattern } from "../../../src/language/choice.js";
import type { AnyOperation } from "../../../src/language/define.js";
import { mediaList } from "../../../src/language/media.js";
import type { Send } from "../../../src/language/wire.js";
import { type Growth, grown } from "./grown.js";

/** How a request's answer grows; undefined where it stays as it is. */
export type GrowthOf = (operation: AnyOperation) => Growth | undefined;

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Sends requests to an emulator and makes its answers large.
 * @param growthOf Asked before each request.
 */
export function largeUpstream({ world, send }: Emulator, growthOf: () => GrowthOf): Send {
  const serviceFor = createRouter(serviceEntries, world.vendor);
  let redirected: Growth | undefined;
  return async (request) => {
    const response = await send(request);
    const { operation } = findRoute(await serviceFor(request.url, request.method), request.method, request.url).route;
    const growth = redirected ?? growthOf()(operation);
    // What answers in the place of a request answers as largely.
    redirected = response.status >= 300 && response.status < 400 ? growth : undefined;
    if (response.status >= 300 || request.method === "HEAD") return response;
    if (growth === undefined) return response;
    const declared = mediaList(operation.spec.returns[response.status]);
    const { "content-length": _, "content-type": type = "", ...headers } = response.headers;
    const media = declared.find((one) => typePattern(one, world.vendor).test(type)) ?? declared[0];
    const body = await grown(media, await bytesOf(response.body), growth);
    return {
      status: response.status,
      headers: { ...headers, "content-type": type || "application/json" },
      body: (async function* () {
        yield* body;
      })(),
    };
  };
}
