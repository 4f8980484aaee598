/** `edgewise demo`: the main tasks from end to end, with a real client over stdio, against the embedded emulator. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import manifest from "../../package.json" with { type: "json" };
import { hourMs, waitFor } from "../time/durations.js";
import { type Command, print } from "./command.js";

type Content = Readonly<Record<string, unknown>>;
type Call = (tool: string, args: Record<string, unknown>) => Promise<Content>;

const hour = (ms: number): string => new Date(Math.floor(ms / hourMs) * hourMs).toISOString();
const title = (text: string): void => print(`\n== ${text}`);

interface Report {
  readonly data: { readonly data: readonly Readonly<Record<string, string>>[] };
}

/** Draws a series as a line of blocks, each for several hours. */
function drawn(values: readonly number[], columns = 84): string {
  const width = Math.ceil(values.length / columns);
  const peaks = Array.from({ length: Math.ceil(values.length / width) }, (_, index) =>
    Math.max(...values.slice(index * width, (index + 1) * width)),
  );
  const top = Math.max(...peaks, 1);
  return peaks.map((value) => "▁▂▃▄▅▆▇█"[Math.min(7, Math.floor((value / top) * 8))]).join("");
}

async function findIncident(call: Call): Promise<void> {
  title("Why did errors rise? A week of the shop's traffic, hour by hour");
  const week = {
    reportName: "endpoint-usage-by-time",
    version: 1,
    start: hour(Date.now() - 7 * 24 * hourMs),
    end: hour(Date.now()),
    interval: "HOUR",
    objectIds: ["12345"],
    metrics: ["edgeHits"],
  };
  const rowsOf = async (more: Record<string, unknown>) =>
    ((await call("report_data_get", { ...week, ...more })) as unknown as Report).data.data.map((row) => ({
      at: row["startdatetime"] ?? "",
      hits: Number(row["edgeHits"]),
    }));
  const all = await rowsOf({});
  const rows = await rowsOf({ filters: { response_class: ["5xx"] } });
  const hits = rows.map((row) => row.hits);
  const usual = [...hits].sort((a, b) => a - b)[Math.floor(hits.length / 2)] ?? 0;
  const bad = rows.filter((row) => row.hits > usual * 5);
  print(`requests  ${drawn(all.map((row) => row.hits))}`);
  print(`5xx       ${drawn(hits)}`);
  const [first, last] = [bad[0], bad.at(-1)];
  if (first && last)
    print(
      `Incident: ${first.at} to ${last.at} (start of the last hour), up to ${Math.max(...bad.map((row) => row.hits))} errors an hour; normal is ${usual}.`,
    );
}

async function diagnose(call: Call): Promise<void> {
  title("What is wrong with http://api.shop.example/cart? Tested from three continents");
  const { findings } = await call("diagnosis_run", { url: "http://api.shop.example/cart" });
  for (const finding of findings as readonly string[]) print(finding);
}

async function purgeSafely(call: Call): Promise<void> {
  title("Purge the broken pages: preview, approval, wait");
  const purge = {
    queueName: "default",
    body: {
      objects: ["https://www.example.com/spring/", "https://www.example.com/spring/hero.jpg"],
      action: "invalidate",
    },
  };
  const preview = await call("purge_submit", purge);
  print(`Preview: ${(preview["preview"] as Content)["summary"]}`);
  print(`Plan ${preview["confirm"]}, valid until ${preview["expiresAt"]}. The user approves.`);
  const confirmed = { ...purge, confirm: preview["confirm"] };
  const { purgeId } = (await call("purge_submit", confirmed))["data"] as { purgeId: string };
  print(`Accepted: ${purgeId}`);
  const stopAt = Date.now() + 12_000;
  for (let status = ""; status !== "Done" && Date.now() < stopAt; await waitFor(1_000, undefined)) {
    const { purgeStatus } = (await call("purge_status", { purgeId }))["data"] as { purgeStatus: string };
    if (purgeStatus !== status) print(`Status: ${purgeStatus}`);
    status = purgeStatus;
  }
  title("The same confirmation once more");
  const again = await call("purge_submit", confirmed);
  print(`Refused: ${again["message"]} ${again["why"]}`);
}

interface ZoneDocument {
  readonly zone: {
    readonly soa: { readonly serial: number };
    readonly a: readonly { readonly name: string | null; readonly target: string }[];
  };
}

async function moveRecord(call: Call): Promise<void> {
  title("Move a record: www.example.com to another address");
  const record = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.80"] };
  const preview = await call("dns_record_set", record);
  const { lines } = preview["preview"] as { lines: readonly string[] };
  for (const line of lines.slice(
    0,
    lines.findIndex((one) => one.startsWith("zone:")),
  ))
    print(line);
  const answer = await call("dns_record_set", { ...record, confirm: preview["confirm"] });
  print(`Written: ${answer["status"]}`);
  const { zone } = (await call("dns_zone_get", { zone: "example.com" }))["data"] as ZoneDocument;
  const targets = zone.a.filter(({ name }) => name === "www").map(({ target }) => target);
  print(`Now: ${targets.join(", ")}, serial ${zone.soa.serial}`);
}

export const demoCommand: Command = async () => {
  const startedAt = Date.now();
  const client = new Client(
    { name: "edgewise-demo", version: manifest.version },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [process.argv[1] ?? "", "--emulator", "--state-dir", "memory"],
      stderr: "ignore",
    }),
  );
  const call: Call = async (name, args) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Content;
  try {
    title("The tools");
    const { tools } = await client.listTools();
    const guarded = tools.filter(({ annotations }) => annotations?.destructiveHint).length;
    print(
      `${tools.length} tools, ${guarded} of them guarded: ${tools
        .slice(0, 6)
        .map(({ name }) => name)
        .join(", ")}, …`,
    );
    await findIncident(call);
    await diagnose(call);
    await purgeSafely(call);
    await moveRecord(call);
    print(
      `\nAll of this ran on the embedded emulator, in ${((Date.now() - startedAt) / 1000).toFixed(1)} s; nothing real was changed.`,
    );
    return 0;
  } finally {
    await client.close();
  }
};
