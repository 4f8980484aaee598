/** What a rule tree of a megabyte costs: outlined, changed by a patch and written, over stdio, in time and in memory. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { lines, median, message, processorMs, residentMb, start } from "./process.js";

const targetBytes = 1024 * 1024;
const at = { propertyId: "prp_1", propertyVersion: 3 };
const root = "/papi/v0/properties/prp_1";

const rule = (name: string, children: readonly unknown[]) => ({
  name,
  criteria: [{ name: "path", options: { matchOperator: "MATCHES_ONE_OF", values: [`/${name}/*`, `/old/${name}`] } }],
  criteriaMustSatisfy: "all",
  behaviors: [
    { name: "caching", options: { behavior: "MAX_AGE", mustRevalidate: false, ttl: "1d" } },
    { name: "modifyOutgoingResponseHeader", options: { action: "ADD", headerName: "X-Rule", headerValue: name } },
  ],
  children,
});

/** A tree of a megabyte as a site has one: sections of rules with a few options each. */
function treeOfAMegabyte() {
  const leaves = (section: number) => Array.from({ length: 40 }, (_, n) => rule(`section-${section}-rule-${n}`, []));
  const children: unknown[] = [];
  for (let size = 0; size < targetBytes; ) {
    const section = rule(`section-${children.length}`, leaves(children.length));
    children.push(section);
    size += JSON.stringify(section).length + 1;
  }
  return { name: "default", behaviors: [{ name: "caching", options: { ttl: "1d" } }], children };
}

/** The property service as far as the change asks it; what is written is read again. */
async function startUpstream() {
  let tree: object = treeOfAMegabyte();
  let writes = 0;
  const version = { ...at, updatedByUser: "u", updatedDate: "2026-01-01T00:00:00Z", productId: "prd_1" };
  const inactive = { productionStatus: "INACTIVE", stagingStatus: "INACTIVE" };
  const answers: Readonly<Record<string, () => object>> = {
    [`${root}/versions/3/rules/`]: () => ({ ...at, etag: `e${writes}`, ruleFormat: "latest", rules: tree }),
    [`${root}/versions/3`]: () => ({
      propertyId: at.propertyId,
      propertyName: "www.shop.example",
      versions: { items: [{ ...version, ...inactive, etag: `e${writes}` }] },
    }),
    [`${root}/activations/`]: () => ({ activations: { items: [] } }),
    "/papi/v0/groups/": () => ({ accountId: "act_1", accountName: "Shop", groups: { items: [] } }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "PUT") {
      tree = (JSON.parse(Buffer.concat(chunks).toString()) as { rules: object }).rules;
      writes += 1;
    }
    const body = answers[new URL(request.url ?? "", "http://upstream").pathname]?.();
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, writes: () => writes };
}

interface Answer {
  readonly result: { readonly structuredContent: Readonly<Record<string, unknown>> };
}

/** What outlining, previewing and writing took of the processor, and how far our memory grew. */
export interface RuleTreeCost {
  readonly ms: number;
  /** As a multiple of what the floor takes. */
  readonly ratio: number;
  /** Resident memory in the last rounds as a multiple of what it was when the code was warm. */
  readonly growth: number;
  readonly residentMb: number;
}

const warmUp = 10;
const rounds = 20;
/** Of so many rounds the memory is compared, because it rises and falls with every collection. */
const compared = 8;

/** Changes the same tree again and again, by turns ours and the floor's. */
export async function ruleTreeCost(): Promise<RuleTreeCost> {
  const upstream = await startUpstream();
  const ours = start(["dist/server.js", "--upstream", upstream.origin, "--state-dir", "memory"]);
  const floor = start(["bench/sdk-rule-tree.mjs", upstream.origin, `${root}/versions/3/rules/`]);
  const asking = (child: typeof ours) => {
    const ask = lines(child);
    return async (name: string, given: object) =>
      (JSON.parse(await ask(message(1, "tools/call", { name, arguments: given }))) as Answer).result.structuredContent;
  };
  const [askOurs, askFloor] = [asking(ours), asking(floor)];
  // The processor's time, because the clock also counts what else the machine does.
  const timed = async (child: typeof ours, run: () => Promise<void>) => {
    const before = processorMs(child);
    await run();
    return processorMs(child) - before;
  };
  const change = async (round: number) => {
    await askOurs("property_rule_tree_get", at);
    const path = "/rules/children/9/children/9/behaviors/0/options/ttl";
    const given = { ...at, patch: [{ op: "replace", path, value: `${round}h` }] };
    const preview = await askOurs("property_rule_tree_update", given);
    const written = await askOurs("property_rule_tree_update", { ...given, confirm: preview["confirm"] });
    if (upstream.writes() !== 2 * round + 1) throw new Error(`not written: ${JSON.stringify(written).slice(0, 500)}`);
  };
  const bare = async () => {
    for (const name of ["read", "read", "write"]) await askFloor(name, {});
  };
  const seen = { ours: [] as number[], floor: [] as number[], memory: [] as number[] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    seen.ours.push(await timed(ours, () => change(round)));
    seen.floor.push(await timed(floor, bare));
    seen.memory.push(residentMb(ours));
  }
  for (const child of [ours, floor]) child.kill("SIGKILL");
  upstream.server.closeAllConnections();
  upstream.server.close();
  const ms = median(seen.ours.slice(warmUp));
  const memory = median(seen.memory.slice(-compared));
  return {
    ms,
    ratio: ms / median(seen.floor.slice(warmUp)),
    growth: memory / median(seen.memory.slice(warmUp, warmUp + compared)),
    residentMb: memory,
  };
}
