/** The product's HTTP stack with the suite's objects beside the product's own: what the suite does not know falls through. */
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { readConfig } from "../../../src/config.js";
import { createEngine } from "../../../src/engine/index.js";
import type { Surface } from "../../../src/engine/surface.js";
import { unsealState } from "../../../src/mcp/call.js";
import { serveHttp } from "../../../src/mcp/http/index.js";
import { handlers, serverInfo, serverOptions } from "../../../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { fixtureState, registerFixture } from "./fixture.js";

type AnyHandler = (request: never, ctx: ServerContext, server: unknown) => Promise<Record<string, unknown>>;

interface Params {
  readonly name: string;
  readonly uri: string;
  readonly ref: { readonly uri?: string; readonly name?: string };
}

const config = readConfig(["--emulator", "--state-dir", "memory"], {});
const [services, workflows] = await Promise.all([allServices("documents"), allWorkflows()]);
const catalogue = catalogueOf(services, workflows);
const engine = createEngine(config, catalogue, () => undefined);
const surface: Surface = {
  catalogue,
  readings: await readingsOf(services, workflows),
  version: "0.0.0",
  isEmulated: true,
  isReadOnly: false,
  engine: () => engine,
};
const own = handlers(surface) as unknown as Readonly<Record<string, AnyHandler>>;
const options = serverOptions(surface);

/** Joins the first page of a list of ours to the suite's, which has one page only. */
const joined =
  (key: string, theirs: AnyHandler, ours: AnyHandler): AnyHandler =>
  async (request, ctx, server) => {
    const first = (request as { params?: { cursor?: string } }).params?.cursor === undefined;
    const [a, b] = [first ? await theirs(request, ctx, server) : { [key]: [] }, await ours(request, ctx, server)];
    return { ...b, [key]: [...(a[key] as unknown[]), ...(b[key] as unknown[])] };
  };

/** Asks ours first where `isOurs` says so. */
const either =
  (isOurs: (params: Params) => boolean, theirs: AnyHandler, ours: AnyHandler): AnyHandler =>
  (request, ctx, server) =>
    (isOurs((request as { params: Params }).params) ? ours : theirs)(request, ctx, server);

function build(): McpServer {
  const server = new McpServer(serverInfo(surface), {
    ...options,
    capabilities: {},
    requestState: {
      verify: async (state, ctx) => {
        try {
          return await fixtureState.verify(state, ctx);
        } catch {
          return unsealState(state, ctx, (await surface.engine()).state.keys.of("question"));
        }
      },
    },
  });
  const theirs = new Map<string, AnyHandler>();
  const low = server.server;
  const install = low.setRequestHandler.bind(low) as (method: string, handler: unknown) => void;
  low.setRequestHandler = ((method: string, handler: AnyHandler) => {
    theirs.set(method, handler);
    install(method, handler);
  }) as never;
  low.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  registerFixture(server);
  low.setRequestHandler = install as never;
  const uriIsOurs = (uri: string) => uri.startsWith("operation://") || uri.startsWith("report://");
  const merging: Readonly<Record<string, (a: AnyHandler, b: AnyHandler) => AnyHandler>> = {
    "tools/list": (a, b) => joined("tools", a, b),
    "tools/call": (a, b) => either(({ name }) => surface.catalogue.has(name), a, b),
    "resources/list": (a, b) => joined("resources", a, b),
    "resources/templates/list": (a, b) => joined("resourceTemplates", a, b),
    "resources/read": (a, b) => either(({ uri }) => !uri.startsWith("test://"), a, b),
    "prompts/list": (a, b) => joined("prompts", a, b),
    "prompts/get": (a, b) => either(({ name }) => name === "purge_safely", a, b),
    "completion/complete": (a, b) => either(({ ref }) => uriIsOurs(ref.uri ?? "") || ref.name === "purge_safely", a, b),
  };
  for (const [method, merged] of Object.entries(merging)) {
    const [a, b] = [theirs.get(method), own[method]];
    if (!a || !b) throw new Error(`${method} is not served on both sides`);
    const handler = merged(a, b);
    install(method, (request: never, ctx: ServerContext) => handler(request, ctx, low));
  }
  const accept = async () => ({});
  install("resources/subscribe", accept);
  install("resources/unsubscribe", accept);
  return server;
}

const { url } = await serveHttp({
  build,
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  log: (line) => void process.stderr.write(`${line}\n`),
});
process.stdout.write(`${url}\n`);
